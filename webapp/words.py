"""Words of models and records, shown as they are."""


def plain(text: str) -> str:
    """Text as text: what a model or a record says is never read as markup."""
    return "".join(f"\\{c}" if c in r"\`*_{}[]()#+-.!|<>$~:" else c for c in text)
