-- From project format 5 to 6: studies, and words that a user sorts runs by.
CREATE TABLE study (
  number     INTEGER PRIMARY KEY,      -- in the order of adding
  id         TEXT NOT NULL UNIQUE,     -- UUID
  title      TEXT NOT NULL,
  definition TEXT NOT NULL,            -- JSON, as examples/README.md says: scenario, what varies, methods, limits
  n_tasks    INTEGER NOT NULL,         -- runs that the definition asks for
  created    TEXT NOT NULL,
  changed    TEXT NOT NULL,
  deleted    TEXT                      -- when the user removed it; NULL while it is there
);

-- Which run answers which task of a study: one at most.
CREATE TABLE study_run (
  study  INTEGER NOT NULL REFERENCES study (number),
  key    TEXT NOT NULL,                -- of the task: SHA-256 of what makes its run
  run_id TEXT NOT NULL REFERENCES run (id),
  task   TEXT NOT NULL DEFAULT '{}',   -- JSON: what varies and its value in this run, such as {"mu": 0.5, "dt": 0.01}
  PRIMARY KEY (study, key)
) WITHOUT ROWID;
CREATE INDEX study_run_by_run ON study_run (run_id);

ALTER TABLE run ADD COLUMN tags TEXT NOT NULL DEFAULT ''; -- words of the user, separated by ', '
