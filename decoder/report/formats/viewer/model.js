"use strict";
/* The contexts, depth first: what is below node i are the nodes i + 1 to end[i] - 1. Times n, nothing here is more than linear. */
const data = JSON.parse(document.getElementById("data").textContent);
const n = data.parent.length;
const parent = Int32Array.from(data.parent);
const count = Float64Array.from(data.count); /* -1: has none */
const diff = data.diff || null; /* of two profiles, A and B: `count` is B's, `hot` is a change beyond both error bounds */
const before = diff ? Float64Array.from(data.before) : new Float64Array(n); /* A's */
const error = diff ? new Float64Array(n) : Float64Array.from(data.error);
const hot = Uint8Array.from(data.hot);
const inclusive = Float64Array.from(count, (own, i) => Math.max(own, before[i], 0));
const start = new Float64Array(n); /* the calls to the left of it */
const depth = new Int32Array(n);
const end = Int32Array.from(parent, (_, i) => i + 1);
let total = 0;
for (let i = n - 1; i >= 0; i--) {
  if (parent[i] < 0) { total += inclusive[i]; continue; }
  inclusive[parent[i]] += inclusive[i];
  end[parent[i]] = Math.max(end[parent[i]], end[i]);
}
{
  const next = new Float64Array(n);
  let root = 0;
  for (let i = 0; i < n; i++) {
    const above = parent[i];
    start[i] = next[i] = above < 0 ? root : next[above];
    if (above < 0) root += inclusive[i]; else next[above] += inclusive[i];
    depth[i] = above < 0 ? 0 : depth[above] + 1;
  }
}

const number = new Intl.NumberFormat("en").format;
const seconds = new Intl.NumberFormat("en", { minimumFractionDigits: data.decimals, maximumFractionDigits: data.decimals }).format;
const isCalls = data.metric === "Calls", isTime = data.decimals > 0; /* counts are nanoseconds */
const value = count => isTime ? seconds(count / 1e9) : number(count); /* of what is counted, as people read it */
const amount = count => value(count) + " " + (isTime ? "s" : isCalls && count === 1 ? "call" : data.unit);
const KINDS = { inlined: "inlined", external: "not instrumented", signal: "a signal handler's root", unknown: "callers are lost",
  repeat: "calls of a cycle that were folded" };
const base = file => file.slice(file.lastIndexOf("/") + 1);
const frameOf = i => data.frames[data.frame[i]]; /* [name, linkage, file, line, kind] */
const nameOf = i => frameOf(i)[0];

/* --- differences: what of both sides is below a node, its own included --------------------------------- */

const withBelow = own => {
  const sum = Float64Array.from(parent, (_, i) => Math.max(own(i), 0));
  for (let i = n - 1; i >= 0; i--) if (parent[i] >= 0) sum[parent[i]] += sum[i];
  return sum;
};
const belowA = diff && withBelow(i => before[i]), belowB = diff && withBelow(i => count[i]);
const changes = diff && withBelow(i => Math.abs(data.change[i]));
const MATCHES = ["", "moved", "only in A", "only in B"];
const signed = change => (change > 0 ? "+" : change < 0 ? "−" : "±") + value(Math.abs(change));

/* The path of a context that has moved, in A. */
function pathInA(i) {
  const names = [];
  for (let at = i; at >= 0 && names.length < 30; at = data.was[at] ? data.was[at][0] : parent[at])
    names.unshift(data.was[at] ? data.was[at][1] : nameOf(at));
  return names.join(";");
}

function describeChange(i) {
  const side = (name, own, low, high) => `${name}: ` + (own < 0 ? "not monitored" : value(own)) +
    (low === high ? ", exact" : `, the true count is from ${value(low)} to ${value(high)}`);
  const lines = [];
  if (data.bounds[i]) {
    const [lowA, highA, lowB, highB] = data.bounds[i];
    lines.push(signed(data.change[i]) + (hot[i] ? ", beyond both error bounds" : data.change[i] ? ", within the error bounds" : ""));
    lines.push(side("A", before[i], lowA, highA), side("B", count[i], lowB, highB));
  } else {
    lines.push("no counts to compare" + (KINDS[frameOf(i)[4]] ? ": " + KINDS[frameOf(i)[4]] : ""));
  }
  if (data.match[i] === 1) lines.push("moved; in A " + pathInA(i));
  else if (data.match[i]) lines.push(MATCHES[data.match[i]]);
  lines.push(`with those below: A ${value(belowA[i])}, B ${value(belowB[i])}, all changes ${value(changes[i])}`);
  return lines;
}

