"""SciPy's SLSQP on models and on plans of scenes: a dense SQP for problems of some hundred variables.

Complementarities a b = 0 are relaxed to a b <= e, for e from 1 down to the tolerance, each from the answer before; a little noise
leaves starts that are stationary, as zeros are of push box."""
import numpy as np
import stickslip.method as sm
from scipy.optimize import minimize

job = sm.job()
problem, split, x = job.problem, job.problem.n_equalities, job.problem.x0
products, slack = split + problem.pairs[:, 0], np.zeros(problem.n_rows)


def constraint(kind, part):
    return {"type": kind, "fun": lambda x: (problem.rows(x) + slack)[part], "jac": lambda x: problem.dense_jacobian(x)[part]}


constraints = [constraint("eq", np.s_[:split])] * (split > 0) + [constraint("ineq", np.s_[split:])] * (split < problem.n_rows)
x, e = x + job.options["noise"] * job.noise(len(x)), 1.0 if len(products) else 0.0
while True:
    slack[products] = e
    found = minimize(problem.objective, x, jac=problem.gradient, constraints=constraints, method="SLSQP",
                     options={"maxiter": job.options["iterations"], "ftol": job.options["tolerance"]})
    job.iterate(x := found.x)
    job.iteration(found.fun, problem.violation(x), relax=e)
    if e <= job.options["relax"]:
        break
    e *= 0.1
job.result({0: "solved", 4: "infeasible", 9: "max_iterations"}.get(found.status, "stalled"), x, found.message)
