import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { isWindows } from "../support/platform.ts";
import { openCliFixture } from "../support/run-cli.ts";

interface Started {
  readonly url: string;
  readonly tokenFile: string;
  readonly tokenFiles: Readonly<Record<string, string>>;
}

/** Two agents with one note each, and a server for the selected one. */
function openTwoAgents(t: TestContext) {
  const fixture = openCliFixture(t);
  const list = ["a", "b"].map((id) => {
    const workspace = path.join(fixture.home, id);
    mkdirSync(workspace);
    writeFileSync(path.join(workspace, "MEMORY.md"), `# Facts\n\nThe word of ${id} is kingfisher-${id}.\n`);
    return { id, workspace };
  });
  mkdirSync(fixture.stateDir);
  writeFileSync(path.join(fixture.stateDir, "longhand.json5"), JSON.stringify({ agents: { list } }));
  const open = async (...argv: string[]) => {
    const child = fixture.start({ keepInputOpen: true }, ...argv, "--port", "0", "--json");
    const [line] = await once(child.stdout!, "data");
    return JSON.parse(String(line)) as Started;
  };
  return { ...fixture, open };
}

const read = (file: string) => readFileSync(file, "utf8").trim();

async function searchOver(url: string, token: string): Promise<{ status: number; text: string }> {
  const call = { name: "memory_search", arguments: { query: "kingfisher" } };
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
  });
  return { status: answer.status, text: await answer.text() };
}

test("the token of an agent opens that agent and no other, at any address", async (t) => {
  const fixture = openTwoAgents(t);
  const { url, tokenFile, tokenFiles } = await fixture.open("mcp", "--http", "--agent", "a");
  const other = new URL("/mcp/b", url).href;
  assert.equal(tokenFiles["/mcp"], tokenFile);
  const [ofA, ofB] = [read(tokenFile), read(tokenFiles["/mcp/b"]!)];
  assert.notEqual(ofA, ofB);
  for (const file of Object.values(tokenFiles))
    if (!isWindows) assert.equal(statSync(file).mode & 0o777, 0o600);

  assert.match((await searchOver(url, ofA)).text, /kingfisher-a/);
  assert.match((await searchOver(new URL("/mcp/a", url).href, ofA)).text, /kingfisher-a/);
  assert.match((await searchOver(other, ofB)).text, /kingfisher-b/);
  for (const [address, token] of [
    [other, ofA],
    [url, ofB],
    [new URL("/mcp/a", url).href, ofB],
    [new URL("/mcp/b/", url).href, ofA],
    [new URL("/mcp/./b", url).href, ofA],
    [`${new URL(url).origin}/mcp/%62`, ofA],
    [`${new URL(url).origin}//mcp/b`, ofA],
  ] as const) {
    const { status, text } = await searchOver(address, token);
    assert.ok(status === 401 || status === 404, `${address}: ${status}`);
    assert.doesNotMatch(text, /kingfisher/, address);
  }

  // The page and the API of the other agent are closed to it as well.
  const served = await fixture.open("serve", "--agent", "b");
  const ask = (token: string) =>
    fetch(`${served.url}/api/search?query=kingfisher`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal((await ask(ofA)).status, 401);
  assert.equal((await ask(ofB)).status, 200);
});

test("main, a single agent and a folder without an agent use http-token", async (t) => {
  const fixture = openTwoAgents(t);
  const shared = path.join(fixture.stateDir, "http-token");
  fixture.write("MEMORY.md", "# Facts\n");
  assert.equal((await fixture.open("serve")).tokenFile, shared);
  assert.equal((await fixture.open("serve", "--agent", "main")).tokenFile, shared);
  assert.notEqual((await fixture.open("serve", "--agent", "a")).tokenFile, shared);
  assert.ok(existsSync(shared));
});

test("localhost is this server whichever address it means, or a line says that it is not", async (t) => {
  const fixture = openTwoAgents(t);
  const { url, tokenFile } = await fixture.open("serve", "--agent", "a");
  const { port } = new URL(url);
  const headers = { authorization: `Bearer ${read(tokenFile)}` };
  assert.equal((await fetch(`http://[::1]:${port}/api/status`, { headers })).status, 200);

  const squatter = createServer();
  t.after(() => squatter.close());
  await once(squatter.listen({ port: 0, host: "::1" }), "listening");
  const taken = (squatter.address() as { port: number }).port;
  const child = fixture.start({ keepInputOpen: true }, "serve", "--agent", "a", "--port", `${taken}`);
  const [warning] = await once(child.stderr!, "data");
  assert.match(String(warning), /another program listens on \[::1\]/);
});
