# julia run_kernel.jl KERNEL OPTION OUTPUT INPUT:TYPE:SHAPE...: run one kernel on raw files, write its
# result likewise; OPTION is name=value, or "". Without Pkg: the package's compat rules out the older
# Julia that may be all there is. Without functions of its own, and one call only: compiling a closure,
# or a second call, crashes Debian's Julia 1.5 on new processors.
include(joinpath(@__DIR__, "..", "src", "JitcostKernels.jl"))

kernel = getfield(JitcostKernels, Symbol(ARGS[1]))
if ARGS[2] != ""
    name, value = split(ARGS[2], "=")
    number = tryparse(Int, value)
    kernel = kernel(; Symbol(name) => (number === nothing ? String(value) : number))
end
arrays = []
for argument in ARGS[4:end]
    path, type, shape = split(argument, ":")
    numbers = collect(reinterpret(type == "uint32" ? UInt32 : Float64, read(path)))
    sizes = split(shape, ",")
    rows = parse(Int, sizes[1])
    push!(arrays, length(sizes) == 1 ? numbers : reshape(numbers, rows, :))
end
write(ARGS[3], kernel(arrays...))
