#!/usr/bin/python3
"""tests/ui/test_reference.py: tables of the papers from the gallery, and simulators against a reference."""
import csv
import json
import os
import tempfile

from gui import ROOT, run_tests, start


def test_tables_of_papers_and_simulators_against_a_reference():
    app = start()
    folder = tempfile.mkdtemp()
    table, picture = os.path.join(folder, 'ramp.csv'), os.path.join(folder, 'accuracy.pdf')
    # a table of a paper: from its button in the gallery to the file
    app.find('push button', 'Fig. 9: Box on a ramp')
    app.shot('reference-gallery')
    app.act('paper', 's', 'constraint-solver-figure-9')
    app.find('label', 'Not Made Yet')
    app.shot('reference-paper-empty')
    app.act('paper-run', 's', 'usual')
    app.find('label', 'Made in', timeout=20)
    app.shot('reference-paper')
    app.act('paper-save', 's', os.path.join(folder, 'ramp.doc'))
    app.act('paper-save', 's', table)
    app.wait(lambda s: s['exports'] == 1)
    rows = list(csv.DictReader(open(table, encoding='utf-8')))
    assert len(rows) == 4 and rows[3]['paper'] == 'sticks', rows
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
