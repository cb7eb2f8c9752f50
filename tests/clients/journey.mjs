// Lists the tools, searches, reads on to the last page and fails, with any version of the TypeScript SDK.
// The input is {url, search, unknown}: the address of the service, and the arguments of two searches.

export const input = JSON.parse(process.argv[2]);

export async function travel(client) {
  const { tools } = await client.listTools();
  const search = async (more) => {
    const result = await client.callTool({ name: "search_index", arguments: more });
    if (result.isError) throw new Error(result.content[0].text);
    return result.structuredContent;
  };
  const pages = [await search(input.search)];
  while (pages.at(-1).next_cursor !== null) {
    pages.push(await search({ ...input.search, cursor: pages.at(-1).next_cursor }));
  }
  const failure = await search(input.unknown);
  await client.close();
  console.log(JSON.stringify({ tools: tools.map((tool) => tool.name), pages, failure }));
}
