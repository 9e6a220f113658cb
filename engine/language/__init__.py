"""The rule language: reading, checking and expanding the YAML of the knowledge base.

``kb/LANGUAGE.md`` is the reference.  :mod:`.source` reads YAML and keeps line
numbers, :mod:`.conditions` and :mod:`.conclusions` are the syntax tree,
:mod:`.parser` builds it, :mod:`.loader` reads a whole knowledge base,
:mod:`.levels` orders the rules.
"""
