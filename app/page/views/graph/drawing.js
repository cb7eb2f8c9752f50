// Draws the graph as SVG. Nodes and labels keep their size whatever the zoom, so that all can be read and hit.

import { fill, h, svg } from "../../js/dom.js";
import { kindOf } from "./graph.js";
import { placeLabels } from "./labels.js";

/** @typedef {import("./graph.js").Graph} Graph @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./camera.js").Camera} Camera */

const LONGEST_LABEL = 42;
const LONGEST_LABEL_IF_NARROW = 24;
const NARROW = 600;
const RADIUS = { root: 11, document: 6.5, address: 6 };
const HALO = 3;
const ARROW = 6;
const ANCHORS = { right: "start", left: "end", below: "middle" };

export class Drawing {
  #edges = svg("path", { class: "edges" });
  #arrows = svg("path", { class: "arrows" });
  #chosenEdges = svg("path", { class: "edges chosen" });
  #nodes = svg("g");
  element = svg("svg", { class: "picture", role: "group" }, this.#edges, this.#arrows, this.#chosenEdges, this.#nodes);
  #pen = h("canvas").getContext("2d");
  /** @type {{group: SVGGElement, label: SVGTextElement, width: number, radius: number}[]} */
  #drawn = [];
  /** @type {Graph | null} */
  #graph = null;
  chosen = 0;

  /** @param {Graph} graph @param {Set<string>} results @param {number} width of the picture */
  show(graph, results, width) {
    this.#graph = graph;
    const longest = width < NARROW ? LONGEST_LABEL_IF_NARROW : LONGEST_LABEL;
    if (this.#pen) this.#pen.font = `13px ${getComputedStyle(document.body).fontFamily}`;
    this.#drawn = graph.nodes.map((node, position) => {
      const isResult = results.has(node.id);
      const inner = RADIUS[node.kind];
      const radius = inner + (isResult ? HALO : 0);
      const name = node.kind === "address" ? node.label.replace(/^https?:\/\/(www\.)?/, "") : node.label;
      const text = name.length > longest ? `${name.slice(0, longest - 1).trimEnd()}…` : name;
      const counts = `cites ${graph.cites[position].length}, cited by ${graph.citedBy[position].length}`;
      const label = svg("text", { display: "none", "aria-hidden": "true" }, text);
      const group = svg(
        "g",
        { class: `node ${node.kind}${isResult ? " result" : ""}`, role: "button", tabindex: -1, "data-node": position, "data-id": node.id,
          "aria-label": `${node.label}: ${kindOf(node, results)}, ${counts}` },
        svg("circle", { class: "target", r: Math.max(radius, 12) }),
        svg("circle", { class: "dot-of-node", r: inner }),
        isResult && svg("circle", { class: "halo", r: radius }),
        label,
      );
      return { group, label, width: this.#pen?.measureText(text).width ?? text.length * 7, radius };
    });
    fill(this.#nodes, this.#drawn.map(({ group }) => group));
    this.element.setAttribute("aria-label", `Citation graph, ${graph.nodes.length} nodes. Arrow keys go from node to node.`);
    this.choose(0);
  }

  /** Select a node. @param {number} node */
  choose(node) {
    this.#drawn[this.chosen]?.group.setAttribute("tabindex", "-1");
    this.#drawn[this.chosen]?.group.removeAttribute("aria-pressed");
    this.chosen = node;
    const group = this.#drawn[node]?.group;
    group?.setAttribute("tabindex", "0");
    group?.setAttribute("aria-pressed", "true");
  }

  /** @param {number} node */
  focus(node) {
    this.#drawn[node]?.group.focus({ preventScroll: true });
  }

  /** Put everything where it belongs. @param {Layout} layout @param {Camera} camera */
  place({ x, y, isResting }, camera) {
    const lefts = Array.from(x, (each) => camera.left(each));
    const tops = Array.from(y, (each) => camera.top(each));
    let edges = "";
    let arrows = "";
    let chosenEdges = "";
    for (const { from, to } of this.#graph?.links ?? []) {
      const [x1, y1, x2, y2] = [lefts[from], tops[from], lefts[to], tops[to]];
      const distance = Math.hypot(x2 - x1, y2 - y1) || 1;
      const [ux, uy] = [(x2 - x1) / distance, (y2 - y1) / distance];
      const [tipX, tipY] = [x2 - ux * (this.#drawn[to].radius + 2), y2 - uy * (this.#drawn[to].radius + 2)];
      const tip = point(tipX, tipY);
      const line = `M${point(x1, y1)}L${tip}`;
      edges += line;
      if (from === this.chosen || to === this.chosen) chosenEdges += line;
      // Nobody sees which way an arrow points while it moves.
      if (!isResting) continue;
      const [backX, backY] = [tipX - ux * ARROW, tipY - uy * ARROW];
      arrows += `M${tip}L${point(backX - uy * 3, backY + ux * 3)}L${point(backX + uy * 3, backY - ux * 3)}Z`;
    }
    this.#edges.setAttribute("d", edges);
    this.#chosenEdges.setAttribute("d", chosenEdges);
    this.#arrows.setAttribute("d", arrows);
    this.#drawn.forEach(({ group }, node) => {
      group.setAttribute("transform", `translate(${point(lefts[node], tops[node])})`);
    });
  }

  /**
   * Show the labels for which there is room.
   * @param {Layout} layout @param {Camera} camera @param {number} width @param {number} height of the picture
   */
  label({ x, y }, camera, width, height) {
    const graph = this.#graph;
    if (!graph) return;
    const labelled = this.#drawn.map(({ group, width: wide, radius }, node) => {
      const isResult = group.classList.contains("result");
      const degree = graph.cites[node].length + graph.citedBy[node].length;
      const rank = node === this.chosen ? 1e6 : node === 0 ? 1e5 : degree + (isResult ? 1e3 : 0);
      return { x: camera.left(x[node]), y: camera.top(y[node]), radius, width: wide, rank };
    });
    placeLabels(labelled, width, height).forEach((side, node) => {
      const { label, radius } = this.#drawn[node];
      label.setAttribute("display", side ? "inline" : "none");
      if (!side) return;
      label.setAttribute("x", String({ right: radius + 4, left: -radius - 4, below: 0 }[side]));
      label.setAttribute("y", String(side === "below" ? radius + 13 : 4.5));
      label.setAttribute("text-anchor", ANCHORS[side]);
    });
  }
}

/** @param {number} x @param {number} y */
const point = (x, y) => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
