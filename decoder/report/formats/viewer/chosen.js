/* What is chosen: a context, or in the views of functions a line and one of its frames. It stands beside the views, or below them, with its
 * callers, what it calls, and its source. */
const selection = { node: -1, frame: -1, line: null };

/* --- rows with a bar ----------------------------------------------------------------------------------------
 *
 * { name, title, text (behind the name), share, part (of the longest bar), style (of the bar), act() } */
function barRow(it) {
  const item = document.createElement("li"), button = document.createElement("button"), bar = document.createElement("i");
  const add = (className, text) => { const cell = document.createElement("span"); cell.className = className; cell.textContent = text; button.append(cell, " "); return cell; };
  const name = document.createElement("bdi"); /* in a cell from right to left: what has no room is at its beginning */
  name.textContent = it.name;
  add("name" + (it.isPath ? " path" : ""), "").append(name);
  if (it.text) add("amount", it.text);
  add("share", it.share);
  button.title = it.title;
  bar.className = it.style;
  bar.style.width = `${100 * Math.min(1, it.part || 0)}%`;
  button.append(bar);
  button.addEventListener("click", it.act);
  item.append(button);
  return item;
}

const showRows = (id, rows) => { element(id).replaceChildren(...rows.map(barRow)); };

/* --- callers and callees ------------------------------------------------------------------------------------ */

const NEAR = 6; /* rows of each */
const changeStyle = change => change > 0 ? "more" : change < 0 ? "fewer" : "same";

const rowOfNode = (i, all) => ({
  name: briefName(frame[i]), title: describe(i), part: wide[i] / all, style: diff ? changeStyle(belowB[i] - belowA[i]) : colours.styleOf(i),
  share: diff ? signed(belowB[i] - belowA[i]) : share(inclusive[i]), act: () => select(i),
});

const rowOfLine = (line, all) => ({
  name: lineName(line), title: describeLine(line), part: (diff ? Math.abs(totalChange(line)) : line.total) / all,
  style: diff ? changeStyle(totalChange(line)) : colours.styleOfLine(line), share: diff ? signed(totalChange(line)) : share(line.total),
  act: () => line.function >= 0 && chooseFunction(line.function),
});

/* Shows the nearest ones, and how many there are. */
function showNear(which, title, rows) {
  element(which).hidden = !rows.length;
  element(which + "-title").textContent = rows.length > NEAR ? `${title} (${NEAR} of ${number(rows.length)})` : title;
  showRows(which + "-rows", rows.slice(0, NEAR).map(row => row()));
}

/* --- lines of samples: data.lines, [node, file, line, what runs there, count] ----------------------------------- */

const linesOfNode = new Map(), linesOfFunction = new Map();
for (const it of data.lines || []) {
  for (const [of, key] of [[linesOfNode, it[0]], [linesOfFunction, functionOf[data.frame[it[0]]]]]) {
    if (!of.has(key)) of.set(key, []);
    of.get(key).push(it);
  }
}

