// Version 1 of the TypeScript SDK, which speaks revisions up to 2025-11-25.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { input, travel } from "./journey.mjs";

const client = new Client({ name: "test", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(input.url)));
await travel(client);
