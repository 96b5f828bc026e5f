/* Sums by function, and the lines of bottom-up and merged trees: what decoder/query/functions.c and callers.c do, in the page. Lines are made
 * when they are opened, so that a tree of all callers costs no more than what is looked at.
 *
 * An inclusive sum counts each context once, however often a function stands on its path: it is taken at the outermost one. */

/* A line: own, error and total (inclusive) amounts of the contexts that it stands for; those of a difference for both sides. A function has
 * all calls that are known to be its own, so it does not lack those of other functions. */
function sumUp(line, ends, outermost, isFunction) {
  line.own = line.error = line.total = line.totalError = line.contexts = line.evicted = 0;
  if (diff) line.a = line.b = line.totalA = line.totalB = 0;
  for (const i of ends) {
    line.own += diff ? Math.max(low[i], lowA[i]) : low[i];
    line.error += error[i];
    line.evicted += evicted[i];
    line.contexts += count[i] >= 0 || (diff && before[i] >= 0) ? 1 : 0;
    if (diff) { line.a += lowA[i]; line.b += low[i]; }
  }
  for (const i of outermost) {
    line.total += inclusive[i];
    line.totalError += errorBelow ? errorBelow[i] : 0;
    if (diff) { line.totalA += belowA[i]; line.totalB += belowB[i]; }
  }
  line.node = ends.length ? ends[0] : -1; /* one of them */
  /* of a function that lacks no calls, whether these changed */
  const isExact = isFunction && diff && diff.exact_functions && allEvicted === profile.allEvicted;
  line.hot = isExact ? line.a !== line.b : diff ? ends.some(i => hot[i]) : line.own + line.error > 0 && line.own + line.error >= threshold();
  line.error = missing(line.error, isFunction ? allEvicted : 0);
  line.totalError = Math.max(0, missing(line.totalError) - (isFunction ? line.evicted : 0));
  return line;
}

/* Of nodes in their order: those that are below none of the others. */
function outermostOf(nodes) {
  let outside = 0;
  return nodes.filter(i => i >= outside && (outside = end[i], true));
}

/* --- functions ------------------------------------------------------------------------------------------ */

let sums = { tree: null, list: [], of: new Map(), outer: null };

/* Per function whether it is hot, all its contexts together, or in a difference one of them. */
let heat = { tree: null, hot: null };

function hotFunctions() {
  if (heat.tree === hot) return heat.hot;
  const own = new Float64Array(frameOfFunction.length), errors = new Float64Array(frameOfFunction.length), least = threshold();
  for (let i = 0; i < n; i++) {
    const number = functionOf[frame[i]];
    if (diff) own[number] += hot[i];
    else { own[number] += low[i]; errors[number] += error[i]; }
  }
  heat = { tree: hot, hot: column(Uint8Array, own.length, at => diff ? own[at] : own[at] + errors[at] > 0 && own[at] + errors[at] >= least) };
  return heat.hot;
}

/* The functions of the tree that is shown: [{ function, nodes, callers, own, error, total, contexts, hot }]. */
function functionSums() {
  if (sums.tree === hot) return sums;
  const of = new Map(), outer = new Uint8Array(n), above = parent, frames = frame;
  /* Sets take most of the time, and only the table of functions asks for them. */
  class Sum { get callers() { return new Set(this.nodes.map(i => above[i]).filter(at => at >= 0 && data.frames[frames[at]][4] !== "other").map(at => functionOf[frames[at]])); } }
  for (let i = 0; i < n; i++) {
    const number = functionOf[frame[i]];
    let it = of.get(number);
    if (!it) of.set(number, it = Object.assign(new Sum(), { function: number, nodes: [], outermost: [], outside: 0 }));
    it.nodes.push(i);
    if (i < it.outside) continue;
    it.outside = end[i];
    it.outermost.push(i);
    outer[i] = 1;
  }
  const list = [...of.values()].map(it => sumUp(it, it.nodes, it.outermost, true));
  return sums = { tree: hot, list, of, outer };
}

