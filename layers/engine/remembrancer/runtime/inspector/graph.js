/** The relations of one memory as a small graph: the memory in the middle, its neighbours around it. */

import { drawing } from "./elements.js";
import { shortened } from "./figures.js";

const [WIDTH, HEIGHT] = [560, 300];
const LINE_CHARACTERS = 20;

/** @typedef {{id: string, text: string, type: string, isOutgoing: boolean, confidence: number}} Neighbour */

/**
 * @param {string} centre the text of the memory
 * @param {Neighbour[]} neighbours
 * @param {(id: string) => void} open
 */
export function graph(centre, neighbours, open) {
  const places = neighbours.map((_, index) => {
    const angle = (2 * Math.PI * index) / neighbours.length - Math.PI / 2 + (neighbours.length === 2 ? Math.PI / 2 : 0);
    return { x: WIDTH / 2 + (WIDTH / 2 - 85) * Math.cos(angle), y: HEIGHT / 2 + (HEIGHT / 2 - 34) * Math.sin(angle) };
  });
  return drawing(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "group", "aria-label": `${neighbours.length} related memories` },
    drawing("defs", null, drawing("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, drawing("path", { d: "M0 0L8 4L0 8z" }))),
    neighbours.map((neighbour, index) => edge(neighbour, places[index])),
    box(centre, { x: WIDTH / 2, y: HEIGHT / 2 }, "centre"),
    neighbours.map((neighbour, index) => {
      const act = () => open(neighbour.id);
      const onKey = (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && act();
      return drawing(
        "g",
        { role: "link", tabindex: 0, "aria-label": `${neighbour.type.replaceAll("_", " ")}: ${shortened(neighbour.text, 80)}`, on: { click: act, keydown: onKey } },
        box(neighbour.text, places[index], ""),
      );
    }),
  );
}

/**
 * @param {Neighbour} neighbour
 * @param {{x: number, y: number}} place
 */
function edge(neighbour, { x, y }) {
  const [middleX, middleY] = [WIDTH / 2, HEIGHT / 2];
  const [towardsX, towardsY] = [x - middleX, y - middleY];
  const near = Math.min(84 / Math.max(Math.abs(towardsX), 1), 30 / Math.max(Math.abs(towardsY), 1), 0.45);
  const [startX, startY] = [middleX + towardsX * near, middleY + towardsY * near];
  const [endX, endY] = [x - towardsX * near, y - towardsY * near];
  const kind = neighbour.type.includes("contradict") ? "edge contradicts" : "edge";
  return drawing(
    "g",
    { class: kind },
    drawing("line", { x1: startX, y1: startY, x2: endX, y2: endY, [neighbour.isOutgoing ? "marker-end" : "marker-start"]: "url(#arrow)" }),
    drawing("text", { x: (startX + endX) / 2, y: (startY + endY) / 2 - 4 }, neighbour.type.replaceAll("_", " ")),
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
    { class: `node ${kind}`, transform: `translate(${x - 80} ${y - 26})` },
    drawing("rect", { width: 160, height: 52, rx: 6 }),
    lines(text).map((line, index) => drawing("text", { x: 10, y: 18 + index * 14 }, line)),
  );
}

/** @param {string} text */
function lines(text) {
  const wrapped = [""];
  for (const word of shortened(text.replace(/\s+/g, " "), 3 * LINE_CHARACTERS).split(" ")) {
    const line = `${wrapped.at(-1)} ${word}`.trim();
    if (line.length <= LINE_CHARACTERS + 2) wrapped[wrapped.length - 1] = line;
    else wrapped.push(shortened(word, LINE_CHARACTERS + 2));
  }
  return wrapped.slice(0, 3);
}
