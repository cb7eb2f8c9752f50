// What mouse, pen and finger do in the picture: drag, turn the wheel, click a node.

const DRAG = 4;
const WHEEL = 0.0015;

/**
 * @param {SVGSVGElement} picture
 * @param {{move: (dx: number, dy: number) => void, zoom: (factor: number, x: number, y: number) => void,
 *   choose: (node: number) => void, open: (node: number) => void}} actions
 */
export function listenToPointer(picture, { move, zoom, choose, open }) {
  /** @type {{x: number, y: number, isDrag: boolean} | null} */
  let held = null;
  picture.addEventListener("pointerdown", (event) => {
    if (event.button === 0) held = { x: event.clientX, y: event.clientY, isDrag: false };
  });
  picture.addEventListener("pointermove", (event) => {
    if (!held || event.buttons === 0) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.isDrag && Math.hypot(dx, dy) < DRAG) return;
    if (!held.isDrag) picture.setPointerCapture(event.pointerId);
    held = { x: event.clientX, y: event.clientY, isDrag: true };
    move(dx, dy);
  });
  picture.addEventListener("click", (event) => {
    const node = nodeOf(event);
    if (node !== null && !held?.isDrag) choose(node);
    held = null;
  });
  picture.addEventListener("dblclick", (event) => {
    const node = nodeOf(event);
    if (node !== null) open(node);
  });
  picture.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const box = picture.getBoundingClientRect();
      const turned = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1);
      zoom(Math.exp(-turned * WHEEL * (event.ctrlKey ? 4 : 1)), event.clientX - box.left, event.clientY - box.top);
    },
    { passive: false },
  );
}

/** @param {Event} event */
function nodeOf(event) {
  const group = event.target instanceof Element ? event.target.closest("[data-node]") : null;
  return group ? Number(group.getAttribute("data-node")) : null;
}
