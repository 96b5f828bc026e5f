# complete.zsh FOLDER WORD...: what zsh offers at the end of a line, one a line, sorted. A zsh in a terminal of its own is asked.
folder=$1
shift
line="$*"
zmodload zsh/zpty
zpty shell zsh -f -i
send() { zpty -w shell "$1" }
send "PROMPT= RPROMPT= fpath=($folder \$fpath); stty cols 200 rows 1000 2>/dev/null; autoload -Uz compinit && compinit -u -D"
send 'zstyle ":completion:*" list-grouped false; zstyle ":completion:*" verbose no; LISTMAX=0; setopt no_list_ambiguous'
# Instead of showing what matches it is told.
send 'offer() { compstate[insert]=; compstate[list]=; print offered$((40+2)); }; comppostfuncs=(offer)'
send 'compadd() { local -a hits; builtin compadd -A hits "$@"; (( $#hits )) && print -rl -- "<"${^hits}">"; builtin compadd "$@" }'
send 'print ready$((40+2))'
zpty -r shell answer '*ready42*'
zpty -n -w shell "${line}"$'\t'
zpty -r shell answer '*offered42*'
print -r -- "$answer" | tr -d '\r' | grep -o '<[^<>]*>' | tr -d '<>' | sort -u
