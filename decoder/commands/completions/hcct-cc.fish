# Completions of hcct-cc and hcct-c++ for fish.
for command in hcct-cc hcct-c++
    complete -c $command -l hcct-time -d "Instrument for metric=time"
    complete -c $command -l hcct-time-only -d "Instrument for metric=time only"
    complete -c $command -l hcct-clock -F -d "Instrument for metric=clock"
    complete -c $command -l hcct-before-inlining -d "Instrument before the inliner runs"
    complete -c $command -l hcct-externals -d "Count calls of functions that are not instrumented"
    complete -c $command -l hcct-own-allocator -d "The executable has a malloc of its own (metric=heap)"
    complete -c $command -l hcct-filter -r -F -d "Functions to leave alone"
    complete -c $command -l hcct-guide -r -F -d "A profile that chooses the cheapest calls"
    complete -c $command -l hcct-heights -F -d "Instrument nothing; frames by a plan"
    complete -c $command -l hcct-lto -x -a "link compile" -d "When to instrument with -flto"
    complete -c $command -l hcct-numbers -x -a "link start" -d "When to number calls"
    complete -c $command -l hcct-clang -x -a "(__fish_complete_command)" -d "The clang to run"
    complete -c $command -l hcct-print-flags -d "Print what would be added"
    complete -c $command -l hcct-version -d "Print the version"
    complete -c $command -l hcct-help -d "Print these options"
end
