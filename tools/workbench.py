"""The commands of the scholar's workbench: ``liuren kb …`` and ``liuren rules …``.

The work is done in modules of their own, loaded when a command is called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from .options import common_options, load
from .words import Words

KB_OPTION = click.option("--kb", "kb_dir", type=click.Path(file_okay=False), metavar="DIR", help="A knowledge base that stands elsewhere.")
JSON_OPTION = click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
JOBS_OPTION = click.option("-j", "--jobs", type=click.IntRange(1), help="Processes for the 720 lessons; as many as there are processors unless told.")


def _output(lines: list[str]) -> None:
    click.echo("\n".join(lines))


def _json(data: Any) -> None:
    from .cli import emit_json

    emit_json(data)


# --- a new text ------------------------------------------------------------------


@click.command(name="new")
@click.argument("text")
@click.option("--zh", required=True, metavar="TITLE", help="Title in Chinese.")
@click.option("--ko", required=True, metavar="TITLE", help="Title in Korean.")
@click.option("--en", required=True, metavar="TITLE", help="Title in English.")
@click.option("--edition", metavar="ED", help="Id of the edition: letters and digits, as 005.")
@click.option("--witness", metavar="WORDS", help="What the edition is, in English.")
@click.option("--doctrine", default="common", show_default=True, metavar="NAME", help="The school it is cast by (doctrines.yaml).")
@KB_OPTION
def new_command(text: str, zh: str, ko: str, en: str, edition: str | None, witness: str | None, doctrine: str, kb_dir: str | None) -> None:
    """Register the work TEXT, and its first edition, in texts.yaml."""
    from .newtext import register_text

    _output(register_text(kb_dir, text, {"zh": zh, "en": en, "ko": ko}, doctrine, edition, witness))


@click.command(name="import")
@click.argument("file", type=click.Path())
@click.option("--text", required=True, metavar="TEXT", help="A work of texts.yaml; `kb new` makes one.")
@click.option("--edition", required=True, metavar="ED", help="Id of the edition; registered if it is new.")
@click.option("--witness", metavar="WORDS", help="What the edition is, in English, when it is new.")
@click.option("--into", metavar="NAME", help="Name of the passage file for what is new, without .yaml; the edition's id unless told.")
@click.option("--untranslated", is_flag=True, help="Let paragraphs of Chinese stand without translation.")
@click.option("--dry-run", is_flag=True, help="Only tell what would be done.")
@KB_OPTION
@JSON_OPTION
def import_command(file: str, text: str, edition: str, witness: str | None, into: str | None, untranslated: bool, dry_run: bool, kb_dir: str | None, as_json: bool) -> None:
    """Cut FILE into passages with loci and short quotes, ready to fill.

    FILE is plain text: a paragraph of Chinese, a paragraph of translation, with a
    blank line between any two. Importing it again after it changed keeps every
    rule, puts the loci right, and lists the passages that moved, changed or vanished.
    """
    from .importing import import_edition

    lines, data = import_edition(kb_dir, file, text, edition, witness, into, dry_run, untranslated)
    if as_json:
        _json(data)
    else:
        _output(lines)


# --- looking after one -------------------------------------------------------------


@click.command(name="check")
@click.argument("files", nargs=-1, type=click.Path())
@KB_OPTION
@click.option("--sweep", is_flag=True, help="Also run every rule on the 720 lessons in twelve months: rules that never or always fire, say a thing twice, or speak against another.")
@click.option("--texts", type=click.Path(file_okay=False), metavar="DIR", help="Also look quotations up in the edition files there, each named after its edition (001_….txt).")
@click.option("--strict", is_flag=True, help="Let the exit status tell of notes too.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
@JOBS_OPTION
@JSON_OPTION
def check_command(files: tuple[str, ...], kb_dir: str | None, sweep: bool, texts: str | None, strict: bool, watch: bool, jobs: int | None, as_json: bool) -> None:
    """Check syntax, vocabulary, references, words and examples; FILES narrow the report.

    Exit status 2 if something is wrong or still wanted; with --strict also for notes.
    """
    from .check import run_check, watch_check

    if watch:
        watch_check(kb_dir, files, sweep, texts, jobs)
    else:
        run_check(kb_dir, files, sweep, as_json, texts, strict, jobs)


@click.command(name="coverage")
@common_options
@click.option("--texts", type=click.Path(file_okay=False), metavar="DIR", help="Also tell the lines of the edition files there that stand in no passage.")
@click.option("--page", type=click.Path(), metavar="FILE", help="Write the table as a page, .md or .html.")
@click.option("--force", is_flag=True, help="Let --page replace a file.")
def coverage_command(kb_dir: str | None, lang: str, as_json: bool, texts: str | None, page: str | None, force: bool) -> None:
    """What became of every clause, by text and chapter."""
    from . import coverage

    library, words = load(kb_dir, lang)
    found = coverage.count(library, texts)
    if page:
        coverage.write_page(found, page, words, force)
    elif as_json:
        _json(coverage.coverage_json(found))
    else:
        _output(coverage.coverage_lines(found, words))


@click.command(name="try")
@click.argument("rule_file", type=click.Path())
@common_options
@click.option("--rule", "keys", multiple=True, metavar="KEY", help="Only this rule, by its id or key.")
@click.option("--first", type=click.IntRange(0), default=3, show_default=True, help="How many charts to show of each kind.")
@JOBS_OPTION
def try_command(rule_file: str, keys: tuple[str, ...], first: int, kb_dir: str | None, lang: str, as_json: bool, jobs: int | None) -> None:
    """Try the rules of RULE_FILE, a passage file in or beside the knowledge base.

    How often each fires on the 720 lessons in twelve months and through a year of
    moments, the first charts that fire it or miss it by one condition, and what it
    changes in the worked cases.
    """
    from . import trying

    found = trying.try_rules(kb_dir, rule_file, keys, first, jobs)
    if as_json:
        _json(trying.trial_json(found))
    else:
        _output(trying.trial_lines(found, lang, kb_dir))


@click.command(name="diff")
@click.argument("old")
@click.argument("new", required=False)
@common_options
@JOBS_OPTION
def diff_command(old: str, new: str | None, kb_dir: str | None, lang: str, as_json: bool, jobs: int | None) -> None:
    """What changed from OLD to NEW: rules, worked cases, and the 720 lessons.

    Each is a folder with a knowledge base, or a git revision of the one in use;
    without NEW it is that one as it stands.
    """
    from . import kbdiff

    found = kbdiff.diff(kb_dir, old, new, jobs)
    if as_json:
        _json(kbdiff.diff_json(found))
    else:
        _output(kbdiff.diff_lines(found, Words(lang, found.library, kb_dir)))


@click.command(name="pages")
@click.argument("folder", type=click.Path())
@common_options
@click.option("--sweep/--no-sweep", default=True, show_default=True, help="Tell of each rule how often it fires on the 720 lessons.")
@click.option("--force", is_flag=True, help="Replace pages made before.")
@JOBS_OPTION
def pages_command(folder: str, kb_dir: str | None, lang: str, as_json: bool, sweep: bool, force: bool, jobs: int | None) -> None:
    """Write a reference of facts, topics, terms, patterns and rules to FOLDER.

    Markdown pages in FOLDER/docs with FOLDER/mkdocs.yml beside them;
    `mkdocs build -f FOLDER/mkdocs.yml` makes a site of them.
    """
    from . import pages

    library, words = load(kb_dir, lang)
    written = pages.write_pages(folder, library, words, kb_dir, sweep, force, jobs)
    if as_json:
        _json({"schema": pages.SCHEMA, "folder": folder, "pages": written})
    else:
        _output([f"{folder}: {len(written)} pages"])


# --- finding rules -------------------------------------------------------------------


@click.group()
def rules() -> None:
    """Find rules and read them in words."""


def _filters(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that choose rules."""
    for option in reversed(
        (
            click.option("--text", metavar="TEXT", help="Of this work."),
            click.option("--passage", metavar="ID", help="Of this passage."),
            click.option("--topic", metavar="TOPIC", help="That speak to this topic."),
            click.option("--point", metavar="POINT", help="That look at this point, as initial or over(stem)."),
            click.option("--slot", metavar="SLOT", help="That ask this fact of a point, as void or general."),
            click.option("--spirit", metavar="神煞", help="That look at this spirit."),
            click.option("--general", metavar="天將", help="That look at this general."),
            click.option("--pattern", metavar="NAME", help="That test or conclude this pattern."),
            click.option("--role", metavar="WORD", help="That say who or what a point stands for; WORD narrows it, `any` does not."),
            click.option("--polarity", metavar="NAME", help="With a verdict that is good, bad …"),
        )
    ):
        command = option(command)
    return command


