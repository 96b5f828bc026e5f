/* What one wants to know first: four numbers, the functions and the chains of calls with most, and the facts behind them. The verdict is of
 * the whole profile, whatever is filtered below it: of its functions as in --view=flat, and of its chains as the page has them at first. */

/* --- facts ----------------------------------------------------------------------------------------------------- */

function addFact(key, text) {
  const term = document.createElement("dt"), value = document.createElement("dd");
  term.textContent = key;
  value.append(text);
  element("facts").querySelector("dl").append(term, value);
}

/* But for those that the numbers above tell. */
const TOLD = diff ? ["metric", "calls", "total"] : ["metric", "calls", "total", "contexts", "phi"];
const showFacts = (facts, side) => Object.entries(facts).forEach(([key, text]) => TOLD.includes(key) || addFact(side + key, text));

/* --- the numbers ------------------------------------------------------------------------------------------------- */

/* [number, what it is of] */
function showNumbers(tiles, ...behind) {
  element("summary").replaceChildren(...tiles.map(([text, label]) => {
    const tile = document.createElement("div"), it = document.createElement("b"), of = document.createElement("span");
    it.textContent = text;
    of.textContent = label;
    tile.append(it, " ", of);
    return tile;
  }), ...behind.filter(it => it));
}

function paragraph(text, className) {
  const it = document.createElement("p");
  it.className = className;
  it.textContent = text;
  return it;
}

const lostText = () => data.lost && paragraph(`Not exact: dropped ${data.facts.dropped}; misplaced ${data.facts.misplaced}.`, "bad");

function showTitle(title, program) {
  const name = base(program) || title;
  document.title = name === title ? title : `${name}: ${title.toLowerCase()}`;
  element("program").textContent = name;
  element("program").title = program;
  element("command").textContent = name === title ? "" : title + (data.command && !diff ? ": " + data.command : "");
}

const upper = text => text.slice(0, 1).toUpperCase() + text.slice(1);
const allOf = () => isTime ? "time" : data.unit;
const moment = seconds => new Date(1000 * seconds).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });

function whenTile([runs, first, last] = [1, 0, 0]) {
  const [day, time] = moment(first).split(", ");
  return first ? [day, (runs > 1 ? several(runs, "run") + " from " : "at ") + time + (last ? ` to ${moment(last)}` : "")] : ["not known", "when"];
}

/* How sure the counts are. `rest`: what any context may have beside its count. */
function sureTile(hasErrors, rest) {
  if (sure === "nothing") return ["no bounds", data.facts.guarantee];
  if (data.sampled) return ["estimates", "by samples" + (data.period ? `: one in ${number(data.period)} bytes that are allocated` : "")];
  if (sure === "chance") return ["estimates", data.facts.guarantee];
  if (hasErrors) return ["≤ " + percent(data.epsilon), `of the ${allOf()} a count may be too high` + (data.since ? `, exact for the first ${amount(data.since)}` : "")];
  if (rest) return ["+" + number(rest), "any context may have more, from a time when it was not kept"];
  return data.lost ? ["exact", "but for what was dropped"] : ["±0", "every count exact"];
}

/* Of a heap, of the value that is shown. */
function showValueNumbers() {
  const it = values.find(it => it.name === choice.value), other = data.frames.findIndex(it => it[4] === "other");
  let contexts = 0, hotOnes = 0;
  for (let i = 0; i < n; i++) {
    contexts += count[i] >= 0 && frame[i] !== other;
    hotOnes += hot[i];
  }
  element("value").value = it.name;
  showNumbers([[number(it.total), it.title], [number(contexts), `${contexts === 1 ? "context" : "contexts"} shown, ${number(hotOnes)} hot`],
    sureTile(error.some(it => it > 0), it.rest), whenTile(data.runs)], lostText());
}

function showProfileNumbers() {
  const [text] = amount(data.calls).split(" ", 1);
  showNumbers([isTime ? [amount(data.calls), data.metric] : [text, amount(data.calls).slice(text.length + 1)],
    [number(data.contexts), `${data.contexts === 1 ? "context" : "contexts"}, ${number(data.hot_contexts)} hot`], sureTile(sure === "upper", 0), whenTile(data.runs)], lostText());
}

