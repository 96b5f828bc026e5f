/* What the reader looks at stands in the address behind "#", so that a reload and a link that was sent show the same:
 *
 *     view value axis names colour phi list focus ignore root hide fold search function    as in `choice`, unless they are as at first
 *     sort     the column of the view's table, "-" in front: turned
 *     path     the selected context: names from its root, by `;`, one of several siblings of a name with "#2" behind, or "@" and a number; in the
 *              other views the names of the lines
 *     part     of peek: callers, where the path is one of callers
 *     zoom     the path of the context that the flame graph has zoomed to
 *     phase    the phase of the program, by name; none: the whole run
 *     value    in a difference the value that is shown, by name; none: the one that the page was made with
 *     metric   of the profile: a link to a page of another one is told from one that fits */
const FIRST_CHOICE = { ...choice };

/* --- paths ------------------------------------------------------------------------------------------------ */

const escapeName = name => name.replace(/[\\;]/g, "\\$&");
const splitPath = text => text.match(/(?:[^\\;]|\\.)+/gs) || [];

/* The nodes below one (-1: the roots), each with its name in a path. */
function* named(above) {
  const seen = new Map();
  for (let i = above < 0 ? 0 : above + 1, to = above < 0 ? n : end[above]; i < to; i = end[i]) {
    const name = escapeName(frameOf(i)[0]), times = (seen.get(name) || 0) + 1;
    seen.set(name, times);
    yield [i, times > 1 ? `${name}#${times}` : name];
  }
}

/* A path that is too long for an address is the number of its node in the file: "@17". */
function pathText(i) {
  const path = [];
  for (let at = i; at >= 0 && depth[i] < 500; at = parent[at]) for (const [child, name] of named(parent[at])) if (child === at) { path.push(name); break; }
  const text = path.reverse().join(";");
  return text && text.length < 8000 ? text : "@" + origin[i];
}

/* The node of a path, or of as much of it as there is; -1: nothing of it. */
function nodeAt(text) {
  let at = -1;
  if (text.startsWith("@")) return origin.indexOf(+text.slice(1));
  for (const wanted of splitPath(text)) {
    let next = -1;
    for (const [child, name] of named(at)) if (name === wanted) { next = child; break; }
    if (next < 0) break;
    at = next;
  }
  return at;
}

/* Lines have their functions' names. */
const lineKey = line => line.frame < 0 ? line.key : escapeName(data.frames[line.frame][0]);

/* The function that is peeked at stands above the lines, and has a place of its own in the address. */
function lineText(line) {
  const path = [];
  for (let at = line; at && !(choice.view === "peek" && !at.up); at = at.up) path.unshift(lineKey(at));
  return path.join(";");
}

function lineAt(outline, text) {
  let line = null;
  for (const wanted of splitPath(text)) {
    const next = outline.kids(line).find(it => lineKey(it) === wanted);
    if (!next) break;
    line = next;
  }
  return line;
}

/* --- writing ---------------------------------------------------------------------------------------------- */

function addressText() {
  const address = new URLSearchParams();
  for (const key of Object.keys(choice)) {
    if (choice[key] === FIRST_CHOICE[key] || (key === "function" && choice.view !== "peek")) continue;
    address.set(key, typeof choice[key] === "boolean" ? Number(choice[key]) : choice[key]);
  }
  const outline = outlineOf(choice.view), line = outline && choice.view !== "tree" ? outline.selected() : null;
  if (outline && outline.sort()) address.set("sort", outline.sort());
  if (line) address.set("path", lineText(line));
  if (outline === peek.parts.callers) address.set("part", "callers");
  else if (selection.node >= 0) address.set("path", pathText(selection.node));
  if (flame.zoomed() >= 0) address.set("zoom", pathText(flame.zoomed()));
  if (data !== whole) address.set(PART, part);
  if (address.size) address.set("metric", data.metric);
  if (location.hash.includes("measure")) address.set("measure", "");
  return address.size ? "#" + address : "";
}

/* The address that the page shows. Another one is about to be read (hashchange), or loaded (showPart), and is not written over. */
let shownAddress = location.hash, waitingAddress = 0;

function writeAddress() {
  const text = addressText();
  if (text === location.hash || location.hash !== shownAddress) return;
  try { history.replaceState(null, "", text || location.pathname + location.search); } catch (_) { /* a page in a frame may not */ }
  shownAddress = location.hash;
}

/* To be called when what stands in the address may have changed, and with it whether all is shown. Browsers refuse very frequent writes. */
function changed() {
  element("reset").hidden = !choice.search && flame.zoomed() < 0 && FILTERS.every(which => choice[which] === FIRST_CHOICE[which]);
  clearTimeout(waitingAddress);
  waitingAddress = setTimeout(writeAddress, 100);
}

/* --- reading ---------------------------------------------------------------------------------------------- */

const CHOICES = { view: ["flame", "tree", "callers", "flat", "peek", ...(curve.isThere ? ["curve"] : [])], axis: ["bytes", "time"], value: values ? values.map(it => it.name) : [data.value || ""], names: Object.keys(SHOWN), colour: ["heat", "share", "library", "file"] };

/* Takes what an address says into `choice`; what it does not say is as at first. Returns the rest. */
function readAddress() {
  shownAddress = location.hash;
  const address = new URLSearchParams(location.hash.slice(1));
  for (const key of Object.keys(choice)) {
    const text = address.get(key);
    if (text === null || (CHOICES[key] && !CHOICES[key].includes(text))) choice[key] = FIRST_CHOICE[key];
    else if (key === "phi") choice.phi = +text >= 0 && +text <= 1 ? +text : FIRST_CHOICE.phi;
    else choice[key] = typeof FIRST_CHOICE[key] === "boolean" ? text === "1" : text;
  }
  return { sort: address.get("sort") || "", path: address.get("path") || "",
    part: address.get("part") === "callers" ? "callers" : "callees", zoom: address.get("zoom") || "", metric: address.get("metric") || "" };
}