@rules.command(name="list")
@_filters
@common_options
def list_command(kb_dir: str | None, lang: str, as_json: bool, **filters: str | None) -> None:
    """List rules, narrowed by what they look at and what they say."""
    from . import rulebook

    library, words = load(kb_dir, lang)
    found = rulebook.choose(library, **filters)
    if as_json:
        _json(rulebook.list_json(found))
    else:
        _output(rulebook.list_lines(found, words))


@rules.command(name="search")
@click.argument("text_", metavar="WORDS", nargs=-1, required=True)
@_filters
@common_options
def search_command(text_: tuple[str, ...], kb_dir: str | None, lang: str, as_json: bool, **filters: str | None) -> None:
    """Find rules by words of their quotation, verdict, note, title or id."""
    from . import rulebook

    library, words = load(kb_dir, lang)
    found = rulebook.search(rulebook.choose(library, **filters), text_, library)
    if as_json:
        _json(rulebook.list_json(found))
    else:
        _output(rulebook.list_lines(found, words))


@rules.command(name="show")
@click.argument("id")
@common_options
@click.option("--sweep/--no-sweep", default=True, show_default=True, help="Tell how often it fires on the 720 lessons.")
@JOBS_OPTION
def show_command(id: str, kb_dir: str | None, lang: str, as_json: bool, sweep: bool, jobs: int | None) -> None:
    """Show the rule, passage or pattern ID: conditions in words, quotation, readings, examples."""
    from . import rulebook

    library, words = load(kb_dir, lang)
    found = rulebook.find(id, library)
    swept = rulebook.sweep_of(found, library, jobs) if sweep else None
    if as_json:
        _json(rulebook.show_json(found, swept, words))
    else:
        _output(rulebook.show_lines(found, swept, words))
