// Chooses the labels that are shown: the most important first, and none that would cover another one or a node.

/** @typedef {"right" | "left" | "below"} Side of the node on which its label stands */
/** @typedef {{x: number, y: number, radius: number, width: number, rank: number}} Labelled in points of the picture */

const HEIGHT = 16;
const GAP = 4;
/** @type {Side[]} */
const SIDES = ["right", "left", "below"];

/**
 * @param {Labelled[]} nodes a higher rank goes first; without a rank (negative) there is no label
 * @param {number} width @param {number} height of the picture
 * @returns {(Side | null)[]}
 */
export function placeLabels(nodes, width, height) {
  /** @type {number[][]} left, top, right, bottom */
  const taken = nodes.map(({ x, y, radius }) => [x - radius, y - radius, x + radius, y + radius]);
  /** @type {(Side | null)[]} */
  const sides = nodes.map(() => null);
  const order = nodes.map((_, node) => node).filter((node) => nodes[node].rank >= 0);
  order.sort((one, other) => nodes[other].rank - nodes[one].rank || one - other);
  for (const node of order) {
    for (const side of SIDES) {
      const box = boxOf(nodes[node], side);
      const isInside = box[0] >= 0 && box[1] >= 0 && box[2] <= width && box[3] <= height;
      if (!isInside || taken.some((other, position) => position !== node && overlap(box, other))) continue;
      taken.push(box);
      sides[node] = side;
      break;
    }
  }
  return sides;
}

/** @param {Labelled} node @param {Side} side */
function boxOf({ x, y, radius, width }, side) {
  const left = { right: x + radius + GAP, left: x - radius - GAP - width, below: x - width / 2 }[side];
  const top = side === "below" ? y + radius + 1 : y - HEIGHT / 2;
  return [left, top, left + width, top + HEIGHT];
}

/** @param {number[]} one @param {number[]} other */
const overlap = (one, other) => one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
