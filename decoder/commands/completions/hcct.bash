# Completions of hcct's commands for bash, with or without the package bash-completion. The commands say what they take: options by --help, and
# the values of one by refusing a value that is none.
_hcct_help() {
    { "$1" --help=all || "$1" --help; } 2>/dev/null | sed '/^All other options/,$d'
}

_hcct_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
    [[ ${#COMPREPLY[@]} = 1 && ${COMPREPLY[0]} = *= ]] && compopt -o nospace 2>/dev/null
    return 0
}

_hcct_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

# _hcct_value COMMAND OPTION WORD: words, or files where any text is a value.
_hcct_value() {
    local words
    words=$("${1/%-run/-decode}" "$2=?" 2>&1 </dev/null | sed -n 's/^[^(]*: not a value of [^(]*(\([a-z-]*\(, [a-z-]*\)*\)).*/\1/p')
    if [[ $words ]]; then _hcct_words "${words//,/}" "$3"; else _hcct_files "$3"; fi
}

# The words behind the program that hcct-run runs are completed as that program's; false: it is not there yet.
_hcct_program() {
    local i=1
    while [[ $i -lt $COMP_CWORD && (${COMP_WORDS[i]} = [-=]* || ${COMP_WORDS[i - 1]} = [=]) && ${COMP_WORDS[i]} != -- ]]; do
        [[ ${COMP_WORDS[i]} = -o ]] && ((i++))
        ((i++))
    done
    [[ ${COMP_WORDS[i]} = -- ]] && ((i++))
    if ((i < COMP_CWORD)); then
        declare -F _command_offset >/dev/null && _command_offset "$i" || _hcct_files "${COMP_WORDS[COMP_CWORD]}"
    else
        [[ $i = "$COMP_CWORD" && (${COMP_WORDS[i]} != -* || ${COMP_WORDS[i - 1]} = --) && ${COMP_WORDS[i]} != "=" ]] || return 1
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[i]}"; compgen -d -- "${COMP_WORDS[i]}")
    fi
}

_hcct() {
    local command=$1 word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    if [[ ${command##*/} = hcct ]]; then
        if ((COMP_CWORD == 1)); then
            _hcct_words "$(_hcct_help "$command" | sed -n 's/^  \([^ ,]*\(, [^ ]*\)\{0,1\}\) .*/\1/p' | tr -d ,)" "$word"
            return
        fi
        command=$command-${COMP_WORDS[1]}
        COMP_WORDS=("$command" "${COMP_WORDS[@]:2}")
        ((COMP_CWORD--))
    fi
    if [[ ${command##*/} = hcct-run ]] && _hcct_program; then
        return
    fi
    if [[ $before = "=" ]]; then # "=" breaks words
        _hcct_value "$command" "${COMP_WORDS[COMP_CWORD - 2]}" "$word"
    elif [[ $word = "=" ]]; then
        _hcct_value "$command" "$before" ""
    elif [[ $word = -* ]]; then
        _hcct_words "$(_hcct_help "$command" | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]*=\{0,1\}\).*/\2/p')" "$word"
    elif [[ ${command##*/} = hcct-heights && $COMP_CWORD = 1 ]]; then
        _hcct_words "sites report plan infer" "$word"
    else
        _hcct_files "$word"
    fi
}

complete -F _hcct hcct hcct-cc hcct-c++ hcct-compare hcct-decode hcct-heights hcct-merge hcct-run hcct-top
