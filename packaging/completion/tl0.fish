# SPDX-License-Identifier: Apache-2.0
# Completion of the command `tl0` in fish. The options are asked of the command itself.

function __tl0_words --description 'What may stand next'
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    if string match -q -- '-*' $current
        $words[1] --help 2>/dev/null | sed -nE 's/^  (--?[A-Za-z][A-Za-z-]*=?)[^ ]*( [^ ]+)? *(.*)/\1\t\3/p'
    else
        __fish_complete_path $current
    end
end

complete -c tl0 -f -a '(__tl0_words)'