function showDiffNumbers() {
  const it = diffValues.find(it => it.name === data.value), [a, b] = diff.calls;
  const how = diff.saturated ? ["none", `is marked: ${diff.saturated}`] : diff.estimate ? ["estimates", "chance may have made any change, none is marked"]
    : [number(diff.beyond), `for certain, ${number(diff.changed - diff.beyond)} within the bounds`];
  const text = (it ? upper(it.title) + ": " : "") + `A ${amount(a)}, B ${value(b)}; ${diff.same_build ? "the same functions and call sites" : "two builds"}: ` +
    `${number(diff.both)} contexts in both, ${number(diff.moved)} moved, ${number(diff.only_a)} only in A, ${number(diff.only_b)} only in B; ` +
    `${number(diff.changed)} changed: ${number(diff.beyond)} beyond both error bounds (*)`;
  const [whenA, whenB] = [diff, data].map(it => it.runs && it.runs[1] ? moment(it.runs[1]) : "not known");
  const growth = a && a !== b ? `${b < a ? "−" : "+"}${(100 * Math.abs(b - a) / a).toFixed(2)}%` : signed(b - a);
  showNumbers([[growth, `${allOf()}: ${value(a)} → ${value(b)}`], [number(diff.changed), `contexts changed of ${number(diff.both + diff.moved + diff.only_a + diff.only_b)}`],
    how, [whenB.split(", ")[0], `B at ${whenB.split(", ")[1] || ""}; A ${whenA}`]], paragraph(text, "weak"), diff.threads && paragraph(diff.threads, "bad"),
  ...diff.lost.map((lost, side) => lost && paragraph(`${"AB"[side]}: ${amount(lost)} dropped or misplaced: any context may have had them.`, "bad")));
}

function showHead() {
  if (diff) {
    document.body.classList.add("diff");
    showTitle("What changed", data.facts.program);
    element("facts").querySelector("summary").textContent = "About these profiles";
    showFacts(diff.facts, "A ");
    showFacts(data.facts, "B ");
    return;
  }
  showTitle(values ? "Heap by calling context" : "Hot calling contexts", data.facts.program);
  const phi = document.createElement("input"), least = document.createElement("span"), hotness = document.createElement("label");
  Object.assign(phi, { id: "phi", type: "number", min: 0, max: 1, step: "any" });
  least.id = "least";
  hotness.append("phi ", phi, " ", least);
  addFact("hot is", hotness);
  if (sure !== "exact" && hasBounds) addFact("error", `a count is at most ${percent(data.epsilon)} of the ${allOf()} too high (epsilon ${data.epsilon}); most errors are smaller, and stand beside the count`);
  if (!values) addFact("shown", `${several(profile.n, "frame")}, with ${share(profile.total)} of the ${allOf()}`);
  showFacts(data.facts, "");
  phi.addEventListener("change", () => { choice.phi = phi.value === "" ? data.phi : Math.min(1, Math.max(0, +phi.value)); update(); });
}

/* --- the verdict ----------------------------------------------------------------------------------------------- */

const FUNCTIONS = 5, CHAINS = 3;

/* The indices of the largest ones, the first of equal ones in front. */
function largest(count, length, sizeOf) {
  const best = [];
  for (let i = 0; i < length; i++) {
    const size = sizeOf(i);
    if (!(size > 0) || (best.length === count && size <= best[count - 1][0])) continue;
    const at = best.findIndex(it => it[0] < size);
    best.splice(at < 0 ? best.length : at, 0, [size, i]);
    best.length = Math.min(best.length, count);
  }
  return best.map(([, i]) => i);
}

const chainText = i => pathOf(i).slice(-30).map(at => briefName(frame[at])).join(" › ");

function functionRows(list) {
  const size = it => diff ? Math.abs(lineChange(it)) : it.own, top = list.length ? size(list[0]) : 1;
  return list.map(it => ({
    name: functionName(it.function) + (it.called == null ? "" : " › " + functionName(it.called)), title: describeLine({ ...it, frame: frameOfFunction[it.function], sites: "" }), part: size(it) / top,
    text: diff ? "" : (isTime ? amount(it.own) : value(it.own)) + (it.error && hasBounds && !data.sampled && !values ? " +" + value(it.error) : ""),
    share: diff ? signed(lineChange(it)) : share(it.own), style: diff ? changeStyle(lineChange(it)) : colours.styleOfLine({ ...it, frame: frameOfFunction[it.function] }), act: () => chooseFunction(it.function),
  }));
}

