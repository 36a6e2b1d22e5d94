# All chains take a step together: of one chain, each operation waits for the one before. Chain after
# chain takes 7.4 us for each, side by side 1.5 (n = 10) to 1.8 (n = 1000).
function metropolis_chains(increments::Matrix{Float64}, log_uniforms::Matrix{Float64})
    steps, n = size(increments)
    x, log_p, total = ones(n), zeros(n), zeros(n)
    @inbounds for t in 1:steps
        @simd for i in 1:n
            y = x[i] + increments[t, i]
            log_q = log_target(y)
            accepted = log_uniforms[t, i] < log_q - log_p[i]
            x[i] = ifelse(accepted, y, x[i])
            log_p[i] = ifelse(accepted, log_q, log_p[i])
            total[i] += x[i]
        end
    end
    return total ./ steps
end
