"""Value types and vocabulary of a 大六壬 chart.

This package imports nothing else of the project.  It owns

* the values (:mod:`.ganzhi`, :mod:`.tables`),
* the chart and the question it answers (:mod:`.chart`, :mod:`.question`),
* what a rule may point at and say (:mod:`.points`, :mod:`.slots`,
  :mod:`.relations`),
* the experta facts that a chart emits (:mod:`.emission`).
"""