/* --- how a node looks, and what is said of it --------------------------------------------------------- */

function colourOf(i) {
  if (!diff) return count[i] < 0 ? "none" : hot[i] ? "hot" : "cold";
  if (!data.bounds[i]) return "none";
  return data.change[i] > 0 ? (hot[i] ? "more" : "more-weak") : data.change[i] < 0 ? (hot[i] ? "fewer" : "fewer-weak") : "same";
}

/* In front of its name. */
function markOf(i) {
  const turn = !diff || !data.change[i] ? "" : data.change[i] > 0 ? "▲" : "▼";
  return turn + (hot[i] ? "*" : "") + (turn || hot[i] ? " " : "");
}

function share(calls) {
  const percent = data.calls ? 100 * calls / data.calls : 0;
  return calls && percent < 0.005 ? "<0.01%" : percent.toFixed(2) + "%";
}

/* Where it was called, in words. */
function siteOf(i, full) {
  if (data.site[i] < 0) return "";
  const [file, line, column, ordinal] = data.sites[data.site[i]];
  if (line) return (full ? file : base(file)) + ":" + line + (column ? ":" + column : "");
  return ordinal ? "#" + ordinal : "";
}

function describe(i) {
  const [name, linkage, file, line, kind] = frameOf(i);
  const lines = [name];
  if (diff) {
    lines.push(...describeChange(i));
  } else if (count[i] >= 0) {
    const bound = error[i] ? `, at most ${value(error[i])} too high: ${value(count[i] - error[i])} to ${value(count[i])}` : ", exact";
    lines.push(`${amount(count[i])} (${share(count[i])})${bound}${hot[i] ? "; hot" : ""}`);
  } else {
    lines.push("no count of its own" + (KINDS[kind] ? ": " + KINDS[kind] : ""));
  }
  if (!diff) lines.push(`${value(inclusive[i])} with those below (${share(inclusive[i])})`);
  if (file) lines.push("defined at " + file + (line ? ":" + line : ""));
  if (siteOf(i)) lines.push((kind === "inlined" ? "inlined at " : "called at ") + siteOf(i, true));
  if (linkage && linkage !== name) lines.push("linkage name " + linkage);
  return lines.join("\n");
}

/* The context that both views mark. */
const selection = { node: -1 };

/* --- search: which frames and sites match, then which nodes ---------------------------------------- */

const found = { query: "", node: new Uint8Array(n), below: new Uint8Array(n), order: null, count: 0, calls: 0 };

function matcher(query) {
  const regexp = query.match(/^\/(.+?)\/?$/);
  if (!regexp) { const low = query.toLowerCase(); return text => text.toLowerCase().includes(low); }
  try { const it = new RegExp(regexp[1], "i"); return text => it.test(text); } catch (_) { return null; }
}

function find(query) {
  const matches = query ? matcher(query) : null;
  found.query = matches ? query : "";
  found.node.fill(0);
  found.below.fill(0);
  found.order = null;
  found.count = found.calls = 0;
  if (!matches) return !query;
  const frames = data.frames.map(([name, linkage, file, line]) => matches(name) || matches(linkage) || matches(file + ":" + line));
  const sites = data.sites.map(([file, line, column]) => matches(file + ":" + line + ":" + column));
  for (let i = 0; i < n; i++) {
    if (!frames[data.frame[i]] && !(data.site[i] >= 0 && sites[data.site[i]])) continue;
    found.node[i] = 1;
    found.count++;
    found.calls += Math.max(count[i], 0);
  }
  for (let i = n - 1; i >= 0; i--)
    if (parent[i] >= 0 && (found.node[i] || found.below[i])) found.below[parent[i]] = 1;
  return true;
}

/* The next context that was found, in one direction, around the end. The largest is the first: a sliver that nobody can see, or an
 * inlined frame without calls below it, comes last. */
function findNext(i, step) {
  if (!found.order) {
    found.order = [];
    for (let at = 0; at < n; at++) if (found.node[at]) found.order.push(at);
    found.order.sort((a, b) => inclusive[b] - inclusive[a] || a - b);
  }
  const at = found.order.indexOf(i), count = found.order.length;
  return count ? found.order[at < 0 ? (step > 0 ? 0 : count - 1) : (at + step + count) % count] : -1;
}
