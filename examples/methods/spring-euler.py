"""Symplectic Euler with contacts as springs and dampers: forces at the start of a step change the velocities, these the places.

The law is that of semi-implicit-euler in 30 lines. Scenes without joints."""
import numpy as np
import stickslip.method as sm

job = sm.job()
scene = job.scene
stiffness, damping, slip = (job.options[name] for name in ("stiffness", "damping", "slip-damping"))
mass = job.mass()
inverse = np.divide(1, mass, out=np.zeros_like(mass), where=mass > 0)
q, v, t = scene.q, scene.v, 0.0

if job.ask("joints", q=q)["joints"]:
    job.fail("this method has no joints")
job.frame(t, q, v)
for end in scene.times:
    h = end - t
    force, points = job.at(t, q, v)
    impulses = np.zeros((len(scene.contacts), 2))
    for p in points:
        normal = max(-stiffness * p.gap - damping * (p.jn @ v), 0)
        tangential = np.clip(-slip * (p.jt @ v), -p.mu * normal, p.mu * normal)
        force += normal * p.jn + tangential * p.jt
        impulses[p.contact] += h * np.array([normal, tangential])
    v = v + h * inverse * force
    q = q + h * v
    t = end
    job.frame(t, q, v, impulses)
job.result("completed")
