" SPDX-License-Identifier: Apache-2.0
" Split-C: C, and what the language and its library add.
if exists('b:current_syntax')
  finish
endif
runtime! syntax/c.vim
unlet! b:current_syntax

syntax keyword splitcStatement on_one on_proc
syntax keyword splitcRepeat for_my_1d for_my_2d
syntax keyword splitcConstant MYPROC PROCS PROCSLOG
syntax keyword splitcMain splitc_main
syntax keyword splitcFunction toglobal tolocal toproc get_seconds splitc_exit splitc_poll
syntax keyword splitcFunction barrier sync is_sync all_store_sync store_sync reset_store_sync
syntax keyword splitcFunction bulk_read bulk_write bulk_get bulk_put bulk_store
syntax keyword splitcFunction all_spread_malloc all_spread_free
syntax keyword splitcFunction all_bcast all_bcast_i all_bcast_d all_gather all_gather_d all_concat
syntax match splitcFunction "\<all_\%(reduce_to_\%(one\|all\)\|scan\)_\l\+\>"
syntax keyword splitcFunction fetch_and_add exchange test_and_set cmp_and_swap atomic
syntax keyword splitcFunction lock_make lock_destroy lock try_lock unlock

" Qualifiers where `const` could stand behind a star; elsewhere they are names like others.
syntax match splitcQualifier
  \ "\%(\*\_s*\%(\%(const\|volatile\|restrict\)\_s\+\)*\)\@80<=\%(global\|spread\)\>"

" What stands in front of `:=` and `:-` is no label.
syntax match splitcTarget "\<\h\w*\ze\s*:[=-]"
syntax match splitcAssignment ":="
syntax match splitcStore ":-"
syntax match splitcSpread "::"
" Behind a `?`, `:-` is a colon and a minus.
syntax region splitcConditional transparent start="?" skip="::" end=":"
  \ contains=ALLBUT,@cMultiGroup,splitcStore,splitcTarget,@Spell,@cStringGroup

highlight default link splitcStatement Statement
highlight default link splitcRepeat Repeat
highlight default link splitcConstant Constant
highlight default link splitcMain Function
highlight default link splitcFunction Function
highlight default link splitcQualifier StorageClass
highlight default link splitcAssignment Operator
highlight default link splitcStore Operator
highlight default link splitcSpread Operator

let b:current_syntax = 'splitc'
