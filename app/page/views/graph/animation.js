// Moves the nodes to their places, some steps in each frame. Each frame is a performance measure "graph-frame".

const STEPS = 2;
const SPARE_MS = 5;

/**
 * @param {() => void} step @param {() => boolean} isResting @param {() => void} draw @param {() => void} rested
 * @returns {() => void} which stops it
 */
export function animate(step, isResting, draw, rested) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    while (!isResting()) step();
    draw();
    rested();
    return () => {};
  }
  let request = requestAnimationFrame(frame);
  return () => cancelAnimationFrame(request);

  function frame() {
    const start = performance.now();
    for (let steps = 0; steps < STEPS && !isResting() && performance.now() - start < SPARE_MS; steps += 1) step();
    draw();
    if (isResting()) rested();
    else request = requestAnimationFrame(frame);
    performance.measure("graph-frame", { start, end: performance.now() });
  }
}
