const OPERATIONS = Dict{String,Function}(
    "square" => x -> x .^ 2,
    "scale" => x -> 3.0 .* x,
    "exp" => x -> exp.(x),
    "cos" => x -> cos.(x),
    "tanh" => x -> tanh.(x),
    "multiply" => (x, y) -> x .* y,
    "add" => (x, y) -> x .+ y,
    "sum" => x -> sum(x),
)

operations(; operation) = OPERATIONS[operation]
