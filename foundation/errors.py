"""The one exception that a user can mend."""


class UserError(Exception):
    """A mistake that the user can fix; shown as one message and no traceback.

    `problem` says which file, row and field, and what was expected; `fix` says what to do.
    Neither may hold record text: ids and field names only.
    """

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(f"{problem}\n  fix: {fix}")
        self.problem = problem
        self.fix = fix
