/* What all views share: search, filters, keys, controls, and the start. */

/* --- the views -------------------------------------------------------------------------------------- */

const VIEWS = {
  flame: { show: () => flame.show(), redraw: () => flame.redraw(), key: event => flame.key(event), focus: "canvas" },
  tree: { show: () => tree.show(), redraw: () => tree.rebuild(), key: event => tree.key(event), focus: "grid" },
  callers: { show: () => callers.show(), redraw: () => callers.rebuild(), key: event => callers.key(event), focus: "callers-grid" },
  flat: { show: () => flat.show(), redraw: () => flat.rebuild(), key: event => flat.key(event), focus: "flat-grid" },
  peek: { show: () => peek.show(), redraw: () => peek.rebuild(), key: event => peek.key(event), focus: "peek-callees" },
  ...(curve.isThere && { curve: { show: curve.show, redraw: curve.show, key: () => {}, focus: "curve-chart" } }),
};
const VIEW_NAMES = Object.keys(VIEWS);
const isFlame = () => choice.view === "flame";

/* Below a flame graph that leaves room stands the tree. */
const ROOM_FOR_TREE = 160;
function fitFlame() {
  const main = element("main"), high = flame.fullHeight(), isSplit = isFlame() && main.clientHeight - high >= ROOM_FOR_TREE;
  main.style.setProperty("--flame", high + "px");
  main.classList.toggle("split", isSplit);
  if (isFlame()) element("tree").hidden = !isSplit;
  return isSplit;
}
const outlineOf = view => ({ tree, callers, flat, peek: peek.focused() })[view];

function showView(name) {
  const number = selection.frame >= 0 ? functionOf[selection.frame] : -1;
  choice.view = name;
  for (const view of VIEW_NAMES) {
    element(view).hidden = view !== name;
    element("tab-" + view).setAttribute("aria-selected", view === name);
    element("tab-" + view).tabIndex = view === name ? 0 : -1;
  }
  element("flat-label").hidden = !fitFlame() && name !== "tree";
  element("function-label").hidden = name !== "peek";
  element("tip").hidden = true;
  if (name === "peek" && number >= 0) choice.function = functionName(number);
  else if (name === "peek" && !choice.function && functionSums().list.length) choice.function = functionName(functionSums().list.reduce((a, b) => b.own > a.own ? b : a).function);
  VIEWS[name].show();
  if (isFlame() && !element("tree").hidden) tree.show();
  if (selection.node >= 0 && isFlame()) flame.reveal(selection.node);
  if (selection.node >= 0 && !element("tree").hidden) tree.reveal(selection.node);
  else if ((name === "callers" || name === "flat") && number >= 0) outlineOf(name).reveal(outlineOf(name).roots().find(it => it.function === number));
  changed();
}

function showFlame(i) {
  showView("flame");
  flame.zoomTo(i);
  element("canvas").focus();
}

function peekAt(number) {
  selection.frame = frameOfFunction[number];
  showView("peek");
  element("peek-callees").focus();
}

/* --- search and filters ------------------------------------------------------------------------------- */

function showFound(valid) {
  element("search").setAttribute("aria-invalid", !valid);
  element("matches").textContent = element("matches").title = !valid ? "not a pattern" : !found.query ? ""
    : diff ? several(found.count, "context")
    : `${several(found.count, "context")}, ${amount(found.calls)} (${share(found.calls)}); ${value(found.through)} through them (${share(found.through)})`;
}

function search() {
  choice.search = element("search").value.trim();
  showFound(find(choice.search));
  VIEWS[choice.view].redraw();
  if (isFlame()) tree.rebuild();
  colours.drawLegend();
  changed();
}

function goToMatch(step) {
  const next = found.count ? findNext(selection.node, step) : -1;
  if (next < 0) return;
  if (choice.view === "callers" || choice.view === "flat" || choice.view === "peek") {
    selection.frame = frame[next];
    mark(next);
    showView(choice.view);
  } else {
    select(next);
  }
}

function showFilters(failure) {
  const given = FILTERS.filter(which => which !== "fold" && choice[which]);
  for (const which of FILTERS) element("filter-" + which).setAttribute("aria-invalid", !!failure && failure.filter === which);
  element("filters").querySelector("summary").textContent = given.length ? `Filters (${given.length})` : "Filters";
  const other = data.frames.findIndex(it => it[4] === "other");
  let left = 0;
  for (let i = 0; i < n; i++) if (frame[i] === other && parent[i] < 0) left += inclusive[i];
  element("kept").textContent = failure ? `${failure.filter}: not a pattern (${failure.message})`
    : !given.length ? "" : diff ? several(n, "frame") + " left" : `${amount(total - left)} (${share(total - left)}) left`;
}

