"""The patient: understand, retrieve, disclose, speak, verify."""
