/* The views besides the flame graph. tree: the contexts, or all of them without hierarchy; callers: bottom-up, each function with its callers below
 * it; flat: a table of functions; peek: one function between its callers and what it calls. */
const byText = (a, b) => a < b ? -1 : a > b ? 1 : 0;
const countTitle = () => isTime ? "Seconds" : values ? (data.unit === "bytes" ? "Bytes" : "Blocks") : data.metric;
const element = id => document.getElementById(id);

/* --- lines of several contexts ---------------------------------------------------------------------------- */

const lineName = line => line.frame < 0 ? line.label : frameName(line.frame);
const lineChange = line => line.b - line.a, totalChange = line => line.totalB - line.totalA;

/* How many letters the columns need at the most. An error, or a place, stands only where there are some. */
const hasErrors = () => error.some(it => it > 0);
const hasSites = () => data.sites.some(it => it[1] || it[3]);
const VALUE = () => value(diff ? Math.max(...diff.calls) : data.calls).length + (diff ? 1 : 0);
const SUM = () => (errorBelow || data.missing) && inclusive.some((sum, i) => isLoose(sum, slack(i))) ? 2 * VALUE() + 2 : VALUE();

const NAME = { title: "Function", key: "name", order: (a, b) => byText(lineName(a), lineName(b)) };
const LINE_COLUMNS = diff ? [
  NAME,
  { title: "Change", key: "own", number: true, letters: VALUE, order: (a, b) => Math.abs(lineChange(b)) - Math.abs(lineChange(a)), text: it => lineChange(it) ? signed(lineChange(it)) : "" },
  { title: "A", key: "a", number: true, letters: VALUE, order: (a, b) => b.a - a.a, text: it => value(it.a) },
  { title: "B", key: "b", number: true, letters: VALUE, order: (a, b) => b.b - a.b, text: it => value(it.b) },
  { title: "Below, too", key: "total", number: true, letters: VALUE, order: (a, b) => Math.abs(totalChange(b)) - Math.abs(totalChange(a)), text: it => totalChange(it) ? signed(totalChange(it)) : "" },
] : [
  NAME,
  { get title() { return countTitle(); }, key: "own", number: true, letters: VALUE, order: (a, b) => b.own - a.own || b.total - a.total, text: it => value(it.own) },
  { title: "Share", key: "own-share", number: true, letters: 7, part: it => it.own / data.calls, order: (a, b) => b.own - a.own || b.total - a.total, text: it => share(it.own) },
  { title: "Error", key: "error", number: true, minor: true, letters: VALUE, isEmpty: () => !hasErrors(), order: (a, b) => b.error - a.error, text: it => it.error ? "+" + value(it.error) : "" },
  { title: "Inclusive", key: "total", number: true, letters: SUM, order: (a, b) => b.total - a.total || b.own - a.own, text: it => sumText(it.total, it.totalError) },
  { title: "Share", key: "total-share", number: true, letters: 7, part: it => it.total / data.calls, order: (a, b) => b.total - a.total || b.own - a.own, text: it => share(it.total) },
];
const SITES = { title: "Called at", key: "site", letters: 24, minor: true, isEmpty: () => !hasSites(), order: (a, b) => byText(a.sites, b.sites), text: it => it.sites };
const CALL_COLUMNS = [...LINE_COLUMNS, SITES];
const FLAT_COLUMNS = [...LINE_COLUMNS,
  { title: "Contexts", key: "contexts", number: true, letters: 6, minor: true, order: (a, b) => b.contexts - a.contexts, text: it => number(it.contexts) },
  { title: "Callers", key: "callers", number: true, letters: 6, minor: true, order: (a, b) => b.callers - a.callers, text: it => number(it.callers) },
];

const markOfLine = line => (!diff || line.a === line.b ? "" : line.b > line.a ? "▲" : "▼") + (line.hot ? "*" : "") + ((diff && line.a !== line.b) || line.hot ? " " : "");

function lookOfLine(line) {
  return { name: lineName(line), mark: markOfLine(line), style: isFoundLine(line) ? "match" : colours.styleOfLine(line), title: describeLine(line) };
}

/* The functions that a search has found. */
let foundFunctions = null;
function isFoundLine(line) {
  if (!found.query) return false;
  if (!foundFunctions || foundFunctions.of !== found.node) {
    foundFunctions = { of: found.node, functions: new Set() };
    for (let i = 0; i < n; i++) if (found.node[i]) foundFunctions.functions.add(functionOf[frame[i]]);
  }
  return foundFunctions.functions.has(line.function);
}

