# SPDX-License-Identifier: Apache-2.0
# Completion of the command `splitcc` in fish. The options are asked of the command itself.

function __splitcc_words --description 'What may stand next'
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    if test "$words[-1]" = -x
        printf '%s\n' splitc splitc-cpp-output none c
    else if string match -q -- '-*' $current
        $words[1] --help 2>/dev/null | sed -nE 's/^  (--?[A-Za-z][A-Za-z-]*=?)[^ ]*( [^ ]+)? *(.*)/\1\t\3/p'
    else
        __fish_complete_path $current
    end
end

complete -c splitcc -f -a '(__splitcc_words)'
