/* The flame graph, roots on top, on a canvas: only what can be seen is drawn, so that its cost is that of the screen's pixels and
 * not of the nodes. The canvas is as large as the view; a scroller behind it has the height of the whole picture. */
const flame = (() => {
  const ROW = 22, canvas = document.getElementById("canvas"), scroller = document.getElementById("scroller");
  const room = document.getElementById("room"), tip = document.getElementById("tip"), context = canvas.getContext("2d");
  let zoom = -1, width = 0, height = 0, character = 7, steps = 0, wanted = false, lastX = new Float64Array(1);

  const left = i => zoom < 0 ? start[i] : start[i] - start[zoom];
  const span = () => zoom < 0 ? allWide : wide[zoom];
  let levels = { of: null, count: 0 }; /* of the whole tree */

  function allLevels() {
    if (levels.of === depth) return levels.count;
    levels = { of: depth, count: 0 };
    for (let i = 0; i < n; i++) levels.count = Math.max(levels.count, depth[i] + 1);
    return levels.count;
  }

  /* What the whole picture needs, whatever is zoomed to. */
  const fullHeight = () => allLevels() * ROW + 8;

  function resize() {
    const ratio = window.devicePixelRatio || 1;
    width = scroller.clientWidth;
    height = scroller.clientHeight;
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = "12px ui-monospace, Menlo, Consolas, monospace";
    context.textBaseline = "middle";
    character = context.measureText("mmmmmmmmmm").width / 10;
    let rows = zoom < 0 ? allLevels() : 0;
    if (zoom >= 0) for (let i = zoom; i < end[zoom]; i++) rows = Math.max(rows, depth[i] + 1);
    room.style.height = rows * ROW + "px";
    lastX = new Float64Array(rows + 1);
  }

  /* The name, and behind it what the box stands for, where both have room. */
  function label(i, letters) {
    const whole = (diff ? markOf(i) : "") + briefName(frame[i]);
    const sum = diff ? signed(belowB[i] - belowA[i]) : `${(data.calls ? 100 * inclusive[i] / data.calls : 0).toFixed(1)}%`;
    if (whole.length + sum.length + 2 <= letters) return whole + " ".repeat(letters - whole.length - sum.length) + sum;
    return whole.length > letters ? whole.slice(0, letters - 1) + "…" : whole;
  }

  function box(i, x, y, boxWidth, dim) {
    const from = Math.max(x, 0), to = Math.min(x + boxWidth, width);
    context.globalAlpha = dim || (found.query && !found.node[i]) ? 0.45 : 1;
    const style = found.node[i] ? "match" : colours.styleOf(i);
    context.fillStyle = colours.fill(style);
    context.fillRect(from, y, Math.max(to - from - 0.6, 0.6), ROW - 1);
    context.globalAlpha = 1;
    const letters = Math.floor((to - from - 8) / character);
    if (letters >= 3) {
      const text = label(i, letters);
      if (TEXTURES[style]) { /* not behind letters */
        context.fillStyle = colours.plain(style);
        context.fillRect(from + 2, y + 2, text.length * character + 4, ROW - 5);
      }
      context.fillStyle = colours.fill("text");
      context.fillText(text, from + 4, y + ROW / 2);
    }
    if (i === selection.node) {
      context.strokeStyle = colours.fill("mark");
      context.lineWidth = 2;
      context.strokeRect(from + 1, y + 1, Math.max(to - from - 2.6, 1), ROW - 3);
    }
  }

  function draw() {
    wanted = false;
    if (!width) return;
    steps = 0;
    const began = performance.now(), top = scroller.scrollTop, scale = span() ? width / span() : 0;
    context.fillStyle = colours.fill("back");
    context.fillRect(0, 0, width, height);
    lastX.fill(-1);
    for (let i = zoom < 0 ? -1 : parent[zoom]; i >= 0; i = parent[i]) box(i, 0, depth[i] * ROW - top, width, true);
    for (let i = Math.max(zoom, 0), to = zoom < 0 ? n : end[zoom]; i < to;) {
      const x = left(i) * scale, y = depth[i] * ROW - top, boxWidth = wide[i] * scale;
      steps++;
      if (y > height) { i = end[i]; continue; }
      if (boxWidth < 0.6) { /* as a hair, one for each pixel */
        if (x >= lastX[depth[i]] + 0.6 && y > -ROW) { box(i, x, y, boxWidth, true); lastX[depth[i]] = x; }
        i = end[i];
        continue;
      }
      if (y > -ROW) box(i, x, y, boxWidth, false);
      i++;
    }
    if (location.hash.includes("measure")) performance.measure("hcct-draw", { start: began, end: performance.now() });
  }

  function redraw() {
    if (!wanted) requestAnimationFrame(draw);
    wanted = true;
  }

  /* The node at a place of the view, or -1. */
  function at(x, y) {
    const row = Math.floor((y + scroller.scrollTop) / ROW), scale = span() ? width / span() : 0;
    let above = zoom;
    if (zoom >= 0 && row <= depth[zoom]) {
      while (depth[above] > row) above = parent[above];
      return above;
    }
    for (let level = zoom < 0 ? 0 : depth[zoom] + 1; level <= row; level++) {
      let child = above < 0 ? 0 : above + 1;
      const to = above < 0 ? n : end[above];
      while (child < to && (left(child) + wide[child]) * scale <= x) child = end[child];
      if (child >= to || left(child) * scale > x) return -1;
      above = child;
    }
    return above;
  }

  function hover(event) {
    const i = at(event.offsetX, event.offsetY);
    tip.hidden = i < 0;
    if (i < 0) return;
    tip.textContent = describe(i);
    tip.style.left = Math.max(0, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = (event.clientY + tip.offsetHeight + 24 > innerHeight ? Math.max(0, event.clientY - tip.offsetHeight - 12) : event.clientY + 18) + "px";
  }

  function zoomTo(i) {
    if (i < 0 || wide[i]) zoom = i;
    reveal(i);
    changed();
  }

  /* Zooms out until the node is in the picture, in if it could hardly be seen, and scrolls to its row. */
  function reveal(i) {
    while (zoom >= 0 && i >= 0 && !isAbove(zoom, i) && !isAbove(i, zoom)) zoom = parent[zoom];
    if (i >= 0 && !isAbove(i, zoom) && wide[i] * width < 3 * span() && wide[i] > 0) zoom = i;
    resize();
    const y = i < 0 ? 0 : depth[i] * ROW;
    if (y < scroller.scrollTop || y + 3 * ROW > scroller.scrollTop + height) scroller.scrollTop = Math.max(0, y - height / 3);
    redraw();
  }

  const isAbove = (i, of) => i <= of && of < end[i]; /* or the same */

  function neighbour(i, step) {
    const first = parent[i] < 0 ? 0 : parent[i] + 1;
    if (step > 0) { const next = end[i], to = parent[i] < 0 ? n : end[parent[i]]; return next < to ? next : i; }
    let before = i;
    for (let at = first; at < i; at = end[at]) before = at;
    return before;
  }

  function key(event) {
    const i = selection.node;
    const to = i < 0 && event.key.startsWith("Arrow") ? Math.max(zoom, 0)
      : event.key === "ArrowUp" ? Math.max(parent[i], -1)
      : event.key === "ArrowDown" ? (i + 1 < end[i] ? i + 1 : i)
      : event.key === "ArrowLeft" ? neighbour(i, -1)
      : event.key === "ArrowRight" ? neighbour(i, 1) : null;
    if (to !== null && n) { event.preventDefault(); select(to < 0 ? i : to); }
    if (event.key === "Enter" && i >= 0) { event.preventDefault(); zoomTo(i); }
  }

  canvas.addEventListener("mousemove", hover);
  canvas.addEventListener("mouseleave", () => { tip.hidden = true; });
  canvas.addEventListener("click", event => {
    const i = at(event.offsetX, event.offsetY);
    if (i < 0) return;
    select(i);
    zoomTo(i);
    hover(event);
  });
  canvas.addEventListener("wheel", event => { scroller.scrollTop += event.deltaY; tip.hidden = true; }, { passive: true });
  scroller.addEventListener("scroll", redraw);
  new ResizeObserver(() => { resize(); redraw(); }).observe(scroller);

  return {
    redraw, zoomTo, reveal, key, fullHeight,
    show() { resize(); redraw(); },
    zoomed: () => zoom,
    forget() { zoom = -1; },
    steps: () => steps, /* nodes looked at for the last picture */
    /* Where a node is in the view: for tests and for anything that points at it. */
    place: i => { const scale = width / span(); return { x: left(i) * scale, y: depth[i] * ROW - scroller.scrollTop, width: wide[i] * scale, height: ROW }; },
  };
})();
