# SPDX-License-Identifier: Apache-2.0
# Completion of the command `ramjet` in fish. What there is to choose from is asked of the command
# itself: `ramjet --help`, `ramjet COMMAND --help`, `ramjet bench --list`.

function __ramjet_words --description 'What may stand next'
    set -l words (commandline -opc)
    set -l self $words[1]
    set -l current (commandline -ct)
    if test (count $words) -eq 1
        printf '%s\n' --help --version
        $self --help 2>/dev/null | sed -nE 's/^  ([a-z]+)  +(.*)/\1\t\2/p'
        return
    end
    set -l command $words[2]
    if test $command = help
        printf '%s\n' run top bench characterize trace model tam report papers info
        return
    end
    contains -- $command run top bench characterize trace model tam report papers info; or return
    set -l previous $words[-1]
    if string match -q -- '--*' $previous
        set -l value ($self $command --help 2>/dev/null | sed -nE "s/^  (-.,)?$previous ([^ ]+).*/\2/p")
        if string match -qr '[a-z]' -- $value
            string split '|' -- $value
            return
        end
    end
    if string match -q -- '-*' $current
        $self $command --help 2>/dev/null | sed -nE 's/^  (-.,)?(--[a-z-]+).*/\2/p'
    else if test $command = bench
        $self bench --list 2>/dev/null | sed -E 's/ .*//'
    else if test $command = characterize
        printf '%s\n' memory near far crowd choices
    else if test $command = model
        $self model --list 2>/dev/null | sed -E 's/ .*//'
        __fish_complete_path $current
    else if test $command = tam
        echo study
    else if contains -- $command run trace
        __fish_complete_path $current
    end
end

complete -c ramjet -f -a '(__ramjet_words)'
