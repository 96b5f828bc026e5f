"use strict";
/* The contexts as they are shown: a tree, depth first. What is below node i are the nodes i + 1 to end[i] - 1. `profile` is the tree
 * of the file; filter.js makes others of it, and show() replaces one by another. Times n, nothing here is more than linear. */
const whole = JSON.parse(document.getElementById("data").textContent);
/* The address says which part is shown: which phase of the program, or in a difference of heaps which value. Another one is shown by a reload. */
const phases = whole.phases || [], diffValues = whole.diff && whole.diff.values || [];
const PART = whole.diff ? "value" : "phase", partOf = hash => new URLSearchParams(hash.slice(1)).get(PART) || "", part = partOf(location.hash);
const ofPart = document.getElementById("data-" + (whole.diff ? diffValues.findIndex(it => it.name === part) : phases.findIndex(it => it[0] === part)));
const data = ofPart ? JSON.parse(ofPart.textContent) : whole;
const values = data.values || null; /* of the heap: one of them is shown, see filter.js */
const diff = data.diff || null; /* of two profiles, A and B: `count` is B's, `hot` is a change beyond both error bounds */

/* Columns: parent, frame, site; count (-1: has none), before (A's), error, hot; of a difference also change, bounds, match. `origin` is
 * a node of the file that this one stands for. The rest is worked out here. */
let n, parent, frame, site, count, low, before, error, hot, change, bounds, match, origin;
let evicted, allEvicted; /* what of a count (of a difference: of both) no context has, only its function: in nodes below [other]; and of all nodes */
let inclusive, errorBelow, start, wide, depth, end, total; /* errorBelow: of a node and of those below it; null: no context has one */
/* In the flame graph a box is `wide`, and `start` is what stands to its left: the inclusive sum, or of a difference all changes. */
let allWide, lowA, belowA, belowB, changes; /* of a difference: A's lower bound; what of both sides is below a node, its own included */

/* A column of numbers, without the iterators of Kind.from(), which take most of the time of a filter. */
function column(Kind, length, valueOf) {
  const made = new Kind(length);
  for (let i = 0; i < length; i++) made[i] = valueOf(i);
  return made;
}

const withBelow = (above, own) => {
  const sum = column(Float64Array, above.length, i => Math.max(own(i), 0));
  for (let i = sum.length - 1; i >= 0; i--) if (above[i] >= 0) sum[above[i]] += sum[i];
  return sum;
};

/* What a context adds to sums: its lower bound (decoder/claim/claim.h); of a difference that of B. A's is lowBefore.
 * The values of a heap are added as they are, as in all formats. */
const lowOf = (tree, i) => Math.max(!diff ? tree.count[i] - (values ? 0 : tree.error[i]) : tree.bounds[i] ? Math.min(tree.count[i], tree.bounds[i][2]) : tree.count[i], 0);
const lowBefore = (tree, i) => !diff ? 0 : Math.max(tree.bounds[i] ? Math.min(tree.before[i], tree.bounds[i][0]) : tree.before[i], 0);

/* The most by which a sum may be too low whose contexts have these errors together (hcct_claim_missing); `known`: calls that the sums have already. */
function missing(errors, known = 0) {
  const rest = (data.unassigned ?? Infinity) - known;
  return data.floor && !values ? rest : Math.min(errors + (values ? 0 : data.missing || 0), rest);
}

