"""Every regular expression of the package, and texts on which it would take long if it could."""
