-- From project format 2 to 3: what is measured, what happened and what was sampled are rows, so that methods with other metrics, events, motions
-- that branch, or clouds of samples need no other tables. The program then writes the metrics and events of each stored result as rows.
--
-- Runs are made anew: metrics leave them, their kind is that of the method and may be any text, long texts stand last.
CREATE TABLE run_3 (
  number          INTEGER PRIMARY KEY,     -- in the order of recording
  id              TEXT NOT NULL UNIQUE,    -- UUID
  scenario_name   TEXT NOT NULL,
  scenario_sha256 TEXT NOT NULL REFERENCES scenario_text (sha256),
  kind            TEXT NOT NULL,           -- of the method: integrator, optimiser, impact-law; with its name it says which method it is
  method          TEXT NOT NULL,
  label           TEXT NOT NULL DEFAULT '',
  seed            INTEGER NOT NULL DEFAULT 0,
  provenance_id   INTEGER NOT NULL REFERENCES provenance (id),
  owner_host      TEXT NOT NULL,           -- who is writing this run: host, process, start time of the process
  owner_pid       INTEGER NOT NULL,
  owner_start     INTEGER NOT NULL,        -- clock ticks since boot, from /proc/PID/stat
  started         TEXT NOT NULL,
  ended           TEXT,
  outcome         TEXT NOT NULL DEFAULT 'running',
  replay_of       TEXT NOT NULL DEFAULT '', -- run whose controls were replayed; '' for others
  deleted         TEXT,                    -- when the user removed it; NULL while it is there
  note            TEXT NOT NULL DEFAULT '',
  message         TEXT NOT NULL DEFAULT '',
  parameters      TEXT NOT NULL,           -- JSON: overrides of the scenario's parameters
  options         TEXT NOT NULL,           -- JSON: what was asked for; the result's JSON has every value used
  result          TEXT                     -- JSON as on the command line
);
INSERT INTO run_3
  SELECT rowid, id, scenario_name, scenario_sha256,
         CASE kind WHEN 'simulate' THEN 'integrator' WHEN 'optimise' THEN 'optimiser' ELSE kind END,
         method, label, seed, provenance_id, owner_host, owner_pid, owner_start, started, ended, outcome, replay_of, deleted, note,
         message, parameters, options, result
  FROM run ORDER BY rowid;

-- What can be said of a run in a number. Flags are 0 or 1; NULL is not known; what does not apply has no row. Metrics and events, of which a run has
-- tens, name their run by its number: that halves the tables.
CREATE TABLE metric (
  run   INTEGER NOT NULL REFERENCES run (number),
  name  TEXT NOT NULL,                     -- as in the result, with a dot in objects: objective, tracking_error.total
  value REAL,
  PRIMARY KEY (run, name)
) WITHOUT ROWID;
-- Of runs without a result: how far those came whose program ended before them.
INSERT INTO metric SELECT rowid, 'iterations', iterations FROM run WHERE iterations IS NOT NULL;
CREATE INDEX metric_by_name ON metric (name, run, value);

DROP TABLE run;
ALTER TABLE run_3 RENAME TO run;
CREATE INDEX run_by_time ON run (started);
CREATE INDEX run_by_scenario ON run (scenario_sha256);

-- Motions: little-endian float64, row-major, n_rows x n_channels.
CREATE TABLE motion (
  run_id          TEXT NOT NULL REFERENCES run (id),
  role            TEXT NOT NULL,               -- answer; latest: while it runs; iterate: kept on the way
  branch          INTEGER NOT NULL DEFAULT 0,  -- of a run whose motion goes on in several ways; 0 where there is one
  iteration       INTEGER NOT NULL DEFAULT -1, -- of a kept iterate
  share           REAL,                        -- of the branch in all outcomes, 0..1; NULL: not known
  n_rows          INTEGER NOT NULL,
  n_channels      INTEGER NOT NULL,
  channels        TEXT NOT NULL,               -- JSON list of names, "t" first
  channel_records TEXT,                        -- JSON list of {name, quantity, unit, owner, of, state}; NULL where names are all that is known
  data            BLOB NOT NULL,
  PRIMARY KEY (run_id, role, branch, iteration)
);
INSERT INTO motion SELECT run_id, role, 0, iteration, 1, n_rows, n_channels, channels, NULL, data FROM trajectory ORDER BY rowid;
DROP TABLE trajectory;

