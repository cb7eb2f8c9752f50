// Finds places for the nodes of a graph: all push each other away, edges pull together, and it cools down until it rests.

/** @typedef {{from: number, to: number}} Link positions in the list of nodes */

const REPULSION = 2_600;
/** The square of the distance below which the push grows no more. */
const CLOSEST = 100;
const LENGTH = 70;
const PULL = 0.12;
const GRAVITY = 0.012;
const FRICTION = 0.6;
const COOLING = 0.97;
const RESTING = 0.006;

export class Layout {
  #links;
  #degree;
  #heat = 1;

  /**
   * @param {number} count of nodes; the first one is the middle
   * @param {Link[]} links
   * @param {(node: number) => [number, number] | undefined} known where a node stood before
   */
  constructor(count, links, known = () => undefined) {
    this.count = count;
    this.x = new Float64Array(count);
    this.y = new Float64Array(count);
    this.#links = links;
    this.#degree = new Float64Array(count);
    this.vx = new Float64Array(count);
    this.vy = new Float64Array(count);
    for (const { from, to } of links) {
      this.#degree[from] += 1;
      this.#degree[to] += 1;
    }
    for (let node = 0; node < count; node += 1) {
      // A sunflower: the same graph always begins alike, and the nearest nodes, which come first, are in the middle.
      const [radius, angle] = [LENGTH * Math.sqrt(node) * 0.6, node * 2.399963];
      [this.x[node], this.y[node]] = known(node) ?? [radius * Math.cos(angle), radius * Math.sin(angle)];
    }
  }

  get isResting() {
    return this.#heat < RESTING;
  }

  /** Move all nodes a little. */
  step() {
    this.#push();
    this.#pull();
    const { x, y, vx, vy } = this;
    for (let node = 1; node < this.count; node += 1) {
      vx[node] = (vx[node] - x[node] * GRAVITY * this.#heat) * FRICTION;
      vy[node] = (vy[node] - y[node] * GRAVITY * this.#heat) * FRICTION;
      x[node] += vx[node];
      y[node] += vy[node];
    }
    this.#heat *= COOLING;
  }

  #push() {
    const { x, y, vx, vy, count } = this;
    const force = REPULSION * this.#heat;
    for (let one = 0; one < count; one += 1) {
      for (let other = one + 1; other < count; other += 1) {
        const dx = x[other] - x[one] || 0.01;
        const dy = y[other] - y[one] || 0.01;
        const square = dx * dx + dy * dy;
        const share = force / (Math.max(square, CLOSEST) * Math.sqrt(square));
        vx[one] -= dx * share;
        vy[one] -= dy * share;
        vx[other] += dx * share;
        vy[other] += dy * share;
      }
    }
  }

  #pull() {
    const { x, y, vx, vy } = this;
    for (const { from, to } of this.#links) {
      const dx = x[to] - x[from];
      const dy = y[to] - y[from];
      const distance = Math.sqrt(dx * dx + dy * dy) || 1;
      // Nodes with many edges keep their neighbours at a distance, so that there is room for all of them.
      const wanted = LENGTH + 6 * Math.sqrt(Math.min(this.#degree[from], this.#degree[to]));
      const share = ((distance - wanted) / distance) * PULL * this.#heat;
      const weight = this.#degree[from] / (this.#degree[from] + this.#degree[to]);
      vx[from] += dx * share * (1 - weight);
      vy[from] += dy * share * (1 - weight);
      vx[to] -= dx * share * weight;
      vy[to] -= dy * share * weight;
    }
  }
}
