"""``liuren kb pages``: a reference of the knowledge base as Markdown pages for mkdocs."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml
from liuren.engine.data import load_data
from liuren.engine.language.conclusions import Measure, Pattern, Rule, Vote
from liuren.engine.language.conditions import PatternIs, nodes
from liuren.engine.language.passages import Passage
from liuren.engine.lessons import CHARTS, Swept, sweep_lessons
from liuren.engine.library import Library
from liuren.facts.errors import UserError
from liuren.facts.points import FUNCTIONS, SIMPLE
from liuren.facts.relations import RELATIONS
from liuren.facts.slots import LESSON_SLOTS, PERSON_SLOTS, RECORD_SLOTS, SLOTS, Slot

from .coverage import count, markdown
from .phrases import Phrases
from .progress import Progress
from .rulebook import frequency_words
from .rulewords import conclusion_words, condition_words, examples_of, frequency, question_words
from .words import Words

SCHEMA = "liuren.pages/1"
_MARK = "# written by liuren kb pages"
"""The first line of the mkdocs.yml, by which pages made before are known."""


def write_pages(
    folder: str, library: Library, words: Words, kb_dir: str | None, sweep: bool, force: bool, jobs: int | None
) -> list[str]:
    """Write the reference, whole or not at all.

    Args:
        folder: where to; what was written there before is replaced with *force*.
        library: the knowledge base.
        words: the language.
        kb_dir: where the knowledge base stands, if not packaged.
        sweep: tell how often each rule fires.
        force: replace.
        jobs: processes of the sweep.

    Returns:
        the pages, by name.

    Raises:
        UserError: the folder holds something else, or cannot be written.
    """
    target = Path(folder)
    _refuse(target, force)
    swept = None
    if sweep:
        with Progress("sweep", CHARTS * len(library.texts())) as progress:
            swept = sweep_lessons(library, jobs=jobs, progress=progress.step)
    pages = make_pages(library, words, kb_dir, swept)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
        os.chmod(made, 0o755)
        (made / "mkdocs.yml").write_text(mkdocs_yml(pages, words), encoding="utf-8")
        for name, text in pages.items():
            path = made / "docs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        if target.exists():
            shutil.rmtree(target)
        os.replace(made, target)
    except OSError as error:
        raise UserError(f"{folder} cannot be written: {error.strerror}.") from None
    return list(pages)


def _refuse(target: Path, force: bool) -> None:
    """Replace nothing that is not ours, and ours only when told to."""
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return
    config = target / "mkdocs.yml"
    ours = config.is_file() and config.read_text(encoding="utf-8").startswith(_MARK)
    if not ours:
        raise UserError(f"{target} holds something else; name a folder that is new or empty.")
    if not force:
        raise UserError(f"{target} holds pages already; give --force to replace them.")


def mkdocs_yml(pages: Iterable[str], words: Words) -> str:
    """The configuration of mkdocs, with the pages in order."""
    nav: list[Any] = []
    by_text: dict[str, list[str]] = {}
    for name in pages:
        if name.startswith("texts/"):
            by_text.setdefault(name.split("/")[1], []).append(name)
        else:
            nav.append({words.ui(f"page_{name.removesuffix('.md')}"): name})
    nav += [{words.text(text): names} for text, names in by_text.items()]
    config = {
        "site_name": words.ui("page_index"),
        "docs_dir": "docs",
        "use_directory_urls": False,
        "theme": {"name": "mkdocs"},
        "markdown_extensions": ["tables"],
        "nav": nav,
    }
    return f"{_MARK}\n" + str(yaml.safe_dump(config, allow_unicode=True, sort_keys=False, width=120))


def make_pages(library: Library, words: Words, kb_dir: str | None, swept: Swept | None) -> dict[str, str]:
    """Name of each page to its Markdown."""
    book = _Book(library, words, kb_dir, swept)
    pages = {
        "index.md": book.index(),
        "facts.md": book.facts(),
        "topics.md": book.topics(),
        "terms.md": book.terms(),
        "patterns.md": book.patterns(),
    }
    for file in dict.fromkeys(p.file for p in library.kb.passages.values()):
        pages[page_of(file)] = book.chapter(file)
    return pages


def page_of(file: str) -> str:
    """The page of a passage file."""
    return "texts/" + file.removeprefix("texts/").removesuffix(".yaml") + ".md"


_SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")


def esc(text: object) -> str:
    """*text* as it is, in Markdown."""
    return _SPECIAL.sub(r"\\\1", str(text)).replace("\n", " ")


def _table(head: list[str], rows: Iterable[Iterable[object]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return [*lines, *("| " + " | ".join(str(c) for c in row) + " |" for row in rows), ""]


class _Book:
    """Makes the pages in one language."""

    def __init__(self, library: Library, words: Words, kb_dir: str | None, swept: Swept | None) -> None:
        self.library, self.words, self.kb_dir, self.swept = library, words, kb_dir, swept
        self.phrases = Phrases(words)
        self.made: dict[str, list[Rule]] = {}
        self.tested: dict[str, list[Rule]] = {}
        self.measured: dict[str, list[Rule]] = {}
        for rule in library.kb.rules.values():
            for into, names in zip((self.made, self.tested, self.measured), _names(rule), strict=True):
                for name in names:
                    into.setdefault(name, []).append(rule)

    def ui(self, key: str) -> str:
        """A word of the interface, safe in Markdown."""
        return esc(self.words.ui(key))

    def link(self, rule: Rule, up: str) -> str:
        """A link to a rule, from a page *up* folders below the top."""
        return f"[{esc(rule.id)}]({up}{page_of(rule.file)}#{anchor(rule.id)})"

    # --- pages of lists ---------------------------------------------------------

    def index(self) -> str:
        """The first page: the texts with their chapters, and what is covered."""
        lines = [f"# {self.ui('page_index')}", ""]
        for text, info in self.library.kb.texts.items():
            files = dict.fromkeys(p.file for p in self.library.kb.passages.values() if p.text == text)
            if files:
                lines += [f"## {esc(self.words.text(text))}", "", f"{self.ui('doctrine')}: {esc(info.doctrine)}", ""]
                lines += [f"- [{self._chapter_title(f)}]({page_of(f)})" for f in files] + [""]
        return "\n".join([*lines, markdown(count(self.library), self.words).replace("# ", "## ", 1)])

    def _chapter_title(self, file: str) -> str:
        titles = [self.words.passage(p.id) for p in self.library.kb.passages.values() if p.file == file]
        return esc(", ".join(titles[:3]) + (" …" if len(titles) > 3 else ""))

    def facts(self) -> str:
        """Points, slots, relations, told facts, groups, classes and spirits: what a rule may look at."""
        lines = [f"# {self.ui('page_facts')}", "", f"## {self.ui('points')}", ""]
        named = [(f"`{name}`", esc(self.words.ui(name)), kind) for name, kind in SIMPLE.items()]
        made = [(f"`{name}(p)`", self._function(name), kind) for name, (kind, _) in FUNCTIONS.items()]
        lines += _table([self.ui("name"), self.ui("meaning"), self.ui("kind")], [*named, *made])
        for title, slots in (
            ("slots", {**SLOTS, **LESSON_SLOTS}),
            *((record, slots) for record, slots in RECORD_SLOTS.items()),
            ("querent", PERSON_SLOTS),
        ):
            lines += [f"## {self.ui(title)}", ""]
            lines += _table([self.ui("name"), self.ui("meaning"), self.ui("values")], [self._slot(s) for s in slots.values()])
        lines += [f"## {self.ui('relations')}", ""]
        lines += _table([self.ui("name"), self.ui("meaning")], [(f"`{r}`", self.ui(r)) for r in RELATIONS])
        for title, file, key, values in (
            ("told", "told", "told", "values"),
            ("groups", "classes", "groups", "points"),
            ("classes", "classes", "classes", "values"),
        ):
            entries = load_data(file, self.kb_dir)[key]
            rows = [(f"`{n}`", esc(self.words.pick(e, n)), esc(" ".join(map(str, e[values])))) for n, e in entries.items()]
            lines += [f"## {self.ui(title)}", "", *_table([self.ui("name"), self.ui("meaning"), self.ui("values")], rows)]
        spirits = load_data("spirits", self.kb_dir)["spirits"].values()
        rows = [(esc(s["zh"]), esc(self.words.pick(s)), esc(s["basis"])) for s in spirits]
        lines += [f"## {self.ui('spirits')}", "", *_table([self.ui("name"), self.ui("meaning"), self.ui("basis")], rows)]
        return "\n".join(lines)

    def _function(self, name: str) -> str:
        template = load_data("phrases", self.kb_dir)["points"][name]
        return esc(self.words.pick(template).format("p", n="n"))

    def _slot(self, slot: Slot) -> tuple[str, str, str]:
        values = " ".join(str(v).lower() if isinstance(v, bool) else str(v) for v in slot.values[:24])
        return f"`{slot.name}`", f"{self.ui(slot.name)}: {esc(slot.doc)}", esc(values + (" …" if len(slot.values) > 24 else ""))

    def topics(self) -> str:
        """The tree of topics."""
        data = load_data("topics", self.kb_dir)["topics"]
        lines = [f"# {self.ui('page_topics')}", ""]

        def below(parent: str | None, depth: int) -> None:
            for name, entry in data.items():
                if entry.get("under") == parent:
                    aka = f" ({', '.join(entry['aka'])})" if entry.get("aka") else ""
                    lines.append("    " * depth + f"- `{name}` {esc(entry['zh'])} · {esc(self.words.topic(name))}{esc(aka)}")
                    below(name, depth + 1)

        below(None, 0)
        return "\n".join([*lines, ""])

    def terms(self) -> str:
        """Every value with its Korean and English word."""
        values = load_data("terms", self.kb_dir)["values"]
        rows = [(esc(zh), esc(e.get("ko", "")), esc(e.get("en", ""))) for zh, e in values.items()]
        return "\n".join([f"# {self.ui('page_terms')}", "", *_table(["中文", "한국어", "English"], rows)])

    def patterns(self) -> str:
        """Every pattern and measure with the rules that make and test it."""
        lines = [f"# {self.ui('page_patterns')}", ""]
        for name in dict.fromkeys((*self.made, *self.tested)):
            lines += [f'<a id="{anchor(name)}"></a>', "", f"## {esc(self.words.gloss(name))}", ""]
            lines += [f"- {self.ui('concluded_by')} {self._source(r)}" for r in self.made.get(name, ())]
            lines += [f"- {self.ui('tested_by')} {self._source(r)}" for r in self.tested.get(name, ())] + [""]
        lines += [f"## {self.ui('measures')}", ""]
        for name, rules in self.measured.items():
            lines += [f"- {esc(self.words.gloss(name))}: " + ", ".join(self.link(r, "") for r in rules)]
        return "\n".join([*lines, ""])

    def _source(self, rule: Rule) -> str:
        return f"{self.link(rule, '')} 「{esc(rule.quote)}」"

    # --- pages of rules -----------------------------------------------------------

    def chapter(self, file: str) -> str:
        """The passages of one file with all their clauses."""
        passages = [p for p in self.library.kb.passages.values() if p.file == file]
        lines = [f"# {esc(self.words.text(passages[0].text))}: {self._chapter_title(file)}", ""]
        for passage in passages:
            lines += self._passage(passage)
        return "\n".join(lines)

    def _passage(self, passage: Passage) -> list[str]:
        title = dict(passage.title)
        lines = [f"## {esc(title.get('zh', ''))} · {esc(self.words.passage(passage.id))}", ""]
        where = f"{self.ui('edition')} {esc(passage.edition)}, {self.ui('lines')} {passage.lines[0]}–{passage.lines[1]}"
        lines += [f"`{passage.id}` · {where}", ""]
        for crux in passage.cruces:
            lines += [f"**{self.ui('reading_of')}** 「{esc(crux.lem)}」", ""]
            for id, by, note in crux.options:
                mark = "✓ " if id in crux.default else ""
                lines.append(f"- {mark}`{crux.id}={id}` ({esc(by)}) {esc(self.words.pick(dict(note)))}")
            lines.append("")
        for e in passage.emendations:
            lines += [f"- 「{esc(e.lem)}」 → 「{esc(e.rdg)}」 ({esc(e.by)}) {esc(self.words.pick(dict(e.note)))}", ""]
        for rule in passage.rules:
            if rule.id in self.library.kb.rules:
                lines += self._rule(rule)
        for clause in passage.clauses:
            lines.append(f"- **{self.ui('fate_' + clause.fate)}** 「{esc(clause.quote)}」 {esc(self.words.pick(dict(clause.words)))} {esc(clause.case)}".rstrip())
        return [*lines, ""]

    def _rule(self, rule: Rule) -> list[str]:
        first = rule.instances[0]
        lines = [f'<a id="{anchor(rule.id)}"></a>', "", f"### {esc(rule.key)} 「{esc(rule.quote)}」", ""]
        if first.of:
            lines += [f"{self.ui('each_of')}: " + esc(" ".join("/".join(i.of) for i in rule.instances)), ""]
        lines += [f"- {self.ui('when')} {esc(c)}" for c in condition_words(first, self.phrases)]
        lines += [f"- → {esc(conclusion_words(c, self.phrases, rule.quote))}" for c in first.conclusions]
        if rule.readings:
            asleep = "" if self.library.awake(rule, {}) else f" ({self.ui('asleep')})"
            lines.append(f"- {self.ui('reading_of')}: {esc(', '.join(rule.readings))}{asleep}")
        if note := self.words.pick(dict(rule.note)):
            lines.append(f"- {self.ui('note')}: {esc(note)}")
        for kind, example in examples_of(rule, self.library):
            said = question_words(dict(example.given)) if kind != "never" else self.words.pick(dict(example.because))
            lines.append(f"- {self.ui('example_' + kind)}: {esc(said)}")
        if self.swept is not None:
            lines.append(f"- {esc(frequency_words(frequency(rule, self.swept), self.words))}")
        return [*lines, ""]


def _names(rule: Rule) -> tuple[list[str], list[str], list[str]]:
    """Patterns a rule concludes, patterns it tests, measures and tallies it gives."""
    said = [c for i in rule.instances for c in i.conclusions]
    made = [c.name for c in said if isinstance(c, Pattern)]
    tested = [n.name for i in rule.instances for n in nodes(i.when) if isinstance(n, PatternIs)]
    measured = [c.name if isinstance(c, Measure) else c.tally for c in said if isinstance(c, Measure | Vote)]
    return tuple(list(dict.fromkeys(names)) for names in (made, tested, measured))  # type: ignore[return-value]


def anchor(id: str) -> str:
    """The anchor of a rule or pattern on its page."""
    return re.sub(r"[^\w.-]", "-", id)
