;;; emacs_once.el --- One review, by whoever reviews: its end, and who it was  -*- lexical-binding: t -*-

;;; Code:
(load (expand-file-name "emacs.el" (file-name-directory load-file-name)) nil t)

(defun server-says ()
  "The line in which the server told something by window/showMessage, if it did."
  (with-current-buffer (messages-buffer)
    (goto-char (point-min))
    (when (re-search-forward "Server reports.*: \\(.*\\)" nil t) (match-string-no-properties 1))))

(defun session ()
  "A review by the code action, until its end is told or seen."
  (setq answers '("Ask Socreates"))
  (ask "def fetch")
  (wait-for "the end" (lambda () (or (flymake-diagnostics) (server-says))))
  (saw 'messages (vconcat (mapcar (lambda (one) (alist-get 'message one)) (diagnostics))))
  (saw 'said (or (server-says) ""))
  (saw 'status (jsonrpc-request (eglot-current-server) :socreates/status eglot--{} :timeout 60)))

(run #'session)
;;; emacs_once.el ends here
