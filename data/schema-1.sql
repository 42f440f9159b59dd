-- A Stickslip project: one SQLite database. application_id and user_version are set by the program. This is format 1;
-- schema-2.sql leads to format 2, schema-3.sql to the present one.
--
-- Times are ISO 8601 in UTC with milliseconds. Numbers that are not finite or not known are NULL. JSON columns hold objects with
-- '.' as decimal sign. Nothing is ever deleted by the program: `deleted` marks what the user removed.

-- Texts of scenario files, one row per distinct text.
CREATE TABLE scenario_text (
  sha256  TEXT PRIMARY KEY,
  text    TEXT NOT NULL,
  created TEXT NOT NULL
) WITHOUT ROWID;

-- Scenarios saved by name (sketches), with versions.
CREATE TABLE scenario (
  name    TEXT NOT NULL,
  version INTEGER NOT NULL,
  sha256  TEXT NOT NULL REFERENCES scenario_text (sha256),
  saved   TEXT NOT NULL,
  PRIMARY KEY (name, version)
);

-- A program in one version on one machine: what a result may depend on besides its inputs.
CREATE TABLE provenance (
  id          INTEGER PRIMARY KEY,
  version     TEXT NOT NULL,               -- of Stickslip
  git_commit  TEXT NOT NULL DEFAULT '',    -- '' when not built from git; '+' at the end: with uncommitted changes
  compiler    TEXT NOT NULL,
  build_flags TEXT NOT NULL DEFAULT '',
  host        TEXT NOT NULL,
  cpu         TEXT NOT NULL,
  cpu_count   INTEGER NOT NULL,
  os          TEXT NOT NULL,
  libraries   TEXT NOT NULL,               -- JSON: name -> version
  UNIQUE (version, git_commit, compiler, build_flags, host, cpu, cpu_count, os, libraries)
);

CREATE TABLE run (
  id              TEXT PRIMARY KEY,        -- UUID
  scenario_name   TEXT NOT NULL,
  scenario_sha256 TEXT NOT NULL REFERENCES scenario_text (sha256),
  kind            TEXT NOT NULL CHECK (kind IN ('optimise', 'simulate')),
  method          TEXT NOT NULL,
  label           TEXT NOT NULL DEFAULT '',
  options         TEXT NOT NULL,           -- JSON: what was asked for; the result's JSON has every value used
  parameters      TEXT NOT NULL,           -- JSON: overrides of the scenario's parameters
  seed            INTEGER NOT NULL DEFAULT 0,
  provenance_id   INTEGER NOT NULL REFERENCES provenance (id),
  owner_host      TEXT NOT NULL,           -- who is writing this run: host, process, start time of the process
  owner_pid       INTEGER NOT NULL,
  owner_start     INTEGER NOT NULL,        -- clock ticks since boot, from /proc/PID/stat
  started         TEXT NOT NULL,
  ended           TEXT,
  outcome         TEXT NOT NULL DEFAULT 'running',
  message         TEXT NOT NULL DEFAULT '',
  objective       REAL, max_violation REAL, complementarity REAL, tracking_error REAL,
  success_paper   INTEGER,
  iterations      INTEGER, subproblems INTEGER, n_variables INTEGER, n_constraints INTEGER,
  steps           INTEGER, energy_initial REAL, energy_final REAL, max_penetration REAL, max_cone_violation REAL, max_residual REAL,
  setup_seconds   REAL, solve_seconds REAL, cpu_seconds REAL,
  result          TEXT,                    -- JSON as on the command line
  note            TEXT NOT NULL DEFAULT '',
  deleted         TEXT                     -- when the user removed it; NULL while it is there
);
CREATE INDEX run_by_time ON run (started);
CREATE INDEX run_by_scenario ON run (scenario_sha256);

-- Convergence tables. `columns` has every column the method reports.
CREATE TABLE iteration (
  run_id          TEXT NOT NULL REFERENCES run (id),
  iteration       INTEGER NOT NULL,
  t               REAL NOT NULL,           -- seconds since the run's start
  objective       REAL, violation REAL, complementarity REAL, step REAL,
  parameter       REAL,                    -- trust-region radius, barrier or homotopy parameter ...
  parameter_name  TEXT NOT NULL DEFAULT '',
  columns         TEXT NOT NULL,           -- JSON
  PRIMARY KEY (run_id, iteration)
) WITHOUT ROWID;

-- Motions: little-endian float64, row-major, n_rows x n_channels.
CREATE TABLE trajectory (
  run_id     TEXT NOT NULL REFERENCES run (id),
  role       TEXT NOT NULL CHECK (role IN ('answer', 'latest', 'iterate')),  -- latest: while it runs
  iteration  INTEGER NOT NULL DEFAULT -1,  -- of a kept iterate
  n_rows     INTEGER NOT NULL,
  n_channels INTEGER NOT NULL,
  channels   TEXT NOT NULL,                -- JSON list of names, "t" first
  data       BLOB NOT NULL,
  PRIMARY KEY (run_id, role, iteration)
);

CREATE TABLE log (
  id     INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES run (id),
  t      REAL NOT NULL,
  level  INTEGER NOT NULL,                 -- 0 debug, 1 information, 2 warning, 3 error
  text   TEXT NOT NULL
);
CREATE INDEX log_by_run ON log (run_id, id);
