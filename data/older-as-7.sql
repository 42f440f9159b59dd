-- A project of format 1 or 2 that may not be changed, shown in the tables of format 7: temporary ones, for one connection. `older_run` is its
-- table of runs with `number` and `replay_of`; `sketch` was made before. The program then fills metrics and events as when it brings a project to format 3.
CREATE TEMP VIEW run AS
  SELECT number, id, scenario_name, scenario_sha256,
         CASE kind WHEN 'simulate' THEN 'integrator' WHEN 'optimise' THEN 'optimiser' ELSE kind END AS kind,
         method, label, seed, provenance_id, owner_host, owner_pid, owner_start, started, ended, outcome, replay_of, '' AS solution_of, '' AS start,
         coalesce ((SELECT k.id FROM temp.sketch k WHERE k.name = scenario_name), '') AS sketch, deleted, note, message, parameters, options, result, '' AS tags
  FROM older_run;
CREATE TEMP VIEW motion AS
  SELECT run_id, role, 0 AS branch, iteration, 1 AS share, n_rows, n_channels, channels, NULL AS channel_records, data FROM main.trajectory;
CREATE TEMP TABLE metric (run INTEGER NOT NULL, name TEXT NOT NULL, value REAL, PRIMARY KEY (run, name)) WITHOUT ROWID;
INSERT INTO metric SELECT rowid, 'iterations', iterations FROM main.run WHERE iterations IS NOT NULL;
CREATE TEMP TABLE event (
  run INTEGER NOT NULL, branch INTEGER NOT NULL DEFAULT 0, number INTEGER NOT NULL, t REAL NOT NULL, tau REAL, kind TEXT NOT NULL, contact TEXT,
  point INTEGER, joint TEXT, joint_limit TEXT, impulse REAL, exact INTEGER NOT NULL DEFAULT 0, details TEXT,
  PRIMARY KEY (run, branch, number)) WITHOUT ROWID;
CREATE TEMP TABLE sample (run_id TEXT, name TEXT, columns TEXT, n INTEGER, type TEXT, data BLOB);
CREATE TEMP TABLE comparison (number, id, title, created, deleted);
CREATE TEMP TABLE comparison_run (comparison, position, run_id, label);
