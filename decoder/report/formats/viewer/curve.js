/* The heap over the run: live bytes against allocated bytes or against seconds. A button for the peak, and one for each point whose contexts are
 * known, shows these contexts in the tree.
 *
 * data.curve: [bytes allocated, live, the most since the point before, seconds, the name of the value with its contexts or ""] */
const curve = (() => {
  const points = data.curve || [], chart = element("curve-chart"), WIDTH = 1000, HEIGHT = 300;
  const x = point => choice.axis === "time" ? point[3] : point[0];

  function add(parent, name, attributes, text) {
    const it = document.createElementNS(chart.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) it.setAttribute(key, value);
    if (text) it.textContent = text;
    parent.append(it);
    return it;
  }

  const showContexts = name => { choice.value = name; choice.view = "tree"; update(); };

  /* The points with contexts: where they are, and what shows them. The peak is at its own height, where the most was first. */
  function marks() {
    const peak = values.find(it => it.name === "peak"), top = points.findIndex(point => point[2] === peak.total);
    const own = points.filter(point => point[4]).map(point => ({ x: x(point), y: point[1], name: point[4] }));
    return top < 0 ? own : [{ x: x(points[top]), y: peak.total, name: "peak" }, ...own];
  }

  function show() {
    const most = Math.max(1, ...points.map(point => point[2])), last = x(points[points.length - 1]) || 1;
    const px = at => (at / last * WIDTH).toFixed(1), py = bytes => (HEIGHT - bytes / most * HEIGHT).toFixed(1);
    let line = `M0 ${HEIGHT}`, before = 0;
    /* Up to a point the heap is as large as at the one before; what was more is a peak in front of the point. */
    for (const point of points) {
      line += `L${px(x(point))} ${py(before)}L${px(x(point))} ${py(point[2])}L${px(x(point))} ${py(point[1])}`;
      before = point[1];
    }
    chart.replaceChildren();
    add(chart, "path", { d: line + `L${WIDTH} ${HEIGHT}Z`, class: "area" });
    for (const mark of marks()) {
      const it = add(chart, "circle", { cx: px(mark.x), cy: py(mark.y), r: 6, class: mark.name === "peak" ? "mark peak" : "mark" });
      add(it, "title", {}, values.find(it => it.name === mark.name).title);
      it.addEventListener("click", () => showContexts(mark.name));
    }
    element("curve-most").textContent = number(most) + " bytes";
    element("curve-last").textContent = choice.axis === "time" ? `${last.toFixed(3)} s` : `${number(last)} bytes allocated`;
    for (const input of document.getElementsByName("axis")) input.checked = input.value === choice.axis;
    element("curve-points").replaceChildren(...marks().map(mark => {
      const button = document.createElement("button"), it = values.find(it => it.name === mark.name);
      button.textContent = `${number(it.total)} ${it.title}`;
      button.addEventListener("click", () => showContexts(mark.name));
      return button;
    }));
  }

  for (const input of document.getElementsByName("axis")) input.addEventListener("change", () => { choice.axis = input.value; show(); changed(); });
  element("tab-curve").hidden = !points.length;
  return { show, isThere: points.length > 0 };
})();
