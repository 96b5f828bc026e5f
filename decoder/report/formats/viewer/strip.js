/* A strip: a cell for each of the profiles that were added up, or for each group of neighbours, as dark as one of them counted of the
 * most of any. So imbalance is seen. `strip_profiles` has the sizes of the groups; the ninth value of a node's spread has the counts,
 * null where they are not known. */
const stripSizes = data.strip_profiles || [], stripStarts = [];
for (let i = 0, start = 0; i < stripSizes.length; start += stripSizes[i++]) stripStarts.push(start);
const stripOf = i => spreadOf(i) && data.spread[origin[i]][8] || null;
const hasStrips = stripSizes.length > 0 && data.spread.some(it => it && it[8]);

/* Profiles are the ranks of one job if they are called so, and each stands where its number says: so do those with the largest counts. */
const areRanks = hasStrips && data.spread_names.every(name => !name || /^rank \d+$/.test(name)) && data.spread.every(it => {
  const name = it && it[8] && data.spread_names[it[5]];
  if (!name || stripSizes.some(size => size > 1) || it[8].includes(null)) return true;
  return it[8].indexOf(Math.max(...it[8])) === +name.slice(5) || it[2] !== it[3];
});

function stripTitle(i, at, count) {
  const size = stripSizes[at], first = stripStarts[at] + (areRanks ? 0 : 1), word = areRanks ? "rank" : "profile";
  const who = size === 1 ? `${word} ${number(first)}` : `${word}s ${number(first)} to ${number(first + size - 1)}`;
  if (count === null) return who + ": not known";
  return `${who}: ${error[i] ? "at most " : ""}${value(count)}` + (size > 1 ? `, ${value(Math.round(count / size))} each` : "");
}

/* Fills an element with the cells of a node. */
function drawStrip(box, i) {
  const counts = stripOf(i);
  if (!counts) return;
  const each = counts.map((count, at) => count === null ? null : count / stripSizes[at]), most = Math.max(...each, 0);
  box.classList.add("strip", counts.length > 32 ? "many" : "few");
  box.removeAttribute("title");
  box.append(...each.map((mean, at) => {
    const cell = document.createElement("span");
    cell.title = stripTitle(i, at, counts[at]);
    if (mean === null) cell.className = "unknown";
    else cell.style.opacity = most ? mean / most : 0;
    return cell;
  }));
}