/* The lines of what is chosen, the hottest first: { file, line, name, count }. Of a context that stands for several, of the first. */
function linesOfChosen() {
  const found = new Map(), of = selection.node >= 0 ? linesOfNode.get(origin[selection.node]) : selection.line ? linesOfFunction.get(selection.line.function) : null;
  for (const [, file, line, name, count] of of || []) {
    const key = `${file}:${line}:${name}`, it = found.get(key) || { file: data.line_files[file], line, name, count: 0 };
    it.count += count;
    found.set(key, it);
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

const rowOfSource = (it, most) => ({
  name: `${base(it.file)}:${it.line}` + (it.name ? "  " + it.name : ""), title: `${it.file}:${it.line}${it.name ? "\n" + it.name : ""}\n${amount(it.count)}`,
  part: it.count / most, style: "same", share: share(it.count), act: () => source.reveal(it.file, it.line),
});

function showAround() {
  const lines = linesOfChosen();
  showNear("near-lines", "Its lines", lines.map(it => () => rowOfSource(it, lines[0].count)));
  const i = selection.node, of = selection.line && selection.line.function >= 0 ? functionSums().of.get(selection.line.function) : null;
  if (i >= 0) {
    const callees = [];
    for (let at = i + 1; at < end[i]; at = end[at]) callees.push(at);
    callees.sort((a, b) => wide[b] - wide[a]);
    showNear("near-callers", "Its callers, the nearest first", pathOf(i).slice(0, -1).reverse().map(at => () => rowOfNode(at, allWide)));
    showNear("near-callees", "What it calls", callees.map(at => () => rowOfNode(at, wide[i])));
    return;
  }
  const size = line => diff ? Math.abs(totalChange(line)) : line.total;
  const near = line => line.children ? line.children().sort((a, b) => size(b) - size(a)) : [], all = of ? size(of) : 1;
  showNear("near-callers", "Its callers", of ? near(callersOf(of)).map(line => () => rowOfLine(line, all)) : []);
  showNear("near-callees", "What it calls", of ? near(calleesOf(of)).map(line => () => rowOfLine(line, all)) : []);
}

/* --- choosing ------------------------------------------------------------------------------------------------ */

function showSelected(text, path, count) {
  element("selected").replaceChildren(...text.split("\n").flatMap((line, at) => {
    const it = document.createElement(at ? "span" : "strong");
    it.textContent = line;
    return at ? ["\n", it] : [it];
  }));
  document.body.classList.toggle("has-chosen", path.length > 0);
  element("path").hidden = element("copy").hidden = element("close").hidden = !path.length;
  element("path").querySelector("summary").textContent = `Path (${several(count, "frame")})`;
  element("path").querySelector("ol").replaceChildren(...path.map(text => {
    const line = document.createElement("li");
    line.textContent = text;
    return line;
  }));
  showAround();
  source.show();
}

/* The path of a node, from its root. */
function pathOf(i) {
  const path = [];
  for (let at = i; at >= 0; at = parent[at]) path.push(at);
  return path.reverse();
}

function mark(i) {
  Object.assign(selection, { node: i, frame: frame[i], line: null });
  const said = at => (siteOf(at) ? "   " + siteOf(at) : "") + (diff ? (change[at] ? "   " + signed(change[at]) : "") : count[at] >= 0 ? "   " + value(count[at]) : "");
  showSelected(describe(i), pathOf(i).slice(-1000).map(at => nameOf(at) + said(at)), depth[i] + 1);
}

function select(i) {
  mark(i);
  if (isFlame()) flame.reveal(i);
  if (!element("tree").hidden) tree.reveal(i);
  changed();
}

/* Lines above one, the one itself behind them: of callers the innermost first, so the path is turned. */
function pathOfLine(line) {
  const path = [];
  for (let at = line; at; at = at.up) path.push(at);
  return line.isCallee ? path.reverse() : path;
}

function selectLine(line) {
  Object.assign(selection, { node: -1, frame: line.frame, line });
  const path = pathOfLine(line);
  showSelected(describeLine(line), path.map(it => lineName(it) + (it.sites ? "   " + it.sites : "")), path.length);
  changed();
}

function selectNothing() {
  Object.assign(selection, { node: -1, frame: -1, line: null });
  showSelected("Nothing is selected. Click on a box to zoom; / searches, ? tells the keys.", [], 0);
}

function chooseNothing() {
  selectNothing();
  VIEWS[choice.view].redraw();
  changed();
}

/* All contexts of a function: the search finds their boxes, and what they have together is beside them. */
function chooseFunction(number) {
  const it = data.frames[frameOfFunction[number]];
  if (!functionSums().of.has(number)) { for (const which of FILTERS) choice[which] = ""; update(); }
  if (choice.view === "peek") { peekAt(number); return; }
  element("search").value = `/^${shortName(it).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$/`;
  search();
  selectLine(callersOf(functionSums().of.get(number)));
}

/* A context of the verdict, whatever is filtered now. */
function chooseContext(of) {
  if (!origin.includes(of)) { for (const which of FILTERS) choice[which] = FIRST_CHOICE[which]; update(); }
  if (!isFlame() && choice.view !== "tree") showView("flame");
  select(origin.indexOf(of));
}

/* The path as hcct-decode --format=folded writes one. */
function copyPath() {
  const names = selection.node >= 0 ? pathOf(selection.node).map(nameOf) : selection.line ? pathOfLine(selection.line).map(lineName) : [];
  if (!names.length) return;
  const text = names.map(escapeName).join(";"), told = done => { element("copy").textContent = done ? "Copied" : "Copy path"; };
  const byHand = () => {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  };
  (navigator.clipboard ? navigator.clipboard.writeText(text).catch(byHand) : Promise.resolve(byHand())).then(() => {
    told(true);
    setTimeout(() => told(false), 1500);
  });
}
