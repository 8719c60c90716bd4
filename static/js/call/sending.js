// How decisions leave the call page: one after the other, in the order they were taken. While the line
// is down they wait in this browser, each under the key that lets it be applied once; what holds words
// that somebody typed is never kept there and stays in its form. Needs htmx.
"use strict";
window.dialogOf = (name, title) => {
  document.getElementById(`sheet-${name}`)?.remove();
  const sheet = document.createElement("dialog");
  sheet.id = `sheet-${name}`;
  sheet.className = "sheet";
  sheet.setAttribute("aria-label", title);
  const head = document.createElement("h2");
  head.textContent = title;
  sheet.append(head);
  document.body.append(sheet);
  return sheet;
};

window.sending = (page, call) => {
  const $ = (selector, within = document) => within.querySelector(selector);
  const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
  const OUTBOX = `outbox:${call}`;
  const WORDS = ["reason", "words", "fact_value"];
  const readOutbox = () => JSON.parse(localStorage.getItem(OUTBOX) || "[]");
  let token = $("[name=csrfmiddlewaretoken]")?.value;
  let line = Promise.resolve();

  const post = (path, values) => (line = line.then(() => send(path, values)));

  async function send(path, values) {
    if (readOutbox().length) return keep(path, values);
    try {
      await htmx.ajax("POST", path, { source: page, swap: "none", values, headers: { "X-CSRFToken": token } });
    } catch {
      // htmx:sendError below has kept it.
    }
  }

  function keep(path, values) {
    if (WORDS.some((name) => values[name])) {
      notice("No connection. What you typed stays here; send it again when the line is back.");
      return;
    }
    const { seen: _seen, spent: _spent, ...kept } = values;
    localStorage.setItem(OUTBOX, JSON.stringify([...readOutbox(), { path, values: kept }]));
    showOutbox();
  }

  let sending = false;
  async function empty() {
    if (sending) return;
    sending = true;
    for (let next = readOutbox()[0]; next; next = readOutbox()[0]) {
      const answer = await fetch(next.path, {
        method: "POST",
        headers: { "X-CSRFToken": token, "HX-Request": "true" },
        body: new URLSearchParams(next.values),
      }).catch(() => null);
      if (!answer || answer.status >= 500) break;
      if (answer.status === 401) { signInAgain(); break; }
      localStorage.setItem(OUTBOX, JSON.stringify(readOutbox().slice(1)));
      htmx.swap(page, await answer.text(), { swapStyle: "none" });
    }
    sending = false;
    showOutbox();
  }

  function showOutbox() {
    const waiting = readOutbox().length;
    notice(waiting ? `No connection: ${waiting} decision${waiting === 1 ? "" : "s"} wait here and go out, in order, when the line is back.` : "");
  }

  function notice(sentence) {
    $(".unsent")?.remove();
    if (!sentence) return;
    const box = document.createElement("div");
    box.className = "notice panel fail unsent";
    box.setAttribute("role", "alert");
    box.append(sentence, " ");
    const again = document.createElement("button");
    again.className = "button small";
    again.textContent = "Try again";
    again.addEventListener("click", empty);
    box.append(again);
    page.append(box);
  }

  // A session that has ended: sign in beside this page, and what was asked goes out after it. Signed
  // in already, in another window, it needs no more than the token of now.
  let unanswered = [];
  async function signInAgain(asked) {
    if (asked) unanswered.push(asked);
    if (!(await resend())) askToSignIn();
  }

  function askToSignIn() {
    if ($("#sheet-sign-in")?.open) return;
    const sheet = window.dialogOf("sign-in", "Your session has ended");
    const text = document.createElement("p");
    text.textContent = "Nothing is lost: sign in on the page that opens, come back, and the decision is sent.";
    const link = document.createElement("a");
    link.className = "button primary";
    link.href = "/accounts/login/";
    link.target = "_blank";
    link.textContent = "Sign in";
    sheet.append(text, link);
    sheet.showModal();
    link.focus();
  }

  async function resend() {
    const answer = await fetch("/accounts/token/", { headers: { "HX-Request": "true" } }).catch(() => null);
    if (!answer?.ok) return false;
    const fresh = await answer.text();
    token = fresh;
    for (const field of $$("[name=csrfmiddlewaretoken]")) field.value = fresh;
    $("#sheet-sign-in")?.close();
    const asked = unanswered;
    unanswered = [];
    for (const one of asked) post(one.path, { ...one.values, again: "1" });
    empty();
    return true;
  }

  const back = () => $("#sheet-sign-in")?.open && resend();
  document.addEventListener("visibilitychange", () => document.hidden || back());
  window.addEventListener("focus", back);
  window.addEventListener("online", empty);

  const valuesOf = (detail) => {
    const values = { ...Object.fromEntries(detail.requestConfig.formData ?? []) };
    delete values.csrfmiddlewaretoken;
    return values;
  };
  document.addEventListener("htmx:configRequest", ({ detail }) => { detail.headers["X-CSRFToken"] = token; });
  document.addEventListener("htmx:sendError", ({ detail }) => keep(detail.requestConfig.path, valuesOf(detail)));
  document.addEventListener("htmx:responseError", ({ detail }) => {
    const values = valuesOf(detail);
    if (detail.xhr.status === 401 && !values.again) {
      signInAgain({ path: detail.requestConfig.path, values });
    } else {
      notice(`The site answered ${detail.xhr.status}. What you typed is still here.`);
    }
  });

  // A hold is renewed while somebody is at the page, and ends soon after they leave it.
  let active = true;
  for (const kind of ["keydown", "pointerdown", "wheel"]) {
    document.addEventListener(kind, () => { active = true; }, { passive: true });
  }
  const holdOf = () => $("#hold[data-hold]")?.dataset.hold;
  async function beat() {
    const number = holdOf();
    if (!number || !active || document.hidden) return;
    active = false;
    const answer = await fetch(`${call}hold/renew`, {
      method: "POST",
      headers: { "X-CSRFToken": token, "HX-Request": "true" },
      body: new URLSearchParams({ number }),
    }).catch(() => null);
    if (answer?.status === 409) htmx.swap("#hold", await answer.text(), { swapStyle: "outerHTML" });
  }
  setInterval(beat, 60000);
  // Not amid the work of showing the page.
  window.addEventListener("pageshow", () => setTimeout(beat, 1000));
  window.addEventListener("pagehide", () => {
    const number = holdOf();
    if (number) navigator.sendBeacon(`${call}hold/leave`, new URLSearchParams({ number, csrfmiddlewaretoken: token }));
  });

  if (readOutbox().length) empty();
  return { post, notice };
};
