// Completion of names amid a condition: a list completes a whole field, so its options are rewritten
// to what stands before the word that is typed, with each name that begins like it.
(() => {
  const lists = new Map();
  for (const list of document.querySelectorAll("datalist[id^='names-']")) {
    lists.set(list.id, [...list.options].map((one) => [one.value, one.textContent]));
  }

  function complete(field) {
    const list = field.list;
    const names = lists.get(list?.id);
    if (!names) return;
    const begun = /[\w.]*$/.exec(field.value)[0];
    const before = field.value.slice(0, field.value.length - begun.length);
    const fitting = names.filter(([name]) => name.toLowerCase().startsWith(begun.toLowerCase()));
    list.replaceChildren(...fitting.map(([name, meaning]) => {
      const option = document.createElement("option");
      option.value = before + name;
      option.textContent = meaning;
      return option;
    }));
  }

  for (const event of ["input", "focusin"]) {
    document.addEventListener(event, ({ target }) => {
      if (target instanceof HTMLInputElement && "names" in target.dataset) complete(target);
    });
  }
})();
