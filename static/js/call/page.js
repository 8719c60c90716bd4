// The call page under the hand: rows, the cursor in the transcript, and keys. Which key does what
// comes from the page (review/presenters/keys.py); what a decision changes comes back as HTML and
// takes its own place. How decisions are sent is sending.js, which is joined before this file
// (oipsce_site/joined_scripts.py).
"use strict";
(() => {
  const page = document.querySelector(".call-page[data-keys]");
  if (!page) return;
  const call = page.dataset.call;
  const $ = (selector, within = document) => within.querySelector(selector);
  const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

  // --- rows -------------------------------------------------------------------------------------
  const rows = () => $$("#rows tbody tr");
  const phaseOf = (row) => row.id.slice("phase-row-".length);
  const rowOf = (phase) => document.getElementById(`phase-row-${phase}`);
  const cardOf = (phase) => document.getElementById(`card-${phase}`);
  const isDecided = (row) => !$(".standing.muted", row);
  let chosen = "";
  let chosenAt = performance.now();

  // The chosen row is marked and its card open; another card stays open only with words typed in it.
  function mark(row) {
    for (const other of rows()) {
      if (other === row) other.setAttribute("aria-current", "true");
      else other.removeAttribute("aria-current");
      const card = cardOf(phaseOf(other));
      if (other === row || !isTyped(card)) card.open = other === row;
    }
  }

  function choose(row, { focus = true, follow = true } = {}) {
    if (!row) return;
    const phase = phaseOf(row);
    if (phase !== chosen) chosenAt = performance.now();
    chosen = phase;
    mark(row);
    const turn = follow ? evidenceOf(phase)[0] : null;
    if (turn) put(turn);
    // Focus and scrolling measure the page; a decision that goes out with this does not wait for it.
    setTimeout(() => {
      if (chosen !== phase) return;
      if (focus) $(".phase-id", rowOf(phase))?.focus({ preventScroll: true });
      if (!follow) return;
      for (const part of [cardOf(phase), rowOf(phase)]) part?.scrollIntoView({ block: "nearest" });
      if (turn && turn === cursor) turn.scrollIntoView({ block: "center" });
    });
  }

  function step(by, wanted = () => true) {
    const all = rows();
    const from = all.findIndex((row) => phaseOf(row) === chosen);
    for (let k = 1; k <= all.length; k += 1) {
      const row = all[(from + by * k + all.length * k) % all.length];
      if (wanted(row)) return row;
    }
    return null;
  }

  const isFlagged = (row) => row.classList.contains("flagged");
  const flagged = (by) =>
    choose(step(by, (row) => isFlagged(row) && !isDecided(row)) || step(by, isFlagged));

  // --- transcript: a cursor, and which turns were in view ----------------------------------------
  let cursor = null;
  const turns = () => $$(".turns > li[id]");
  const numberOf = (turn) => Number(turn.id.slice(1));

  function put(turn) {
    cursor?.classList.remove("cursor");
    cursor = turn;
    cursor.classList.add("cursor");
  }

  function point(turn, { block = "center" } = {}) {
    if (!turn) return;
    put(turn);
    cursor.scrollIntoView({ block });
  }

  function isInView(turn) {
    const { top, bottom } = turn.getBoundingClientRect();
    const pane = turn.parentElement.getBoundingClientRect();
    return top >= Math.max(0, pane.top) && bottom <= Math.min(innerHeight, pane.bottom);
  }

  function stepTurn(by) {
    const all = turns();
    const next = all[Math.max(0, all.indexOf(cursor) + by)];
    point(next, { block: "nearest" });
    say(`turn ${numberOf(next)}`);
  }

  const cellOf = (row, position) => row.children[position].textContent.trim();
  function evidenceOf(phase) {
    const row = rowOf(phase);
    const first = document.getElementById(`t${cellOf(row, 1)}`);
    const shown = $$(".items > li > div > a[href^='#t']", cardOf(phase))
      .map((link) => document.getElementById(link.hash.slice(1)));
    return [first, ...shown].filter(Boolean);
  }

  const seen = new Set();
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) seen.add(entry.target.id);
  });
  const watch = () => turns().forEach((turn) => $(".evidence, .turn-marks", turn) && watcher.observe(turn));

  // --- decisions, and what their answers leave as it was -------------------------------------------
  const { post, notice } = window.sending(page, call);

  function attention() {
    const turnsOf = chosen ? evidenceOf(chosen) : [];
    const spent = Math.round(performance.now() - chosenAt);
    return turnsOf.length
      ? { spent, seen: turnsOf.some((turn) => seen.has(turn.id)) ? "yes" : "no" } : { spent };
  }
  function decide(path, values) {
    return post(`${call}${path}`, { form_key: crypto.randomUUID(), ...attention(), ...values });
  }
  // A form that is sent by hand says the same of the row that it is on.
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (chosen && cardOf(chosen)?.contains(detail.elt) && detail.parameters.kind) Object.assign(detail.parameters, attention());
  });

  // Typed words that have not been sent are not swapped away by an answer to something else.
  document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
    const asked = document.activeElement?.closest(".card");
    if (detail.target.matches?.(".card") && detail.target !== asked && isTyped(detail.target)) detail.shouldSwap = false;
  });
  let held = "";
  document.addEventListener("htmx:beforeSwap", () => { held = document.activeElement?.id ?? ""; });
  document.addEventListener("htmx:afterSettle", refresh);
  function refresh() {
    watch();
    if (cursor && !cursor.isConnected) {
      cursor = document.getElementById(cursor.id);
      cursor?.classList.add("cursor");
    }
    if (chosen) mark(rowOf(chosen));
    const card = $(".card[open]") ?? page;
    const wrong = $(".reasons button", card) ?? $(".field:has(.errorlist) :is(textarea, input)", card);
    if (wrong) wrong.focus();
    else if (!document.activeElement || document.activeElement === document.body) document.getElementById(held)?.focus({ preventScroll: true });
  }
  const isTyped = (part) => $$("textarea, input[type=text], input:not([type])", part).some((one) => one.value !== one.defaultValue);
  function say(sentence) { $("#said").textContent = sentence; }

  // --- acts: by the words of the table of keys ----------------------------------------------------
  const path = (what) => `rows/${encodeURIComponent(chosen)}/${what}`;
  const revision = () => rowOf(chosen).dataset.revision;
  const decideRow = (kind, values = {}) => chosen && decide(path("decided"), { kind, revision: revision(), ...values });

  let nudging = 0;
  let nudged = null;
  function nudge(name, position, by) {
    const now = nudged?.name === name && nudged.phase === chosen ? nudged.value : Number(cellOf(rowOf(chosen), position));
    if (!Number.isFinite(now)) return;
    nudged = { name, phase: chosen, value: now + by };
    rowOf(chosen).children[position].textContent = String(nudged.value);
    clearTimeout(nudging);
    nudging = setTimeout(() => {
      const { value } = nudged;
      nudged = null;
      decideRow(`SET_${name.toUpperCase()}`, { [name]: value });
    }, 250);
  }

  async function withDesk(then) {
    if (!chosen) return;
    const card = cardOf(chosen);
    const place = $(".desk", card);
    if (place && !place.matches(".decide")) {
      await htmx.ajax("GET", `${call}${path("desk")}`, { target: place, swap: "outerHTML" });
    }
    then(card);
  }

  const openField = (name) => withDesk((card) => {
    const field = $$(`[name=${name}]`, card).at(-1);
    if (!field) return;
    field.closest("details:not(.card)")?.setAttribute("open", "");
    field.focus();
  });

  function evidence() {
    const selection = getSelection();
    const words = selection.toString();
    const taken = words.trim() && selection.rangeCount ? selected(selection.getRangeAt(0)) : null;
    withDesk((card) => {
      const form = $("[name=words]", card).form;
      form.closest("details").open = true;
      const turn = taken?.turn ?? cursor;
      if (turn) form.elements.turn.value = numberOf(turn);
      form.elements.words.value = taken ? taken.words : turn ? wordsOf($("p", turn)) : "";
      form.elements.first_unit.value = taken ? taken.first : "";
      form.elements.last_unit.value = taken ? taken.last : "";
      const item = $("[name=item]", form);
      (item.options.length > 1 ? item : form.elements.words).focus();
    });
  }

  // Offsets count the words of the turn alone: a letter that names a phase is no part of them.
  const wordsOf = (part) => {
    const copy = part.cloneNode(true);
    for (const letter of copy.querySelectorAll("sup")) letter.remove();
    return copy.textContent;
  };
  function selected(range) {
    const text = range.startContainer.parentElement.closest(".turns > li > p");
    if (!text || !text.contains(range.endContainer)) {
      notice("Evidence lies inside one turn. Select words of one turn.");
      return null;
    }
    const before = document.createRange();
    before.setStart(text, 0);
    before.setEnd(range.startContainer, range.startOffset);
    const length = (part) => {
      const box = document.createElement("p");
      box.append(part.cloneContents());
      return wordsOf(box);
    };
    const first = length(before).length;
    const words = length(range);
    return { turn: text.closest("li"), first, last: first + words.length, words };
  }


  // The candidates of the first item that is open; the next item's come once it is decided.
  function take(place) {
    const list = chosen && $(".candidates ol", cardOf(chosen));
    if (list) $$("button", list)[place]?.click();
  }

  function confirmRest() {
    const form = $(".rest");
    if (!form) return say("No row without flag is left to confirm.");
    const names = form.elements.rows.value.trim().split(/\s+/).map((one) => one.slice(0, one.lastIndexOf(":")));
    const sheet = window.dialogOf("rest", `Confirm ${names.length} without flag or doubt`);
    const list = document.createElement("ul");
    for (const name of names) {
      const row = rowOf(name);
      const item = document.createElement("li");
      item.textContent = `${name}: ${cellOf(row, 3)}, ${cellOf(row, 1)} to ${cellOf(row, 2)}`;
      list.append(item);
    }
    const confirm = document.createElement("button");
    confirm.className = "button primary";
    confirm.textContent = "Confirm them";
    // An answer that came meanwhile has brought another form.
    confirm.addEventListener("click", () => { sheet.close(); $(".rest")?.requestSubmit(); });
    sheet.append(list, confirm);
    sheet.addEventListener("keydown", (event) => {
      if (event.key === "A") confirm.click();
    });
    sheet.showModal();
    confirm.focus();
  }

  async function help() {
    const sheet = window.dialogOf("help", "Keys");
    sheet.tabIndex = 0;
    sheet.showModal();
    await htmx.ajax("GET", "/keys/sheet", { target: sheet, swap: "beforeend" });
    sheet.focus();
  }

  function find() {
    const head = $(".transcript-head");
    let field = $(".find input", head);
    if (!field) {
      const label = document.createElement("label");
      label.className = "find";
      label.append("Find ");
      field = document.createElement("input");
      field.type = "search";
      field.placeholder = "words, or a turn's number";
      label.append(field);
      head.append(label);
      field.addEventListener("keydown", (event) => {
        if (event.key === "Escape") { field.blur(); if (cursor) point(cursor); }
        if (event.key !== "Enter") return;
        event.preventDefault();
        findNext(field.value.trim());
      });
    }
    field.focus();
    field.select();
  }

  function findNext(asked) {
    if (/^\d+$/.test(asked) && document.getElementById(`t${asked}`)) {
      return point(document.getElementById(`t${asked}`));
    }
    const all = turns();
    const words = asked.toLocaleLowerCase();
    const found = all.filter((turn) => wordsOf($("p", turn)).toLocaleLowerCase().includes(words));
    if (!words || !found.length) return say(`No turn says “${asked}”.`);
    const next = found.find((turn) => all.indexOf(turn) > all.indexOf(cursor)) ?? found[0];
    point(next);
    say(`turn ${numberOf(next)}: ${found.indexOf(next) + 1} of ${found.length}`);
  }

  const ACTS = {
    "next-row": () => choose(step(1)),
    "previous-row": () => choose(step(-1)),
    "next-flagged": () => flagged(1),
    "previous-flagged": () => flagged(-1),
    confirm: () => {
      decideRow("CONFIRM");
      choose(step(1, (row) => isFlagged(row) && !isDecided(row) && phaseOf(row) !== chosen) || step(1));
    },
    fail: () => decideRow("SET_VERDICT", { verdict: "fail", desk: "1" }),
    pass: () => decideRow("SET_VERDICT", { verdict: "pass", desk: "1" }),
    doubt: () => openField("reason"),
    comment: () => openField("reason"),
    "next-turn": () => stepTurn(1),
    "previous-turn": () => stepTurn(-1),
    "set-start": () => cursor && decideRow("SET_START", { start: numberOf(cursor), desk: "1" }),
    "set-finish": () => cursor && decideRow("SET_FINISH", { finish: numberOf(cursor), desk: "1" }),
    "start-earlier": () => nudge("start", 1, -1),
    "start-later": () => nudge("start", 1, 1),
    "finish-earlier": () => nudge("finish", 2, -1),
    "finish-later": () => nudge("finish", 2, 1),
    evidence,
    "take-first": () => take(0),
    "take-second": () => take(1),
    "take-third": () => take(2),
    "confirm-rest": confirmRest,
    undo: () => decide("undone", {}),
    redo: () => decide("redone", {}),
    rubric: () => { const rubric = chosen && $(".rubric", cardOf(chosen)); if (rubric) rubric.open = !rubric.open; },
    search: find,
    jump: find,
    help,
    finish: () => {
      const open = rows().find((row) => !isDecided(row));
      if (open) choose(open);
      else location.assign($("[data-sign]", page)?.href ?? "#rows");
    },
  };

  // --- the handler: never while typing, with a modifier held, or in a dialog -----------------------
  const own = JSON.parse(localStorage.getItem("keys") || "{}");
  const bound = new Map(page.dataset.keys.split(" ").map((pair) => {
    const at = pair.indexOf("=", 1);
    return [pair.slice(0, at), pair.slice(at + 1)];
  }));
  const ARROWS = { ArrowDown: "next-row", ArrowUp: "previous-row" };
  const actOf = (key) => {
    for (const [act, chosenKey] of Object.entries(own.map ?? {})) if (chosenKey === key) return act;
    const act = bound.get(key);
    return act && !(own.map ?? {})[act] ? act : undefined;
  };
  document.addEventListener("keydown", (event) => {
    begin();
    if (event.defaultPrevented || own.off || document.querySelector("dialog[open]")) return;
    if (event.key === "Enter" && event.ctrlKey) { event.preventDefault(); return ACTS.finish(); }
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const reason = $$(".reasons button", page)[Number(event.key) - 1];
    if (reason) { event.preventDefault(); reason.click(); return; }
    const act = actOf(event.key) ?? (event.target.closest?.("#rows") ? ARROWS[event.key] : undefined);
    if (!act) return;
    event.preventDefault();
    if (event.repeat && !/row|turn/.test(act)) return;
    ACTS[act]();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("#rows a.phase-id");
    if (link) { event.preventDefault(); choose(link.closest("tr")); return; }
    const desk = event.target.closest?.(".card p.desk a");
    if (desk) {
      event.preventDefault();
      choose(rowOf(desk.closest(".card").id.slice("card-".length)), { focus: false, follow: false });
      withDesk((card) => $(".decide button", card)?.focus());
      return;
    }
    const turn = event.target.closest?.(".turns > li[id]");
    if (turn && !getSelection().toString()) put(turn);
  });

  // --- what the address asks for, once the page has been seen as it came: to measure it costs a frame --
  let begun = false;
  function begin() {
    if (begun) return;
    begun = true;
    watch();
    const shown = $(".card[open]");
    if (!shown) return;
    choose(rowOf(shown.id.slice("card-".length)), { follow: false });
    const focus = () => $(".phase-id", rowOf(chosen)).focus({ preventScroll: true });
    // An address with a place takes the focus away once more when it has gone there.
    if (document.readyState !== "complete") window.addEventListener("load", () => setTimeout(focus));
    const turn = evidenceOf(chosen)[0];
    if (!turn) return;
    put(turn);
    // Turns that got their height late may have moved it.
    requestAnimationFrame(() => { if (!isInView(turn)) turn.scrollIntoView({ block: "center" }); });
  }
  new PerformanceObserver(begin).observe({ type: "paint", buffered: true });
  setTimeout(begin, 1000);
})();
