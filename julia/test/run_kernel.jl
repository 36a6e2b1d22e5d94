# julia run_kernel.jl KERNEL OUTPUT INPUT...: run one kernel on raw float64 files, write its result
# likewise. Without Pkg: the package's compat rules out the older Julia that may be all there is.
# Without functions of its own: compiling a closure here crashes Debian's Julia 1.5 on new processors.
include(joinpath(@__DIR__, "..", "src", "JitcostKernels.jl"))

kernel = getfield(JitcostKernels, Symbol(ARGS[1]))
arrays = [collect(reinterpret(Float64, read(path))) for path in ARGS[3:end]]
write(ARGS[2], kernel(arrays...))
