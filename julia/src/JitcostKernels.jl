"The workloads' kernels in Julia: typed loops over `Vector{Float64}`, nothing outside Base and Random."
module JitcostKernels

using Random: Random, randn

export elementwise, summands, recursion, metropolis, metropolis_chains, kalman, logistic_gradient
export normals, operations, op_chain

include("elementwise.jl")
include("recursion.jl")
include("metropolis.jl")
include("metropolis_chains.jl")
include("kalman.jl")
include("logistic_gradient.jl")
include("normals.jl")
include("operations.jl")
include("op_chain.jl")

end
