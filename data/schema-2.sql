-- From project format 1 to 2: replays of planned controls know their plan and how far from it they end.
ALTER TABLE run ADD COLUMN replay_of TEXT NOT NULL DEFAULT '';  -- run whose controls were replayed; '' for others
ALTER TABLE run ADD COLUMN replay_distance REAL;                -- largest distance of a body's centre over the plan's time points [m]
ALTER TABLE run ADD COLUMN replay_angle REAL;                   -- largest difference of an angle [rad]
ALTER TABLE run ADD COLUMN replay_final REAL;                   -- distance at the plan's last time point [m]
