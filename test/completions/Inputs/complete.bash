# complete.bash COMPLETIONS WORD...: what bash offers for the last word, one a line, sorted.
source "$1"
shift
# As bash breaks words: "=" is one of its own.
COMP_WORDS=() word=
for argument; do
    if [[ $argument = --*=* ]]; then
        COMP_WORDS+=("${argument%%=*}" "=")
        [[ ${argument#*=} ]] && COMP_WORDS+=("${argument#*=}")
    else
        COMP_WORDS+=("$argument")
    fi
done
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
function=$(complete -p "$1" | sed 's/.*-F \([^ ]*\) .*/\1/')
"$function" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}" | sort -u
