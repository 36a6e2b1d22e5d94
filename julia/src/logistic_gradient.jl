function logistic_gradient(x::Matrix{Float64}, y::Vector{Float64}, beta::Vector{Float64})
    residuals = x * beta
    @inbounds for i in eachindex(residuals, y)
        residuals[i] = y[i] - 1.0 / (1.0 + exp(-residuals[i]))
    end
    return x' * residuals .- beta
end
