// Finds the node that an arrow key goes to.

const ASIDE = 2;

/**
 * @param {{x: Float64Array, y: Float64Array, count: number}} layout @param {number} from a node
 * @param {number} dx @param {number} dy the direction, one of them 0
 * @returns {number | null} the nearest node in this direction, if there is one
 */
export function nearestNode({ x, y, count }, from, dx, dy) {
  let least = Infinity;
  let nearest = null;
  for (let node = 0; node < count; node += 1) {
    const [across, down] = [x[node] - x[from], y[node] - y[from]];
    const along = across * dx + down * dy;
    const cost = along + ASIDE * (Math.abs(across * dy) + Math.abs(down * dx));
    if (along > 0.5 && cost < least) [least, nearest] = [cost, node];
  }
  return nearest;
}