/* Shows what `choice` asks for: filters, phi, names, colours. The selected context stays, if it is still there. */
function update() {
  const node = selection.node < 0 ? -1 : origin[selection.node], zoomed = flame.zoomed() < 0 ? -1 : origin[flame.zoomed()];
  let failure = null;
  showValue();
  showVerdict();
  try { show(filtered()); } catch (it) {
    if (!(it instanceof SyntaxError)) throw it;
    failure = it;
  }
  const again = at => at < 0 ? -1 : origin.indexOf(at);
  const now = again(node), zoom = again(zoomed);
  tree.forget();
  callers.forget();
  flat.forget();
  if (now >= 0) mark(now); else selectNothing();
  find(choice.search);
  showControls(failure);
  flame.forget();
  showView(choice.view);
  if (zoom >= 0) flame.zoomTo(zoom);
}

/* What the controls show is what `choice` says. */
function showControls(failure) {
  element("search").value = choice.search;
  showFound(!choice.search || found.query !== "");
  for (const which of FILTERS) if (document.activeElement !== element("filter-" + which)) element("filter-" + which).value = choice[which];
  element("fold").checked = !!choice.fold;
  element("flat-switch").checked = choice.list;
  element("names").value = choice.names;
  element("colour").value = choice.colour;
  if (!diff) {
    element("phi").value = choice.phi;
    element("least").textContent = `at least ${percent(choice.phi)} of the ${isTime ? "time" : data.unit}: ${amount(threshold())}`;
  }
  colours.drawLegend();
  showFilters(failure);
}

function escape() {
  if (flame.zoomed() >= 0 && isFlame()) flame.zoomTo(-1);
  else if (element("search").value) { element("search").value = ""; search(); }
  else if (FILTERS.some(which => choice[which] !== FIRST_CHOICE[which])) { for (const which of FILTERS) choice[which] = FIRST_CHOICE[which]; document.activeElement.blur(); update(); }
  else if (selection.frame >= 0) chooseNothing();
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  element("theme").textContent = theme === "dark" ? "Light" : "Dark";
  colours.readColours();
  flame.redraw();
}

/* --- controls ------------------------------------------------------------------------------------------- */

const isTyping = target => target.matches("input:not([type=checkbox]), textarea, select");

/* Whether an element has that key for itself. All others are the view's, wherever the focus is. */
function usesKey(target, key) {
  if (key === "Enter") return target.matches("button, summary, a");
  return (key === "ArrowLeft" || key === "ArrowRight") && target.matches("[role=tab]");
}

/* Shows another part, or the whole (""). What is selected stays, where that has it; nodes have other numbers there. */
function showPart(name) {
  const address = new URLSearchParams(addressText().slice(1));
  for (const key of ["path", "zoom"]) if ((address.get(key) || "").startsWith("@")) address.delete(key);
  if (name) address.set(PART, name); else address.delete(PART);
  clearTimeout(waitingAddress);
  history.replaceState(null, "", "#" + address);
  location.reload();
}

/* Only pages with phases have the list. */
function showPhases() {
  const list = element("phase"), all = phases.reduce((sum, it) => sum + it[1], 0);
  element("phase-label").hidden = diff || !document.getElementById("data-0");
  for (const [name, calls] of [["", all], ...phases]) {
    const option = document.createElement("option");
    option.value = name;
    option.textContent = name ? `${name} (${percent(calls / all)})` : "whole run";
    list.append(option);
  }
  list.value = data === whole ? "" : part;
  list.addEventListener("change", () => showPart(list.value));
}

/* Only pages of heaps have the list. */
function showValues() {
  const list = element("value"), all = values || diffValues;
  element("value-label").hidden = !all.length;
  for (const it of all) {
    const option = document.createElement("option"), isSame = diff && !it.changed;
    Object.assign(option, { value: it.name, textContent: it.title + (isSame ? " (no change)" : ""), disabled: isSame || it.total === 0 });
    list.append(option);
  }
  list.value = choice.value;
  list.addEventListener("change", () => {
    if (diff) { showPart(list.value === whole.value ? "" : list.value); return; }
    choice.value = list.value;
    list.blur();
    update();
  });
}

let waiting = 0;
const later = what => { clearTimeout(waiting); waiting = setTimeout(what, 60); };

