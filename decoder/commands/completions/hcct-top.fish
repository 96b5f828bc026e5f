# Completions of hcct-top for fish.
complete -c hcct-top -s d -l interval -x -d "Seconds between two looks"
complete -c hcct-top -s n -l count -x -d "Look N times"
complete -c hcct-top -l top -x -d "The N hottest"
complete -c hcct-top -l no-demangle -d "Linkage names"
complete -c hcct-top -s h -l help -d "Print the options"
complete -c hcct-top -s V -l version -d "Print the versions"
