-- Fills the table `sketch` of a project of format 4 or less: of the texts saved by name, and of the newest text of each scenario that was run. Impact
-- laws also run on files of numbers, which are no sketches.
INSERT INTO sketch (id, name, text, sha256, created, changed)
  SELECT lower (hex (randomblob (4)) || '-' || hex (randomblob (2)) || '-' || hex (randomblob (2)) || '-' || hex (randomblob (2)) || '-' || hex (randomblob (6))),
         s.name, t.text, t.sha256, s.saved, s.saved
  FROM main.scenario s JOIN main.scenario_text t ON t.sha256 = s.sha256
  WHERE s.version = (SELECT max (n.version) FROM main.scenario n WHERE n.name = s.name) ORDER BY s.saved;
INSERT INTO sketch (id, name, text, sha256, created, changed)
  SELECT lower (hex (randomblob (4)) || '-' || hex (randomblob (2)) || '-' || hex (randomblob (2)) || '-' || hex (randomblob (2)) || '-' || hex (randomblob (6))),
         r.scenario_name, t.text, t.sha256, r.started, r.started
  FROM main.run r JOIN main.scenario_text t ON t.sha256 = r.scenario_sha256
  WHERE r.rowid IN (SELECT max (rowid) FROM main.run WHERE deleted IS NULL AND kind <> 'impact-law' GROUP BY scenario_name)
    AND r.scenario_name NOT IN (SELECT name FROM sketch) ORDER BY r.rowid;
