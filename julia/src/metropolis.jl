log_target(x::Float64) = -(x^2 - 1.0)^2

function metropolis(increments::Vector{Float64}, log_uniforms::Vector{Float64})
    path = similar(increments)
    x, log_p = 1.0, 0.0
    @inbounds for t in eachindex(increments, log_uniforms, path)
        y = x + increments[t]
        log_q = log_target(y)
        if log_uniforms[t] < log_q - log_p
            x, log_p = y, log_q
        end
        path[t] = x
    end
    return path
end
