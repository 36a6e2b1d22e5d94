function kalman(y::Vector{Float64})
    level, slope = 0.0, 0.0
    p11, p12, p22 = 20.1, 10.0, 10.01
    log_likelihood = 0.0
    filtered = Matrix{Float64}(undef, length(y), 3)
    @inbounds for t in eachindex(y)
        v = y[t] - level
        s = p11 + 1.0
        k1, k2 = p11 / s, p12 / s
        level, slope = level + k1 * v, slope + k2 * v
        log_likelihood -= 0.5 * (log(2.0 * pi * s) + v * v / s)
        filtered[t, 1], filtered[t, 2], filtered[t, 3] = level, slope, log_likelihood
        level += slope
        p11, p12, p22 = p11 - k1 * p11, p12 - k1 * p12, p22 - k2 * p12
        p11, p12, p22 = p11 + 2.0 * p12 + p22 + 0.1, p12 + p22, p22 + 0.01
    end
    return filtered
end
