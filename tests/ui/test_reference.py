#!/usr/bin/python3
"""tests/ui/test_reference.py: tables of the papers from the gallery, and simulators against a reference."""
import csv
import os
import tempfile

from gui import ROOT, only_long, run_tests, start


@only_long
def test_papers_in_the_dark():
    app = start(env={'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    app.find('push button', 'Fig. 9: Box on a ramp')
    app.key('ctrl+f')
    app.key(*'euler')
    app.find('push button', 'Fig. 1: Explicit Euler on a spring')
    app.shot('reference-papers-dark')
    app.key('ctrl+a')
    app.key(*'table')
    app.find('push button', 'Table 3: Cost of sampling impacts')
    app.shot('reference-tables-dark')
    # works of others on scenes of ours, in a card of their own: run, with its verdicts
    app.act('paper', 's', 'comparisons-laws')
    app.act('paper-run', 's', 'usual')
    app.find('label', 'Made in', timeout=60)
    app.screen('reference-laws-dark')


def test_tables_of_papers_and_simulators_against_a_reference():
    app = start()
    folder = tempfile.mkdtemp()
    table, picture, orders = (os.path.join(folder, name) for name in ('ramp.csv', 'accuracy.pdf', 'orders.csv'))
    # a table of a paper: from its button in the gallery to the file
    app.find('push button', 'Fig. 9: Box on a ramp')
    app.shot('reference-gallery')
    app.act('paper', 's', 'constraint-solver-figure-9')
    app.act('paper-run', 's', 'usual')
    app.find('label', 'Made in', timeout=20)
    app.screen('reference-paper')
    drawn = app.find('push button', 'Box on the ramp, friction 0.125')  # of the picture, as high as its neighbours and wider than that: not squeezed
    assert app.size(drawn)[0] > 190, app.size(drawn)
    app.click('push button', 'Box on the ramp, friction 0.125')
    app.find('push button', 'Back to the Table')
    app.screen('reference-picture')
    app.click('push button', 'Back to the Table')
    app.act('paper-save', 's', os.path.join(folder, 'ramp.doc'))
    app.act('paper-save', 's', table)
    app.wait(lambda s: s['exports'] == 1)
    rows = list(csv.DictReader(open(table, encoding='utf-8')))
    assert len(rows) == 4 and rows[3]['paper'] == 'sticks', rows
    # what its picture runs, by the button; then the index of the equations of a method's paper
    app.click('push button', 'Open Scene')
    app.wait(lambda s: s['page'] == 'sketch' and s['scenario'] == 'ramp')
    app.set_state('equations', 'b', True)
    app.act('equations-method', 's', 'fesd-j')
    app.click('push button', 'Index')
    app.find('label', "The papers' equations in our code")
    app.screen('reference-index')
    app.key('Escape')
    app.set_state('equations', 'b', False)
    # simulators against their own finest runs: of constant forces stewart-trinkle has order 1, fesd-j is exact
    app.act('open-example', 's', 'ball-on-ramp')
    app.wait(lambda s: s['page'] == 'sketch')
    app.act('accuracy')
    app.act('accuracy-run', '(ssss)', ('stewart-trinkle,moreau-jean', '0.2,0.x', 'own', 'mean'))
    app.find('label', 'Steps: at most')
    app.act('accuracy-run', '(ssss)', ('stewart-trinkle,fesd-j:stages=2', '0.04,0.02,0.01,0.005', 'own', 'mean'))
    app.find('label', 'kept in the project as a comparison', timeout=20)
    app.screen('reference-accuracy')
    app.act('accuracy-save', 's', picture)
    app.act('accuracy-save', 's', orders)
    app.wait(lambda s: s['exports'] == 3)
    rows = {r['method']: r for r in csv.DictReader(open(orders, encoding='utf-8'))}
    assert abs(float(rows['stewart-trinkle']['order']) - 1) < 0.2 and rows['fesd-j:stages=2']['note'] == 'exact up to rounding', rows
    assert open(picture, 'rb').read(5) == b'%PDF-'
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
