/* What colours mean: heat (the own share; in a difference the change), the share with what is below, the library, or the source file. A
 * style is the name of a class: chips have it, and the flame graph paints with the same colour and texture.
 *
 * No meaning is in the hue alone. Shares are steps of one ramp of lightness, s0 to s5. s0 is for cold functions only. Libraries and files have colours of Okabe and Ito's
 * palette, which people with any kind of colour blindness tell apart, and each a texture of its own, which is there in print, too. */
const TEXTURES = { k1: "/", k2: ".", k3: "-", k4: "\\", k5: "|", k6: "x" };
const KNOWN = 7, SHARES = [0.001, 0.01, 0.05, 0.2, 0.5];
const ownShares = () => [0, 0.002, 0.01, 0.05, 0.2].map(least => Math.max(least, choice.phi)); /* hot ones begin at s1 */

const colours = (() => {
  let fills = {}, plain = {}, categories = null;

  /* --- libraries and files: the seven with the largest own counts; k7 are the others ---------------------------- */

  const categoryName = {
    library: at => data.libraries && data.frames[at][7] >= 0 ? base(data.libraries[data.frames[at][7]]) : "",
    file: at => base(data.frames[at][2]),
  };

  /* An inlined frame is in the library of the function that holds it. */
  function nameAt(i) {
    let at = i;
    if (choice.colour === "library") while (frameOf(at)[4] === "inlined" && parent[at] >= 0) at = parent[at];
    return categoryName[choice.colour](frame[at]);
  }

  function rank() {
    const sum = new Map(), { parent, frame, low, n } = profile;
    for (let i = 0; i < n; i++) {
      let at = i;
      if (choice.colour === "library") while (data.frames[frame[at]][4] === "inlined" && parent[at] >= 0) at = parent[at];
      const name = categoryName[choice.colour](frame[at]);
      if (name) sum.set(name, (sum.get(name) || 0) + low[i]);
    }
    const names = [...sum].sort((a, b) => b[1] - a[1]).map(([name]) => name);
    categories = { by: choice.colour, names, style: new Map(names.map((name, at) => [name, "k" + Math.min(at, KNOWN)])) };
  }

  function category(name) {
    if (!categories || categories.by !== choice.colour) rank();
    return name ? categories.style.get(name) || "k" + KNOWN : "none";
  }

  const stepOf = (part, steps) => steps.filter(least => part >= least).length;
  const step = part => "s" + stepOf(part, SHARES);
  /* All contexts of a hot function are at least s1, also cold ones, and those without a count. */
  const heatStep = (own, isHot) => "s" + Math.max(stepOf(data.calls ? own / data.calls : 0, ownShares()), isHot ? 1 : 0);

  /* --- styles -------------------------------------------------------------------------------------------- */

  function heat(i) {
    if (!diff && frameOf(i)[4] === "other") return "none";
    if (!diff) return heatStep(low[i], hot[i] || hotFunctions()[functionOf[frame[i]]]);
    if (!bounds[i]) return "same";
    return change[i] > 0 ? (hot[i] ? "more" : "more-weak") : change[i] < 0 ? (hot[i] ? "fewer" : "fewer-weak") : "same";
  }

  function styleOf(i) {
    if (choice.colour === "heat") return heat(i);
    if (choice.colour === "share") return step(total ? inclusive[i] / total : 0);
    return category(nameAt(i));
  }

  /* Of a line that stands for several contexts. */
  function styleOfLine(line) {
    if (line.frame < 0 || data.frames[line.frame][4] === "other") return "none";
    if (choice.colour === "share") return step(total ? line.total / total : 0);
    if (choice.colour !== "heat") return line.node < 0 ? "none" : category(nameAt(line.node));
    if (diff) return line.a === line.b ? "same" : (line.b > line.a ? "more" : "fewer") + (line.hot ? "" : "-weak");
    return heatStep(line.own, line.function >= 0 ? hotFunctions()[line.function] : line.hot);
  }

  /* --- the legend ------------------------------------------------------------------------------------------ */

  function heatEntries() {
    return [["s0", "cold"], ...[...new Set(ownShares())].map((least, at, all) => ["s" + stepOf(least, ownShares()), `${at ? "" : "* "}${percent(least)}${at === all.length - 1 ? " or more" : ""}`])];
  }

  function entries() {
    if (choice.colour === "share") {
      const edges = ["", ...SHARES, 1].map(part => 100 * part + "%");
      return SHARES.concat(1).map((_, at) => ["s" + at, at ? `${edges[at]}–${edges[at + 1]}` : "below " + edges[1]]);
    }
    if (choice.colour !== "heat") {
      rank();
      const named = categories.names.slice(0, KNOWN).map((name, at) => ["k" + at, name]);
      return categories.names.length > KNOWN ? [...named, ["k" + KNOWN, `${number(categories.names.length - KNOWN)} others`], ["none", "not known"]] : [...named, ["none", "not known"]];
    }
    return diff ? [["more", "▲* more"], ["fewer", "▼* fewer"], ["more-weak", "▲ within the bounds"], ["fewer-weak", "▼ within the bounds"], ["same", "same, or nothing to compare"]]
      : heatEntries();
  }

  function drawLegend() {
    const all = isTime ? "time" : data.unit;
    const title = diff && choice.colour === "heat" ? (wide === changes ? "A box is as wide as the changes in it and below it:" : "Nothing changed; a box is as wide as the larger count:") : { heat: `Own share of the ${all}, hot from phi on:`, share: `Share of the ${all}, with those below:` }[choice.colour] || "";
    document.getElementById("legend").replaceChildren(title + " ", ...[...entries(), ["match", "found"]].flatMap(([style, text]) => {
      const it = document.createElement("span");
      it.className = style;
      it.textContent = text;
      return [it, " "];
    }));
  }

  /* --- the canvas ------------------------------------------------------------------------------------------ */

  function texture(colour, line, kind) {
    const tile = document.createElement("canvas"), size = 8;
    tile.width = tile.height = size;
    const it = tile.getContext("2d");
    it.fillStyle = colour;
    it.fillRect(0, 0, size, size);
    it.strokeStyle = it.fillStyle = line;
    it.lineWidth = 1.2;
    const stroke = (...points) => { it.beginPath(); it.moveTo(points[0], points[1]); it.lineTo(points[2], points[3]); it.stroke(); };
    if ("/x".includes(kind)) for (const x of [-size, 0, size]) stroke(x - 1, size + 1, x + size + 1, -1);
    if ("\\x".includes(kind)) for (const x of [-size, 0, size]) stroke(x - 1, -1, x + size + 1, size + 1);
    if (kind === "-") stroke(0, 3.5, size, 3.5);
    if (kind === "|") stroke(3.5, 0, 3.5, size);
    if (kind === ".") { it.fillRect(1, 1, 2, 2); it.fillRect(5, 5, 2, 2); }
    return it.createPattern(tile, "repeat");
  }

  function readColours() {
    const style = getComputedStyle(document.documentElement), names = ["more", "more-weak", "fewer", "fewer-weak", "same", "none", "match", "back", "text", "mark", "texture"];
    for (let at = 0; at <= SHARES.length; at++) names.push("s" + at);
    for (let at = 0; at <= KNOWN; at++) names.push("k" + at);
    fills = {};
    for (const name of names) fills[name] = style.getPropertyValue("--" + name);
    plain = { ...fills };
    for (const [name, kind] of Object.entries(TEXTURES)) fills[name] = texture(fills[name], fills.texture, kind);
  }

  return { styleOf, styleOfLine, drawLegend, readColours, fill: style => fills[style], plain: style => plain[style] };
})();
