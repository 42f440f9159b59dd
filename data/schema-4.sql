-- From project format 3 to 4: a plan's local solutions from several starts are runs of their own beside the answer's.

-- Run with the answer, of a local solution that another start led to; '' for others.
ALTER TABLE run ADD COLUMN solution_of TEXT NOT NULL DEFAULT '';
-- What led to the plan of this run, in words; '' where there was one start.
ALTER TABLE run ADD COLUMN start TEXT NOT NULL DEFAULT '';

DROP VIEW run_overview;
-- Runs that were not removed with their usual metrics by name, for queries by hand.
CREATE VIEW run_overview AS
  SELECT number, id, scenario_name, scenario_sha256, kind, method, label, outcome, message, started, ended, replay_of, solution_of, start, parameters, options, seed, note,
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
    (SELECT value FROM metric WHERE run = run.number AND name = 'replayed.objective') AS replayed_objective,
    (SELECT value FROM metric WHERE run = run.number AND name = 'setup_seconds') AS setup_seconds,
    (SELECT value FROM metric WHERE run = run.number AND name = 'solve_seconds') AS solve_seconds,
    (SELECT value FROM metric WHERE run = run.number AND name = 'cpu_seconds') AS cpu_seconds
  FROM run WHERE deleted IS NULL;
