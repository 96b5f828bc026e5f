/* The tree as lines, sorted by a column among siblings, or all contexts without hierarchy. Only the lines in view are elements. */
const tree = (() => {
  const narrow = matchMedia("(max-width: 700px)"); /* style.css */
  let ROW = 22, HEAD = 24;
  const grid = document.getElementById("grid"), rows = document.getElementById("rows");
  const heads = document.getElementById("heads"), open = new Uint8Array(n);
  const byText = (a, b) => a < b ? -1 : a > b ? 1 : 0;
  const COLUMNS = diff ? [
    { title: "Context", order: (a, b) => byText(nameOf(a), nameOf(b)) },
    { title: "Change", number: true, order: (a, b) => Math.abs(data.change[b]) - Math.abs(data.change[a]), text: i => data.change[i] ? signed(data.change[i]) : "" },
    { title: "A", number: true, order: (a, b) => before[b] - before[a], text: i => before[i] < 0 ? "" : value(before[i]) },
    { title: "B", number: true, order: (a, b) => count[b] - count[a], text: i => count[i] < 0 ? "" : value(count[i]) },
    { title: "All changes", number: true, order: (a, b) => changes[b] - changes[a], text: i => value(changes[i]) },
    { title: "Match", minor: true, order: (a, b) => data.match[b] - data.match[a], text: i => MATCHES[data.match[i]] },
    { title: "Called at", minor: true, order: (a, b) => byText(siteOf(a), siteOf(b)), text: i => siteOf(i) },
  ] : [
    { title: "Context", order: (a, b) => byText(nameOf(a), nameOf(b)) },
    { title: isTime ? "Seconds" : data.metric, number: true, order: (a, b) => count[b] - count[a], text: i => count[i] < 0 ? "" : value(count[i]) },
    { title: "Share", number: true, order: (a, b) => count[b] - count[a], text: i => count[i] < 0 ? "" : share(count[i]) },
    { title: "Error", minor: true, number: true, order: (a, b) => error[b] - error[a], text: i => error[i] ? "−" + value(error[i]) : "" },
    { title: "Inclusive", number: true, order: (a, b) => inclusive[b] - inclusive[a], text: i => value(inclusive[i]) },
    { title: "Share", number: true, order: (a, b) => inclusive[b] - inclusive[a], text: i => share(inclusive[i]) },
    { title: "Called at", minor: true, order: (a, b) => byText(siteOf(a), siteOf(b)), text: i => siteOf(i) },
  ];
  /* The list is of contexts, so it begins with what they count themselves; the tree with what is below them. */
  const FIRST = { tree: 4, list: 1 };
  let column = FIRST.tree, turned = false, flat = false, deepest = 1, lines = [], step = 12, place = new Int32Array(n).fill(-1), wanted = false;

  const allChanges = diff ? changes.reduce((sum, own, i) => parent[i] < 0 ? sum + own : sum, 0) : 0;
  for (let i = 0; i < n; i++) open[i] = depth[i] < 2 || (diff ? changes[i] >= 0.05 * allChanges : inclusive[i] >= 0.05 * total);

  /* Sorted by the column; equal ones stay in the order of the file, the hottest first. */
  function sorted(nodes) {
    const order = COLUMNS[column].order;
    return nodes.sort((a, b) => (turned ? order(b, a) : order(a, b)) || a - b);
  }

  function children(above) {
    const nodes = [];
    for (let i = above < 0 ? 0 : above + 1, to = above < 0 ? n : end[above]; i < to; i = end[i])
      if (!found.query || found.node[i] || found.below[i]) nodes.push(i);
    return sorted(nodes);
  }

  function rebuild() {
    lines = [];
    if (flat) {
      for (let i = 0; i < n; i++) if ((diff ? data.change[i] || hot[i] : count[i] >= 0) && (!found.query || found.node[i])) lines.push(i);
      sorted(lines);
    } else {
      const stack = children(-1).reverse();
      while (stack.length) {
        const i = stack.pop();
        lines.push(i);
        if (found.query ? found.below[i] : open[i]) for (const child of children(i).reverse()) stack.push(child);
      }
    }
    place.fill(-1);
    deepest = 1;
    lines.forEach((i, line) => { place[i] = line; deepest = Math.max(deepest, depth[i]); });
    rows.style.height = lines.length * ROW + "px";
    grid.setAttribute("aria-rowcount", lines.length + 1);
    redraw();
  }

  const classOf = it => (it.number ? "number" : "") + (it.minor ? " minor" : "");

  function cell(row, text, className) {
    const it = document.createElement("div");
    it.setAttribute("role", "gridcell");
    it.className = className;
    it.textContent = text;
    it.title = text;
    row.append(it);
    return it;
  }

  function nameCell(row, i) {
    const it = cell(row, "", "name"), twist = document.createElement("span"), chip = document.createElement("span");
    const opens = !flat && end[i] > i + 1, isOpen = found.query ? found.below[i] : open[i];
    it.title = describe(i);
    it.style.paddingLeft = 6 + (flat ? 0 : depth[i] * step) + "px";
    twist.className = "twist";
    twist.textContent = opens ? (isOpen ? "▾" : "▸") : "";
    chip.className = "chip " + (found.node[i] ? "match" : colourOf(i));
    chip.textContent = markOf(i) + nameOf(i);
    it.append(twist, chip);
    if (opens) row.setAttribute("aria-expanded", !!isOpen);
  }

  function makeRow(line) {
    const i = lines[line], row = document.createElement("div");
    row.id = "row" + i;
    row.dataset.node = i;
    row.style.top = line * ROW + "px";
    for (const [key, value] of [["role", "row"], ["aria-rowindex", line + 2], ["aria-level", flat ? 1 : depth[i] + 1], ["aria-selected", i === selection.node]])
      row.setAttribute(key, value);
    nameCell(row, i);
    for (const it of COLUMNS.slice(1)) cell(row, it.text(i), classOf(it));
    return row;
  }

  function draw() {
    wanted = false;
    const from = Math.max(0, Math.floor((grid.scrollTop - HEAD) / ROW) - 5), to = Math.min(lines.length, from + Math.ceil(grid.clientHeight / ROW) + 12);
    const made = document.createDocumentFragment();
    if (heads.firstChild) step = Math.min(12, heads.firstChild.clientWidth / 2 / deepest); /* deep trees leave half of the column to names */
    for (let line = from; line < to; line++) made.append(makeRow(line));
    rows.replaceChildren(made);
    if (selection.node >= 0 && place[selection.node] >= 0) grid.setAttribute("aria-activedescendant", "row" + selection.node);
    else grid.removeAttribute("aria-activedescendant");
  }

  function redraw() {
    if (!wanted) requestAnimationFrame(draw);
    wanted = true;
  }

  function drawHeads() {
    heads.replaceChildren(...COLUMNS.map((it, i) => {
      const head = document.createElement("div"), button = document.createElement("button");
      head.setAttribute("role", "columnheader");
      head.setAttribute("aria-sort", i !== column ? "none" : turned ? "ascending" : "descending");
      head.className = classOf(it);
      button.textContent = it.title + (i !== column ? "" : turned ? " ▴" : " ▾");
      button.addEventListener("click", () => {
        turned = i === column && !turned;
        column = i;
        drawHeads();
        rebuild();
        heads.children[i].firstChild.focus();
      });
      head.append(button);
      return head;
    }));
  }

  function turn(i, to) {
    if (end[i] === i + 1 || open[i] === to) return;
    open[i] = to;
    rebuild();
  }

  function reveal(i) {
    if (i < 0) return;
    let changed = false;
    for (let above = parent[i]; !flat && above >= 0; above = parent[above])
      if (!open[above]) { open[above] = 1; changed = true; }
    if (changed) rebuild();
    const y = place[i] * ROW;
    if (place[i] >= 0 && (y < grid.scrollTop || y + 2 * ROW + HEAD > grid.scrollTop + grid.clientHeight))
      grid.scrollTop = Math.max(0, y - grid.clientHeight / 3);
    redraw();
  }

  function key(event) {
    if (!lines.length) return;
    const i = selection.node, line = i < 0 ? -1 : place[i], page = Math.floor(grid.clientHeight / ROW) - 2;
    const to = { ArrowDown: line + 1, ArrowUp: line - 1, PageDown: line + page, PageUp: line - page, Home: 0, End: lines.length - 1 }[event.key];
    if (to !== undefined) select(lines[Math.max(0, Math.min(lines.length - 1, to))]);
    else if (event.key === "ArrowRight" && i >= 0) open[i] && end[i] > i + 1 && line + 1 < lines.length && !flat ? select(lines[line + 1]) : turn(i, 1);
    else if (event.key === "ArrowLeft" && i >= 0) open[i] && end[i] > i + 1 && !flat ? turn(i, 0) : parent[i] >= 0 && select(parent[i]);
    else if (event.key === "Enter" && i >= 0) showFlame(i);
    else return;
    event.preventDefault();
  }

  rows.addEventListener("click", event => {
    const row = event.target.closest("[role=row]");
    if (!row) return;
    const i = +row.dataset.node;
    if (event.target.className === "twist") turn(i, open[i] ? 0 : 1);
    select(i);
  });
  rows.addEventListener("dblclick", event => {
    const row = event.target.closest("[role=row]");
    if (row) showFlame(+row.dataset.node);
  });
  function setHeights() {
    ROW = narrow.matches ? 44 : 22;
    HEAD = narrow.matches ? 46 : 24;
    rebuild();
  }

  narrow.addEventListener("change", setHeights);
  setHeights();
  grid.addEventListener("scroll", redraw);
  new ResizeObserver(redraw).observe(grid);

  return { redraw, reveal, rebuild, key, show() { drawHeads(); rebuild(); }, setFlat(to) {
      if (column === FIRST[flat ? "list" : "tree"] && !turned) column = FIRST[to ? "list" : "tree"];
      flat = to;
      drawHeads();
      rebuild();
      grid.scrollTop = 0;
    } };
})();
