"""The parts of question understanding: segments, lexicons, frames, context, prototypes; and the rules as data."""