element("search").addEventListener("input", () => later(search));
element("search").addEventListener("keydown", event => {
  if (event.key === "Enter") { clearTimeout(waiting); search(); goToMatch(event.shiftKey ? -1 : 1); }
});
for (const which of FILTERS) element("filter-" + which).addEventListener("input", event => { choice[which] = event.target.value; later(update); });
element("fold").addEventListener("change", event => { choice.fold = event.target.checked ? FIRST_CHOICE.fold || data.fold : ""; update(); });
/* A list of choices takes letters for itself as long as it has the focus. */
element("names").addEventListener("change", event => { choice.names = event.target.value; event.target.blur(); update(); });
element("colour").addEventListener("change", event => { choice.colour = event.target.value; event.target.blur(); update(); });
element("function").addEventListener("change", event => { selectNothing(); choice.function = event.target.value.trim(); showView("peek"); });
element("close").addEventListener("click", chooseNothing);
element("source-switch").addEventListener("change", event => source.toggle(event.target.checked));
element("copy").addEventListener("click", copyPath);
element("reset").addEventListener("click", () => { for (const which of [...FILTERS, "search"]) choice[which] = FIRST_CHOICE[which]; flame.forget(); update(); });
element("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
element("flat-switch").addEventListener("change", event => tree.setFlat(event.target.checked));
VIEW_NAMES.forEach((view, at) => {
  element("tab-" + view).addEventListener("click", () => showView(view));
  element("tab-" + view).addEventListener("keydown", event => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = VIEW_NAMES[(at + (event.key === "ArrowLeft" ? VIEW_NAMES.length - 1 : 1)) % VIEW_NAMES.length];
    showView(other);
    element("tab-" + other).focus();
  });
});

const KEYS = {
  "/": () => { element("search").focus(); element("search").select(); },
  n: () => goToMatch(1), N: () => goToMatch(-1),
  t: () => { showView(isFlame() ? "tree" : "flame"); element(VIEWS[choice.view].focus).focus(); },
  f: () => { element("filters").open = true; element("filter-focus").focus(); },
  p: () => { showView("peek"); element("peek-callees").focus(); },
  c: copyPath,
  s: () => source.isThere && source.toggle(!element("source-switch").checked),
  "?": () => element("help").showModal(),
};
VIEW_NAMES.forEach((view, at) => { KEYS[at + 1] = () => { showView(view); element(VIEWS[view].focus).focus(); }; });

document.addEventListener("keydown", event => {
  element("tip").hidden = true;
  if (event.ctrlKey || event.altKey || event.metaKey || element("help").open) return;
  if (event.key === "Escape") { escape(); return; }
  if (isTyping(event.target)) return;
  if (Object.hasOwn(KEYS, event.key)) { event.preventDefault(); KEYS[event.key](); }
  else if (!usesKey(event.target, event.key)) (event.target.closest("#grid") ? tree : VIEWS[choice.view]).key(event);
});

/* --- the start ---------------------------------------------------------------------------------------- */

function restore() {
  const { sort, path, part, zoom, metric } = readAddress();
  selectNothing();
  flame.forget();
  update();
  const outline = choice.view === "peek" ? peek.parts[part] : outlineOf(choice.view);
  if (outline) {
    outline.setSort(sort);
    outline.show();
  }
  const line = outline && choice.view !== "tree" && path ? lineAt(outline, path) : null;
  if (line) outline.choose(line);
  else if (path && nodeAt(path) >= 0 && (isFlame() || choice.view === "tree")) select(nodeAt(path));
  if (zoom && nodeAt(zoom) >= 0) flame.zoomTo(nodeAt(zoom));
  if (metric && metric !== data.metric) element("kept").textContent = `The link is of a profile of ${metric.toLowerCase()}, this one is of ${data.metric.toLowerCase()}.`;
}

/* What is chosen stands at the side; style.css has the width, too. */
const WIDE = matchMedia("(min-width: 1100px)");
const preference = matchMedia("(prefers-color-scheme: dark)");
preference.addEventListener("change", () => setTheme(preference.matches ? "dark" : "light"));
addEventListener("hashchange", () => {
  if (partOf(location.hash) !== (data === whole ? "" : part)) location.reload();
  else if (location.hash !== shownAddress) restore();
});
showPhases();
showValues();
showHead();
element("source-label").hidden = !source.isThere;
source.toggle(source.isThere);
element("fold-label").hidden = !data.fold || !matchFrames(data.fold).includes(1);
element("colour").querySelector("[value=library]").hidden = !(data.libraries || []).length;
if (diff) element("colour").querySelector("[value=share]").hidden = true;
for (const it of functionSums().list.slice().sort((a, b) => b.total - a.total).slice(0, 200)) {
  const option = document.createElement("option");
  option.value = functionName(it.function);
  element("functions").append(option);
}
setTheme(preference.matches ? "dark" : "light");
element("facts").open = WIDE.matches;
new ResizeObserver(() => { if (isFlame() && element("tree").hidden === fitFlame()) showView("flame"); }).observe(element("main"));
addEventListener("beforeprint", () => setTheme("light"));
restore();
