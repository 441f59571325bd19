"""The consultation loop and the Transcript that it hands on."""
