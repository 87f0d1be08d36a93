;;; emacs_review.el --- All that a user of eglot does with a review  -*- lexical-binding: t -*-

;;; Code:
(load (expand-file-name "emacs.el" (file-name-directory load-file-name)) nil t)

(defun session ()
  "All that the user does."
  ;; A review; a command is asked for, and denied.
  (setq answers '("Ask Socreates" "Deny"))
  (ask "import")
  (wait-for "diagnostics" (lambda () (= (length (flymake-diagnostics)) 2)))
  (saw 'diagnostics (vconcat (diagnostics)))
  (saw 'hover (hover "return len"))
  ;; A review whose model takes its time: timers run, keys would be taken, and the server answers.
  (goto-char (point-max))
  (insert "# HANG\n")
  (let* ((ticks 0) (timer (run-with-timer 0 0.01 (lambda () (setq ticks (1+ ticks))))))
    (setq answers '("Ask Socreates"))
    (ask "import")
    (wait-for "the model to be asked" (lambda () (file-exists-p (drive 'hanging))))
    (setq ticks 0)
    (saw 'meanwhile (hover "return len"))
    (wait-for "timers" (lambda () (> ticks 20)))
    (saw 'open (not (file-exists-p (drive 'gate))))
    (cancel-timer timer)
    (write-region "" nil (drive 'gate)))
  ;; A finding is dismissed by its code action, and leaves.
  (setq answers '("Socreates: dismiss"))
  (goto-char (point-min))
  (search-forward "return len")
  (eglot-code-actions (line-beginning-position) (line-end-position) nil t)
  (wait-for "one to leave" (lambda () (= (length (flymake-diagnostics)) 1)))
  (saw 'left (vconcat (diagnostics))))

(run #'session)
;;; emacs_review.el ends here
