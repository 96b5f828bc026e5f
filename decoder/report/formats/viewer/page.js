/* What both views share: the head of the page, the selected context, search, keys, colours. */
const element = id => document.getElementById(id);

function showFacts(facts, side) {
  const list = element("facts").querySelector("dl");
  for (const [key, text] of Object.entries(facts)) {
    const term = document.createElement("dt"), value = document.createElement("dd");
    term.textContent = side + key;
    value.textContent = text;
    list.append(term, value);
  }
}

function showBad(text) {
  const bad = document.createElement("span");
  bad.className = "bad";
  bad.textContent = text;
  element("summary").append(bad);
}

function showDiffHead() {
  const name = base(data.facts.program) || "Calling contexts";
  document.body.classList.add("diff");
  document.title = name + ": what changed";
  element("program").textContent = "What changed: " + data.facts.program;
  element("summary").textContent = `A ${amount(diff.calls[0])}, B ${value(diff.calls[1])}; ${diff.same_build ? "one build" : "two builds"}: ` +
    `${number(diff.both)} contexts in both, ${number(diff.moved)} moved, ${number(diff.only_a)} only in A, ${number(diff.only_b)} only in B; ` +
    `${number(diff.changed)} changed: ${number(diff.beyond)} beyond both error bounds (*), ${number(diff.changed - diff.beyond)} within. ` +
    "A box is as wide as the larger of both counts.";
  diff.lost.forEach((lost, side) => { if (lost) showBad(` ${"AB"[side]}: ${amount(lost)} dropped or misplaced: any context may have had them.`); });
  element("facts").querySelector("summary").textContent = "About these profiles";
  showFacts(diff.facts, "A ");
  showFacts(data.facts, "B ");
  for (const old of element("legend").querySelectorAll(".hot, .cold")) old.remove();
  for (const [className, text] of [["same", "same"], ["fewer-weak", "▼ within the bounds"], ["more-weak", "▲ within the bounds"], ["fewer", "▼* fewer"], ["more", "▲* more"]]) {
    const chip = document.createElement("span");
    chip.className = className;
    chip.textContent = text;
    element("legend").prepend(chip, " ");
  }
}

function showHead() {
  const name = base(data.facts.program) || "Hot calling contexts", dropped = data.lost;
  document.title = name + ": hot calling contexts";
  element("program").textContent = data.facts.program || "Hot calling contexts";
  const all = isTime ? "time" : data.unit;
  const exact = data.facts.guarantee.startsWith("exact") ? (dropped ? "exact, but for what was dropped" : "every count exact") : `counts at most ${+(100 * data.epsilon).toPrecision(4)}% of the ${all} too high (epsilon ${data.epsilon})`;
  element("summary").textContent = `${amount(data.calls)} in ${number(data.contexts)} monitored contexts, ${number(data.hot_contexts)} of them hot; ${number(n)} frames shown, with ${share(total)} of the ${all}; ` +
    `hot: at least ${+(100 * data.phi).toPrecision(4)}% of the ${all} (phi ${data.phi}); ${exact}`;
  if (dropped) showBad(` Not exact: dropped ${data.facts.dropped}; misplaced ${data.facts.misplaced}.`);
  showFacts(data.facts, "");
}

/* --- the selected context --------------------------------------------------------------------------- */

const isFlame = () => !element("flame").hidden;

function select(i) {
  selection.node = i;
  element("selected").textContent = describe(i);
  const path = [];
  for (let at = i; at >= 0 && path.length < 1000; at = parent[at]) path.push(at);
  element("path").hidden = false;
  element("path").querySelector("summary").textContent = `Path (${depth[i] + 1} frames)`;
  element("path").querySelector("ol").replaceChildren(...path.reverse().map(at => {
    const line = document.createElement("li");
    line.textContent = nameOf(at) + (siteOf(at) ? "   " + siteOf(at) : "") + (diff ? "   " + (data.change[at] ? signed(data.change[at]) : "") : count[at] >= 0 ? "   " + value(count[at]) : "");
    return line;
  }));
  if (isFlame()) flame.reveal(i); else tree.reveal(i);
}

/* --- the views -------------------------------------------------------------------------------------- */

function showView(name) {
  for (const view of ["flame", "tree"]) {
    element(view).hidden = view !== name;
    element("tab-" + view).setAttribute("aria-selected", view === name);
    element("tab-" + view).tabIndex = view === name ? 0 : -1;
  }
  element("flat-label").hidden = name !== "tree";
  element("tip").hidden = true;
  if (name === "flame") flame.show(); else tree.show();
  if (selection.node >= 0) (name === "flame" ? flame : tree).reveal(selection.node);
}

function showFlame(i) {
  showView("flame");
  flame.zoomTo(i);
  element("canvas").focus();
}

function search() {
  const query = element("search").value.trim(), valid = find(query);
  element("search").setAttribute("aria-invalid", !valid);
  element("matches").textContent = !valid ? "not a regular expression" : !query ? ""
    : diff ? `${number(found.count)} contexts` : `${number(found.count)} contexts, ${amount(found.calls)} (${share(found.calls)})`;
  if (isFlame()) flame.redraw(); else tree.rebuild();
}

function goToMatch(step) {
  const next = found.count ? findNext(selection.node, step) : -1;
  if (next >= 0) select(next);
}

function escape() {
  if (flame.zoomed() >= 0 && isFlame()) flame.zoomTo(-1);
  else if (element("search").value) { element("search").value = ""; search(); }
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  element("theme").textContent = theme === "dark" ? "Light" : "Dark";
  flame.recolour();
}

const isTyping = target => target.matches("input:not([type=checkbox]), textarea, select");

/* Whether an element has that key for itself. All others are the view's, wherever the focus is. */
function usesKey(target, key) {
  if (key === "Enter") return target.matches("button, summary, a");
  return key.startsWith("Arrow") && target.matches("[role=tab]");
}

let waiting = 0;
element("search").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 60); });
element("search").addEventListener("keydown", event => {
  if (event.key === "Enter") { clearTimeout(waiting); search(); goToMatch(event.shiftKey ? -1 : 1); }
});
element("reset").addEventListener("click", () => { flame.zoomTo(-1); element("search").value = ""; search(); });
element("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
element("flat").addEventListener("change", event => tree.setFlat(event.target.checked));
for (const view of ["flame", "tree"]) {
  element("tab-" + view).addEventListener("click", () => showView(view));
  element("tab-" + view).addEventListener("keydown", event => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = view === "flame" ? "tree" : "flame";
    showView(other);
    element("tab-" + other).focus();
  });
}
document.addEventListener("keydown", event => {
  element("tip").hidden = true;
  if (event.ctrlKey || event.altKey || event.metaKey || element("help").open) return;
  if (event.key === "Escape") { escape(); return; }
  if (isTyping(event.target)) return;
  if (event.key === "/") { event.preventDefault(); element("search").focus(); element("search").select(); }
  else if (event.key === "n" || event.key === "N") goToMatch(event.key === "n" ? 1 : -1);
  else if (event.key === "t") { showView(isFlame() ? "tree" : "flame"); element(isFlame() ? "canvas" : "grid").focus(); }
  else if (event.key === "?") element("help").showModal();
  else if (!usesKey(event.target, event.key)) (isFlame() ? flame : tree).key(event);
});

const preference = matchMedia("(prefers-color-scheme: dark)");
preference.addEventListener("change", () => setTheme(preference.matches ? "dark" : "light"));
if (diff) showDiffHead(); else showHead();
setTheme(preference.matches ? "dark" : "light");
showView("flame");
