/* A tree of lines in a table that each column sorts. Only the lines in view are elements, and lines are made when the one above is opened.
 *
 * A line is { up, key, children() or null, kids, open }. The owner tells what is in the columns, and how a line looks:
 *     id          of the element; those of rows and heads are ID-rows and ID-heads, or `rows` and `heads`
 *     columns     [{ title, key, text(line), order(a, b), letters, number, minor, part(line), isEmpty() }]; the first is
 *                 the name. letters: how wide it is; part: of all, for a bar; one that is empty is left out
 *     first()     the key of the column that sorts, unless the reader chose one
 *     roots()     lines
 *     look(line)  { name, mark, style (of the chip), title, id }
 *     isOpen(line), isShown(line): while a search is on
 *     selected(line), entered(line): the reader did so */
const NARROW = matchMedia("(max-width: 700px)"); /* style.css has the heights, too */

function makeOutline(owner) {
  const grid = document.getElementById(owner.id), rows = document.getElementById(owner.rows || owner.id + "-rows"), heads = document.getElementById(owner.heads || owner.id + "-heads");
  const lettersOf = it => typeof it.letters === "function" ? it.letters() : it.letters;
  let shownColumns = null;
  const columns = () => shownColumns ||= owner.columns().filter(it => !it.isEmpty || !it.isEmpty());
  let ROW, HEAD, column = null, turned = false, roots = null, lines = [], deepest = 1, step = 12, wanted = false, selected = null;

  const sortedBy = () => columns().find(it => it.key === (column || owner.first())) || columns()[1];
  const placeOf = line => (line && lines[line.at] === line ? line.at : -1); /* -1: not among those that are shown */
  const isOpen = line => owner.isOpen ? owner.isOpen(line) : line.open;

  /* Equal ones stay in the order of the file, the hottest first. */
  function sorted(of) {
    const { order } = sortedBy();
    return of.slice().sort(turned ? (a, b) => order(b, a) : order);
  }

  function kidsOf(line) {
    if (!line) return roots ||= owner.roots();
    return line.kids ||= line.children ? line.children() : [];
  }

  const shownKids = line => sorted(owner.isShown ? kidsOf(line).filter(owner.isShown) : kidsOf(line));

  function rebuild() {
    if (!grid.checkVisibility()) { lines = []; return; }
    lines = [];
    deepest = 1;
    const stack = shownKids(null).reverse().map(line => [line, 0]);
    while (stack.length) {
      const [line, depth] = stack.pop();
      line.level = depth;
      deepest = Math.max(deepest, depth);
      lines.push(line);
      if (line.children && isOpen(line)) for (const kid of shownKids(line).reverse()) stack.push([kid, depth + 1]);
    }
    lines.forEach((line, at) => { line.at = at; });
    rows.style.height = lines.length * ROW + "px";
    grid.setAttribute("aria-rowcount", lines.length + 1);
    redraw();
  }

  function cell(row, text, className) {
    const it = document.createElement("div");
    it.setAttribute("role", "gridcell");
    it.className = className;
    it.textContent = text;
    it.title = text;
    row.append(it);
    return it;
  }

  const classOf = it => (it.number ? "number" : "") + (it.minor ? " minor" : "") + (it.part ? " part" : "");

  function nameCell(row, line) {
    const it = cell(row, "", "name"), twist = document.createElement("span"), chip = document.createElement("span"), look = owner.look(line);
    it.title = look.title;
    it.style.paddingLeft = 6 + line.level * step + "px";
    twist.className = "twist";
    twist.textContent = line.children ? (isOpen(line) ? "▾" : "▸") : "";
    chip.className = "chip " + look.style;
    chip.textContent = look.mark + look.name;
    it.append(twist, chip);
    if (line.children) row.setAttribute("aria-expanded", !!isOpen(line));
  }

  function makeRow(at) {
    const line = lines[at], row = document.createElement("div");
    row.id = owner.id + "-row" + at;
    row.dataset.at = at;
    row.style.top = at * ROW + "px";
    for (const [key, value] of [["role", "row"], ["aria-rowindex", at + 2], ["aria-level", line.level + 1], ["aria-selected", line === selected]])
      row.setAttribute(key, value);
    nameCell(row, line);
    for (const it of columns().slice(1)) {
      const made = cell(row, it.text(line), classOf(it));
      if (it.part && it.part(line) >= 0.02) made.style.setProperty("--part", Math.min(1, it.part(line)));
    }
    return row;
  }

  function draw() {
    wanted = false;
    const from = Math.max(0, Math.floor((grid.scrollTop - HEAD) / ROW) - 5), to = Math.min(lines.length, from + Math.ceil(grid.clientHeight / ROW) + 12);
    const made = document.createDocumentFragment();
    if (heads.firstChild) step = Math.min(12, heads.firstChild.clientWidth / 2 / deepest); /* deep trees leave half of the column to names */
    for (let at = from; at < to; at++) made.append(makeRow(at));
    rows.replaceChildren(made);
    if (placeOf(selected) >= 0) grid.setAttribute("aria-activedescendant", owner.id + "-row" + selected.at);
    else grid.removeAttribute("aria-activedescendant");
  }

  function redraw() {
    if (!wanted) requestAnimationFrame(draw);
    wanted = true;
  }

  function drawHeads() {
    shownColumns = null;
    const by = sortedBy();
    const wide = columns().slice(1).map(it => it.number ? `${7.3 * Math.max(lettersOf(it), it.title.length + 3) + 14}px` : `minmax(6em, ${lettersOf(it)}ch)`);
    grid.style.setProperty("--columns", ["minmax(16em, 1fr)", ...wide].join(" "));
    /* On narrow screens those that are left share a line below the name. */
    const narrow = columns().slice(1).filter(it => !it.minor).map(it => `minmax(0, ${Math.max(lettersOf(it), it.title.length) + 2}fr)`);
    grid.style.setProperty("--narrow", narrow.join(" "));
    heads.replaceChildren(...columns().map((it, at) => {
      const head = document.createElement("div"), button = document.createElement("button");
      head.setAttribute("role", "columnheader");
      head.setAttribute("aria-sort", it !== by ? "none" : turned ? "ascending" : "descending");
      head.className = classOf(it);
      button.textContent = it.title + (it !== by ? "" : turned ? " ▴" : " ▾");
      button.addEventListener("click", () => {
        turned = it === by && !turned;
        column = it.key;
        drawHeads();
        rebuild();
        heads.children[at].firstChild.focus();
        changed();
      });
      head.append(button);
      return head;
    }));
  }

  function turn(line, to) {
    if (!line || !line.children || !!line.open === to) return;
    line.open = to;
    rebuild();
  }

  /* Opens what is above a line, and scrolls to it. */
  function reveal(line) {
    selected = line;
    let opened = false;
    for (let at = line && line.up; at; at = at.up) if (!at.open) opened = at.open = true;
    if (opened) rebuild();
    const at = placeOf(line), y = at * ROW;
    if (at >= 0 && (y < grid.scrollTop || y + 2 * ROW + HEAD > grid.scrollTop + grid.clientHeight)) grid.scrollTop = Math.max(0, y - grid.clientHeight / 3);
    redraw();
  }

  function choose(line) {
    if (!line) return;
    reveal(line);
    owner.selected(line);
  }

  function key(event) {
    if (!lines.length) return;
    const at = placeOf(selected), line = at < 0 ? null : selected, page = Math.floor(grid.clientHeight / ROW) - 2;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: lines.length - 1 }[event.key];
    if (to !== undefined) choose(lines[Math.max(0, Math.min(lines.length - 1, to))]);
    else if (event.key === "ArrowRight" && line) isOpen(line) && line.children ? choose(lines[at + 1]) : turn(line, true);
    else if (event.key === "ArrowLeft" && line) line.open && line.children ? turn(line, false) : choose(line.up);
    else if (event.key === "Enter" && line) owner.entered(line);
    else return;
    event.preventDefault();
  }

  rows.addEventListener("click", event => {
    const row = event.target.closest("[role=row]");
    if (!row) return;
    const line = lines[+row.dataset.at];
    if (event.target.className === "twist") turn(line, !line.open);
    choose(line);
  });
  rows.addEventListener("dblclick", event => {
    const row = event.target.closest("[role=row]");
    if (row) owner.entered(lines[+row.dataset.at]);
  });

  function setHeights() {
    ROW = NARROW.matches ? 44 : 22;
    HEAD = NARROW.matches ? 46 : 24;
    rebuild();
  }

  NARROW.addEventListener("change", setHeights);
  setHeights();
  grid.addEventListener("scroll", redraw);
  new ResizeObserver(redraw).observe(grid);

  return {
    id: owner.id, grid, reveal, rebuild, redraw, key, choose,
    show() { drawHeads(); rebuild(); },
    /* All lines are made anew: what they stand for is another. */
    forget() { roots = selected = null; lines = []; },
    restart() { drawHeads(); rebuild(); grid.scrollTop = 0; },
    selected: () => selected,
    roots: () => kidsOf(null),
    kids: kidsOf,
    /* The column that sorts, where the reader chose it; "-" in front: turned. */
    sort: () => column && (column !== owner.first() || turned) ? (turned ? "-" : "") + column : "",
    setSort(text) { turned = text.startsWith("-"); column = text.replace("-", "") || null; },
  };
}