function workOut(tree) {
  const { parent } = tree, n = tree.n = parent.length;
  const low = tree.low = column(Float64Array, n, i => lowOf(tree, i));
  const inclusive = tree.inclusive = withBelow(parent, i => Math.max(low[i], lowBefore(tree, i)));
  const changes = tree.changes = diff && withBelow(parent, i => Math.abs(tree.change[i]));
  const wide = tree.wide = diff && changes.some(it => it) ? changes : inclusive;
  tree.errorBelow = !diff && tree.error.some(it => it) ? withBelow(parent, i => tree.error[i]) : null;
  const end = tree.end = column(Int32Array, n, i => i + 1), depth = tree.depth = new Int32Array(n);
  const start = tree.start = new Float64Array(n), next = new Float64Array(n);
  for (let i = n - 1; i >= 0; i--) if (parent[i] >= 0) end[parent[i]] = Math.max(end[parent[i]], end[i]);
  tree.total = tree.span = 0;
  tree.allEvicted = tree.evicted.reduce((sum, it) => sum + it, 0);
  for (let i = 0; i < n; i++) {
    const above = parent[i];
    start[i] = next[i] = above < 0 ? tree.span : next[above];
    if (above < 0) tree.span += wide[i]; else next[above] += wide[i];
    if (above < 0) tree.total += inclusive[i];
    depth[i] = above < 0 ? 0 : depth[above] + 1;
  }
  if (!diff) return tree;
  const lowA = tree.lowA = column(Float64Array, n, i => lowBefore(tree, i));
  tree.belowA = withBelow(parent, i => lowA[i]);
  tree.belowB = withBelow(parent, i => low[i]);
  return tree;
}

const none = new Float64Array(data.parent.length);
const evictedOf = new Map(data.evicted), isOtherRoot = i => i >= 0 && data.parent[i] < 0 && data.frames[data.frame[i]][4] === "other";
let profile = workOut({
  parent: Int32Array.from(data.parent), frame: Int32Array.from(data.frame), site: Int32Array.from(data.site),
  count: Float64Array.from(data.count || data["value " + data.value]), before: diff ? Float64Array.from(data.before) : none, error: diff ? none : Float64Array.from(data.error),
  hot: Uint8Array.from(data.hot || none), change: data.change, bounds: data.bounds, match: data.match, origin: data.parent.map((_, i) => i),
  evicted: diff ? column(Float64Array, data.parent.length, i => isOtherRoot(data.parent[i]) ? Math.max(data.count[i], 0) + Math.max(data.before[i], 0) : 0)
    : evictedOf.size ? column(Float64Array, data.parent.length, i => isOtherRoot(data.parent[i]) && evictedOf.get(data.frame[i]) || 0) : none,
});

function show(tree) {
  ({ n, parent, frame, site, count, low, before, error, hot, change, bounds, match, origin, evicted, inclusive, errorBelow, start, wide, depth, end, total } = tree);
  ({ lowA, belowA, belowB, changes, span: allWide, allEvicted } = tree);
}
show(profile);

/* What the reader has chosen. Everything here stands in the address, see address.js. */
const choice = { view: "flame", value: data.value || "", axis: "bytes", names: data.names || "short", colour: "heat", phi: data.phi, list: false, focus: "", ignore: "", root: "", hide: "", fold: data.fold || "",
  search: "", function: "" };

/* --- numbers, as people read them ---------------------------------------------------------------------- */

const number = new Intl.NumberFormat("en").format;
const seconds = new Intl.NumberFormat("en", { minimumFractionDigits: data.decimals, maximumFractionDigits: data.decimals }).format;
const isCalls = data.metric === "Calls", isTime = data.decimals > 0; /* counts are nanoseconds */
const value = count => isTime ? seconds(count / 1e9) : number(count); /* of what is counted */
const amount = count => value(count) + " " + (isTime ? "s" : isCalls && count === 1 ? "call" : data.unit);
const signed = change => (change > 0 ? "+" : change < 0 ? "−" : "±") + value(Math.abs(change));
const several = (count, word) => number(count) + " " + word + (count === 1 ? "" : "s");
const base = file => file.slice(file.lastIndexOf("/") + 1);

const percent = part => `${+(100 * part).toPrecision(4)}%`;

function share(calls) {
  const percent = data.calls ? Math.min(100 * calls / data.calls, 100) : 0; // sums of upper bounds may be more
  return calls && percent < 0.005 ? "<0.01%" : percent.toFixed(2) + "%";
}

/* A context is hot with at least that count. */
const threshold = () => Math.ceil(choice.phi * data.calls);

/* --- frames: [name, linkage, file, line, kind, short, full, library, stem] ------------------------------------
 *
 * short and full are "" where they are the name; library is an index, or -1; linkage names end, for people, behind `stem` letters (0: at
 * their end). */

