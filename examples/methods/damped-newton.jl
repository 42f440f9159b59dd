# A method of your own in Julia: Newton's method on the KKT conditions of a problem with equalities alone, steps halved until the residual falls.
# Needs the packages JSON and LinearAlgebra. NOT RUN: Debian 12 has no Julia, so nobody of Stickslip ever ran this file; it is written by the
# protocol that examples/methods/slsqp.py and throw.c are tested by.
using JSON, LinearAlgebra

say(event) = (println(JSON.json(event)); flush(stdout))
ask(want; at...) = (say(merge(Dict("type" => "question", "want" => want), Dict(String(k) => v for (k, v) in at))); JSON.parse(readline()))

function dense(pattern, values, m, n; symmetric = false)
    A = zeros(m, n)
    for (r, c, v) in zip(pattern["rows"] .+ 1, pattern["columns"] .+ 1, values)
        A[r, c] += v
        symmetric && r != c && (A[c, r] += v)
    end
    A
end

job = JSON.parse(readline())
p = ask(["problem"])["problem"]
n, m = p["n_variables"], p["n_equalities"]
if p["n_inequalities"] > 0
    say(Dict("type" => "result", "outcome" => "failed", "message" => "this method has no inequalities"))
    exit()
end

function kkt(x, y)
    at = ask(["objective", "gradient", "rows", "jacobian", "hessian"], x = x, multipliers = y, sigma = 1)
    J = dense(p["jacobian"], at["jacobian"], m, n)
    at["objective"], [at["gradient"] + J' * y; at["rows"]], [dense(p["hessian"], at["hessian"], n, n, symmetric = true) J'; J zeros(m, m)]
end

function newton(z)
    for k in 1:job["options"]["iterations"]
        objective, residual, K = kkt(z[1:n], z[n+1:end])
        say(Dict("type" => "iterate", "iteration" => k, "x" => z[1:n]))
        say(Dict("type" => "iteration", "iteration" => k, "objective" => objective, "violation" => norm(residual[n+1:end], Inf)))
        norm(residual, Inf) < 1e-10 && return "solved", z
        step, length = K \ -residual, 1.0
        while length > 1e-10 && norm(kkt((z+length*step)[1:n], (z+length*step)[n+1:end])[2]) > norm(residual)
            length /= 2
        end
        z += length * step
    end
    "max_iterations", z
end

outcome, z = newton([Float64.(p["x0"]); zeros(m)])
say(Dict("type" => "result", "outcome" => outcome, "x" => z[1:n]))
