// Version 2 of the TypeScript SDK, which speaks revision 2026-07-28 and does not fall back here.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { input, travel } from "./journey.mjs";

const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
await client.connect(new StreamableHTTPClientTransport(new URL(input.url)));
await travel(client);
