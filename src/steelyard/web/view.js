// Keys, light and dark, and live runs. Every page works without this script.
(() => {
  "use strict";
  const find = (id) => document.getElementById(id);
  const root = document.documentElement;
  const stored = (name, value) => {
    try {
      if (value === undefined) return localStorage.getItem(name);
      localStorage.setItem(name, value);
    } catch { /* a browser may keep nothing */ }
    return null;
  };

  const kept = stored("theme");
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;
  const turn = () => {
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    stored("theme", root.dataset.theme);
  };
  const help = find("help");
  const say = () => (help.open ? help.close() : help.showModal());
  for (const [id, act] of [["theme", turn], ["help-button", say]]) {
    const button = find(id);
    if (button) { button.hidden = false; button.addEventListener("click", act); }
  }
  for (const select of document.querySelectorAll("form[role=search] select")) {
    select.addEventListener("change", () => select.form.requestSubmit());
  }

  // Rows of a list: the link of a row has the focus, so that Enter opens it and a screen reader reads it.
  const rows = () => Array.from(document.querySelectorAll("a[data-row]"));
  const go = (link) => { if (link) link.click(); };
  const step = (by, keep) => {
    const links = rows().filter((link) => keep(link.closest("tr, li")));
    const all = rows(), here = all.indexOf(document.activeElement);
    const next = by > 0 ? links.find((link) => all.indexOf(link) > here) : links.findLast((link) => all.indexOf(link) < (here < 0 ? all.length : here));
    if (next) next.focus();
    else go(document.querySelector(by > 0 ? "a[rel=next]" : "a[rel=prev]"));
  };
  const isFailed = (row) => row && "failed" in row.dataset;
  // On the page of a sample there is a link if there is a failure: the next attempt may have passed.
  const failure = (id, by) => (document.querySelector("[data-failures]") ? go(find(id)) : step(by, isFailed));
  const KEYS = {
    j: () => step(1, () => true),
    k: () => step(-1, () => true),
    n: () => failure("next-failure", 1),
    p: () => failure("previous-failure", -1),
    u: () => go(find("up") || Array.from(document.querySelectorAll(".crumbs a")).findLast((link) => link.pathname !== location.pathname)),
    t: turn,
    m: () => {
      const note = find("mark-note"), box = note?.closest("details");
      if (box) box.open = true;  // what is folded away cannot have the focus
      note?.focus();
    },
    "?": say,
    "/": () => (find("query") ? find("query").focus() : go(document.querySelector('.tabs a[href$="/search"]'))),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, textarea, select")) return;
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  // A live run: when it has changed, the parts with these names are taken from the same page, as it is now.
  const PARTS = ["summary", "cases"];
  async function renew() {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const focused = document.activeElement?.getAttribute?.("href"), top = scrollY;
    for (const id of PARTS) {
      const old = find(id), now = fresh.getElementById(id);
      if (old && now) old.replaceWith(now);
    }
    if (focused) rows().find((link) => link.getAttribute("href") === focused)?.focus({ preventScroll: true });
    scrollTo({ top, behavior: "instant" });
    root.dataset.renewed = String(Number(root.dataset.renewed || 0) + 1);
  }
  const live = document.body.dataset.live;
  if (live) {
    let isBusy = false, isDue = false;
    let source = null;
    const take = async () => {
      if (isBusy) { isDue = true; return; }
      isBusy = true;
      try { await renew(); } finally { isBusy = false; }
      if (isDue) { isDue = false; take(); }
    };
    // Only while it is seen: a browser has six connections to a server, and a tab would keep one for itself.
    const follow = () => {
      source?.close();
      source = document.hidden ? null : new EventSource(live);
      source?.addEventListener("changed", take);
    };
    document.addEventListener("visibilitychange", () => { follow(); if (!document.hidden) take(); });
    addEventListener("pagehide", () => source?.close());
    follow();
  }
  root.dataset.ready = "true";
})();
