# complete.fish FOLDER WORD...: what fish offers for the last word, one a line, sorted.
set -p fish_complete_path $argv[1]
complete -C "$argv[2..-1]" | cut -f1 | sort -u
