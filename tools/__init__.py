"""What people run: the command line, checks, benchmarks, rendering."""
