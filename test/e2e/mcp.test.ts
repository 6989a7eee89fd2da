import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { clientKinds, connect, type McpClient } from "../support/mcp-clients.ts";
import { fillNotes, openClient, startHttp, transports } from "../support/mcp-fixture.ts";
import { isWindows, skipOnWindows } from "../support/platform.ts";
import { openCliFixture } from "../support/run-cli.ts";

for (const transport of transports) {
  for (const kind of clientKinds) {
    test(`A client of the ${kind} recalls, reads and looks around over ${transport}`, async (t) => {
      const fixture = openCliFixture(t);
      fillNotes(fixture);
      const client = await openClient(t, fixture, { kind, transport });
      const { tools } = await client.listTools();
      const offered = ["memory_search", "memory_get", ...(transport === "stdio" ? ["memory_add"] : [])];
      assert.deepEqual(
        tools.map(({ name }) => name),
        offered,
      );

      const found = await client.callTool({
        name: "memory_search",
        arguments: { query: "when do we ship?" },
      });
      assert.match(
        found.content[0]!.text,
        /^The fenced text .*\n\nscore .*\n```text\nmemory\/2026-03-02\.md#L[^`]*We ship on Fridays only/,
      );
      const read = await client.callTool({ name: "memory_get", arguments: { path: "MEMORY.md", from: 3 } });
      assert.match(
        read.content[0]!.text,
        /^The fenced text .*\n\nlines 3-3 of 3\n```text\nMEMORY\.md\n\nThe launch code word is kingfisher\.\n```$/,
      );
      // Hosts that get structured content show it to the model instead of the fenced text.
      for (const tool of tools) assert.ok(!("outputSchema" in tool), tool.name);
      for (const result of [found, read]) assert.ok(!("structuredContent" in result));

      const { resources } = await client.listResources();
      assert.deepEqual(
        resources.map(({ uri }) => uri),
        ["memory://notes/MEMORY.md", "memory://notes/memory/2026-03-02.md"],
      );
      const { contents } = await client.readResource({ uri: "memory://notes/MEMORY.md" });
      assert.match(contents[0]!.text ?? "", /^The fenced text .*\n\n```text\nMEMORY\.md\n\n[^`]*kingfisher/);
      assert.equal(
        (await client.listResourceTemplates()).resourceTemplates[0]!.uriTemplate,
        "memory://notes/{+path}",
      );

      const { prompts } = await client.listPrompts();
      assert.deepEqual(
        prompts.map(({ name }) => name),
        // Over HTTP nothing can be written, so it is not offered.
        transport === "stdio"
          ? ["recall", "remember", "forget", "review", "consolidate", "save-before-compaction"]
          : ["recall", "forget", "consolidate"],
      );
      const prompt = await client.getPrompt({ name: "recall", arguments: { topic: "releases" } });
      assert.match(JSON.stringify(prompt.messages[0]!.content), /Search memory for: releases/);
    });

    test(`A client of the ${kind} gets a clear error for any mistake over ${transport}, and the server continues`, async (t) => {
      const fixture = openCliFixture(t);
      fillNotes(fixture);
      const client = await openClient(t, fixture, { kind, transport });
      await assert.rejects(client.callTool({ name: "memory_burn", arguments: {} }), /no tool "memory_burn"/);
      for (const { name } of (await client.listTools()).tools) {
        for (const input of [{}, { nonsense: 1 }, { query: 7, path: 7, text: 7 }]) {
          const { isError, content } = await client.callTool({ name, arguments: input });
          assert.equal(isError, true);
          assert.match(content[0]!.text, new RegExp(`^${name} was not run: .*Call it again with`));
        }
      }
      const answer = async (name: string, input: Record<string, unknown>) =>
        (await client.callTool({ name, arguments: input })).content[0]!.text;
      assert.match(await answer("memory_search", { query: 7 }), /query must be text/);
      const good = await client.callTool({ name: "memory_search", arguments: { query: "none" } });
      assert.equal(good.isError ?? false, false);
      assert.match(
        await answer("memory_search", { query: "x".repeat(300_000) }),
        /cut to its first|Nothing in memory/,
      );
      assert.match(await answer("memory_get", { path: "../../etc/passwd" }), /memory_get|note|memory/i);
      assert.match(await answer("memory_get", { path: "/etc/passwd" }), /not|only/i);
      await assert.rejects(client.readResource({ uri: "memory://notes/..%2F..%2Fetc%2Fpasswd" }));
      await assert.rejects(client.readResource({ uri: "memory://notes/memory/none.md" }), /names no note/);
      await assert.rejects(client.getPrompt({ name: "recall" }), /topic/);
      assert.match(await answer("memory_search", { query: "kingfisher" }), /launch code word/);
    });
  }
}

