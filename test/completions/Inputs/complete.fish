# complete.fish FOLDER WORD...: what fish offers for the last word, one a line, sorted.
source $argv[1]/hcct.fish
complete -C "$argv[2..-1]" | cut -f1 | sort -u
