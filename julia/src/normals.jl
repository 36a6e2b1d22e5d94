# Julia 1.7 made Xoshiro its generator; before, it was the Mersenne Twister.
const Generator = isdefined(Random, :Xoshiro) ? Random.Xoshiro : Random.MersenneTwister

normals(key::Vector{UInt32}, like::Vector{Float64}) = randn(Generator(key), length(like))
