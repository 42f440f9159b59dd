-- From project format 4 to 5: sketches. A project has several, each with the text that is being edited; before, a table `scenario` had texts saved by
-- name that no program wrote. The program then makes a sketch of each scenario that was run: sketches-of-runs.sql.
CREATE TABLE sketch (
  number  INTEGER PRIMARY KEY,         -- in the order of adding
  id      TEXT NOT NULL UNIQUE,        -- UUID
  name    TEXT NOT NULL,               -- what it is called in this project: unique among those that are there
  text    TEXT NOT NULL,               -- of the scenario as it is now; texts that were run are in scenario_text
  sha256  TEXT NOT NULL,               -- of that text
  created TEXT NOT NULL,
  changed TEXT NOT NULL,
  deleted TEXT,                        -- when the user removed it; NULL while it is there
  view    TEXT NOT NULL DEFAULT '{}'   -- JSON: how it is looked at, by what looks at it: channels of plots, regions, ...
);
CREATE UNIQUE INDEX sketch_by_name ON sketch (name) WHERE deleted IS NULL;

-- Sketch whose text the run was made from; '' for others. The text itself is that of scenario_sha256, whatever became of the sketch.
ALTER TABLE run ADD COLUMN sketch TEXT NOT NULL DEFAULT '';
CREATE INDEX run_by_sketch ON run (sketch) WHERE sketch <> '';
