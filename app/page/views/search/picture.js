// A small picture of who cites whom around one document.

import { svg } from "../../js/dom.js";

const WIDTH = 336;
const HEIGHT = 150;
const MAX_NODES = 24;
/** Neighbours stand at two distances, so that many of them do not touch. */
const DISTANCES = [1, 0.72];

/**
 * @typedef {{id: string, label: string, kind: string}} GraphNode
 * @param {{nodes: GraphNode[], edges: {from: string, to: string}[]}} graph @param {string} label
 */
export function citationPicture({ nodes, edges }, label) {
  const root = nodes.find(({ kind }) => kind === "root");
  const around = nodes.filter((node) => node !== root).slice(0, MAX_NODES);
  /** @type {Map<string, [number, number]>} */
  const places = new Map(around.map((node, position) => [node.id, placeOf(position, around.length)]));
  if (root) places.set(root.id, [WIDTH / 2, HEIGHT / 2]);
  const lines = edges.flatMap(({ from, to }) => {
    const [start, end] = [places.get(from), places.get(to)];
    return start && end ? [svg("line", { x1: start[0], y1: start[1], x2: end[0], y2: end[1] })] : [];
  });
  const circles = [root, ...around].flatMap((node) => {
    const place = node && places.get(node.id);
    if (!place) return [];
    const shape = { cx: place[0], cy: place[1], r: node === root ? 9 : 5.5, class: `node-${node.kind}` };
    return [svg("circle", shape, svg("title", null, node.label))];
  });
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label, class: "small-graph" }, lines, circles);
}

/** @param {number} position @param {number} count @returns {[number, number]} */
function placeOf(position, count) {
  const angle = (position / count) * 2 * Math.PI - Math.PI / 4;
  const distance = count > 6 ? DISTANCES[position % 2] : 0.85;
  return [WIDTH / 2 + Math.cos(angle) * (WIDTH / 2 - 20) * distance, HEIGHT / 2 + Math.sin(angle) * (HEIGHT / 2 - 16) * distance];
}
