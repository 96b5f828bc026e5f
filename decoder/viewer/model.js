"use strict";
/* The contexts, depth first: what is below node i are the nodes i + 1 to end[i] - 1. Times n, nothing here is more than linear. */
const data = JSON.parse(document.getElementById("data").textContent);
const n = data.parent.length;
const parent = Int32Array.from(data.parent);
const count = Float64Array.from(data.count); /* -1: has none */
const error = Float64Array.from(data.error);
const hot = Uint8Array.from(data.hot);
const inclusive = Float64Array.from(count, own => Math.max(own, 0));
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
const KINDS = { inlined: "inlined", external: "not instrumented", signal: "a signal handler's root", unknown: "callers are lost",
  repeat: "calls of a cycle that were folded" };
const base = file => file.slice(file.lastIndexOf("/") + 1);
const frameOf = i => data.frames[data.frame[i]]; /* [name, linkage, file, line, kind] */
const nameOf = i => frameOf(i)[0];
const colourOf = i => count[i] < 0 ? "none" : hot[i] ? "hot" : "cold";

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
  if (count[i] >= 0) {
    const bound = error[i] ? `, at most ${number(error[i])} too high: ${number(count[i] - error[i])} to ${number(count[i])}` : ", exact";
    lines.push(`${number(count[i])} call${count[i] === 1 ? "" : "s"} (${share(count[i])})${bound}${hot[i] ? "; hot" : ""}`);
  } else {
    lines.push("no count of its own" + (KINDS[kind] ? ": " + KINDS[kind] : ""));
  }
  lines.push(`${number(inclusive[i])} with those below (${share(inclusive[i])})`);
  if (file) lines.push("defined at " + file + (line ? ":" + line : ""));
  if (siteOf(i)) lines.push((kind === "inlined" ? "inlined at " : "called at ") + siteOf(i, true));
  if (linkage && linkage !== name) lines.push("linkage name " + linkage);
  return lines.join("\n");
}

/* The context that both views mark. */
const selection = { node: -1 };

/* --- search: which frames and sites match, then which nodes ---------------------------------------- */

const found = { query: "", node: new Uint8Array(n), below: new Uint8Array(n), count: 0, calls: 0 };

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

/* The next context that was found, from node i on, in one direction, around the end. */
function findNext(i, step) {
  for (let tries = 0, at = i; tries < n; tries++) {
    at = (at + step + n) % n;
    if (found.node[at]) return at;
  }
  return -1;
}
