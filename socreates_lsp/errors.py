"""Every error that a person may read. The text of each is one sentence that says what to do."""


class SocreatesError(Exception):
    """Base of all errors whose text is shown to the reader as it is."""


class SettingsError(SocreatesError):
    """A setting that could not be used at all (a single bad key is only reported, see settings/)."""


class TargetError(SocreatesError):
    """What was to be reviewed cannot be: missing, unreadable, binary, too large, no git."""


class ReviewError(SocreatesError):
    """A review that could not be carried out."""