-- What happened in a motion, in the order of time.
CREATE TABLE event (
  run         INTEGER NOT NULL REFERENCES run (number),
  branch      INTEGER NOT NULL DEFAULT 0,  -- motion in which it happened
  number      INTEGER NOT NULL,            -- from 0
  t           REAL NOT NULL,               -- physical time [s]
  tau         REAL,                        -- numerical time [s] where the two differ
  kind        TEXT NOT NULL,               -- impact, separation, slip, stick, slip-reversal, limit, limit-left, ...
  contact     TEXT,                        -- NULL where it happened elsewhere
  point       INTEGER,                     -- of the contact's manifold; NULL: of the pair
  joint       TEXT,
  joint_limit TEXT,                        -- lower, upper
  impulse     REAL,                        -- [N s]
  exact       INTEGER NOT NULL DEFAULT 0,  -- 1: the time is the method's own, 0: the end of the step
  details     TEXT,                        -- JSON: what else a method says of it
  PRIMARY KEY (run, branch, number)
) WITHOUT ROWID;

-- Clouds of numbers, such as velocities after an impact: little-endian, row-major, n x length of columns.
CREATE TABLE sample (
  run_id  TEXT NOT NULL REFERENCES run (id),
  name    TEXT NOT NULL,                   -- of the cloud, unique in the run
  columns TEXT NOT NULL,                   -- JSON list of names
  n       INTEGER NOT NULL,
  type    TEXT NOT NULL,                   -- float32, float64
  data    BLOB NOT NULL,
  PRIMARY KEY (run_id, name)
);

-- Runs that were started, or put side by side, to be looked at together.
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

-- Runs that were not removed with their usual metrics by name, for queries by hand.
CREATE VIEW run_overview AS
  SELECT number, id, scenario_name, scenario_sha256, kind, method, label, outcome, message, started, ended, replay_of, parameters, options, seed, note,
    (SELECT value FROM metric WHERE run = run.number AND name = 'objective') AS objective,
    (SELECT value FROM metric WHERE run = run.number AND name = 'max_violation') AS max_violation,
    (SELECT value FROM metric WHERE run = run.number AND name = 'complementarity') AS complementarity,
    (SELECT value FROM metric WHERE run = run.number AND name = 'tracking_error.total') AS tracking_error,
    (SELECT CAST (value AS INTEGER) FROM metric WHERE run = run.number AND name = 'success_paper') AS success_paper,
    (SELECT CAST (value AS INTEGER) FROM metric WHERE run = run.number AND name = 'iterations') AS iterations,
    (SELECT CAST (value AS INTEGER) FROM metric WHERE run = run.number AND name = 'subproblems') AS subproblems,
    (SELECT CAST (value AS INTEGER) FROM metric WHERE run = run.number AND name = 'n_variables') AS n_variables,
    (SELECT CAST (value AS INTEGER) FROM metric WHERE run = run.number AND name = 'n_constraints') AS n_constraints,
    (SELECT CAST (value AS INTEGER) FROM metric WHERE run = run.number AND name = 'steps') AS steps,
    (SELECT value FROM metric WHERE run = run.number AND name = 'energy_initial') AS energy_initial,
    (SELECT value FROM metric WHERE run = run.number AND name = 'energy_final') AS energy_final,
    (SELECT value FROM metric WHERE run = run.number AND name = 'max_penetration') AS max_penetration,
    (SELECT value FROM metric WHERE run = run.number AND name = 'max_cone_violation') AS max_cone_violation,
    (SELECT value FROM metric WHERE run = run.number AND name = 'max_residual') AS max_residual,
    (SELECT value FROM metric WHERE run = run.number AND name = 'replay_distance') AS replay_distance,
    (SELECT value FROM metric WHERE run = run.number AND name = 'replay_angle') AS replay_angle,
    (SELECT value FROM metric WHERE run = run.number AND name = 'replay_final') AS replay_final,
    (SELECT value FROM metric WHERE run = run.number AND name = 'setup_seconds') AS setup_seconds,
    (SELECT value FROM metric WHERE run = run.number AND name = 'solve_seconds') AS solve_seconds,
    (SELECT value FROM metric WHERE run = run.number AND name = 'cpu_seconds') AS cpu_seconds
  FROM run WHERE deleted IS NULL;
