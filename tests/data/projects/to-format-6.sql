-- Makes a project of this format one of format 6, whose rows have no checksums and whose sketches no versions, and no pictures: for tests that write rows by
-- hand. The program that opens it next for writing brings it back and sums what is there.
DROP TABLE sketch_version;
DROP TABLE picture;
DROP TABLE checksum;
CREATE INDEX metric_by_name ON metric (name, run, value);
CREATE TABLE run_6 (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scenario_name TEXT NOT NULL, scenario_sha256 TEXT NOT NULL REFERENCES scenario_text (sha256),
  kind TEXT NOT NULL, method TEXT NOT NULL, label TEXT NOT NULL DEFAULT '', seed INTEGER NOT NULL DEFAULT 0,
  provenance_id INTEGER NOT NULL REFERENCES provenance (id), owner_host TEXT NOT NULL, owner_pid INTEGER NOT NULL, owner_start INTEGER NOT NULL,
  started TEXT NOT NULL, ended TEXT, outcome TEXT NOT NULL DEFAULT 'running', replay_of TEXT NOT NULL DEFAULT '', deleted TEXT,
  note TEXT NOT NULL DEFAULT '', message TEXT NOT NULL DEFAULT '', parameters TEXT NOT NULL, options TEXT NOT NULL, result TEXT,
  solution_of TEXT NOT NULL DEFAULT '', start TEXT NOT NULL DEFAULT '', sketch TEXT NOT NULL DEFAULT '', tags TEXT NOT NULL DEFAULT '');
INSERT INTO run_6
  SELECT number, id, scenario_name, scenario_sha256, kind, method, label, seed, provenance_id, owner_host, owner_pid, owner_start, started, ended, outcome,
         replay_of, deleted, note, message, parameters, options, o.result, solution_of, start, sketch, tags
  FROM run LEFT JOIN run_result o ON o.run = number ORDER BY number;
DROP TABLE run_result;
DROP TABLE run;
PRAGMA legacy_alter_table = ON; -- the view of runs stays as it is
ALTER TABLE run_6 RENAME TO run;
PRAGMA legacy_alter_table = OFF;
CREATE INDEX run_by_time ON run (started);
CREATE INDEX run_by_scenario ON run (scenario_sha256);
CREATE INDEX run_by_sketch ON run (sketch) WHERE sketch <> '';
PRAGMA user_version = 6;
