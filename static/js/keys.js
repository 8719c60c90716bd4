// The page of keys: another key for an act, or none at all. Kept in this browser; call.js reads it.
"use strict";
(() => {
  const place = document.getElementById("own-keys");
  const kept = JSON.parse(localStorage.getItem("keys") || "{}");
  const own = { off: Boolean(kept.off), map: kept.map ?? {} };
  const lines = [...place.querySelectorAll("tr[data-act]")];
  const said = document.createElement("p");
  said.setAttribute("role", "status");

  function element(name, text, more = {}) {
    return Object.assign(document.createElement(name), { textContent: text, ...more });
  }

  const keyOf = (line) => own.map[line.dataset.act] ?? line.dataset.key;
  const store = () => localStorage.setItem("keys", JSON.stringify(own));

  function change(line, field) {
    const key = field.value;
    const other = lines.find((one) => one !== line && keyOf(one) === key);
    if ([...key].length !== 1 || key === " ") {
      said.textContent = "One character makes a key. Nothing is changed.";
    } else if (other) {
      said.textContent = `“${key}” already does this: ${other.cells[1].textContent}. Nothing is changed.`;
    } else {
      if (key === line.dataset.key) delete own.map[line.dataset.act];
      else own.map[line.dataset.act] = key;
      store();
      said.textContent = `“${key}” now does this: ${line.cells[1].textContent}.`;
    }
    field.value = keyOf(line);
  }

  for (const line of lines) {
    const field = element("input", "", { value: keyOf(line), maxLength: 2, size: 2, type: "text" });
    field.setAttribute("aria-label", `Key for: ${line.cells[1].textContent}`);
    field.addEventListener("focus", () => field.select());
    field.addEventListener("change", () => change(line, field));
    line.cells[0].replaceChildren(field);
  }

  const label = element("label", " Single keys on");
  const box = element("input", "", { type: "checkbox", checked: !own.off });
  box.addEventListener("change", () => {
    own.off = !box.checked;
    store();
    said.textContent = own.off ? "Single keys are off." : "Single keys are on.";
  });
  label.prepend(box);
  const reset = element("button", "Keys as they came", { className: "button", type: "button" });
  reset.addEventListener("click", () => {
    localStorage.removeItem("keys");
    location.reload();
  });
  const bar = element("p", "", { className: "row-of-buttons" });
  bar.append(label, reset);
  place.prepend(bar, said);
})();
