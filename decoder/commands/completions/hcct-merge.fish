# Completions of hcct-merge for fish.
complete -c hcct-merge -s o -l output -r -F -d "Where the profile goes"
complete -c hcct-merge -l files-from -r -F -d "A list of more profiles"
complete -c hcct-merge -l by -x -a "host command build" -d "A profile for each"
complete -c hcct-merge -l force -d "Add up files of different builds"
complete -c hcct-merge -l resume -d "Go on with what is in the output"
complete -c hcct-merge -l keep-going -d "Leave out damaged files"
complete -c hcct-merge -s h -l help -d "Print the options"
complete -c hcct-merge -s V -l version -d "Print the versions"
