# Completions of hcct-heights for fish.
complete -c hcct-heights -n __fish_use_subcommand -a "sites report plan infer"
complete -c hcct-heights -l train -r -F -d "The paths that are known"
complete -c hcct-heights -l method -x -a "numbering random" -d "How to plan"
complete -c hcct-heights -l keep-tail-calls -d "Plan larger frames only"
complete -c hcct-heights -l format -x -a "text json" -d "How to print the report"
complete -c hcct-heights -s o -l output -r -F -d "Where the result goes"
complete -c hcct-heights -s h -l help -d "Print the options"
complete -c hcct-heights -s V -l version -d "Print the versions"
