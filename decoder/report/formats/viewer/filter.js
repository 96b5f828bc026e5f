/* Patterns, search and filters: what decoder/query does, in the page. A pattern is a POSIX extended regular expression. It is searched for in
 * the short name of a function; with a `<`, a `\(` or a blank in it, also in the full name; with `_Z` in it, also in the linkage name. */

/* --- patterns ------------------------------------------------------------------------------------------- */

/* A bracket expression: there a backslash is a letter, and classes have names. */
function translateBracket(pattern, at) {
  const CLASSES = { alpha: "A-Za-z", digit: "0-9", alnum: "A-Za-z0-9", upper: "A-Z", lower: "a-z", space: "\\s", blank: " \\t", punct: "!-\\/:-@\\[-`{-~",
    print: " -~", graph: "!-~", cntrl: "\\x00-\\x1f\\x7f", xdigit: "A-Fa-f0-9" };
  let out = "[";
  if (pattern[at] === "^") { out += "^"; at++; }
  for (const first = at; at < pattern.length; at++) {
    const named = /^\[:(\w+):\]/.exec(pattern.slice(at));
    if (named) {
      if (!CLASSES[named[1]]) throw new SyntaxError("no such class");
      out += CLASSES[named[1]];
      at += named[0].length - 1;
    } else if (pattern[at] === "]" && at > first) {
      return [out + "]", at];
    } else {
      out += /[\\\]\[^]/.test(pattern[at]) ? "\\" + pattern[at] : pattern[at];
    }
  }
  throw new SyntaxError("unmatched [");
}

/* The same as JavaScript writes it. Throws SyntaxError. */
function translate(pattern) {
  const GNU = { "<": "\\b(?=\\w)", ">": "\\b(?<=\\w)", "`": "^", "'": "$" };
  let out = "";
  for (let at = 0; at < pattern.length; at++) {
    const c = pattern[at];
    if (c === "[") {
      const [text, to] = translateBracket(pattern, at + 1);
      out += text;
      at = to;
    } else if (c === "\\") {
      const next = pattern[++at];
      if (next === undefined) throw new SyntaxError("trailing backslash");
      out += GNU[next] || (/[wWsSbB1-9]/.test(next) ? "\\" + next : next.replace(/\W/, "\\$&"));
    } else if (c === "?" && (at === 0 || "(|".includes(pattern[at - 1]))) {
      throw new SyntaxError("nothing to repeat");
    } else {
      out += c;
    }
  }
  return new RegExp(out);
}

