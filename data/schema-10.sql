-- From project format 9 to 10: what a sketch was before. Its newest version is what it is now; a sketch that was made by an older program gets its first
-- one when it is changed.
--
-- Edits of one kind within a minute are one version. Of more than 400 versions of a sketch every second one of the older half goes.
CREATE TABLE sketch_version (
  sketch  TEXT NOT NULL,     -- id of the sketch
  number  INTEGER NOT NULL,  -- from 1; numbers that are gone are not given again
  saved   TEXT NOT NULL,     -- time, as of runs
  what    TEXT NOT NULL,     -- what was changed: "Add box"; '': nothing is known of it
  sha256  TEXT NOT NULL,     -- of the text: a version that differs from it is damaged
  text    NOT NULL,          -- as long texts of format 9: text, or a zlib stream of it
  PRIMARY KEY (sketch, number)
) WITHOUT ROWID;
