"The workloads' kernels in Julia: typed loops over `Vector{Float64}`, nothing outside Base."
module JitcostKernels

export elementwise, summands, recursion

include("elementwise.jl")
include("recursion.jl")

end
