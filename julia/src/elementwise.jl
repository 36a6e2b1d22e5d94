summand(x::Float64) = exp(-0.5 * x^2) * cos(3x) + x * tanh(x)

summands(x::Vector{Float64}) = summand.(x)

function elementwise(x::Vector{Float64})
    total = 0.0
    for v in x
        total += summand(v)
    end
    return total
end