const lineOwner = own => ({ columns: () => CALL_COLUMNS, first: () => "own", look: lookOfLine, selected: selectLine, entered: line => line.function >= 0 && peekAt(line.function), ...own });

const callers = makeOutline(lineOwner({ id: "callers-grid", roots: callerRoots, isShown: line => line.up || !found.query || isFoundLine(line) }));

const flat = makeOutline(lineOwner({
  id: "flat-grid", columns: () => FLAT_COLUMNS, isShown: line => !found.query || isFoundLine(line),
  roots: () => functionSums().list.map(it => ({ ...it, up: null, key: "f" + it.function, frame: frameOfFunction[it.function], sites: "", callers: it.callers.size, children: null })),
}));

/* --- one function, its callers and what it calls --------------------------------------------------------------- */

const peek = (() => {
  let above = null, below = null, active = "peek-callees";
  const part = (id, root) => makeOutline(lineOwner({ id, first: () => "total", selected: line => { active = id; other(id).reveal(null); selectLine(line); },
    roots: () => root() && root().children ? root().children() : [] }));
  const callersPart = part("peek-callers", () => above), calleesPart = part("peek-callees", () => below);

  function show() {
    const it = findFunction(choice.function);
    above = it && callersOf(it);
    below = it && calleesOf(it);
    callersPart.forget();
    calleesPart.forget();
    element("peek-name").textContent = it ? functionName(it.function) : choice.function ? "no such function: " + choice.function : "Which function?";
    element("peek-name").className = "chip " + (it ? colours.styleOfLine(above) : "none");
    element("peek-sums").textContent = !it ? "" : diff ? `A ${value(above.a)}, B ${value(above.b)}` :
      `${several(it.contexts, "context")}: ${describeSum(it.own, it.error)}; ${value(it.total)} with those below (${share(it.total)})`;
    element("function").value = it ? functionName(it.function) : choice.function;
    callersPart.show();
    calleesPart.show();
  }

  const other = id => id === "peek-callers" ? calleesPart : callersPart;
  const focused = () => active === "peek-callers" ? callersPart : calleesPart;
  return {
    show, parts: { callers: callersPart, callees: calleesPart }, focused,
    key: event => focused().key(event),
    rebuild() { callersPart.rebuild(); calleesPart.rebuild(); },
    grid: calleesPart.grid,
  };
})();

/* --- the tree ------------------------------------------------------------------------------------------------- */

