// A citation graph as the service gives it, with who is beside whom.

import { get, pathOf, post } from "../../js/api.js";

/** @typedef {{id: string, label: string, kind: "root" | "document" | "address", url: string | null}} GraphNode */
/** @typedef {import("./layout.js").Link} Link */
/**
 * @typedef {{nodes: GraphNode[], links: Link[], citedBy: number[][], cites: number[][], truncated: boolean}} Graph
 * `citedBy` and `cites` have the positions of other nodes for each node
 */

const RESULTS = 50;

/** @param {string} id @param {number} depth @param {AbortSignal} signal @returns {Promise<Graph>} */
export async function readGraph(id, depth, signal) {
  const { graph } = await get(`${pathOf("/api/v1/documents", id)}/citations`, { query: { depth }, signal });
  /** @type {GraphNode[]} */
  const nodes = graph.nodes;
  const positions = new Map(nodes.map((node, position) => [node.id, position]));
  /** @type {number[][]} */
  const citedBy = nodes.map(() => []);
  /** @type {number[][]} */
  const cites = nodes.map(() => []);
  /** @type {Link[]} */
  const links = [];
  for (const edge of graph.edges) {
    const [from, to] = [positions.get(edge.from), positions.get(edge.to)];
    if (from === undefined || to === undefined || from === to) continue;
    links.push({ from, to });
    cites[from].push(to);
    citedBy[to].push(from);
  }
  return { nodes, links, citedBy, cites, truncated: graph.truncated };
}

/** The documents that a search finds first, by the ids of nodes. @param {string} query @param {AbortSignal} signal */
export async function readResults(query, signal) {
  if (!query) return new Set();
  const { results } = await post("/api/v1/search", { query, sources: ["archive"], limit: RESULTS }, { signal });
  return new Set(results.map((/** @type {{fetch_id: string}} */ { fetch_id }) => fetch_id));
}

/** What the node is, in words. @param {GraphNode} node @param {Set<string>} results */
export function kindOf({ id, kind }, results) {
  const isResult = results.has(id) ? ", result of the search" : "";
  return { root: "this document", document: "document", address: "outside address" }[kind] + isResult;
}
