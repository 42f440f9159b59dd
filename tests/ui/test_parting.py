#!/usr/bin/python3
"""tests/ui/test_parting.py: a plan is replayed open loop and falls, the card says where it parts, the clock goes there and the contact is ringed; held by LQR it
stands, from the menu and by its action."""
from gui import only_long, run_tests, sh, start, until


def replay_of(s):
    return next((r for r in s['runs'] if r['replay_of']), None)


def ended(app):
    return app.wait(lambda s: replay_of(s) and not any(r['running'] for r in s['runs']) and replay_of(s)['outcome'] is not None, 40)


@only_long
def test_where_a_replay_parts_and_what_next():
    app = start()
    app.act('open-example', 's', 'cart-pole-walls')
    app.wait(lambda s: s['bodies'] == 4)
    app.act('replay-first')  # nothing is on show: it says so
    app.act('page', 's', 'run')
    app.act('methods', 's', 'crisp')
    app.act('run')
    status = app.ended()
    plan = next(r for r in status['runs'])
    assert plan['outcome'] == 'solved', plan
    app.act('replay-held', '(ssd)', ('none', plan['id'], 0.5))  # frictionless walls: the same world
    same = replay_of(ended(app))
    assert same['parts'] is not None, same
    app.act('replay-run', '(ss)', ('moreau-jean', plan['id']))
    loose = replay_of(app.wait(lambda s: replay_of(s) and replay_of(s)['method'] == 'moreau-jean' and replay_of(s)['parts'], 40))
    assert loose['parts']['t'] > 0.02, loose
    until(lambda: app.has('label', 'Parts from its plan at'))
    app.act('seek', 'd', 0.0)
    app.act('replay-first')
    app.wait(lambda s: abs(s['time'] - loose['parts']['t']) < 1e-6 and not s['playing'])
    app.shot('parting-1-open-loop')
    app.press(app.find('push button', 'Reuse Plan') if app.has('push button', 'Reuse Plan') else app.find('push button', 'Reuse CRISP'), 12, 12)
    app.screen('parting-2-menu')
    app.key('Escape')
    app.act('replay-held', '(ssd)', ('lqr', plan['id'], 1.0))
    held = replay_of(app.wait(lambda s: replay_of(s) and 'LQR' in replay_of(s)['label'] and replay_of(s)['outcome'] == 'completed', 40))
    assert held['goal_distance'] < 0.005, held
    assert loose['goal_distance'] > 0.05, loose
    app.act('replay-worlds', '(ss)', ('lqr', plan['id']))  # in drawn worlds, whose ends are a picture on the page
    many = replay_of(app.wait(lambda s: replay_of(s) and 'Other Worlds' in replay_of(s)['label'] and replay_of(s)['outcome'] == 'completed', 60))
    assert 'LQR' in many['label'], many
    app.act('plot', 's', 'worlds')
    app.shot('parting-3-worlds')
    app.act('plot', 's', 'worlds-map')
    app.shot('parting-3-worlds-map')
    app.act('plot', 's', 'motion')
    app.act('seek', 'd', 1.0)
    app.shot('parting-3-held')
    sh('xdotool', 'windowsize', '--sync', app.window, '800', '600')
    app.shot('parting-4-small')
    sh('xdotool', 'windowsize', '--sync', app.window, '1280', '800')
    # The plan as a controller of the live scene: without it the pole falls, with it the pole stands.
    app.act('page', 's', 'sketch')
    app.act('sandbox')
    app.wait(lambda s: s['sandbox'] is not None and s['sandbox']['controller'] == 'none')
    app.act('sandbox-controller', 's', 'lqr')
    app.wait(lambda s: s['sandbox']['controller'] == 'lqr')
    until(lambda: app.has('label', 'The plan holds the scene'))
    app.wait(lambda s: s['time'] > 3, 30)
    app.shot('parting-5-live')
    app.act('sandbox-controller', 's', 'replan')
    app.wait(lambda s: s['sandbox']['controller'] == 'replan')
    app.act('sandbox-controller', 's', 'none')
    app.wait(lambda s: s['sandbox']['controller'] == 'none')
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
