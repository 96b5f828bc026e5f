/* The lines of source around the selected context: its hottest line, where it is called, and where its function begins. hcct-decode has put those of hot contexts
 * into the page, as they were when it wrote it: "sources": [[file, number of the first line, [line, ...]], ...]. */
const source = (() => {
  const pane = element("source"), ranges = new Map();
  let revealed = null; /* the line that was asked for */
  for (const [file, first, lines] of data.sources || []) {
    if (!ranges.has(file)) ranges.set(file, []);
    ranges.get(file).push({ first, lines });
  }

  const rangeOf = (file, line) => (ranges.get(file) || []).find(it => line >= it.first && line < it.first + it.lines.length);

  /* Up to so many lines on both sides of one. */
  function excerpt(title, file, line, before, after) {
    const range = line && rangeOf(file, line), part = document.createElement("section"), head = document.createElement("h3");
    head.textContent = `${title} ${base(file)}:${line}`;
    head.title = file;
    part.append(head);
    if (!range) {
      const note = document.createElement("p");
      note.textContent = "The page does not have these lines.";
      part.append(note);
      return part;
    }
    const list = document.createElement("ol");
    const from = Math.max(range.first, line - before), to = Math.min(range.first + range.lines.length - 1, line + after);
    list.start = from;
    for (let at = from; at <= to; at++) {
      const item = document.createElement("li");
      item.textContent = range.lines[at - range.first] || " ";
      item.value = at;
      if (at === line) item.className = "here";
      list.append(item);
    }
    part.append(list);
    return part;
  }

  function show() {
    if (pane.hidden) return;
    const parts = [], i = selection.node;
    const at = i >= 0 ? frameOf(i) : selection.frame >= 0 ? data.frames[selection.frame] : null, lines = linesOfChosen();
    const line = revealed && lines.find(it => it.file === revealed.file && it.line === revealed.line) || lines[0];
    if (line) parts.push(excerpt(`${share(line.count)} at`, line.file, line.line, 4, 4));
    if (i >= 0 && site[i] >= 0 && data.sites[site[i]][1]) parts.push(excerpt(frameOf(i)[4] === "inlined" ? "inlined at" : "called at", ...data.sites[site[i]].slice(0, 2), 4, 4));
    if (at && at[2] && at[3]) parts.push(excerpt("defined at", at[2], at[3], 2, 12));
    if (!parts.length) {
      const note = document.createElement("p");
      note.textContent = at ? "Its source is not known." : "Select a context to see its source.";
      parts.push(note);
    }
    element("source-lines").replaceChildren(...parts);
  }

  return {
    reveal(file, line) {
      revealed = { file, line };
      this.toggle(true);
    },
    show, isThere: ranges.size > 0,
    toggle(to) {
      pane.hidden = !to;
      element("source-switch").checked = to;
      show();
    },
  };
})();
