# Completions of hcct-push for fish.
complete -c hcct-push -l to -x -a "pyroscope parca" -d "The kind of store"
complete -c hcct-push -l name -x -d "What the store calls the program"
complete -c hcct-push -l label -x -d "One more label"
complete -c hcct-push -l header -x -d "One more header"
complete -c hcct-push -l timeout -x -d "Seconds for each request"
complete -c hcct-push -l keep-going -d "Leave out damaged files"
complete -c hcct-push -s h -l help -d "Print the options"
complete -c hcct-push -s V -l version -d "Print the versions"
