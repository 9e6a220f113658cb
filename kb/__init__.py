"""The knowledge base: data only.  LANGUAGE.md is its grammar."""
