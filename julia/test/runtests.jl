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

@testset "metropolis" begin
    # exp(-(1.5^2 - 1)^2) = exp(-1.5625): accepted at a log-uniform of -2; a third step is refused
    steps, log_uniforms = [0.5, -0.5, 1.0], [-2.0, -0.1, -8.9]
    @test metropolis(steps, log_uniforms) == [1.5, 1.0, 1.0]
    @test @inferred(metropolis(steps, log_uniforms)) isa Vector{Float64}
    chains = [steps -steps], [log_uniforms log_uniforms .- 100]
    @test metropolis_chains(chains...) == [3.5 / 3, 1.5 / 3]
    @test @inferred(metropolis_chains(chains...)) isa Vector{Float64}
end

@testset "kalman" begin
    # the first observation's variance is 10 + 10 + 0.1 + 1, its gain 20.1 / 21.1 and 10 / 21.1
    @test kalman([2.0]) ≈ [2 * 20.1 / 21.1 20 / 21.1 -(log(2pi * 21.1) + 4 / 21.1) / 2]
    @test @inferred(kalman(X)) isa Matrix{Float64}
end

@testset "logistic_gradient" begin
    # at beta = 0 each probability is a half
    @test logistic_gradient([1.0 2.0; 3.0 4.0], [1.0, 0.0], [0.0, 0.0]) == [-1.0, -1.0]
    @test @inferred(logistic_gradient([1.0 2.0], [1.0], [0.0, 0.0])) isa Vector{Float64}
end

@testset "normals" begin
    @test normals(UInt32[1, 2], X) == normals(UInt32[1, 2], X) != normals(UInt32[1, 3], X)
end

@testset "operations" begin
    @test operations(operation = "square")([3.0]) == [9.0]
    @test operations(operation = "add")([3.0], [4.0]) == [7.0]
    @test operations(operation = "sum")([3.0, 4.0]) == 7.0
    @test length(JitcostKernels.OPERATIONS) == 8
end

@testset "op_chain" begin
    # 3 -> 2.25 -> 2.5 -> 1.875
    @test op_chain(k = 3)([3.0]) == [1.875]
    @test @inferred(op_chain(k = 32)(X)) isa Vector{Float64}
end