/* Of a sum of profiles, or of threads. By the ratio, the contexts in which one differs most from the mean come first. */
const spreadText = of => ({ i }) => { const it = spreadOf(i); return it ? of(it) : ""; };
const bySpread = of => (a, b) => { const [x, y] = [spreadOf(a.i), spreadOf(b.i)]; return (y ? of(y) : -1) - (x ? of(x) : -1); };
const SPREAD = [
  { title: "Min", key: "min", number: true, letters: 9, minor: true, order: bySpread(it => it.low), text: spreadText(it => it.min) },
  { title: "Max", key: "max", number: true, letters: 9, minor: true, order: bySpread(it => it.high), text: spreadText(it => it.max) },
  { title: "Max/mean", key: "ratio", number: true, letters: 6, minor: true, order: bySpread(it => it.ratio), text: spreadText(it => it.ratio.toFixed(2)) },
  { title: "Max in", key: "max-in", letters: 18, minor: true, order: (a, b) => byText(spreadText(it => it.maxIn)(a), spreadText(it => it.maxIn)(b)), text: spreadText(it => it.maxIn) },
];
const tree = (() => {
  const order = (own, other) => (a, b) => own(b.i) - own(a.i) || (other ? other(b.i) - other(a.i) : 0);
  const columns = diff ? [
    { title: "Context", key: "name", order: (a, b) => byText(nameOf(a.i), nameOf(b.i)) },
    { title: "Change", key: "own", number: true, letters: VALUE, order: order(i => Math.abs(change[i])), text: ({ i }) => change[i] ? signed(change[i]) : "" },
    { title: "A", key: "a", number: true, letters: VALUE, order: order(i => before[i]), text: ({ i }) => before[i] < 0 ? "" : value(before[i]) },
    { title: "B", key: "b", number: true, letters: VALUE, order: order(i => count[i]), text: ({ i }) => count[i] < 0 ? "" : value(count[i]) },
    { title: "All changes", key: "total", number: true, letters: VALUE, order: order(i => changes[i]), text: ({ i }) => value(changes[i]) },
    { title: "Match", key: "match", letters: 10, minor: true, isEmpty: () => !match.some(it => it), order: order(i => match[i]), text: ({ i }) => MATCHES[match[i]] },
    { title: "Called at", key: "site", letters: 24, minor: true, isEmpty: () => !hasSites(), order: (a, b) => byText(siteOf(a.i), siteOf(b.i)), text: ({ i }) => siteOf(i) },
  ] : [
    { title: "Context", key: "name", order: (a, b) => byText(nameOf(a.i), nameOf(b.i)) },
    { get title() { return countTitle(); }, key: "own", number: true, letters: VALUE, order: order(i => count[i]), text: ({ i }) => count[i] < 0 ? "" : value(count[i]) },
    { title: "Share", key: "own-share", number: true, letters: 7, part: ({ i }) => low[i] / data.calls, order: order(i => count[i]), text: ({ i }) => count[i] < 0 ? "" : share(low[i]) },
    { title: "Error", key: "error", number: true, minor: true, letters: VALUE, isEmpty: () => !hasErrors(), order: order(i => error[i]), text: ({ i }) => error[i] ? "−" + value(error[i]) : "" },
    ...(data.spread ? SPREAD : []),
    { title: "Inclusive", key: "total", number: true, letters: SUM, order: order(i => inclusive[i]), text: ({ i }) => inclusiveText(i) },
    { title: "Share", key: "total-share", number: true, letters: 7, part: ({ i }) => inclusive[i] / data.calls, order: order(i => inclusive[i]), text: ({ i }) => share(inclusive[i]) },
    { title: "Called at", key: "site", letters: 24, minor: true, isEmpty: () => !hasSites(), order: (a, b) => byText(siteOf(a.i), siteOf(b.i)), text: ({ i }) => siteOf(i) },
  ];
  let lineOf = [], allChanges = 0;

  const opensFirst = i => depth[i] < 2 || (diff ? changes[i] >= 0.05 * allChanges : inclusive[i] >= 0.05 * total);

  /* Without recursion: paths may be longer than the stack of a browser. */
  function lineFor(i) {
    const missing = [];
    for (let at = i; at >= 0 && !lineOf[at]; at = choice.list ? -1 : parent[at]) missing.push(at);
    for (const at of missing.reverse())
      lineOf[at] = { i: at, up: parent[at] < 0 || choice.list ? null : lineOf[parent[at]], key: at, open: opensFirst(at), children: !choice.list && end[at] > at + 1 ? () => below(at) : null };
    return lineOf[i];
  }

  function below(above) {
    const lines = [];
    for (let i = above < 0 ? 0 : above + 1, to = above < 0 ? n : end[above]; i < to; i = end[i]) lines.push(lineFor(i));
    return lines;
  }

  function all() {
    const lines = [];
    for (let i = 0; i < n; i++) if (diff ? change[i] || hot[i] : count[i] >= 0) lines.push(lineFor(i));
    return lines;
  }

  const outline = makeOutline({
    id: "grid", rows: "rows", heads: "heads", columns: () => columns,
    /* The list is of contexts, so it begins with what they count themselves; the tree with what is below them. */
    first: () => choice.list ? "own" : "total",
    roots: () => choice.list ? all() : below(-1),
    look: ({ i }) => ({ name: nameOf(i), mark: markOf(i), style: found.node[i] ? "match" : colours.styleOf(i), title: describe(i) }),
    isOpen: line => found.query ? found.below[line.i] : line.open,
    isShown: ({ i }) => !found.query || found.node[i] || (!choice.list && found.below[i]),
    selected: line => select(line.i),
    entered: line => showFlame(line.i),
  });

  function forget() {
    lineOf = [];
    if (diff) allChanges = changes.reduce((sum, own, i) => parent[i] < 0 ? sum + own : sum, 0);
    outline.forget();
  }
  forget();

  return {
    ...outline, forget,
    reveal(i) {
      if (i < 0 || (choice.list && !(count[i] >= 0 || diff))) return;
      if (!choice.list) outline.kids(null);
      outline.reveal(lineFor(i));
    },
    setFlat(to) {
      const wasFirst = !outline.sort();
      choice.list = to;
      if (wasFirst) outline.setSort("");
      forget();
      outline.restart();
      changed();
    },
  };
})();
