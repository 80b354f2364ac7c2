/** The relations of one memory as a small graph: the memory in the middle, its neighbours on both sides. */

import { drawing } from "./elements.js";
import { shortened } from "./figures.js";

const [WIDTH, BOX_WIDTH, BOX_HEIGHT, STEP] = [760, 180, 56, 72];
const LINE_CHARACTERS = 25;
const LABEL_SHARE = 0.5;

/** @typedef {{id: string, text: string, type: string, isOutgoing: boolean, confidence: number}} Neighbour */

/**
 * @param {string} centre the text of the memory
 * @param {Neighbour[]} neighbours
 * @param {(id: string) => void} open
 */
export function graph(centre, neighbours, open) {
  const height = Math.ceil(neighbours.length / 2) * STEP;
  const places = neighbours.map((_, index) => {
    const [isRight, row] = [index % 2 === 0, Math.floor(index / 2)];
    const rows = isRight ? Math.ceil(neighbours.length / 2) : Math.floor(neighbours.length / 2);
    return { x: isRight ? WIDTH - BOX_WIDTH / 2 - 2 : BOX_WIDTH / 2 + 2, y: height / 2 + (row - (rows - 1) / 2) * STEP };
  });
  return drawing(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${height}`, class: "graph", role: "group", "aria-label": `${neighbours.length} related memories` },
    drawing("defs", null, drawing("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, drawing("path", { d: "M0 0L8 4L0 8z" }))),
    neighbours.map((neighbour, index) => edge(neighbour, places[index], height / 2)),
    box(centre, { x: WIDTH / 2, y: height / 2 }, "centre"),
    neighbours.map((neighbour, index) => {
      const act = () => open(neighbour.id);
      const onKey = (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && act();
      return drawing(
        "g",
        { role: "link", tabindex: 0, "aria-label": `${named(neighbour)}: ${shortened(neighbour.text, 80)}`, on: { click: act, keydown: onKey } },
        box(neighbour.text, places[index], ""),
      );
    }),
  );
}

/** @param {Neighbour} neighbour */
function named(neighbour) {
  return neighbour.type.replaceAll("_", " ");
}

/**
 * @param {Neighbour} neighbour
 * @param {{x: number, y: number}} place
 * @param {number} middle
 */
function edge(neighbour, { x, y }, middle) {
  const side = Math.sign(x - WIDTH / 2);
  const [startX, endX] = [WIDTH / 2 + (side * BOX_WIDTH) / 2, x - (side * BOX_WIDTH) / 2];
  const labelY = middle + (y - middle) * LABEL_SHARE;
  return drawing(
    "g",
    { class: neighbour.type.includes("contradict") ? "edge contradicts" : "edge" },
    drawing("line", { x1: startX + 3 * side, y1: middle, x2: endX - 3 * side, y2: y, [neighbour.isOutgoing ? "marker-end" : "marker-start"]: "url(#arrow)" }),
    drawing("text", { x: (startX + endX) / 2, y: labelY - 4 }, named(neighbour)),
  );
}

/**
 * @param {string} text
 * @param {{x: number, y: number}} place
 * @param {string} kind
 */
function box(text, { x, y }, kind) {
  return drawing(
    "g",
    { class: `node ${kind}`, transform: `translate(${x - BOX_WIDTH / 2} ${y - BOX_HEIGHT / 2})` },
    drawing("rect", { width: BOX_WIDTH, height: BOX_HEIGHT, rx: 6 }),
    lines(text).map((line, index) => drawing("text", { x: 10, y: 18 + index * 15 }, line)),
  );
}

/** @param {string} text */
function lines(text) {
  const wrapped = [""];
  for (const word of shortened(text.replace(/\s+/g, " "), Math.floor(2.8 * LINE_CHARACTERS)).split(" ")) {
    const line = `${wrapped.at(-1)} ${word}`.trim();
    if (line.length <= LINE_CHARACTERS) wrapped[wrapped.length - 1] = line;
    else wrapped.push(shortened(word, LINE_CHARACTERS));
  }
  return wrapped.slice(0, 3);
}