/* Per frame of the file whether the pattern matches; null where there is none. [other] and [xN] come behind all filters. */
function matchFrames(pattern) {
  if (!pattern) return null;
  const regexp = translate(pattern), full = /[< ]|\\\(/.test(pattern), linkage = pattern.includes("_Z");
  return Uint8Array.from(data.frames, it => it[4] !== "other" && it[4] !== "repeat" &&
    (regexp.test(shortName(it)) || (full && regexp.test(fullName(it))) || (linkage && regexp.test(linkageName(it)))));
}

/* --- filters: ignore, focus, root, hide, fold, in this order ------------------------------------------------- */

const FILTERS = ["focus", "ignore", "root", "hide", "fold"];
const IGNORED = 1, IN_FOCUS = 2, BELOW_ROOT = 4, IN_FOLD = 8;

/* A tree that is being made, with room for as many nodes as the profile has, and [other]. A child of a parent is found by its frame and site in a
 * hash table, as keys are pressed while this runs. */
class Growing {
  constructor() {
    const room = profile.n + 1, numbers = Kind => new Kind(room);
    this.size = 0;
    this.parent = numbers(Int32Array);
    this.frame = numbers(Int32Array);
    this.site = numbers(Int32Array);
    this.origin = numbers(Int32Array);
    this.count = numbers(Float64Array).fill(-1);
    this.before = numbers(Float64Array).fill(diff ? -1 : 0);
    this.error = numbers(Float64Array);
    this.evicted = numbers(Float64Array);
    this.change = diff ? new Array(room).fill(0) : null;
    this.bounds = diff ? new Array(room).fill(0) : null;
    this.match = diff ? new Array(room).fill(0) : null;
    this.bits = 32 - Math.clz32(2 * room);
    this.slots = new Int32Array(1 << this.bits).fill(-1);
  }

  /* `i`: a node of the profile that this one stands for. */
  child(above, frame, site, i) {
    const last = this.slots.length - 1;
    let slot = (Math.imul(Math.imul(Math.imul(above + 1, 0x9e3779b1) + frame, 0x85ebca6b) + site, 0xc2b2ae35) >>> (32 - this.bits));
    for (; this.slots[slot] >= 0; slot = slot === last ? 0 : slot + 1) {
      const at = this.slots[slot];
      if (this.parent[at] === above && this.frame[at] === frame && this.site[at] === site) return at;
    }
    const at = this.slots[slot] = this.size++;
    this.parent[at] = above;
    this.frame[at] = frame;
    this.site[at] = site;
    this.origin[at] = i < 0 ? -1 : profile.origin[i];
    if (diff) this.match[at] = profile.match[i];
    return at;
  }

  add(at, i) {
    const sum = (own, more) => more < 0 ? own : Math.max(own, 0) + more;
    const left = this.choosesContexts ? profile.evicted[i] : 0; /* nobody knows which of these calls the filters would choose */
    if (left && (diff || left === profile.count[i])) return;
    this.count[at] = sum(this.count[at], profile.count[i] - left);
    this.evicted[at] += profile.evicted[i] - left;
    this.error[at] += profile.error[i];
    if (!diff) return;
    this.before[at] = sum(this.before[at], profile.before[i]);
    this.change[at] += profile.change[i];
    if (profile.bounds[i]) this.bounds[at] = this.bounds[at] ? this.bounds[at].map((bound, which) => bound + profile.bounds[i][which]) : profile.bounds[i];
  }
}

function foldFrame(at, cache) {
  if (!cache.has(at)) cache.set(at, addFrame("[" + shortName(data.frames[at]).replace(/::.*/s, "") + "]", "folded"));
  return cache.get(at);
}

/* The node of `to` for each context, as hcct_filter_apply finds it. `startsAtOwn`: a path begins with the first function that is not folded;
 * what is folded above it, as of std::thread, stands beside it. */
function filterNodes(patterns, startsAtOwn) {
  const { n, parent, frame, site } = profile, map = new Int32Array(n), path = new Uint8Array(n), to = new Growing(), folded = new Map();
  const matches = (which, at) => patterns[which] && patterns[which][at];
  to.choosesContexts = FILTERS.some(which => which !== "fold" && patterns[which]);
  const isFoldedRoot = at => at >= 0 && to.parent[at] < 0 && data.frames[to.frame[at]][4] === "folded";
  for (let i = 0; i < n; i++) {
    const isRoot = parent[i] < 0, from = isRoot ? 0 : path[parent[i]], own = frame[i];
    let flags = from & ~IN_FOLD, above = isRoot ? -1 : map[parent[i]], behindFold = from & IN_FOLD;
    if (matches("ignore", own)) flags |= IGNORED;
    if (matches("focus", own)) flags |= IN_FOCUS;
    if (matches("root", own) && !(flags & BELOW_ROOT)) {
      flags |= BELOW_ROOT;
      above = -1;
      behindFold = 0;
    }
    path[i] = flags;
    map[i] = -1;
    if (flags & IGNORED || (patterns.root && !(flags & BELOW_ROOT))) continue;
    let inFold = behindFold;
    if (matches("hide", own)) {
      map[i] = above;
    } else {
      inFold = matches("fold", own) ? IN_FOLD : 0;
      if (startsAtOwn && !inFold && isFoldedRoot(above)) above = -1;
      map[i] = inFold && behindFold ? above
        : to.child(above, inFold ? foldFrame(own, folded) : own, above < 0 || behindFold ? -1 : site[i], i);
    }
    path[i] |= inFold;
    if (map[i] >= 0 && (!patterns.focus || flags & IN_FOCUS)) to.add(map[i], i);
  }
  return to;
}

/* What the filters left out stands as a root [other], so that every view adds up. */
function addOther(to) {
  if (diff) return;
  let rest = profile.total;
  for (let i = 0; i < to.size; i++) rest -= lowOf(to, i);
  if (rest <= 0) return;
  const root = profile.frame.findIndex((at, i) => profile.parent[i] < 0 && data.frames[at][4] === "other");
  const at = to.child(-1, addFrame("[other]", "other"), -1, root);
  to.count[at] = Math.max(to.count[at], 0) + rest;
}

/* Depth first, the largest sibling in front, [other] behind; without nodes that have nothing counted below them. */
function inOrder(to) {
  const { size, parent, count, before } = to, counted = new Uint8Array(size), inclusive = new Float64Array(size); /* of a difference: changes */
  const first = new Int32Array(size + 1).fill(-1), next = new Int32Array(size); /* of each node's children; `size` is above the roots */
  for (let i = size - 1; i >= 0; i--) {
    if (count[i] >= 0 || (diff && (before[i] >= 0 || to.bounds[i] !== 0))) counted[i] = 1;
    if (!counted[i]) continue;
    inclusive[i] += diff ? Math.abs(to.change[i]) : Math.max(lowOf(to, i), 0);
    const above = parent[i] < 0 ? size : parent[i];
    if (above < size) {
      counted[above] = 1;
      inclusive[above] += inclusive[i];
    }
    next[i] = first[above];
    first[above] = i;
  }
  const rank = column(Float64Array, size, i => data.frames[to.frame[i]][4] === "other" ? -1 : inclusive[i]);
  const lastFirst = (a, b) => rank[a] - rank[b] || b - a; /* a stack turns the order */
  const order = [], place = new Int32Array(size), stack = [];
  for (let i = size; i !== undefined; i = stack.pop()) {
    if (i < size) place[i] = order.push(i) - 1;
    if (first[i] < 0) continue;
    if (next[first[i]] < 0) { stack.push(first[i]); continue; }
    const siblings = [];
    for (let child = first[i]; child >= 0; child = next[child]) siblings.push(child);
    for (const child of siblings.sort(lastFirst)) stack.push(child);
  }
  const pick = (Kind, from) => column(Kind, order.length, i => from[order[i]]);
  const tree = { parent: column(Int32Array, order.length, i => parent[order[i]] < 0 ? -1 : place[parent[order[i]]]) };
  for (const key of ["frame", "site", "origin"]) tree[key] = pick(Int32Array, to[key]);
  for (const key of ["count", "before", "error", "evicted"]) tree[key] = pick(Float64Array, to[key]);
  for (const key of ["change", "bounds", "match"]) tree[key] = diff && pick(Array, to[key]);
  return workOut(tree);
}

/* Hot is what counts at least phi of all; in a difference, what changed beyond both bounds. */
function markHot(tree, least = threshold()) {
  const isOther = i => data.frames[tree.frame[i]][4] === "other"; /* nor are the functions below it contexts */
  tree.hot = column(Uint8Array, tree.parent.length, i => diff
    ? tree.bounds[i] !== 0 && (tree.bounds[i][2] > tree.bounds[i][1] || tree.bounds[i][0] > tree.bounds[i][3])
    : tree.count[i] >= 0 && tree.count[i] >= least && !isOther(i) && !(tree.parent[i] >= 0 && isOther(tree.parent[i])));
  return tree;
}

/* --- the values of a heap ---------------------------------------------------------------------------------- */

const wholeFile = profile; /* all contexts of the file */
let shownValue = null;

/* Makes `profile` what the file has of the value that is chosen. Hot is what has phi of it. */
function showValue() {
  if (!values || shownValue === choice.value) return;
  const it = values.find(it => it.name === choice.value), own = data["value " + it.name];
  Object.assign(data, { unit: it.unit, calls: it.total, rest: it.rest });
  profile = markHot(inOrder({ ...wholeFile, size: wholeFile.n, count: column(Float64Array, wholeFile.n, i => own[i] || -1),
    error: it.name === "allocated" ? Float64Array.from(data.error) : none }), Math.max(1, Math.ceil(data.phi * it.total)));
  shownValue = it.name;
}

let last = { key: null, tree: null };

/* The tree that these filters leave, or are the reader's. Throws SyntaxError about a bad pattern, with the filter's name as `filter`. */
function filtered(filters = choice) {
  const key = JSON.stringify([...FILTERS.map(which => filters[which]), choice.value, choice.phi]);
  if (last.key !== key) last = { tree: applyFilters(filters), key };
  return last.tree;
}

function applyFilters(filters) {
  const patterns = {};
  showValue();
  for (const which of FILTERS) {
    try {
      patterns[which] = matchFrames(filters[which]);
    } catch (failure) {
      throw Object.assign(failure, { filter: which });
    }
    if (patterns[which] && !patterns[which].includes(1) && which !== "focus" && which !== "root") patterns[which] = null;
  }
  const same = FILTERS.every(which => !patterns[which]);
  if (same && choice.phi === data.phi) return profile;
  if (same) return markHot({ ...profile });
  /* So the page folds by itself. With --fold, or below a root that was asked for, [std] stays where hcct-decode has it. */
  const to = filterNodes(patterns, data.folds_libraries && filters.fold === data.fold && !patterns.root);
  addOther(to);
  return markHot(inOrder(to));
}

/* --- search: which frames and sites match, then which nodes ------------------------------------------------ */

/* calls: of the contexts that end in what was found; through: of those that go through it, each once. */
const found = { query: "", node: new Uint8Array(n), below: new Uint8Array(n), order: null, count: 0, calls: 0, through: 0 };

/* Of a text: part of a name, of a place if it looks like one. Of /a pattern/: as in the filters. null: it is none. */
function searcher(query) {
  const pattern = query.match(/^\/(.+?)\/?$/);
  if (pattern && !/^\/.*\.\w+(:\d*)?$/.test(query)) {
    try {
      const frames = matchFrames(pattern[1]);
      return { frames, sites: null };
    } catch (_) { return null; }
  }
  const low = query.toLowerCase(), has = text => text.toLowerCase().includes(low);
  const full = /[< (]/.test(query), linkage = query.includes("_Z"), place = /[./]|:\d/.test(query);
  return {
    frames: Uint8Array.from(data.frames, (it, at) => has(it[0]) || has(frameName(at)) || (full && has(fullName(it))) ||
      (linkage && has(it[1])) || (place && has(it[2] + ":" + it[3]))),
    sites: place ? Uint8Array.from(data.sites, ([file, line, column]) => has(file + ":" + line + ":" + column)) : null,
  };
}

function find(query) {
  const matches = query ? searcher(query) : null;
  Object.assign(found, { query: matches ? query : "", node: new Uint8Array(n), below: new Uint8Array(n), order: null, count: 0, calls: 0, through: 0 });
  if (!matches) return !query;
  for (let i = 0, outside = 0; i < n; i++) {
    if (!matches.frames[frame[i]] && !(matches.sites && site[i] >= 0 && matches.sites[site[i]])) continue;
    found.node[i] = 1;
    found.count++;
    found.calls += low[i];
    if (i < outside) continue;
    found.through += inclusive[i];
    outside = end[i];
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