function chainRows(nodes) {
  const size = i => diff ? Math.abs(change[i]) : low[i], top = nodes.length ? size(nodes[0]) : 1;
  return nodes.map(i => {
    const of = origin[i];
    return { name: chainText(i), isPath: true, title: pathOf(i).slice(-40).map(nameOf).join("\n") + "\n\n" + describe(i), part: size(i) / top,
      share: diff ? signed(change[i]) : share(low[i]), style: diff ? changeStyle(change[i]) : colours.styleOf(i), act: () => chooseContext(of) };
  });
}

const estimateText = () => sure === "chance" || data.sampled ? ", an estimate" : "";
const sumOf = (list, own) => list.reduce((sum, it) => sum + own(it), 0);

/* Where that tells more, what is counted in a library belongs to the function that called it: [{ function, called, nodes, own, … }]. */
function functionLines() {
  if (!data.by_caller) return functionSums().list;
  const of = new Map();
  for (let i = 0; i < n; i++) {
    if (frameOf(i)[4] === "other") continue;
    let at = i, called = null;
    for (; !isFunction(frameOf(at)) && parent[at] >= 0; at = parent[at]) called = functionOf[frame[at]];
    const key = functionOf[frame[at]] + "," + called;
    if (!of.has(key)) of.set(key, { function: functionOf[frame[at]], called, nodes: [] });
    of.get(key).nodes.push(i);
  }
  return [...of.values()].map(it => sumUp(it, it.nodes, outermostOf(it.nodes)));
}

function drawFunctions() {
  const list = functionLines().filter(it => data.frames[frameOfFunction[it.function]][4] !== "other");
  list.sort((a, b) => b.total - a.total || byText(functionName(a.function), functionName(b.function)));
  const functions = largest(FUNCTIONS, list.length, at => diff ? Math.abs(lineChange(list[at])) : list[at].own).map(at => list[at]);
  const up = diff && list.filter(it => lineChange(it) > 0).length, down = diff && list.filter(it => lineChange(it) < 0).length;
  element("top-functions-title").textContent = diff ? "Largest changes" : `Most own ${allOf()}`;
  showRows("top-functions", functionRows(functions));
  element("top-functions-sum").textContent = diff ? `${several(up, "function")} with more, ${number(down)} with fewer`
    : functions.length ? `together ${share(sumOf(functions, it => it.own))} of the ${allOf()}${estimateText()}` : `no ${allOf()}`;
}

function drawChains() {
  const isOther = new Uint8Array(n);
  for (let i = 0; i < n; i++) isOther[i] = frameOf(i)[4] === "other" || (parent[i] >= 0 && isOther[parent[i]]);
  const isWhole = !isOther.includes(1); /* else a cold caller of what is hot may have less than a context that is not in the page */
  const chains = largest(CHAINS, n, i => isOther[i] || !(isWhole || diff || hot[i]) ? 0 : diff ? Math.abs(change[i]) : low[i]);
  element("top-chains-title").textContent = diff ? "Chains that changed most" : "Hottest chains";
  showRows("top-chains", chainRows(chains));
  const up = diff && change.filter(it => it > 0).length, down = diff && change.filter(it => it < 0).length;
  element("top-chains-sum").textContent = diff ? `${several(up, "context")} with more, ${number(down)} with fewer`
    : chains.length ? `together ${share(sumOf(chains, i => low[i]))} of the ${allOf()}${estimateText()}` : `no context has ${percent(choice.phi)} of the ${allOf()}`;
}

let verdictOf = null;

/* The numbers and the verdict, unless they are there. */
function showVerdict() {
  const wanted = [choice.value, choice.names, choice.colour, choice.phi].join();
  if (verdictOf === wanted) return;
  verdictOf = wanted;
  show(profile);
  (diff ? showDiffNumbers : values ? showValueNumbers : showProfileNumbers)();
  drawFunctions();
  show(filtered({ ...choice, focus: "", ignore: "", root: "", hide: "", fold: FIRST_CHOICE.fold }));
  drawChains();
}
