-- From project format 6 to 7: checksums. What was changed by anything but this program, or by a disk, is noticed where it is read.
--
-- A checksum is the SHA-256 of these bytes. First three texts: `of`, `part`, and the id of the row that `number` names. Then, for each row of the part
-- in its order, the letter 'r' and the values of its columns. A value is a letter and its bytes:
--   'n'  NULL: nothing more
--   'i'  integer: 8 bytes, two's complement, little-endian
--   'f'  real: 8 bytes, IEEE 754, little-endian
--   't'  text, 'b' blob: their length in bytes as an integer's 8 bytes, then they
-- The columns of each part and the order of its rows are those of the table `parts` in app/store/ssapp-store-sum.c, and the same in stickslip.py. A run
-- gets its checksums when it ends: one that runs has none of its parts but those of motions and samples. Texts of scenarios have theirs as their key.
CREATE TABLE checksum (
  of     TEXT NOT NULL,    -- table: run, sketch, study, comparison
  number INTEGER NOT NULL, -- of the row there
  part   TEXT NOT NULL,    -- row, marks (note, tags, removal), metrics, ... of a run also "motion ROLE BRANCH ITERATION" and "sample NAME"
  sha256 BLOB NOT NULL,    -- 32 bytes
  PRIMARY KEY (of, number, part)
) WITHOUT ROWID;

-- Lists of runs read and check all metrics at once, in the order of the table.
DROP INDEX metric_by_name;
