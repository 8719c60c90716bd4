// The editor of a draft: line numbers, links of findings that go to their line, and a word on what
// is stored. The text itself is stored by htmx as it is typed, and by the button without scripts.
(() => {
  const text = document.getElementById("text");
  if (!text) return;
  const gutter = document.querySelector(".line-numbers");
  const kept = document.getElementById("kept");

  function number() {
    const lines = text.value.split("\n").length;
    if (Number(gutter.dataset.lines) === lines) return;
    gutter.dataset.lines = lines;
    gutter.textContent = Array.from({ length: lines }, (_, index) => index + 1).join("\n");
  }

  function follow() {
    gutter.style.height = `${text.offsetHeight}px`;
    gutter.scrollTop = text.scrollTop;
  }

  function goTo(line) {
    const before = text.value.split("\n").slice(0, line - 1);
    const start = before.reduce((sum, one) => sum + one.length + 1, 0);
    const end = text.value.indexOf("\n", start);
    text.focus();
    text.setSelectionRange(start, end < 0 ? text.value.length : end);
    text.scrollTop = Math.max(0, (line - 8) * 18);
    follow();
  }

  text.addEventListener("input", () => { number(); kept.textContent = "Typed; not stored yet."; });
  text.addEventListener("scroll", follow);
  new ResizeObserver(follow).observe(text);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-line]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    goTo(Number(link.dataset.line));
  });
  const trouble = () => {
    kept.textContent = "The site did not take it. What you typed stays here; it is sent again when you type on.";
  };
  document.addEventListener("htmx:sendError", trouble);
  document.addEventListener("htmx:responseError", trouble);
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.xhr?.status === 200) kept.textContent = "Stored; every text is kept.";
    if (detail.xhr?.status === 409) kept.textContent = "Kept aside: somebody else has stored another text.";
  });
  number();
  follow();
})();
