"""SciPy's SLSQP on models and on plans of scenes: a dense SQP for problems of some hundred variables.

Complementarities a b = 0 are relaxed to a b <= e, for e from 1 down to the tolerance, each from the answer before; a little noise
leaves starts that are stationary, as zeros are of push box."""
import numpy as np
import stickslip.method as sm

job = sm.job()
problem = job.problem
try:
    from scipy.optimize import minimize
except ImportError:
    job.result("failed", message="SciPy is not installed")
    raise SystemExit

ask = lambda name: lambda x: np.array(job.ask(name, x=x)[name])
jacobian = lambda x: problem.jacobian.dense(job.ask("jacobian", x=x)["jacobian"])
split, slack = problem.n_equalities, np.zeros(problem.n_rows)
products = split + problem.pairs[:, 0]
equal = {"type": "eq", "fun": lambda x: ask("rows")(x)[:split], "jac": lambda x: jacobian(x)[:split]}
least = {"type": "ineq", "fun": lambda x: (ask("rows")(x) + slack)[split:], "jac": lambda x: jacobian(x)[split:]}
options = {"maxiter": job.options["iterations"], "ftol": job.options["tolerance"]}
x = problem.x0 + job.options["noise"] * np.random.default_rng(job.seed or 0).standard_normal(problem.n_variables)
e = 1.0 if len(products) else 0.0
while True:
    slack[products] = e
    found = minimize(ask("objective"), x, jac=ask("gradient"), constraints=[equal] * (split > 0) + [least] * (problem.n_inequalities > 0),
                     method="SLSQP", options=options)
    x, rows = found.x, ask("rows")(found.x)
    job.iterate(x)
    job.iteration(found.fun, float(max(np.abs(rows[:split]).max(initial=0), -rows[split:].min(initial=0))), relax=e)
    if e <= job.options["relax"]:
        break
    e *= 0.1
job.result({0: "solved", 4: "infeasible", 9: "max_iterations"}.get(found.status, "stalled"), x, found.message)
