"""Note extraction: free text of a chart or case report in, mentions with exact character spans out."""