/* The namespace that all functions of the program share but for those outside any, as main: "acme::shop::", or "". Libraries do not count. */
const sharedScope = (() => {
  let shared = null;
  const isOfLibrary = matchFrames(data.fold);
  data.frames.forEach((it, at) => {
    const name = shortName(it).replace(/[<({[].*$/s, ""), scope = name.slice(0, Math.max(0, name.lastIndexOf("::"))).split("::");
    if (!isFunction(it) || (isOfLibrary && isOfLibrary[at]) || !name.includes("::")) return;
    const same = shared ? shared.findIndex((part, i) => part !== scope[i]) : -1;
    shared = same < 0 ? shared || scope : shared.slice(0, same);
  });
  return shared && shared.length ? shared.join("::") + "::" : "";
})();
/* For places where room is scarce. */
const briefName = at => { const name = frameName(at); return sharedScope && name.startsWith(sharedScope) ? name.slice(sharedScope.length) : name; };

const functionName = number => frameName(frameOfFunction[number]);

/* The function that a reader means: by its name, the end of it behind `::`, or a pattern. The one with most below it. */
function findFunction(name) {
  const all = functionSums().list, frameAt = it => data.frames[frameOfFunction[it.function]];
  const best = list => list.sort((a, b) => b.total - a.total)[0];
  const named = best(all.filter(it => [shortName, fullName, linkageName, at => at[0]].some(text => text(frameAt(it)) === name || text(frameAt(it)) === `[${name}]`)));
  const ending = named || best(all.filter(it => shortName(frameAt(it)).endsWith("::" + name)));
  if (ending || !name) return ending || null;
  try {
    const matches = matchFrames(name);
    return best(all.filter(it => matches[frameOfFunction[it.function]])) || null;
  } catch (_) { return null; }
}

/* --- lines: { up, frame, sites, label, own, error, total, contexts, hot, children() or null } ------------------- */

/* Of items that belong to one function each: { function: items }. */
function byFunction(items, functionAt) {
  const groups = new Map();
  for (const it of items) {
    const number = functionAt(it);
    if (!groups.has(number)) groups.set(number, []);
    groups.get(number).push(it);
  }
  return groups;
}

/* Bottom-up. `paths` are pairs [at, from]: contexts that end in `from`, seen from the frame `at` on their path. */
function callerLine(up, number, paths) {
  const { outer } = functionSums(), ends = paths.map(([, from]) => from);
  const line = { up, frame: frameOfFunction[number], function: number, key: "f" + number, sites: up ? sitesOf(paths.map(([, , below]) => below)) : "" };
  sumUp(line, ends, ends.filter(i => outer[i]));
  line.node = paths[0][0];
  line.children = paths.some(([at]) => parent[at] >= 0) ? () => callerLines(line, paths) : null;
  return line;
}

function callerLines(line, paths) {
  const groups = byFunction(paths, ([at]) => parent[at] < 0 ? -1 : functionOf[frame[parent[at]]]), lines = [];
  for (const [number, group] of groups) {
    if (number >= 0) {
      lines.push(callerLine(line, number, group.map(([at, from]) => [parent[at], from, at])));
      continue;
    }
    const ends = group.map(([, from]) => from);
    lines.push(sumUp({ up: line, frame: -1, function: -1, key: "begin", sites: "", label: "(no caller: a path begins here)", children: null }, ends, ends.filter(i => functionSums().outer[i])));
  }
  return lines.filter(it => it.own || it.total);
}

/* The trees of callers of all functions. */
const callerRoots = () => functionSums().list.filter(it => it.own).map(it => callerLine(null, it.function, it.nodes.map(i => [i, i, i])));

const callersOf = it => callerLine(null, it.function, it.nodes.map(i => [i, i, i]));

/* Top-down: what is called by the nodes, which are of one function. */
function calleeLine(up, number, nodes) {
  const line = { up, frame: frameOfFunction[number], function: number, key: "f" + number, sites: up ? sitesOf(nodes) : "" };
  sumUp(line, nodes, outermostOf(nodes));
  line.isCallee = true; /* a path to it begins with the line above */
  line.children = nodes.some(i => end[i] > i + 1) ? () => calleeLines(line, nodes) : null;
  return line;
}

function calleeLines(line, nodes) {
  const below = [];
  for (const i of nodes) for (let at = i + 1; at < end[i]; at = end[at]) below.push(at);
  below.sort((a, b) => a - b);
  return [...byFunction(below, i => functionOf[frame[i]])].map(([number, group]) => calleeLine(line, number, group));
}

const calleesOf = it => calleeLine(null, it.function, it.nodes);

/* Where the calls are that lead to nodes. */
function sitesOf(nodes) {
  const texts = new Set(nodes.map(i => siteOf(i)));
  texts.delete("");
  return texts.size > 1 ? several(texts.size, "site") : [...texts].join("");
}

function describeLine(line) {
  if (line.frame < 0) return line.label + "\n" + describeSum(line.own, line.error);
  const it = data.frames[line.frame], name = frameName(line.frame);
  const lines = [name, diff ? `A ${value(line.a)}, B ${value(line.b)}` : `${several(line.contexts, "context")}: ${describeSum(line.own, line.error)}`,
    diff ? `with those below: A ${value(line.totalA)}, B ${value(line.totalB)}` : `${value(line.total)} with those below (${share(line.total)})`];
  if (line.sites) lines.push("called at " + line.sites);
  return lines.concat(describeFrame(it, name)).join("\n");
}
