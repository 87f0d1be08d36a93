;;; emacs.el --- What drives Emacs with eglot, in batch  -*- lexical-binding: t -*-
;; Reads its input from the variable DRIVE (JSON: configuration, file, out and what a session needs); `run' writes what
;; the user would see to `out' as JSON.

;;; Code:
(package-initialize)
(require 'eglot)
(require 'json)

(defvar drive (json-parse-string (getenv "DRIVE") :object-type 'alist))
(defun drive (key) "The input under KEY." (alist-get key drive))

(defvar seen nil "What the user sees, by key.")
(defun saw (key value) "Note VALUE under KEY." (push (cons key value) seen))

(defvar prompts nil "The prompts so far, the newest first.")
(defvar answers nil "What the user chooses, by a part of the title.")

(defun choose (prompt collection &rest _)
  "The user reads PROMPT and takes from COLLECTION what `answers' has next."
  (let* ((titles (all-completions "" collection))
         (wanted (pop answers)))
    (push `((prompt . ,(substring-no-properties prompt)) (titles . ,(vconcat titles))) prompts)
    (or (seq-find (lambda (title) (string-match-p (regexp-quote wanted) title)) titles)
        (error "Nobody offers %s, only %s" wanted titles))))
;; As if a key had been pressed: after a mouse event, or none, eglot opens a menu of the window system.
(setq last-nonmenu-event ?x)
(advice-add 'completing-read :override #'choose)

(defun wait-for (what condition)
  "Wait for WHAT, which is there when CONDITION gives something; that."
  (let ((until (+ (float-time) 90)) found)
    (while (not (setq found (funcall condition)))
      (when (> (float-time) until) (error "Waited in vain for %s" what))
      (accept-process-output nil 0.02))
    found))

(defun ask (from)
  "Ask Socreates about the lines from the one with FROM to the end, by the code action."
  (goto-char (point-min))
  (search-forward from)
  (eglot-code-actions (line-beginning-position) (point-max) nil t))

(defun diagnostics ()
  "The diagnostics of flymake, in the order of their lines."
  (sort (mapcar (lambda (one) `((line . ,(line-number-at-pos (flymake-diagnostic-beg one)))
                                (message . ,(substring-no-properties (flymake-diagnostic-text one)))))
                (flymake-diagnostics))
        (lambda (a b) (< (alist-get 'line a) (alist-get 'line b)))))

(defun hover (at)
  "What eldoc shows on the line with AT."
  (goto-char (point-min))
  (search-forward at)
  (let (told)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq told (or text ""))))
    (substring-no-properties (wait-for "a hover" (lambda () told)))))

(setq eglot-sync-connect t eglot-connect-timeout 90)

(defun start ()
  "Open the file with the server that `doctor --editor emacs' configures."
  (eval (read (drive 'configuration)))
  (find-file (drive 'file))
  (switch-to-buffer (current-buffer))
  (apply #'eglot--connect (eglot--guess-contact)))

(defun run (session)
  "Do all of SESSION, write what was seen, and end."
  (condition-case failure
      (progn (start)
             (funcall session)
             (eglot-shutdown (eglot-current-server) nil 10 nil))
    (error (saw 'failure (format "%S" failure))))
  (saw 'prompts (vconcat (reverse prompts)))
  (let ((coding-system-for-write 'utf-8-unix))
    (write-region (json-serialize seen :false-object :json-false) nil (drive 'out)))
  (set-buffer-modified-p nil)
  (kill-emacs 0))
;;; emacs.el ends here
