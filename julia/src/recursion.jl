function recursion(e::Vector{Float64})
    path = similar(e)
    x = 0.0
    for t in eachindex(e, path)
        x = tanh(0.9 * x) + e[t]
        path[t] = x
    end
    return path
end