for (const transport of transports) {
  for (const kind of clientKinds) {
    test(`A client of the ${kind} is notified of a changed note over ${transport}`, async (t) => {
      const fixture = openCliFixture(t);
      fillNotes(fixture);
      const client = await openClient(t, fixture, { kind, transport });
      await client.callTool({ name: "memory_search", arguments: { query: "kingfisher" } });
      const { promise: updated, resolve } = Promise.withResolvers<string>();
      await client.subscribe("memory://notes/MEMORY.md", resolve);
      fixture.write("memory/2026-03-02.md", "# Monday\n\n- Nobody asked to hear of this.\n");
      fixture.write("MEMORY.md", "# Facts\n\nThe launch code word is osprey.\n");
      assert.equal(await updated, "memory://notes/MEMORY.md");
    });
  }
}

test("An agent writes over stdio, and the next search of another client finds it", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const writer = await openClient(t, fixture, { kind: "newer protocol", transport: "stdio" });
  const reader = await openClient(t, fixture, { kind: "previous library", transport: "stdio" });
  await reader.callTool({ name: "memory_search", arguments: { query: "kingfisher" } });
  await writer.callTool({ name: "memory_add", arguments: { text: "The staging server moved to Oslo." } });
  const found = await reader.callTool({ name: "memory_search", arguments: { query: "staging server" } });
  assert.match(found.content[0]!.text, /moved to Oslo/);
});

test("Over HTTP, agents write only if that was enabled", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const client = await openClient(t, fixture, {
    kind: "newer protocol",
    transport: "http",
    argv: ["--allow-writes"],
  });
  const { content } = await client.callTool({
    name: "memory_add",
    arguments: { text: "Standups are at nine." },
  });
  assert.match(content[0]!.text, /^Written to memory\//);
});

test("Progress is reported while the first index runs", async (t) => {
  const fixture = openCliFixture(t);
  for (let i = 0; i < 300; i++)
    fixture.write(`memory/topic-${i}.md`, `# Topic ${i}\n\nQuokka ${i}.\n`.repeat(20));
  const client = await openClient(t, fixture, { kind: "previous library", transport: "stdio" });
  const told: number[] = [];
  await client.callTool({ name: "memory_search", arguments: { query: "quokka" } }, ({ progress }) =>
    told.push(progress),
  );
  assert.ok(told.length > 0);
  assert.deepEqual(
    told,
    [...new Set(told)].sort((a, b) => a - b),
    "it only grows",
  );
});

test("A shared session over MCP sees nothing private, in tools and resources", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const client = await openClient(t, fixture, {
    kind: "newer protocol",
    transport: "stdio",
    argv: ["--session-key", "agent:main:slack:group:g1"],
  });
  const found = await client.callTool({ name: "memory_search", arguments: { query: "kingfisher" } });
  assert.doesNotMatch(found.content[0]!.text, /kingfisher\./);
  assert.deepEqual(
    (await client.listResources()).resources.map(({ uri }) => uri),
    ["memory://notes/memory/2026-03-02.md"],
  );
  await assert.rejects(client.readResource({ uri: "memory://notes/MEMORY.md" }), /private/);
});

test("Each configured agent has an address and a memory of its own", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const workspace = path.join(fixture.home, "work-notes");
  fixture.write("../work-notes/MEMORY.md", "The work password hint is heron.\n");
  fixture.write("../state/longhand.json5", JSON.stringify({ agents: { list: [{ id: "work", workspace }] } }));
  const { url, token } = await startHttp(fixture);
  const ofWork = readFileSync(path.join(fixture.stateDir, "http-tokens", "work"), "utf8").trim();
  const [own, work] = [
    await connect("newer protocol", { kind: "http", url, token }),
    await connect("previous library", { kind: "http", url: `${url}/work`, token: ofWork }),
  ];
  t.after(() => Promise.all([own.close(), work.close()]));
  const ask = async (client: McpClient, query: string) =>
    (await client.callTool({ name: "memory_search", arguments: { query } })).content[0]!.text;
  assert.match(await ask(own, "kingfisher"), /launch code word/);
  assert.match(await ask(own, "heron"), /^Nothing in memory fits/);
  assert.match(await ask(work, "heron"), /work password hint/);
  assert.match(await ask(work, "kingfisher"), /^Nothing in memory fits/);
});

test("Without the token, from another origin or under another host name, nothing is served", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const { url, token } = await startHttp(fixture);
  const good = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const post = async (headers: Record<string, string>) => await fetch(url, { method: "POST", headers, body });
  const { authorization: _, ...bare } = good;
  for (const [headers, status] of [
    [bare, 401],
    [{ ...good, authorization: "Bearer guess" }, 401],
    [{ ...good, origin: "http://evil.example" }, 403],
    [{ ...good, "sec-fetch-site": "cross-site" }, 403],
    [{ ...good, "content-type": "text/plain" }, 415],
  ] as const) {
    const response = await post(headers);
    assert.equal(response.status, status);
    assert.doesNotMatch(await response.text(), /memory_search/);
  }
  assert.equal((await fetch(new URL("/", url), { headers: good })).status, 404);
  assert.equal((await post(good)).status, 200);
});

