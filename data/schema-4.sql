-- From project format 3 to 4: runs that were started, or put side by side, to be looked at together.
CREATE TABLE comparison (
  number  INTEGER PRIMARY KEY, -- in the order of recording
  id      TEXT NOT NULL UNIQUE, -- UUID
  title   TEXT NOT NULL,
  created TEXT NOT NULL,
  deleted TEXT                 -- when the user removed it; NULL while it is there
);
CREATE TABLE comparison_run (
  comparison INTEGER NOT NULL REFERENCES comparison (number),
  position   INTEGER NOT NULL, -- from 0
  run_id     TEXT NOT NULL REFERENCES run (id),
  label      TEXT NOT NULL DEFAULT '', -- what the run is in this comparison; '': it is called by its method
  PRIMARY KEY (comparison, position)
) WITHOUT ROWID;
