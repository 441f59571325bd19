"""The clinicians: checklist, statistical, chat model, a person."""
