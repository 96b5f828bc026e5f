# Completions of hcct's commands for bash, with or without the package bash-completion.
_hcct_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$1")
    return 0
}

_hcct_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
    [[ ${#COMPREPLY[@]} = 1 && ${COMPREPLY[0]} = *= ]] && compopt -o nospace 2>/dev/null
    return 0
}

# The value of an option: _hcct_value OPTION WORD; false if it takes none.
_hcct_value() {
    case $1 in
    --format) _hcct_words "tree source folded json csv html pprof speedscope callgrind callgrind-graph dot flamegraph llvm-sample" "$2" ;;
    --by) _hcct_words "site line function" "$2" ;;
    --recursion) _hcct_words "keep fold" "$2" ;;
    --mode) _hcct_words "hcct cct" "$2" ;;
    --algorithm) _hcct_words "space-saving space-saving-bucket lossy-counting sticky-sampling frequent-items" "$2" ;;
    --output | -o | --keep | --hcct-filter | --hcct-guide) _hcct_files "$2" ;;
    --hcct-lto) _hcct_words "link compile" "$2" ;;
    --hcct-clang) mapfile -t COMPREPLY < <(compgen -c -- "${2:-clang}") ;;
    --phi | --tau | --epsilon | --top | --min-count | --max-depth | --interval | --count) COMPREPLY=() ;;
    *) return 1 ;;
    esac
}

# _hcct_option OPTIONS: completes the current word as an option or the value of one; false if it is neither.
_hcct_option() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    if [[ $before = "=" ]]; then # "=" breaks words
        _hcct_value "${COMP_WORDS[COMP_CWORD - 2]}" "$word"
    elif [[ $word = "=" ]]; then
        _hcct_value "$before" ""
    elif [[ $word = --*=* ]]; then
        _hcct_value "${word%%=*}" "${word#*=}"
    elif [[ $before = -o ]]; then
        _hcct_files "$word"
    elif [[ $word = -* ]]; then
        _hcct_words "$1" "$word"
    else
        return 1
    fi
}

_hcct_decode_options="--format= --by= --no-demangle --no-inlines --recursion= --all --top= --min-count= --max-depth= --source --no-pager --output= -o"

_hcct_decode() {
    _hcct_option "$_hcct_decode_options --phi= --context= --force --help -h --version -V" || _hcct_files "${COMP_WORDS[COMP_CWORD]}"
}

_hcct_compare() {
    local word=${COMP_WORDS[COMP_CWORD]}
    case "${COMP_WORDS[COMP_CWORD - 1]}${COMP_WORDS[COMP_CWORD - 2]}$word" in
    =--format* | --format*= | *--format=*) _hcct_words "text json svg html" "${word##*=}" ;;
    *) _hcct_option "--phi= --tau= --format= --diff --top= --force --output= -o --help -h --version -V" || _hcct_files "$word" ;;
    esac
}

_hcct_merge() {
    _hcct_option "--output= -o --help -h --version -V" || _hcct_files "${COMP_WORDS[COMP_CWORD]}"
}

_hcct_top() {
    _hcct_option "--interval= -d --count= -n --top= --no-demangle --help -h --version -V" || _hcct_files "${COMP_WORDS[COMP_CWORD]}"
}

_hcct_run() {
    local i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        -- | [!-=]*) # the program: a word that is no option, nor the value of one
            [[ ${COMP_WORDS[i]} != -- && (${COMP_WORDS[i - 1]} = "=" || ${COMP_WORDS[i - 1]} = -o) ]] && continue
            [[ ${COMP_WORDS[i]} = -- ]] && ((i++))
            if ((i < COMP_CWORD)); then
                declare -F _command_offset >/dev/null && _command_offset "$i" || _hcct_files "${COMP_WORDS[COMP_CWORD]}"
                return
            fi
            ;;
        esac
    done
    [[ ${COMP_WORDS[COMP_CWORD - 1]} != -- ]] &&
        _hcct_option "$_hcct_decode_options --mode= --phi= --epsilon= --algorithm= --keep= --help -h --version -V" && return
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}"; compgen -d -- "${COMP_WORDS[COMP_CWORD]}")
}

_hcct_cc() {
    COMPREPLY=()
    local word=${COMP_WORDS[COMP_CWORD]}
    if [[ $word = --hcct-* || $word = --h || $word = -- || $word = "=" || ${COMP_WORDS[COMP_CWORD - 1]} = "=" ]]; then
        _hcct_option "--hcct-before-inlining --hcct-time --hcct-time-only --hcct-clock --hcct-filter= --hcct-guide= --hcct-lto= --hcct-clang= --hcct-print-flags --hcct-version --hcct-help" && return
    fi
    _hcct_files "$word"
}

# hcct COMMAND: as hcct-COMMAND, whose function is given the words behind it.
_hcct() {
    if ((COMP_CWORD == 1)); then
        _hcct_words "cc c++ compare decode merge run top --help -h --version -V" "${COMP_WORDS[1]}"
        return
    fi
    local command=${COMP_WORDS[1]}
    [[ $command = c++ ]] && command=cc
    COMP_WORDS=("hcct-$command" "${COMP_WORDS[@]:2}")
    ((COMP_CWORD--))
    declare -F "_hcct_$command" >/dev/null && "_hcct_$command"
}

complete -F _hcct hcct
complete -F _hcct_top hcct-top
complete -F _hcct_decode hcct-decode
complete -F _hcct_run hcct-run
complete -F _hcct_compare hcct-compare
complete -F _hcct_merge hcct-merge
complete -F _hcct_cc hcct-cc hcct-c++
