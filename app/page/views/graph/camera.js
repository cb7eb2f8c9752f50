// Which part of the graph is seen: from places in the graph to points of the picture, and back.

const NEAREST = 4;
const FARTHEST = 0.1;
const MARGIN = 44;
/** How much a graph may be drawn out of shape to fill the picture. */
const STRETCH = 1.7;

export class Camera {
  scale = 1;
  stretch = 1;
  /** The point of the picture at which the middle of the graph stands. */
  x = 0;
  y = 0;

  /** @param {number} x */
  left(x) {
    return this.x + x * this.scale * this.stretch;
  }

  /** @param {number} y */
  top(y) {
    return this.y + y * this.scale;
  }

  /** @param {number} dx @param {number} dy */
  move(dx, dy) {
    this.x += dx;
    this.y += dy;
  }

  /** Zoom; what is at this point of the picture stays there. @param {number} factor @param {number} x @param {number} y */
  zoom(factor, x, y) {
    const scale = Math.min(Math.max(this.scale * factor, FARTHEST), NEAREST);
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
  }

  /**
   * Show all of the graph.
   * @param {{x: Float64Array, y: Float64Array}} layout @param {number} width @param {number} height
   */
  fit({ x, y }, width, height) {
    const [left, right, top, bottom] = [Math.min(...x), Math.max(...x), Math.min(...y), Math.max(...y)];
    const across = (width - 2 * MARGIN) / Math.max(right - left, 1);
    const down = (height - 2 * MARGIN) / Math.max(bottom - top, 1);
    this.stretch = Math.min(Math.max(across / down, 1 / STRETCH), STRETCH);
    this.scale = Math.max(Math.min(across / this.stretch, down, 2.2), FARTHEST);
    this.x = width / 2 - ((left + right) / 2) * this.scale * this.stretch;
    this.y = height / 2 - ((top + bottom) / 2) * this.scale;
  }
}
