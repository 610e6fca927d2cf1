// Fill the table of cases from the packed data; search, filter, sort, page and open it; load nothing from the network.
(() => {
  "use strict";
  const PAGE = 25;
  const find = (id) => document.getElementById(id);
  const make = (name, attributes, ...content) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...content.filter((one) => one !== null && one !== undefined));
    return element;
  };

  const theme = find("theme");
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
  });

  // The address bar shows a link to what is open; a page within a page has no address of its own.
  function showLink(link) {
    try { history.replaceState(null, "", link); } catch { return; }
  }

  const ready = () => {
    performance.mark("ready");
    document.documentElement.dataset.ready = "true";
  };

  async function unpack(id) {
    const text = atob(find(id).textContent);
    const bytes = new Uint8Array(text.length);
    for (let place = 0; place < text.length; place++) bytes[place] = text.charCodeAt(place);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  }

  const shade = (rate) => "h" + (rate === 0 ? 0 : rate === 1 ? 10 : Math.min(9, Math.max(1, Math.round(rate * 10))));
  const percent = (rate) => (rate > 0 && rate < 0.005 ? "<1 %" : rate < 1 && rate > 0.995 ? ">99 %" : Math.round(rate * 100) + " %");
  // Money in full: never 5e-7.
  const usd = (nano) => {
    const value = nano / 1e9;
    if (value >= 1) return "$" + value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    if (value >= 0.001 || !value) return "$" + (value ? value.toFixed(4) : "0");
    return "$" + value.toFixed(Math.min(9, 2 - Math.floor(Math.log10(value))));
  };
  const WORDS = { pass: "passed", fail: "wrong", build_error: "no build", timeout: "timeout", crash: "crash", refusal: "refusal", wrong_format: "wrong format", policy_violation: "policy violation", error: "infrastructure error" };

  function summaries(data) {
    const size = data.cases.length;
    const mean = new Float64Array(size);
    const spread = new Float64Array(size);
    const state = new Uint8Array(size); // 1 unsolved, 2 solved, 4 split, 8 flaky, 16 gaps
    for (let row = 0; row < size; row++) {
      let sum = 0, seen = 0, low = 2, high = -1, flaky = false, gaps = false, full = true;
      for (const column of data.columns) {
        const n = column.n[row], c = column.c[row];
        if (column.errored[row] || !n) gaps = true;
        if (!n) { full = false; continue; }
        const rate = c / n;
        sum += rate; seen += 1;
        if (rate < low) low = rate;
        if (rate > high) high = rate;
        if (c > 0 && c < n) flaky = true;
      }
      mean[row] = seen ? sum / seen : -1;
      spread[row] = seen ? high - low : -1;
      const isSolved = full && low === 1;
      state[row] = (high <= 0 ? 1 : 0) | (isSolved ? 2 : 0) | (high > 0 && low < 1 && data.columns.length > 1 && low === 0 ? 4 : 0) | (flaky ? 8 : 0) | (gaps ? 16 : 0);
    }
    return { mean, spread, state };
  }

  function start(data) {
    const size = data.cases.length;
    const facts = summaries(data);
    const MASKS = { unsolved: 1, solved: 2, split: 4, flaky: 8, gaps: 16 };
    const many = find("legend") !== null; // the names stand there
    const hasSuites = data.suites.length > 1;
    const width = 1 + (hasSuites ? 1 : 0) + data.subjects.length + (data.subjects.length > 1 ? 2 : 0);
    const opened = new Map(); // row → what is shown below it
    const lines = new Map(); // row → its line on this page of the table
    let lower = null, order = [], page = 0, sorting = { by: "case", down: false };

    const label = (subject) => {
      const [model, tier] = data.subjects[subject];
      return data.subjects.every((one) => one[1] === tier) ? model : model + " " + tier;
    };
    const badge = (subject) => make("span", { class: "badge c" + ((subject % 8) + 1) }, String(subject + 1));
    const COLUMNS = [
      { by: "case", title: "case" },
      ...(hasSuites ? [{ by: "suite", title: "suite" }] : []),
      ...data.subjects.map((_, subject) => ({ by: "subject", subject })),
      ...(data.subjects.length > 1 ? [{ by: "mean", title: "mean" }, { by: "spread", title: "spread" }] : []),
    ];

    // What each row is sorted by; nothing for the order in which the rows came.
    function keys() {
      const { by, subject } = sorting;
      if (by === "mean") return facts.mean;
      if (by === "spread") return facts.spread;
      if (by === "suite") return data.suite;
      if (by === "case") return null;
      const { n, c } = data.columns[subject], rates = new Float64Array(size);
      for (let row = 0; row < size; row++) rates[row] = n[row] ? c[row] / n[row] : -1;
      return rates;
    }

    function sorted(rows) {
      const values = keys();
      if (values) {
        // One number for each row, its key in front of its place: sorting numbers needs no comparison of ours.
        const span = size + 1, packed = new Float64Array(rows.length);
        for (let place = 0; place < rows.length; place++) {
          const row = rows[place];
          packed[place] = Math.round((values[row] + 2) * 1e6) * span + (sorting.down ? size - row : row);
        }
        packed.sort();
        for (let place = 0; place < rows.length; place++) {
          const left = packed[place] % span;
          rows[place] = sorting.down ? size - left : left;
        }
      }
      return sorting.down ? rows.reverse() : rows;
    }

    function refresh() {
      const query = find("query").value.trim().toLowerCase();
      const suite = find("suite").value, mask = MASKS[find("state").value] || 0;
      if (query && !lower) lower = data.cases.map((name) => name.toLowerCase());
      const rows = new Uint32Array(size);
      let kept = 0;
      for (let row = 0; row < size; row++) {
        if (mask && !(facts.state[row] & mask)) continue;
        if (suite !== "" && data.suite[row] !== Number(suite)) continue;
        if (query && !lower[row].includes(query)) continue;
        rows[kept++] = row;
      }
      order = sorted(rows.subarray(0, kept));
      page = 0;
      show();
    }

    function header() {
      const row = make("tr");
      for (const column of COLUMNS) {
        const isThis = column.by === sorting.by && column.subject === sorting.subject;
        const button = make("button", { type: "button" });
        if (column.by === "subject") {
          button.append(badge(column.subject), make("span", { class: many ? "unseen" : null }, " " + label(column.subject)));
          button.title = label(column.subject);
        } else button.append(column.title);
        button.append(make("span", { class: "arrow", "aria-hidden": "true" }, isThis ? (sorting.down ? " ▼" : " ▲") : ""));
        button.addEventListener("click", () => {
          sorting = { by: column.by, subject: column.subject, down: isThis ? !sorting.down : false };
          header();
          refresh();
        });
        const aria = isThis ? (sorting.down ? "descending" : "ascending") : "none";
        row.append(make("th", { scope: "col", "aria-sort": aria, class: column.by === "case" ? "case" : null }, button));
      }
      const focused = document.activeElement && document.activeElement.closest("#matrix thead th");
      const place = focused ? Array.from(focused.parentNode.children).indexOf(focused) : -1;
      find("matrix").tHead.replaceChildren(row);
      if (place >= 0) row.children[place].firstChild.focus();
    }

    function cell(column, row, subject) {
      const n = column.n[row], c = column.c[row], broken = column.errored[row];
      const note = broken ? make("sup", { title: broken + " ended in an infrastructure error" }, "!") : null;
      if (n === null) return make("td", { class: "quiet" }, "–");
      const text = n ? (n === 1 ? (c ? "pass" : "fail") : c + "/" + n) : broken ? "error" : "missing";
      const button = make("button", { type: "button", title: label(subject) + ": " + c + " of " + n + " passed" }, text, note);
      button.addEventListener("click", () => open(row, subject));
      return make("td", { class: n ? shade(c / n) : "quiet" }, button);
    }

    function line(row) {
      const button = make("button", { type: "button", "aria-expanded": "false" }, make("bdi", {}, data.cases[row]));
      button.addEventListener("click", () => (isOpen(row) ? close(row) : open(row)));
      const cells = data.columns.map((column, subject) => cell(column, row, subject));
      const rest = data.subjects.length > 1
        ? [make("td", { class: "number" }, facts.mean[row] < 0 ? "–" : percent(facts.mean[row])), make("td", { class: "number" }, facts.spread[row] < 0 ? "–" : percent(facts.spread[row]))]
        : [];
      const suite = hasSuites ? [make("td", {}, make("bdi", {}, data.suites[data.suite[row]]))] : [];
      const whole = make("tr", {}, make("th", { scope: "row", class: "case" }, button), ...suite, ...cells, ...rest);
      lines.set(row, whole);
      return whole;
    }

    function show() {
      const pages = Math.max(1, Math.ceil(order.length / PAGE));
      page = Math.min(Math.max(page, 0), pages - 1);
      const rows = Array.from(order.slice(page * PAGE, (page + 1) * PAGE));
      opened.clear();
      lines.clear();
      find("matrix").tBodies[0].replaceChildren(...rows.map(line));
      find("status").textContent = order.length.toLocaleString("en") + " of " + size.toLocaleString("en") + (size === 1 ? " case" : " cases");
      find("page").textContent = "page " + (page + 1) + " of " + pages.toLocaleString("en");
      find("pager").hidden = pages === 1;
      find("previous").disabled = page === 0;
      find("next").disabled = page === pages - 1;
    }

    const isOpen = (row) => opened.has(row);

    function close(row) {
      opened.get(row).here.remove();
      opened.delete(row);
      lines.get(row).querySelector("button").setAttribute("aria-expanded", "false");
    }

    // Open a case, one subject of it, or one of its samples.
    async function open(row, subject = null, attempt = null) {
      if (!opened.has(row)) {
        const box = make("td", { colspan: width });
        const here = make("tr", { class: "detail" }, box);
        opened.set(row, { here, groups: fill(box, row) });
        lines.get(row).after(here);
        lines.get(row).querySelector("button").setAttribute("aria-expanded", "true");
      }
      showLink(link(row, subject, attempt));
      const groups = await opened.get(row)?.groups;
      if (!groups || subject === null) return;
      for (const group of groups) if (group.box) group.box.open = group.subject === subject;
      const group = groups.find((one) => one.subject === subject);
      const sample = group && (group.samples.find((one) => one.attempt === attempt) || group.samples[0]);
      if (sample) sample.box.open = true;
      const target = attempt === null ? group?.box || sample?.box : sample?.box;
      (target || opened.get(row).here).scrollIntoView({ block: "nearest" });
    }

    async function fill(box, row) {
      box.append(figures(row), make("p", { class: "to" }, make("a", { href: link(row) }, "link to this case")));
      const groups = await samples(row);
      for (const group of groups) box.append(...(group.box ? [group.box] : group.samples.map((one) => one.box)));
      return groups;
    }

    // A link to a case, to one subject of it, or to one of its samples: what `follow` reads.
    function link(row, subject = null, attempt = null) {
      const words = [["case", data.cases[row]]];
      if (hasSuites) words.push(["suite", data.suites[data.suite[row]]]);
      if (subject !== null) words.push(["model", data.subjects[subject][0]], ["tier", data.subjects[subject][1]]);
      if (attempt !== null) words.push(["sample", attempt + 1]);
      return "#" + words.map(([key, value]) => key + "=" + encodeURIComponent(value)).join("&");
    }

    async function follow() {
      const words = new URLSearchParams(location.hash.slice(1));
      if (!words.has("case")) return;
      const isThis = (name, row) => name === words.get("case") && (!words.has("suite") || data.suites[data.suite[row]] === words.get("suite"));
      const row = data.cases.findIndex(isThis);
      if (row < 0) { find("status").textContent = "This report has no case " + words.get("case") + "."; return; }
      if (!lines.has(row)) {
        for (const id of ["query", "suite", "state"]) find(id).value = "";
        refresh();
        page = Math.floor(order.indexOf(row) / PAGE);
        show();
      }
      const isWanted = ([model, tier]) => model === words.get("model") && (!words.has("tier") || tier === words.get("tier"));
      const subject = data.subjects.findIndex(isWanted);
      const attempt = Number(words.get("sample")) - 1;
      lines.get(row).scrollIntoView();
      await open(row, subject < 0 ? null : subject, attempt >= 0 ? attempt : null);
    }

    function figures(row) {
      const rows = data.columns.map((column, subject) => {
        if (column.n[row] === null) return null;
        const [score, cost, latency] = [column.score[row], column.cost[row], column.latency[row]];
        return make("tr", {},
          make("th", { scope: "row" }, badge(subject), " ", make("bdi", {}, label(subject))),
          make("td", { class: "number" }, column.n[row] ? column.c[row] + " of " + column.n[row] : "–"),
          make("td", { class: "number" }, score === null ? "–" : (score / 1000).toFixed(3)),
          make("td", { class: "number" }, cost === null ? "–" : usd(cost)),
          make("td", { class: "number" }, latency === null ? "–" : (latency / 1000).toFixed(2)));
      });
      const head = make("tr", {}, make("th", { scope: "col" }, "subject"), ...["passed", "score", "cost", "latency (s)"].map((title) => make("th", { scope: "col", class: "number" }, title)));
      return make("table", { class: "plain" }, make("thead", {}, head), make("tbody", {}, ...rows));
    }

    const chunks = new Map();
    async function samples(row) {
      let chunk = -1;
      while (chunk + 1 < data.starts.length && data.starts[chunk + 1] <= row) chunk++;
      if (chunk < 0) return [];
      if (!chunks.has(chunk)) chunks.set(chunk, unpack("samples-" + chunk));
      const packed = (await chunks.get(chunk))[row] || [];
      const found = packed.filter((one) => !Array.isArray(one[1]));
      const texts = new Map(packed.filter((one) => Array.isArray(one[1])).map(([subject, ...about]) => [subject, about]));
      const isMany = data.subjects.length > 1;
      const first = found.findIndex((sample) => sample[2] !== "pass");
      const groups = data.subjects.map((_, subject) => ({ subject, samples: [] }));
      for (const [place, sample] of found.entries()) {
        groups[sample[0]].samples.push({ attempt: sample[1], box: shown(sample, place === first, row, texts.get(sample[0]) || []) });
      }
      const kept = groups.filter((group) => group.samples.length);
      for (const group of isMany ? kept : []) {
        const title = " " + label(group.subject) + ": " + group.samples.length + (group.samples.length === 1 ? " sample" : " samples");
        const boxes = group.samples.map((one) => one.box);
        group.box = make("details", { class: "group", open: boxes.some((box) => box.open) }, make("summary", {}, badge(group.subject), title), ...boxes);
      }
      return kept;
    }

    const folded = (title, ...inner) => make("details", { class: "beside" }, make("summary", {}, title), ...inner);

    // A length is there only for a text that was cut.
    const cut = (what, length) => length ? [make("p", { class: "quiet" }, "cut here; the whole " + what + " has " + length.toLocaleString("en") + " characters")] : [];

    function shown(sample, isOpen, row, [[prompt, expected, tested, reference] = [], lengths = []]) {
      const [subject, attempt, kind, score, passed, failed, lint, errors, cost, latency, text, textLength, detail, detailLength, integrity] = sample;
      const tests = passed === null && failed === null ? null : (passed || 0) + " of " + ((passed || 0) + (failed || 0)) + " tests";
      const facts = [
        "sample " + (attempt + 1), tests,
        lint ? lint + (lint === 1 ? " warning" : " warnings") : null,
        errors ? errors + (errors === 1 ? " error" : " errors") : null,
        score === null ? null : "score " + (score / 1000).toFixed(3),
        cost === null ? null : usd(cost), latency === null ? null : (latency / 1000).toFixed(2) + " s",
        integrity ? "integrity: " + integrity : null,
      ].filter((one) => one !== null);
      const summary = make("summary", {}, badge(subject), " ", make("span", { class: "chip k-" + kind }, WORDS[kind] || kind), " " + facts.join(" · "));
      const box = make("details", { class: "sample" }, summary);
      const fill = () => {
        if (box.childElementCount > 1) return;
        if (detail) box.append(make("h3", {}, "Check output"), make("pre", { tabindex: "0" }, detail), ...cut("output", detailLength));
        if (text !== null) box.append(make("h3", {}, "Answer"), ...answer(text, kind), ...cut("answer", textLength));
        if (expected) box.append(make("h3", {}, "Expected"), make("pre", { tabindex: "0" }, expected), ...cut("text", lengths[1]));
        if (prompt) box.append(folded("Prompt", make("pre", { class: "prose", tabindex: "0" }, prompt), ...cut("prompt", lengths[0])));
        if (tested) box.append(folded("Tests", code(tested), ...cut("text", lengths[2])));
        if (reference) box.append(folded("Reference", ...answer(reference, "pass"), ...cut("reference", lengths[3])));
        if (!detail && text === null) box.append(make("p", { class: "quiet" }, "Neither the answer nor the check output was stored."));
        box.append(make("p", { class: "to" }, make("a", { href: link(row, subject, attempt) }, "link to this sample")));
      };
      box.addEventListener("toggle", fill);
      if (isOpen) { box.open = true; fill(); }
      return box;
    }

    for (const [number, name] of data.suites.entries()) find("suite").append(make("option", { value: number }, name));
    find("suite").parentNode.hidden = !hasSuites;
    find("controls").hidden = false;
    find("query").addEventListener("input", refresh);
    find("suite").addEventListener("change", refresh);
    find("state").addEventListener("change", refresh);
    find("previous").addEventListener("click", () => { page -= 1; show(); });
    find("next").addEventListener("click", () => { page += 1; show(); });
    addEventListener("hashchange", follow);
    header();
    refresh();
    ready();
    follow();
  }

  // An answer is prose with code between fences; without fences it is code, unless the model refused.
  function answer(text, kind) {
    const parts = text.split(/^(?:```|~~~)[^\n]*$/m);
    if (parts.length === 1) return [kind === "refusal" ? make("p", { class: "prose" }, text) : code(text)];
    return parts.map((part, place) => {
      const trimmed = part.replace(/^\n|\n$/g, "");
      if (!trimmed) return null;
      return place % 2 ? code(trimmed) : make("p", { class: "prose" }, trimmed);
    }).filter((one) => one !== null);
  }

  // Where there is Python, `//` divides; elsewhere it begins a comment.
  const PYTHON = /^[ \t]*(?:(?:async )?def \w|elif |from \S+ import )/m;
  const HASH = /#(?![[!]|include|define|if|endif)[^\n]*/, SLASHES = /\/\/[^\n]*|\/\*[^]*?\*\//;
  const OTHERS = /("""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n]){0,200}'|`(?:\\.|[^`\\])*`)|\b(\d[\w.]*)\b|\b(as|async|await|break|case|class|const|continue|def|elif|else|enum|except|export|extends|false|False|finally|fn|for|from|func|function|if|impl|import|in|interface|lambda|let|locals|match|mod|module|mut|new|None|null|output|package|pass|private|provider|pub|public|raise|resource|return|self|static|struct|switch|this|throw|trait|true|True|try|type|use|var|variable|void|while|with|yield)\b/;
  const tokens = (...comments) => new RegExp("(" + comments.map((one) => one.source).join("|") + ")|" + OTHERS.source, "g");
  const IN_PYTHON = tokens(HASH), ELSEWHERE = tokens(SLASHES, HASH);
  function code(text) {
    const inner = make("code");
    let end = 0;
    for (const found of text.matchAll(PYTHON.test(text) ? IN_PYTHON : ELSEWHERE)) {
      inner.append(text.slice(end, found.index));
      const kind = found[1] ? "comment" : found[2] ? "string" : found[3] ? "digits" : "word";
      inner.append(make("span", { class: "t-" + kind }, found[0]));
      end = found.index + found[0].length;
    }
    inner.append(text.slice(end));
    return make("pre", { tabindex: "0" }, inner);
  }

  // A page without a table of cases: a link leads to a row, and opens what is folded around and below it.
  function reveal() {
    const row = location.hash && find(location.hash.slice(1));
    if (!row) return;
    for (let box = row.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    const below = row.nextElementSibling?.querySelector("details");
    if (below && row.localName === "tr") below.open = true;
    row.scrollIntoView();
  }

  if (find("table") && find("matrix")) unpack("table").then(start);
  else {
    for (const box of document.querySelectorAll("details[data-link]")) {
      box.firstChild.addEventListener("click", () => { if (!box.open) showLink("#" + box.dataset.link); });
    }
    addEventListener("hashchange", reveal);
    ready();
    reveal();
  }
})();
