" SPDX-License-Identifier: Apache-2.0
" Files of Split-C. Scala and SuperCollider have files that end in .sc, too, and no directives of
" the C preprocessor.
function! s:Detect() abort
  if join(getline(1, 200), "\n") =~# '\%(^\|\n\)\s*#\s*\%(include\|define\|if\|pragma\)\>\|\<splitc_main\>'
    set filetype=splitc
  endif
endfunction
autocmd BufNewFile,BufRead *.sc call s:Detect()
autocmd BufNewFile,BufRead *.sci if getline(1) =~# '^# 0\|^# 1 ' | set filetype=splitc | endif
