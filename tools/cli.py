"""``liuren``: the command line."""

from __future__ import annotations

import dataclasses
import gc
import json
import sys
from pathlib import Path
from typing import Any

import click
from liuren.engine.casting.json import chart_to_json
from liuren.engine.explain import because, explain, node_link, shortest
from liuren.engine.questions import build_request, find_topic
from liuren.engine.reading import read
from liuren.facts.errors import UserError

from .draw import draw_chart
from .export import FORMS, export, write_export
from .find import find_nodes
from .lazy import LazyGroup, later
from .options import common_options, load, make_request, plain_question, question_options
from .report import first_verdict, reading_json, reading_text
from .tree import explanation_lines


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="liuren")
def cli() -> None:
    """大六壬 that explains itself: charts, what the classical texts say of them, and why."""


def emit(lines: list[str]) -> None:
    """Print lines; colour only on a terminal."""
    click.echo("\n".join(lines))


def emit_json(data: Any) -> None:
    """Print JSON: readable characters, the same bytes every time."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=1))


@cli.command()
@question_options
@common_options
@click.option("--save", type=click.Path(), metavar="FILE", help="Also save the question for --reading.")
@click.option("--force", is_flag=True, help="Let --save replace a file.")
def cast(given: dict[str, Any], kb_dir: str | None, lang: str, as_json: bool, save: str | None, force: bool) -> None:
    """Cast a chart, from MOMENT or from pillars.

    One chart under the doctrine named (`common` without one).
    """
    library, words = load(kb_dir, lang)
    request = make_request(given, library)
    chart = library.chart(request.question, library.doctrine(request.doctrine or "common", request.sets))
    if save:  # first: when it fails, nothing has been printed
        save_question(given, save, force)
    if as_json:
        emit_json(chart_to_json(chart))
    else:
        emit(draw_chart(chart, words))


def save_question(given: dict[str, Any], path: str, force: bool) -> None:
    """Write the question as YAML, whole or not at all.

    Raises:
        UserError: the file exists and *force* is not set, or it cannot be written.
    """
    import yaml

    from .files import write_whole

    text = yaml.safe_dump(plain_question(given), allow_unicode=True, sort_keys=False)
    write_whole(Path(path), text, force)


@cli.command(name="read")
@question_options
@common_options
@click.option("--why", "why_first", is_flag=True, help="Also explain the first verdict.")
@click.option("--html", "html_file", type=click.Path(), metavar="FILE", help="Write the reading as one HTML page that explains itself, instead of text.")
@click.option("--force", is_flag=True, help="Let --html replace a file.")
def read_command(given: dict[str, Any], kb_dir: str | None, lang: str, as_json: bool, why_first: bool, html_file: str | None, force: bool) -> None:
    """Read a question: the chart and what the texts say of it."""
    library, words = load(kb_dir, lang)
    reading = read(make_request(given, library), library)
    if html_file:
        from .page import write_page

        write_page(reading, html_file, words, force)
        if not as_json:
            return
    if as_json:
        data = reading_json(reading)
        if why_first:
            root = first_verdict(reading)
            data["why"] = node_link(because(explain(reading), [root])) if root else None
        emit_json(data)
        return
    lines = reading_text(reading, words)
    if why_first and (root := first_verdict(reading)):
        lines += ["", click.style(f"{words.ui('why')} {root.removeprefix('standing:')}", bold=True)]
        lines += explanation_lines(because(explain(reading), [root]), [root], words)
    emit(lines)


@cli.command()
@click.argument("id")
@question_options
@common_options
@click.option("--depth", type=click.IntRange(0), help="How many steps down.")
@click.option("--all", "every", is_flag=True, help="Every derivation, where the shortest is shown without it.")
@click.option("--export", "export_file", type=click.Path(), metavar="FILE", help="Write the graph: .json, .graphml, .dot, .prov, .md.")
@click.option("--format", "form", type=click.Choice(FORMS), help="The form, when the name of FILE does not tell it; without FILE to standard output.")
@click.option("--force", is_flag=True, help="Let --export replace a file.")
def why(id: str, given: dict[str, Any], kb_dir: str | None, lang: str, as_json: bool, depth: int | None, every: bool, export_file: str | None, form: str | None, force: bool) -> None:
    """Explain ID down to the moment or the pillars.

    ID is a conclusion (as `read` prints it), a rule, a passage, a pattern, or a
    value of the chart such as `initial`.
    """
    library, words = load(kb_dir, lang)
    reading = read(make_request(given, library), library)
    graph = explain(reading)
    roots = find_nodes(id, reading, graph)
    part = because(graph, roots) if every else because(shortest(graph), roots)
    if export_file:
        write_export(part, roots, export_file, form, words, force)
    elif form:
        click.echo(export(part, roots, form, words), nl=False)
    elif as_json:
        emit_json(node_link(part))
    else:
        emit(explanation_lines(part, roots, words, depth))


@cli.command(name="why-not")
@click.argument("id")
@question_options
@common_options
@click.option("--deep", is_flag=True, help="Try two changes when no single one brings it about.")
def why_not(id: str, given: dict[str, Any], kb_dir: str | None, lang: str, as_json: bool, deep: bool) -> None:
    """Why ID is not there, and the smallest change that would bring it about.

    ID is a rule, a verdict, a pattern, or a topic (then: the rules that came
    within one condition).
    """
    from . import whynot
    from .phrases import Phrases

    library, words = load(kb_dir, lang)
    phrases = Phrases(words)
    request = make_request(given, library)
    if id in library.kb.lexicon.topics or id in library.kb.lexicon.aliases:
        topic = find_topic(id, library.kb.lexicon)
        reading = read(dataclasses.replace(request, topic=topic), library)
        if as_json:
            emit_json({"schema": whynot.SCHEMA, "topic": topic, "near": whynot.topic_json(reading, phrases)})
        else:
            emit(whynot.topic_lines(reading, phrases))
        return
    asked = whynot.Question(id, read(request, library))
    ways = asked.ways(deep)
    if as_json:
        emit_json(
            {
                "schema": whynot.SCHEMA,
                "id": id,
                "asleep": asked.asleep,
                "finding": whynot.finding_json(asked.finding, phrases),
                "changes": [whynot.way_json(w) for w in ways],
            }
        )
    else:
        emit(whynot.whynot_lines(asked, ways, phrases, deep))


@cli.command(name="what-if")
@question_options
@common_options
@click.option("--change", "changes", multiple=True, required=True, metavar="NAME=VALUE", help="What to tell otherwise: hour=午, moment=…, born=1980, doctrine=…, set.shehai=…, told.nature=…, variants.PASSAGE:CRUX=…")
def what_if(given: dict[str, Any], kb_dir: str | None, lang: str, as_json: bool, changes: tuple[str, ...]) -> None:
    """Two questions side by side: what changes, and the first cause of each change."""
    from .sidebyside import changed_question, difference_json, difference_lines

    library, words = load(kb_dir, lang)
    asked = plain_question(given)
    before = read(build_request(asked, library.kb.lexicon), library)
    after = read(build_request(changed_question(asked, changes), library.kb.lexicon), library)
    if as_json:
        emit_json(difference_json(before, after, changes))
    else:
        emit(difference_lines(before, after, changes, words))


@cli.command()
@question_options
@common_options
@click.option("--with", "other", metavar="DOCTRINE", help="The other school; the first is --doctrine, or each text's own.")
@click.option("--with-set", "other_sets", multiple=True, metavar="OPTION=VALUE", help="One option of the other school.")
def compare(given: dict[str, Any], kb_dir: str | None, lang: str, as_json: bool, other: str | None, other_sets: tuple[str, ...]) -> None:
    """Two doctrines on one question, down to the verdicts that change."""
    from .compare import compare_json, compare_lines, other_school
    from .options import pairs

    library, words = load(kb_dir, lang)
    request = make_request(given, library)
    second = other_school(request, other, pairs(other_sets, "--with-set"))
    before, after = read(request, library), read(second, library)
    if as_json:
        emit_json(compare_json(before, after))
    else:
        emit(compare_lines(before, after, words))


@cli.command()
@click.argument("options", nargs=-1, metavar="[OPTION]...")
@common_options
@click.option("--counts", is_flag=True, help="Also cast the charts, and count how many each choice changes.")
@click.option("--page", type=click.Path(), metavar="FILE", help="Write it, counted, as a page of Markdown.")
@click.option("--force", is_flag=True, help="Let --page replace a file.")
def schools(options: tuple[str, ...], kb_dir: str | None, lang: str, as_json: bool, counts: bool, page: str | None, force: bool) -> None:
    """Every option on which schools part: values, what each does, who holds it."""
    from . import schools as work
    from .files import refuse_existing

    library, words = load(kb_dir, lang)
    chosen = work.chosen_options(library.data, options)
    if page and not force:
        refuse_existing(page)
    counted = work.count_choices(library.data, chosen) if counts or page else None
    found = work.schools_json(library.data, chosen, counted)
    if page:
        work.write_page(found, words, page, force)
    elif as_json:
        emit_json(found)
    else:
        emit(work.schools_lines(found, words))


@cli.command()
@question_options
@common_options
@click.option("--all", "every", is_flag=True, help="Every spirit with its tables; no question is needed.")
def spirits(given: dict[str, Any], kb_dir: str | None, lang: str, as_json: bool, every: bool) -> None:
    """The spirits (神煞) of a chart: branch, seat, general, source, rival tables."""
    from . import spirits as work

    library, words = load(kb_dir, lang)
    if every:
        found, lines = work.all_spirits(library.data), work.all_spirits_lines
    else:
        request = make_request(given, library)
        school = library.doctrine(request.doctrine or "common", request.sets)
        found, lines = work.spirits_of(request.question, school, library), work.spirits_lines
    if as_json:
        emit_json(found)
    else:
        emit(lines(found, words))


@cli.command(name="who-else")
@click.argument("id")
@question_options
@common_options
def who_else(id: str, given: dict[str, Any], kb_dir: str | None, lang: str, as_json: bool) -> None:
    """Who else speaks of ID: a verdict's other voices, or a pattern's other definitions."""
    from .others import others_json, others_lines

    library, words = load(kb_dir, lang)
    reading = read(make_request(given, library), library)
    if as_json:
        emit_json(others_json(id, reading))
    else:
        emit(others_lines(id, reading, words))


@cli.command(name="weigh")
@click.argument("about", metavar="TOPIC")
@question_options
@common_options
def weigh_command(about: str, given: dict[str, Any], kb_dir: str | None, lang: str, as_json: bool) -> None:
    """The verdicts on TOPIC in the order the texts give their weight, and what contradicts."""
    from .weighing import weigh_json, weigh_lines

    library, words = load(kb_dir, lang)
    topic = find_topic(about, library.kb.lexicon)
    reading = read(dataclasses.replace(make_request(given, library), topic=topic), library)
    if as_json:
        emit_json(weigh_json(reading, kb_dir))
    else:
        emit(weigh_lines(reading, words, kb_dir))


def main(argv: list[str] | None = None) -> None:
    """Run the command line; a user's mistake is one sentence and exit status 2."""
    # A command makes many objects that live to its end; looking for rubbish among them
    # every few hundred costs a fifth of its time.
    gc.set_threshold(200_000, 20, 100)
    try:
        cli.main(args=argv, prog_name="liuren", standalone_mode=False)
    except UserError as error:
        click.echo(f"liuren: {error}", err=True)
        sys.exit(2)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        click.echo(f"liuren: {error.format_message()}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of the pipe has gone; say nothing more, also at exit.
        sys.stderr.close()
        sys.exit(0)
    finally:
        gc.freeze()  # nothing need be looked through once more on the way out




@cli.group(cls=LazyGroup)
def kb() -> None:
    """Look after a knowledge base."""


for _name in ("new", "import", "check", "coverage", "try", "diff", "pages"):
    later(kb, _name, f"workbench:{_name}_command")
later(cli, "rules", "workbench:rules")


@cli.group(cls=LazyGroup)
def cases() -> None:
    """Worked cases: what the books print of their charts, held against ours."""


@cases.command(name="run")
@click.argument("ids", nargs=-1)
@common_options
@click.option("--corpus", type=click.Path(), metavar="FILE", help="A YAML or JSONL file of cases, or a folder, instead of the texts' own.")
@click.option("--books", is_flag=True, help="The cases of other books (kb/cases/books) instead.")
@click.option("--doctrine", metavar="NAME", help="Run every case under one school.")
@click.option("--set", "sets", multiple=True, metavar="OPTION=VALUE", help="One option of the school, for every case.")
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Worker processes.")
@click.option("--junit", "junit_file", type=click.Path(), metavar="FILE", help="Also write JUnit XML.")
@click.option("--force", is_flag=True, help="Let --junit replace a file.")
def cases_run(ids: tuple[str, ...], kb_dir: str | None, lang: str, as_json: bool, corpus: str | None, books: bool, doctrine: str | None, sets: tuple[str, ...], jobs: int, junit_file: str | None, force: bool) -> None:
    """Run the worked cases; exit status 1 if one does not come out as recorded."""
    from . import cases as work
    from .options import pairs

    where = work.corpus_of(kb_dir, corpus, books)
    found, results = work.run_cases(kb_dir, where, ids, doctrine, pairs(sets, "--set"), jobs)
    if as_json:
        emit_json(work.cases_json(found, results))
    else:
        _, words = load(kb_dir, lang)
        emit(work.cases_lines(found, results, words))
    if junit_file:
        work.write_junit(junit_file, found, results, force)
    work.finish(results)


later(cases, "diff", "casediff:diff")
later(cases, "reproduce", "reproducing:reproduce_command")
later(cases, "solve", "solving:solve_command")
later(cli, "when", "whenis:when")


@cli.group(cls=LazyGroup)
def calendar() -> None:
    """The calendar itself, apart from any chart."""


later(calendar, "differences", "calendars:differences")


@cli.command()
@click.option("--charts", type=int, help="How many charts, at even distances among all: 60 unless told, every one for --casting.")
@click.option("--casting", is_flag=True, help="Only cast: charts a second over 60 years, 12 months, 60 days and 12 hours.")
@click.option("--cases", "corpus", is_flag=True, help="Only the worked cases of the texts: each once, in one run.")
@click.option("--books", is_flag=True, help="With --cases: the cases of other books (kb/cases/books) instead.")
@click.option("--kb", "kb_dir", type=click.Path(file_okay=False), metavar="DIR", help="A knowledge base that stands elsewhere.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
def bench(charts: int | None, casting: bool, corpus: bool, books: bool, kb_dir: str | None, as_json: bool) -> None:
    """Measure casting, facts, inference, recording and explanation, and the cold start."""
    if books and not corpus:
        raise UserError("--books chooses among worked cases; give it together with --cases.")
    if corpus and (casting or charts is not None):
        other = "--casting" if casting else f"--charts {charts}"
        raise UserError(f"--cases runs every case and is given with {other}; give one of them.")
    library, _ = load(kb_dir)
    if corpus:
        from . import castbench
        from .cases import corpus_of

        run = castbench.measure_cases(library, kb_dir, corpus_of(kb_dir, None, books))
        if as_json:
            emit_json(castbench.cases_json(run))
        else:
            emit(castbench.cases_lines(run))
        return
    if casting:
        from . import castbench

        cast_only = castbench.measure_casting(library, castbench.EVERY if charts is None else charts)
        if as_json:
            emit_json(castbench.casting_json(cast_only))
        else:
            emit(castbench.casting_lines(cast_only))
        return
    from .bench import bench_json, bench_lines, measure

    found = measure(library, 60 if charts is None else charts)
    if as_json:
        emit_json(bench_json(found))
    else:
        emit(bench_lines(found))
