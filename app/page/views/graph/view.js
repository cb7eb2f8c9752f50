// The view of a citation graph: who cites whom around one document, as a picture and as a list.

import { announce } from "../../js/announce.js";
import { pathOf } from "../../js/api.js";
import { button, fill, h } from "../../js/dom.js";
import { clearFailure, showFailure } from "../../js/failure.js";
import { plural } from "../../js/format.js";
import { setKeys } from "../../js/keys.js";
import { navigate } from "../../js/router.js";
import { animate } from "./animation.js";
import { Camera } from "./camera.js";
import { Drawing } from "./drawing.js";
import { readGraph, readResults } from "./graph.js";
import { Layout } from "./layout.js";
import { documentAddress, graphTable, nodeDetails } from "./list.js";
import { nearestNode } from "./nearest.js";
import { listenToPointer } from "./pointer.js";

/** @typedef {import("../../js/router.js").Place} Place @typedef {import("../../js/router.js").Opened} Opened */
/** @typedef {import("./graph.js").Graph} Graph */

const DEPTHS = [1, 2, 3];
const USUAL_DEPTH = 2;
const ZOOM = 1.3;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {HTMLElement} main @param {Place} place @returns {Opened} */
export function open(main, place) {
  const drawing = new Drawing();
  const camera = new Camera();
  /** @type {Graph | null} */
  let graph = null;
  /** @type {Set<string>} */
  let results = new Set();
  let layout = new Layout(0, []);
  let calls = new AbortController();
  let stop = () => {};
  let isMovedByHand = false;
  let [width, height] = [0, 0];

  const title = h("h1", { dir: "auto" }, "Citation graph");
  const state = h("p", { class: "meta" }, "Reading…");
  const depths = DEPTHS.map((depth) => button(String(depth), () => goToDepth(depth), { class: "chip" }));
  const zoomBy = (/** @type {number} */ factor) => zoom(factor, width / 2, height / 2);
  const controls = h("div", { class: "row graph-controls" }, h("span", { class: "meta", id: "depth" }, "Depth"),
    h("div", { class: "chips", role: "group", "aria-labelledby": "depth" }, depths),
    button("+", () => zoomBy(ZOOM), { "aria-label": "Zoom in" }),
    button("−", () => zoomBy(1 / ZOOM), { "aria-label": "Zoom out" }),
    button("Reset", reset));
  const legend = h("p", { class: "meta row legend" });
  const details = h("div", { class: "panel stack chosen-node" });
  const table = h("div");
  const holder = h("div", { class: "holder" }, drawing.element);
  const body = h("div", { class: "stack" },
    h("div", { class: "graph-columns" }, h("div", { class: "stack tight" }, controls, holder, legend), details),
    h("details", null, h("summary", null, "The graph as a list"), table));
  const problem = h("div");
  fill(main, h("div", { class: "stack graph" }, h("header", { class: "stack tight" }, title, state, problem), body));

  listenToPointer(drawing.element, { move, zoom, choose, open: openNode });
  // Not on the picture itself: Chromium lets pictures that listen take the focus.
  holder.addEventListener("keydown", pressed);
  holder.addEventListener("focusin", focused);
  setKeys([
    { key: "+", what: "Zoom in", run: () => zoomBy(ZOOM) },
    { key: "-", what: "Zoom out", run: () => zoomBy(1 / ZOOM) },
    { key: "0", what: "Show all of the graph", run: reset },
  ]);
  const resizing = new ResizeObserver(resized);
  resizing.observe(holder);
  void read();
  return { title: "Citation graph", update, close };

  /** @param {Place} next */
  function update(next) {
    if (next.id !== place.id) return false;
    place = next;
    void read();
    return true;
  }

  async function read() {
    calls.abort();
    calls = new AbortController();
    const { signal } = calls;
    const [depth, query] = [depthOf(place), queryOf(place)];
    depths.forEach((chip, position) => chip.setAttribute("aria-pressed", String(DEPTHS[position] === depth)));
    try {
      // The graph is of use without the colours of a search that fails.
      const [read, found] = await Promise.all([readGraph(place.id, depth, signal), readResults(query, signal).catch(() => new Set())]);
      if (signal.aborted) return;
      clearFailure(problem);
      show(read, found, query);
    } catch (error) {
      if (signal.aborted) return;
      state.textContent = "";
      body.hidden = true;
      showFailure(problem, error, () => void read());
    }
  }

  /** @param {Graph} read @param {Set<string>} found @param {string} query */
  function show(read, found, query) {
    const before = new Map(graph?.nodes.map(({ id }, node) => [id, /** @type {[number, number]} */ ([layout.x[node], layout.y[node]])]));
    [graph, results] = [read, found];
    const { nodes, links } = read;
    body.hidden = nodes.length === 0;
    if (body.hidden) return showNothing();
    layout = new Layout(nodes.length, links, (node) => before.get(nodes[node].id));
    fill(title, "Around “", h("a", { href: documentAddress(place.id, query) }, nodes[0].label), "”");
    const about = [plural(nodes.length, "node"), plural(links.length, "citation"), read.truncated ? "only the nearest are shown" : null];
    state.textContent = nodes.length === 1 ? "It cites nothing, and nothing here cites it." : about.filter(Boolean).join(" · ");
    showLegend(query);
    drawing.show(read, found, width);
    fill(table, graphTable(read, found, query));
    isMovedByHand = false;
    choose(0);
    announce(state.textContent ?? "");
    stop();
    delete holder.dataset.rested;
    stop = animate(() => layout.step(), () => layout.isResting, draw, () => {
      holder.dataset.rested = "";
      label();
    });
    return undefined;
  }

  function showNothing() {
    const back = h("a", { href: documentAddress(place.id, queryOf(place)) }, "Back to the document");
    fill(state, "Citations are known of documents of the archive alone. ", back);
  }

  /** @param {string} query */
  function showLegend(query) {
    const kinds = [["root", "this document"], ["document", "documents"], ["address", "outside addresses"]];
    if (query) kinds.push(["result", `results of “${query}”`]);
    const keys = kinds.map(([kind, text]) => h("span", { class: `key ${kind}` }, text));
    fill(legend, keys, h("span", null, "arrows point at what is cited"));
  }

  function draw() {
    if (!isMovedByHand) camera.fit(layout, width, height);
    drawing.place(layout, camera);
  }

  function label() {
    drawing.label(layout, camera, width, height);
  }

  function redraw() {
    if (!graph?.nodes.length) return;
    draw();
    label();
  }

  function resized() {
    [width, height] = [holder.clientWidth, holder.clientHeight];
    redraw();
  }

  /** @param {number} dx @param {number} dy */
  function move(dx, dy) {
    isMovedByHand = true;
    camera.move(dx, dy);
    redraw();
  }

  /** @param {number} factor @param {number} x @param {number} y */
  function zoom(factor, x, y) {
    isMovedByHand = true;
    camera.zoom(factor, x, y);
    redraw();
  }

  function reset() {
    isMovedByHand = false;
    redraw();
  }

  /** @param {number} node */
  function choose(node) {
    if (!graph) return;
    drawing.choose(node);
    fill(details, nodeDetails(graph, results, queryOf(place), node, (other) => {
      choose(other);
      drawing.focus(other);
    }));
    redraw();
  }

  /** @param {number} node */
  function openNode(node) {
    const found = graph?.nodes[node];
    if (!found) return;
    if (found.kind !== "address") navigate(documentAddress(found.id, queryOf(place)));
    else if (/^https?:\/\//i.test(found.url ?? "")) window.open(found.url ?? "", "_blank", "noopener,noreferrer");
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") openNode(drawing.chosen);
    else if (!ARROWS[event.key]) return;
    else {
      const next = nearestNode(layout, drawing.chosen, ...ARROWS[event.key]);
      if (next !== null) drawing.focus(next);
    }
    event.preventDefault();
  }

  /** @param {FocusEvent} event */
  function focused(event) {
    const node = event.target instanceof Element ? event.target.getAttribute("data-node") : null;
    if (node !== null && Number(node) !== drawing.chosen) choose(Number(node));
  }

  /** @param {number} depth */
  function goToDepth(depth) {
    const pairs = new URLSearchParams(place.query);
    pairs.set("depth", String(depth));
    navigate(`${pathOf("/graph", place.id)}?${pairs}`, { replace: true });
  }

  function close() {
    calls.abort();
    stop();
    resizing.disconnect();
  }
}

/** @param {Place} place */
const queryOf = (place) => (place.query.get("q") ?? "").trim();

/** @param {Place} place */
function depthOf(place) {
  const depth = Number(place.query.get("depth"));
  return DEPTHS.includes(depth) ? depth : USUAL_DEPTH;
}
