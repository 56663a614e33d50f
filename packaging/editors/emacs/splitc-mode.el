;;; splitc-mode.el --- Split-C: C with global pointers  -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:
;; The mode of C, and the words and operators of Split-C.

;;; Code:

(require 'cc-mode)

(defconst splitc-mode-functions
  (concat
   (regexp-opt
    '("toglobal" "tolocal" "toproc" "get_seconds" "splitc_exit" "splitc_poll" "barrier" "sync"
      "is_sync" "all_store_sync" "store_sync" "reset_store_sync" "bulk_read" "bulk_write"
      "bulk_get" "bulk_put" "bulk_store" "all_spread_malloc" "all_spread_free" "all_bcast"
      "all_bcast_i" "all_bcast_d" "all_gather" "all_gather_d" "all_concat" "fetch_and_add"
      "exchange" "test_and_set" "cmp_and_swap" "atomic" "lock_make" "lock_destroy" "lock"
      "try_lock" "unlock")
    'symbols)
   "\\|\\_<all_\\(?:reduce_to_\\(?:one\\|all\\)\\|scan\\)_[a-z]+\\_>")
  "Functions of the library.")

;; The mode of C has coloured most of these as variables and functions by now.
(defun splitc-mode--code (pattern)
  "A matcher of PATTERN outside of comments and strings."
  (lambda (limit)
    (let (found)
      (while (and (setq found (re-search-forward pattern limit t))
                  (save-excursion
                    (save-match-data (nth 8 (syntax-ppss (1- (match-end 0))))))))
      found)))

(defconst splitc-mode-keywords
  `((,(splitc-mode--code
       "\\*[ \t\n]*\\(?:\\(?:const\\|volatile\\|restrict\\)[ \t\n]+\\)*\\(global\\|spread\\)\\_>")
     1 font-lock-keyword-face t)
    (,(splitc-mode--code (regexp-opt '("on_one" "on_proc" "for_my_1d" "for_my_2d") 'symbols))
     0 font-lock-keyword-face t)
    (,(splitc-mode--code (regexp-opt '("MYPROC" "PROCS" "PROCSLOG") 'symbols))
     0 font-lock-constant-face t)
    (,(splitc-mode--code splitc-mode-functions) 0 font-lock-builtin-face t)
    (,(splitc-mode--code ":=\\|:-\\|::") 0 font-lock-keyword-face t))
  "What Split-C adds to C.")

;;;###autoload
(define-derived-mode splitc-mode c-mode "Split-C"
  "Major mode for Split-C."
  (font-lock-add-keywords nil splitc-mode-keywords t))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.sci?\\'" . splitc-mode))

(provide 'splitc-mode)
;;; splitc-mode.el ends here