const KINDS = { inlined: "inlined", external: "not instrumented", signal: "a signal handler's root", unknown: "callers are lost",
  repeat: "calls of a cycle that were folded", folded: "functions of a library, folded", other: "contexts that are not shown" };
const isFunction = it => it[4] === "function" || it[4] === "inlined";
const shortName = it => it[5] || it[0];
const fullName = it => it[6] || it[0];
const linkageName = it => isFunction(it) && it[1] ? (it[8] ? it[1].slice(0, it[8]) : it[1]) : it[0];
/* Shown names are told apart where two of them meet. */
const SHOWN = { short: choice.names === "short" ? it => it[0] : shortName, full: fullName, linkage: linkageName };
const frameName = at => SHOWN[choice.names](data.frames[at]);
const frameOf = i => data.frames[frame[i]];
const nameOf = i => frameName(frame[i]);

/* A function and its inlined copies are one. `functionOf` is per frame: its function; `frameOfFunction` a frame to show for it. */
const functionOf = [], frameOfFunction = [], functionNumbers = new Map();

function noteFrame(at) {
  const it = data.frames[at], file = diff && !diff.same_build ? base(it[2]) : it[2]; /* builds may stand in two folders */
  const key = isFunction(it) ? linkageName(it) + "\n" + file : "\n" + it[4] + "\n" + it[0];
  if (!functionNumbers.has(key)) {
    functionNumbers.set(key, frameOfFunction.length);
    frameOfFunction.push(at);
  }
  const number = functionOf[at] = functionNumbers.get(key);
  if (it[4] === "function") frameOfFunction[number] = at; /* rather than an inlined copy */
}
data.frames.forEach((_, at) => noteFrame(at));

/* The number of a frame that the file does not have. */
function addFrame(name, kind) {
  const at = data.frames.findIndex(it => it[0] === name && it[4] === kind);
  if (at >= 0) return at;
  data.frames.push([name, "", "", 0, kind, "", "", -1, 0]);
  noteFrame(data.frames.length - 1);
  return data.frames.length - 1;
}

/* --- what is said of a node ----------------------------------------------------------------------------- */

const MATCHES = ["", "moved", "only in A", "only in B"];

/* The path of a context that has moved, in A. */
function pathInA(i) {
  const names = [];
  for (let at = origin[i]; at >= 0 && names.length < 30; at = data.was[at] ? data.was[at][0] : data.parent[at])
    names.unshift(data.was[at] ? data.was[at][1] : frameName(data.frame[at]));
  return names.join(";");
}

function describeChange(i) {
  const side = (name, own, low, high) => `${name}: ` + (own < 0 ? "not monitored" : value(own)) +
    (diff.estimate ? ", an estimate" : low === high ? ", exact" : `, the true count is from ${value(low)} to ${value(high)}`);
  const lines = [];
  if (bounds[i]) {
    const [lowA, highA, lowB, highB] = bounds[i];
    lines.push(signed(change[i]) + (hot[i] ? ", beyond both error bounds" : change[i] && !diff.estimate && !diff.saturated ? ", within the error bounds" : ""));
    lines.push(side("A", before[i], lowA, highA), side("B", count[i], lowB, highB));
  } else {
    lines.push("no counts to compare" + (KINDS[frameOf(i)[4]] ? ": " + KINDS[frameOf(i)[4]] : ""));
  }
  if (match[i] === 1) lines.push("moved; in A " + pathInA(i));
  else if (match[i]) lines.push(MATCHES[match[i]]);
  lines.push(`with those below: A ${value(belowA[i])}, B ${value(belowB[i])}, all changes ${value(changes[i])}`);
  return lines;
}

/* What the counts claim: "exact", "upper" bounds, less their errors, "chance" (estimates), or "nothing". A difference says it of each side. */
const sure = data.sure || "upper", hasBounds = sure === "exact" || sure === "upper";

/* In front of its name. */
function markOf(i) {
  const turn = !diff || !change[i] ? "" : change[i] > 0 ? "▲" : "▼";
  return turn + (hot[i] ? "*" : "") + (turn || hot[i] ? " " : "");
}