test("A port that is in use is reported clearly", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const { url } = await startHttp(fixture);
  const { code, value } = await fixture.json("mcp", "--http", "--port", new URL(url).port);
  assert.equal(code, 1);
  assert.equal((value as { error: { code: string } }).error.code, "address-unusable");
});

test("The stdio server prints the protocol and nothing else, and exits with its client", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  fixture.write("memory/secret.md", new Uint8Array([0, 1, 2]));
  const child = fixture.start({ keepInputOpen: true }, "mcp", "--debug");
  let stdout = "";
  child.stdout!.on("data", (data) => {
    stdout += data;
  });
  const init = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
  const lines = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: init },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    "this is not JSON",
    {
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "memory_search", arguments: { query: "ship" } },
    },
  ];
  for (const line of lines) child.stdin!.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  while (!stdout.includes('"id":2')) await once(child.stdout!, "data");
  child.stdin!.end();
  const [code] = await once(child, "close");
  assert.equal(code, 0);
  for (const line of stdout.trim().split("\n")) assert.equal(JSON.parse(line).jsonrpc, "2.0");
});

test("A thousand mixed calls of eight clients at once: no error, and every response reaches the right client", async (t) => {
  const fixture = openCliFixture(t);
  const animals = ["quokka", "heron", "marmot", "ibex", "tapir", "lemur", "badger", "osprey"];
  for (const animal of animals)
    fixture.write(`memory/${animal}.md`, `# ${animal}\n\nThe ${animal} sleeps at noon.\n`);
  // A search waits for a first index only for a limited time, which is not tested here.
  await fixture.run("index");
  const { url, token } = await startHttp(fixture, "--allow-writes");
  await Promise.all(
    animals.map(async (animal, number) => {
      const kind = clientKinds[number % clientKinds.length]!;
      const client = await connect(kind, { kind: "http", url, token });
      t.after(() => client.close());
      // Under Wine, each check of a locked file leaks a descriptor, up to 20,000.
      for (let call = 0; call < (isWindows ? 30 : 125); call++) {
        const text = await mixedCall(client, animal, call);
        const others = animals.filter((other) => other !== animal && text.includes(other));
        assert.ok(text.includes(animal) && others.length === 0, `${animal} was answered ${text}`);
      }
    }),
  );
});

async function mixedCall(client: McpClient, animal: string, call: number): Promise<string> {
  const path = `memory/${animal}.md`;
  if (call % 25 === 24) {
    const text = `The ${animal} woke ${call} times.`;
    return JSON.stringify(await client.callTool({ name: "memory_add", arguments: { text, to: path } }));
  }
  if (call % 5 === 1)
    return JSON.stringify(await client.callTool({ name: "memory_get", arguments: { path } }));
  if (call % 5 === 2) return JSON.stringify(await client.readResource({ uri: `memory://notes/${path}` }));
  return JSON.stringify(
    await client.callTool({
      name: "memory_search",
      arguments: { query: `${animal} sleeps?`, maxResults: 1 },
    }),
  );
}

test("A client that hangs up during a call does not affect the others", async (t) => {
  const fixture = openCliFixture(t);
  for (let i = 0; i < 400; i++)
    fixture.write(`memory/topic-${i}.md`, `# Topic ${i}\n\nQuokka ${i}.\n`.repeat(20));
  const server = await startHttp(fixture);
  const hasty = await connect("previous library", server);
  const lost = hasty
    .callTool({ name: "memory_search", arguments: { query: "quokka" } })
    .catch(() => "hung up");
  await hasty.close();
  await lost;
  const patient = await connect("newer protocol", server);
  t.after(() => patient.close());
  const found = await patient.callTool({ name: "memory_search", arguments: { query: "quokka" } });
  assert.match(found.content[0]!.text, /Quokka/);
});

test("A workspace that vanishes while the server runs is reported in the response", {
  skip: skipOnWindows("the folder in which a process works cannot be removed"),
}, async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const client = await openClient(t, fixture, { kind: "newer protocol", transport: "stdio" });
  await client.callTool({ name: "memory_search", arguments: { query: "kingfisher" } });
  rmSync(fixture.project, { recursive: true });
  const read = await client.callTool({ name: "memory_get", arguments: { path: "MEMORY.md" } });
  assert.match(read.content[0]!.text, /workspace/i);
  const found = await client.callTool({ name: "memory_search", arguments: { query: "kingfisher" } });
  assert.ok(found.content[0]!.text.length > 0);
  assert.ok((await client.listTools()).tools.length > 0);
});
