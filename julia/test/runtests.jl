using JitcostKernels
using Test

const X = collect(range(-3.0, 3.0; length = 101))

@testset "elementwise" begin
    # exp(0) cos(0) + 0 tanh(0) = 1
    @test elementwise([0.0]) == 1.0
    @test elementwise(X) ≈ sum(summands(X))
    @test @inferred(elementwise(X)) isa Float64
    elementwise(X)
    @test @allocated(elementwise(X)) == 0
end

@testset "recursion" begin
    @test recursion([1.0, 0.0]) ≈ [1.0, tanh(0.9)]
    @test @inferred(recursion(X)) isa Vector{Float64}
end
