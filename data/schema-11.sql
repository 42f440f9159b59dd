-- From project format 10 to 11: what lists do not read stands in tables of its own, so that rows of runs and sketches are narrow.

-- JSON of a run's result, as it was in run.result; a run without a result has no row. The checksum of the part "result" is of the same bytes as before: of
-- one row whose value is NULL where there is no result.
CREATE TABLE run_result (
  run    INTEGER PRIMARY KEY REFERENCES run (number),
  result TEXT NOT NULL            -- as long texts of format 9: text, or a zlib stream of it
);
INSERT INTO run_result SELECT number, result FROM run WHERE result IS NOT NULL ORDER BY number;
ALTER TABLE run DROP COLUMN result;

-- Pictures under sketches, each once. A sketch's view names one as picture.sha256; in format 10 it had the picture itself in base64 as picture.png, and the
-- program then moves it here. A picture that no view names any more goes with the change that took the last name; a sketch that was removed names its own.
CREATE TABLE picture (
  sha256 TEXT NOT NULL PRIMARY KEY, -- of png: a picture that differs from it is damaged
  png    BLOB NOT NULL
);
