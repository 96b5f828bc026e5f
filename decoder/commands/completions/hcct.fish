# Completions of hcct for fish: its commands; what they take is completed as behind hcct-COMMAND.
complete -c hcct -n __fish_use_subcommand -x -a "cc c++ compare decode heights merge push run top"
complete -c hcct -n __fish_use_subcommand -s h -l help -d "Print the commands"
complete -c hcct -n __fish_use_subcommand -s V -l version -d "Print the version"
complete -c hcct -n "not __fish_use_subcommand" -F -a "(set -l words (commandline -opc) (commandline -ct); complete -C 'hcct-'(string join ' ' -- \$words[2..]))"
