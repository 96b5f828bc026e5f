# Completions of hcct's commands for fish. The commands say what they take: options by --help, and the values of one by refusing a value that is none.
function __hcct_command
    set -l words (commandline -opc)
    if test $words[1] = hcct
        echo hcct-$words[2]
    else
        echo $words[1]
    end
end

function __hcct_options
    set -l command (__hcct_command)
    set -l token (commandline -ct)
    if set -l option (string match -r -- '^--[a-z-]+(?==)' $token)
        set -l asked (string replace -r -- '-run$' '-decode' $command)
        set -l words ($asked "$option=?" 2>&1 </dev/null | string match -rg -- ': not a value of [^(]*\(([a-z-]+(?:, [a-z-]+)*)\)')
        if test -n "$words"
            printf '%s\n' $option=(string split ', ' -- $words)
        else
            printf '%s\n' $option=(complete -C "cat "(string replace -- "$option=" '' $token))
        end
    else
        begin; $command --help=all; or $command --help; end 2>/dev/null | sed '/^All other options/,$d' | string match -rg -- '^  (?:-., )?(--[a-z-]+=?)'
    end
end

function __hcct_is_option
    string match -q -- '-*' (commandline -ct)
end

complete -c hcct -n __fish_use_subcommand -x -a "(hcct --help | string match -rg -- '^  ([^ ,]+(?:, \\S+)?) ' | string split ', ')"
for command in hcct-cc hcct-c++ hcct-compare hcct-decode hcct-heights hcct-merge hcct-run hcct-top
    complete -c $command -n __hcct_is_option -f -a "(__hcct_options)"
end
complete -c hcct -n "not __fish_use_subcommand; and __hcct_is_option" -f -a "(__hcct_options)"
complete -c hcct-heights -n __fish_use_subcommand -f -a "sites report plan infer"
complete -c hcct-run -n "not __hcct_is_option" -x -a "(__fish_complete_subcommand)"
