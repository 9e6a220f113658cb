/* The program of a page of a reading: languages, filter, explanations as text and as a graph.
   Everything comes from the JSON in the page (see pagedata.py); nothing is ever requested. */
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const LANG = { zh: "zh-Hant", ko: "ko", en: "en" };
  const FOLDED = new Set(["fact", "step"]);       // below these lies casting: folded until asked for
  const FIRST_RESTING = new Set(["input", "option", "step", "fact", "passage"]);
  const ENDS = ["verdict", "measure", "pattern", "tally", "role", "modifier"];
  const MARKED = new Set(["strengthens", "weakens", "reverses", "cancels", "replaces", "outranks", "fails"]);
  const LIMIT = 90;                                // nodes drawn at once
  const COLOUR = {
    verdict: "#8c2f1b", standing: "#8c2f1b", measure: "#7a5a00", modifier: "#7a3b78", pattern: "#1f5f8b",
    tally: "#1f5f8b", role: "#1f5f8b", firing: "#2f6b3a", passage: "#6b5b45", fact: "#33475b",
  };
  const narrow = matchMedia("(max-width: 900px)");

  // --- words ---------------------------------------------------------------------------

  let lang = data.languages.indexOf(data.first);
  const say = (place) => (typeof data.words[place] === "string" ? data.words[place] : data.words[place][lang]);
  const ui = (key) => say(data.ui[key]);
  const kind = (n) => data.kinds[data.nodes[n][1]];
  const words = (n) => say(data.nodes[n][2]);

  function el(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== false) made.setAttribute(name, value === true ? "" : value);
    made.append(...children.filter((c) => c !== null));
    return made;
  }

  function speak(name) {
    lang = data.languages.indexOf(name);
    document.documentElement.lang = LANG[name];
    for (const e of document.querySelectorAll("[data-w]")) e.textContent = say(e.dataset.w);
    for (const e of document.querySelectorAll("[data-w-aria-label]")) e.setAttribute("aria-label", say(e.dataset.wAriaLabel));
    for (const b of document.querySelectorAll("[data-language]")) b.setAttribute("aria-pressed", b.dataset.language === name);
    document.title = document.querySelector("h1").textContent;
    filter();
    if (roots.length) render();
  }

  // --- the graph -----------------------------------------------------------------------

  const below = data.nodes.map(() => []), above = data.nodes.map(() => []);
  for (const [source, target, link, short] of data.edges) {
    below[target].push({ n: source, link: data.links[link], short });
    above[source].push({ n: target, link: data.links[link], short });
  }
  // What states a rule comes first, then the rest in order.
  for (const edges of below) edges.sort((a, b) => (b.link === "states") - (a.link === "states"));
  const place = new Map(data.nodes.map(([id], n) => [id, n]));
  const sources = (n) => (every ? below[n] : below[n].filter((e) => e.short));
  /** A verdict is explained with its standing, which rests on it. */
  const whole = (n) => (above[n].find((e) => e.link === "stands") || { n }).n;
  const bare = (n) => (kind(n) === "standing" ? below[n].find((e) => e.link === "stands").n : n);

  function reach(from, next) {
    const found = new Set(from), queue = [...from];
    for (const n of queue) for (const e of next(n)) if (!found.has(e.n)) { found.add(e.n); queue.push(e.n); }
    return found;
  }

  // --- what is explained ------------------------------------------------------------------

  let roots = [], every = false, opener = null, depth = 0, cy = null;
  const address = (list) => "#" + list.map((n) => encodeURIComponent(data.nodes[n][0])).join("&");

  /** Explain nodes: the address changes, and `follow` shows them (so that Back works). */
  function choose(list) {
    const wanted = address(list.map(whole));
    if (location.hash === wanted) follow(); else { depth += 1; location.hash = wanted; }
  }

  function follow() {
    const named = location.hash.slice(1).split("&").filter(Boolean).map((id) => {
      try { return place.get(decodeURIComponent(id)); } catch { return undefined; }
    });
    const found = named.filter((n) => n !== undefined);
    if (!found.length) return shut();
    const inGraph = roots.length && !$("as-graph").hidden;
    roots = found.map(whole);
    $("why").hidden = false;
    document.body.classList.add("asking");
    for (const part of [$("main"), $("top")]) part.inert = narrow.matches;
    render();
    $("why").scrollTop = 0;
    if (opener && !narrow.matches) opener.scrollIntoView({ block: "nearest" });
    (inGraph ? $("graph") : $("why-title")).focus({ preventScroll: true });
  }

  function shut() {
    if (!roots.length) return;
    roots = [];
    depth = 0;
    $("why").hidden = true;
    document.body.classList.remove("asking");
    for (const part of [$("main"), $("top")]) part.inert = false;
    if (location.hash) history.pushState(null, "", location.pathname + location.search);
    mark();
    if (opener) opener.focus();
    opener = null;
  }

  function mark() {
    const chosen = roots.join(" ");
    for (const b of document.querySelectorAll("main [data-ask], header [data-ask]")) {
      if (chosen && b.dataset.ask.split(" ").map((n) => whole(+n)).join(" ") === chosen) b.setAttribute("aria-current", "true");
      else b.removeAttribute("aria-current");
    }
  }

  function render() {
    $("why-title").textContent = roots.map((n) => words(bare(n))).join(" · ");
    $("tree").replaceChildren(tree());
    $("resting").replaceChildren(...resting());
    // Of a fact one asks first what rests on it.
    const [a, b] = FIRST_RESTING.has(kind(roots[0])) ? ["rests-on-it", "rests-on"] : ["rests-on", "rests-on-it"];
    $("as-text").append($(a), $(b));
    $("back").disabled = depth < 2;
    mark();
    if (!$("as-graph").hidden) draw();
  }

  // --- as text -----------------------------------------------------------------------------

  const link = (n) => el("button", { type: "button", class: "node " + kind(n), "data-node": n }, words(n));

  function tree() {
    const told = new Set();
    function item({ n, link: how }) {
      const again = told.has(n);
      told.add(n);
      const li = el("li", {}, MARKED.has(how) ? el("span", { class: "how" }, ui(how) + ": ") : null, link(n));
      const under = again ? [] : sources(n);
      if (again && below[n].length) li.append(" …");
      if (under.length) {
        const folded = FOLDED.has(kind(n)) && told.size > roots.length;
        const list = el("ul", { hidden: folded }, ...under.map(item));
        const toggle = el("button", { type: "button", class: "fold", "aria-expanded": String(!folded) });
        const name = () => toggle.setAttribute("aria-label", ui(list.hidden ? "unfold" : "fold") + ": " + words(n));
        toggle.addEventListener("click", () => { list.hidden = !list.hidden; toggle.setAttribute("aria-expanded", String(!list.hidden)); name(); });
        name();
        li.prepend(toggle);
        li.append(list);
      }
      return li;
    }
    return el("ul", { class: "tree" }, ...roots.map((n) => item({ n, link: "" })));
  }

  function resting() {
    const own = new Set(roots.flatMap((n) => [n, bare(n)]));
    const direct = [...new Set([...own].flatMap((n) => above[n].map((e) => e.n)))].filter((n) => !own.has(n));
    const ends = [...reach(own, (n) => above[n])].filter((n) => !own.has(n) && !direct.includes(n) && ENDS.includes(kind(n)));
    const list = (title, nodes) => nodes.length
      ? [el("h4", {}, `${title} (${nodes.length})`), el("ul", { class: "plain" }, ...nodes.map((n) => el("li", {}, link(n))))] : [];
    if (!direct.length && !ends.length) return [el("p", { class: "dim" }, ui("nothing"))];
    ends.sort((a, b) => ENDS.indexOf(kind(a)) - ENDS.indexOf(kind(b)) || a - b);
    return [...list(ui("directly"), direct), ...list(ui("in_the_end"), ends)];
  }

  // --- as a graph ----------------------------------------------------------------------------

  /** The nodes to draw, nearest first, at most LIMIT of them; and how many there are. */
  function near() {
    const way = $("way").value, own = new Set(roots.flatMap((n) => (way === "down" ? [n] : [n, bare(n)])));
    const all = new Set(own), deep = $("deep").checked;
    const down = (n) => (deep || own.has(n) || !FOLDED.has(kind(n)) ? sources(n) : []);
    const ways = [...(way === "up" ? [] : [reach(own, down)]), ...(way === "down" ? [] : [reach(own, (n) => above[n])])].map((s) => [...s]);
    const drawn = new Set(own);
    for (let i = 0; ways.some((w) => i < w.length); i += 1) {
      for (const w of ways) if (i < w.length) { all.add(w[i]); if (drawn.size < LIMIT) drawn.add(w[i]); }
    }
    return { drawn, total: all.size };
  }

  /** A label: not too long, and with places where a line may break. */
  const short = (text) => (text.length > 90 ? text.slice(0, 88) + "…" : text).replace(/[\u2e80-\u9fff/._–:+T@-]/g, "$&\u200b");
  function size(text) {
    const width = [...text].reduce((sum, c) => sum + (c === "\u200b" ? 0 : c > "\u1100" ? 12 : 6.6), 0);
    return Math.max(1, Math.ceil(width / 135)) * 16 + 12;
  }

  function draw() {
    const { drawn, total } = near();
    const nodes = [...drawn].map((n) => ({
      data: { id: String(n), label: short(words(n)), h: size(short(words(n))), colour: COLOUR[kind(n)] || "#5c6670" },
      classes: roots.includes(n) ? "root" : "",
    }));
    const edges = [...drawn].flatMap((n) => (every || $("way").value !== "down" ? below[n] : sources(n)).filter((e) => drawn.has(e.n))
      .map((e) => ({ data: { id: `${e.n}-${n}`, source: String(e.n), target: String(n), label: MARKED.has(e.link) ? ui(e.link) : "" } })));
    if (cy) cy.destroy();
    cy = window.cytoscape({
      container: $("graph"), elements: { nodes, edges }, minZoom: 0.05, maxZoom: 3, boxSelectionEnabled: false, autounselectify: true,
      style: [
        { selector: "node", style: { shape: "round-rectangle", width: 164, height: "data(h)", label: "data(label)", "text-wrap": "wrap",
          "text-max-width": 150, "text-valign": "center", "text-halign": "center", "font-size": 12, "line-height": 1.25,
          "font-family": getComputedStyle(document.body).fontFamily, "background-color": "#fffdf8", color: "data(colour)", "border-color": "data(colour)", "border-width": 1.2 } },
        { selector: "node.root", style: { "background-color": "data(colour)", color: "#fff" } },
        { selector: "node.at", style: { "border-width": 5, "border-color": "#c77700" } },
        { selector: "edge", style: { width: 1.2, "line-color": "#b5a890", "target-arrow-color": "#8f8168", "target-arrow-shape": "triangle", "arrow-scale": 0.9,
          "curve-style": "bezier", label: "data(label)", "font-size": 10, color: "#7a3b78", "text-background-color": "#faf6ec", "text-background-opacity": 1 } },
      ],
      layout: { name: "dagre", rankDir: narrow.matches ? "BT" : "LR", nodeSep: 10, rankSep: narrow.matches ? 26 : 42, fit: false },
    });
    cy.on("tap", "node", (event) => choose([Number(event.target.id())]));
    window.liurenGraph = cy;
    opening();
    $("graph-note").textContent = `${ui("shown")} ${drawn.size} / ${total}`;
  }

  const rootNodes = () => cy.nodes(".root");
  /** The whole graph if its words can be read then; else what was asked about, at a readable size. */
  function opening() {
    cy.fit(undefined, 16);
    if (cy.zoom() > 1.1) { cy.zoom(1.1); cy.center(); }
    if (cy.zoom() < 0.55) {
      cy.zoom(0.75);
      cy.center(rootNodes());
      const side = rootNodes().outgoers().empty() ? 1 : { down: 1, up: -1, both: 0 }[$("way").value];
      if (narrow.matches) cy.panBy({ x: 0, y: -side * Math.max(0, cy.height() / 2 - 50) });
      else cy.panBy({ x: side * Math.max(0, cy.width() / 2 - 80), y: 0 });
    }
  }

  function zoom(by) { cy.zoom({ level: cy.zoom() * by, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } }); }

  /** Arrow keys go to the nearest node on that side; Enter asks about it. */
  function step(dx, dy) {
    const at = cy.nodes(".at").nonempty() ? cy.nodes(".at")[0] : rootNodes()[0];
    const here = at.position();
    let best = null, least = Infinity;
    for (const node of cy.nodes().toArray()) {
      const p = node.position(), along = (p.x - here.x) * dx + (p.y - here.y) * dy;
      const across = Math.abs((p.x - here.x) * dy) + Math.abs((p.y - here.y) * dx);
      if (along > 1 && along + 2 * across < least) { best = node; least = along + 2 * across; }
    }
    if (!best) return;
    cy.nodes().removeClass("at");
    best.addClass("at");
    $("graph-note").textContent = words(Number(best.id()));
    const p = best.renderedPosition();
    if (p.x < 90 || p.y < 30 || p.x > cy.width() - 90 || p.y > cy.height() - 30) cy.center(best);
  }

  const KEYS = {
    ArrowLeft: () => step(-1, 0), ArrowRight: () => step(1, 0), ArrowUp: () => step(0, -1), ArrowDown: () => step(0, 1),
    "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: () => cy.fit(undefined, 16),
    Enter: () => { const at = cy.nodes(".at"); if (at.nonempty()) choose([Number(at[0].id())]); },
  };

  // --- the filter ----------------------------------------------------------------------------

  /** As the topic asked would: a verdict speaks to its topics and to all below them. */
  function speaks(topics, asked) {
    for (let at = asked; at; at = data.topics[at]) if (topics.includes(at)) return true;
    return false;
  }

  function filter() {
    const topic = $("by-topic").value, polarity = $("by-polarity").value, text = $("by-text").value.trim().toLowerCase();
    let shown = 0, all = 0;
    for (const section of document.querySelectorAll("section.topic")) {
      for (const li of section.querySelectorAll("li.said")) {
        if (li.dataset.states) {
          const states = JSON.parse(li.dataset.states), [state, by] = states[topic] || states[""];
          const badge = li.querySelector(".state");
          badge.dataset.w = state;
          badge.textContent = say(state);
          badge.classList.toggle("otherwise", topic in states && topic !== "");
          li.querySelector(".elsewhere").textContent = say(by);
        }
        const kept = (!topic || speaks(li.dataset.topics.split(" "), topic)) && (!polarity || li.dataset.polarity === polarity)
          && (!text || li.textContent.toLowerCase().includes(text));
        li.hidden = !kept;
        shown += kept;
        all += 1;
      }
      section.hidden = !section.querySelector("li.said:not([hidden])");
    }
    $("shown").textContent = `${ui("shown")} ${shown} / ${all}`;
  }

  // --- what a person does ------------------------------------------------------------------------

  /** Tabs as the ARIA pattern has them: arrow keys move, one tab is in the tab order. */
  function tabs(list, chosen) {
    const all = [...list.querySelectorAll('[role="tab"]')];
    const select = (tab) => {
      for (const t of all) {
        t.setAttribute("aria-selected", String(t === tab));
        t.tabIndex = t === tab ? 0 : -1;
        $(t.getAttribute("aria-controls")).hidden = t !== tab;
      }
      chosen(tab);
    };
    list.addEventListener("click", (event) => { const tab = event.target.closest('[role="tab"]'); if (tab) select(tab); });
    list.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const tab = all[(all.indexOf(document.activeElement) + by + all.length) % all.length];
      select(tab);
      tab.focus();
      event.preventDefault();
    });
    if (all.length) select(all[0]);
  }

  document.addEventListener("click", (event) => {
    const ask = event.target.closest("[data-ask]"), node = event.target.closest("[data-node]"), language = event.target.closest("[data-language]");
    if (ask) { opener = ask; depth = 0; choose(ask.dataset.ask.split(" ").map(Number)); }
    if (node) choose([Number(node.dataset.node)]);
    if (language) speak(language.dataset.language);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && roots.length) shut();
    if (event.key === "Tab" && narrow.matches && roots.length) keep(event);
  });
  /** On a narrow screen the explanation covers the page, and the tab key stays in it. */
  function keep(event) {
    const all = [...$("why").querySelectorAll("button, select, input, [tabindex='0']")].filter((e) => e.tabIndex >= 0 && !e.disabled && e.offsetParent);
    const edge = event.shiftKey ? all[0] : all[all.length - 1];
    if (document.activeElement === edge) { (event.shiftKey ? all[all.length - 1] : all[0]).focus(); event.preventDefault(); }
  }
  $("graph").addEventListener("keydown", (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? null : KEYS[event.key];
    if (act && cy) { act(); event.preventDefault(); }
  });
  $("close").addEventListener("click", shut);
  $("back").addEventListener("click", () => { depth -= 1; history.back(); });
  $("in").addEventListener("click", () => zoom(1.25));
  $("out").addEventListener("click", () => zoom(0.8));
  $("fit").addEventListener("click", () => cy.fit(undefined, 16));
  for (const id of ["way", "deep"]) $(id).addEventListener("change", draw);
  $("every").addEventListener("change", () => { every = $("every").checked; render(); });
  $("unfold").addEventListener("click", () => { for (const b of $("tree").querySelectorAll('.fold[aria-expanded="false"]')) b.click(); });
  $("filter").addEventListener("input", filter);
  $("filter").addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", follow);
  narrow.addEventListener("change", () => { for (const part of [$("main"), $("top")]) part.inert = narrow.matches && roots.length > 0; });
  for (const list of document.querySelectorAll('main [role="tablist"]')) tabs(list, () => {});
  tabs(document.querySelector("#why [role='tablist']"), (tab) => { if (tab.id === "tab-graph" && roots.length) draw(); });
  document.documentElement.classList.add("running");
  filter();
  follow();
})();
