"""The command line, with a small file for each verb."""
