"""Casting, rule inference and explanation of 大六壬 charts."""