/* An inclusive sum, with what it may lack where that is more than a tenth of it. */
const isLoose = (sum, most) => hasBounds && !data.sampled && !values && 10 * most > sum;
const sumText = (sum, most) => value(sum) + (isLoose(sum, most) ? " +" + value(most) : "");
const slack = i => data.frames[frame[i]][4] === "other" ? 0 : missing(errorBelow ? errorBelow[i] : 0); /* [other] is of the sum itself */
const inclusiveText = i => sumText(inclusive[i], slack(i));

/* A call site, in words. */
function siteText(at, full) {
  if (at < 0) return "";
  const [file, line, column, ordinal] = data.sites[at];
  if (line) return (full ? file : base(file)) + ":" + line + (column ? ":" + column : "");
  return ordinal ? "#" + ordinal : "";
}
const siteOf = (i, full) => siteText(site[i], full);

const describeSum = (own, error) => error && hasBounds && !data.sampled && !values ? `${amount(own)} (${share(own)}), at most ${value(error)} too low: ${value(own)} to ${value(own + error)}` : describeCount(own, error);
const describeCount = (own, error) =>
  `${amount(own)} (${share(own)})` + (data.sampled || sure === "chance" ? ", an estimate" : !hasBounds ? ", not exact" : error ? `, at most ${value(error)} too high: ${value(own - error)} to ${value(own)}` : data.rest ? `, or up to ${value(data.rest)} more` : ", exact");

/* How profiles that were added up, or threads, differ in a node: { min, mean, max (texts), low, high, ratio, minIn, maxIn, lack, of }. Filters may have
 * made one of several, of which this is not known: null. */
const range = (low, high) => low === high ? value(low) : value(low) + " to " + value(high);
function spreadOf(i) {
  const counts = data.count || (choice.value === data.value && data["value " + data.value]); /* of the heap, it is of the first value */
  const it = !diff && data.spread && counts && count[i] >= 0 && count[i] === counts[origin[i]] && data.spread[origin[i]];
  if (!it) return null;
  const [minLow, minHigh, maxLow, maxHigh, present, lack, minIn, maxIn] = it, of = present + lack, mean = count[i] / of;
  return { min: range(minLow, minHigh), mean: value(Math.round(mean)), max: range(maxLow, maxHigh), low: minHigh, high: maxHigh, ratio: mean ? maxHigh / mean : 1,
    minIn, maxIn: minLow === maxHigh ? "" : maxIn, lack, of };
}
const describeSpread = it => `in one of ${it.of} ${data.spread_of}: at least ${it.min}` + (it.maxIn && it.minIn ? ` (${it.minIn})` : "") +
  `, mean ${it.mean}, at most ${it.max}` + (it.maxIn ? ` (${it.maxIn})` : "") + (it.lack ? `; ${it.lack} lack it` : "");

/* What a frame is, in lines. */
function describeFrame(it, shown) {
  const lines = [], [, linkage, file, line] = it;
  if (file) lines.push("defined at " + file + (line ? ":" + line : ""));
  if (fullName(it) !== shown) lines.push("full name " + fullName(it));
  if (linkage && linkage !== shown && linkage !== fullName(it)) lines.push("linkage name " + linkage);
  if (it[7] >= 0 && data.libraries) lines.push("in " + data.libraries[it[7]]);
  return lines;
}

function describe(i) {
  const it = frameOf(i), kind = it[4], lines = [nameOf(i)];
  if (diff) lines.push(...describeChange(i));
  else if (count[i] >= 0) lines.push(describeCount(count[i], error[i]) + (hot[i] ? "; hot" : "") + (kind === "folded" || kind === "other" ? "; " + KINDS[kind] : ""));
  else lines.push("no count of its own" + (KINDS[kind] ? ": " + KINDS[kind] : ""));
  if (!diff) lines.push(`${inclusiveText(i)} with those below (${share(inclusive[i])})`);
  const spread = spreadOf(i);
  if (spread) lines.push(describeSpread(spread));
  if (siteOf(i)) lines.push((kind === "inlined" ? "inlined at " : "called at ") + siteOf(i, true));
  lines.push(...describeFrame(it, lines[0]));
  return lines.join("\n");
}
