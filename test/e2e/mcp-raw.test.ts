import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { test } from "node:test";
import { fillNotes, startHttp } from "../support/mcp-fixture.ts";
import { type CliFixture, openCliFixture } from "../support/run-cli.ts";

/** Messages of a client without a library; no library would send most of them. */
interface Answer {
  readonly id?: number | string | null;
  readonly result?: Record<string, unknown>;
  readonly error?: { code: number; message: string };
  readonly method?: string;
}

const opening = (protocolVersion = "2025-06-18") => [
  {
    jsonrpc: "2.0",
    id: "init",
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
];
const ask = (id: number, method: string, params?: object) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params && { params }),
});
const callTool = (id: number, name: string, input: object) =>
  ask(id, "tools/call", { name, arguments: input });

/** Everything is written at once and the input closed, like a pipe in a shell. */
async function talk(
  fixture: CliFixture,
  messages: readonly (object | string)[],
  { argv = [], env = {} }: { argv?: string[]; env?: Record<string, string> } = {},
) {
  const input = messages
    .map((message) => `${typeof message === "string" ? message : JSON.stringify(message)}\n`)
    .join("");
  const { code, stdout, stderr } = await fixture.runWith({ input, env }, "mcp", ...argv);
  const answers = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Answer);
  return { code, stderr, answers, answerTo: (id: number | string) => answers.find((each) => each.id === id) };
}

function textOf(answer: Answer | undefined): string {
  const [content] = (answer?.result?.["content"] ?? []) as { text: string }[];
  return content?.text ?? "";
}

test("Requests sent before the input ended are answered, and the server exits cleanly", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const { code, answerTo } = await talk(fixture, [
    ...opening(),
    callTool(1, "memory_search", { query: "when do we ship?" }),
    callTool(2, "memory_add", { text: "Standups are at nine." }),
  ]);
  assert.equal(code, 0);
  assert.match(textOf(answerTo(1)), /Fridays/);
  assert.match(textOf(answerTo(2)), /^Written to memory\//);
});

for (const version of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
  test(`A client of ${version} is served in its version, in batches too`, async (t) => {
    const fixture = openCliFixture(t);
    fillNotes(fixture);
    const { answerTo } = await talk(fixture, [
      ...opening(version),
      [ask(1, "ping"), callTool(2, "memory_search", { query: "kingfisher" })] as object,
    ]);
    assert.equal(answerTo("init")?.result?.["protocolVersion"], version);
    assert.deepEqual(answerTo(1)?.result, {});
    assert.match(textOf(answerTo(2)), /launch code word/);
  });
}

test("Any line gets an answer, and the next line is served", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const { code, answers, answerTo, stderr } = await talk(fixture, [
    ...opening(),
    "this is not JSON",
    "",
    "null",
    "[]",
    "{}",
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":2}',
    `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"memory_get","arguments":{"path":"${"x".repeat(17 * 1024 * 1024)}"}}}`,
    callTool(4, "memory_search", { query: "q".repeat(2_000_000) }),
    callTool(5, "memory_search", { ["k".repeat(1_000_000)]: 1 }),
    ask(6, "no/such/method"),
    ask(7, "ping"),
    ask(8, "resources/read", {}),
    ask(9, "tools/call", { name: 7 }),
  ]);
  assert.equal(code, 0);
  const unnamed = answers.filter(({ id }) => id === null).map(({ error }) => error?.code);
  assert.deepEqual(unnamed, [-32_700, -32_600, -32_600, -32_600, -32_600]);
  assert.equal(answerTo(1)?.error?.code, -32_600);
  assert.equal(answerTo(2)?.error?.code, -32_600);
  assert.match(textOf(answerTo(4)), /cut to its first 4096/);
  assert.match(textOf(answerTo(5)), /it has no property "k+"\. Call it again/);
  assert.equal(answerTo(6)?.error?.code, -32_601);
  assert.deepEqual(answerTo(7)?.result, {});
  for (const [id, property] of [
    [8, "uri"],
    [9, "name"],
  ] as const) {
    assert.equal(answerTo(id)?.error?.code, -32_602);
    assert.match(
      answerTo(id)?.error?.message ?? "",
      new RegExp(`^Invalid parameters: ${property}: expected string, received \\w+\\.$`),
    );
  }
  assert.ok(stderr.length < 2000, stderr);
});

test("For a disabled memory, the server says so and has no tools", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  fixture.write("../state/longhand.json5", "{ agents: { defaults: { memorySearch: { enabled: false } } } }");
  for (const argv of [[], ["--json"]]) {
    const { code, answerTo } = await talk(fixture, [...opening(), ask(1, "tools/list")], { argv });
    assert.equal(code, 0);
    assert.match(String(answerTo("init")?.result?.["instructions"]), /Memory is disabled/);
    assert.deepEqual(answerTo(1)?.result?.["tools"], []);
  }
});

test("A read-only server lists no tool and no prompt that writes", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const { answers } = await talk(
    fixture,
    [
      ...opening(),
      ask(1, "tools/list"),
      ask(2, "prompts/list"),
      ask(3, "prompts/get", { name: "save-before-compaction" }),
    ],
    { argv: ["--read-only"] },
  );
  assert.doesNotMatch(JSON.stringify(answers.filter(({ error }) => !error)), /memory_add|save-before/);
  assert.match(answers.find(({ id }) => id === 3)?.error?.message ?? "", /prompts\/list/);
});

test("Prompts contain the user's local date", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const zone = (timezone: string) =>
    fixture.write("../state/longhand.json5", `{ agents: { defaults: { userTimezone: "${timezone}" } } }`);
  const days: string[] = [];
  // In these two time zones it is never the same day.
  for (const timezone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    zone(timezone);
    const { answerTo } = await talk(fixture, [
      ...opening(),
      ask(1, "prompts/get", { name: "save-before-compaction" }),
    ]);
    days.push(/It is (\d{4}-\d\d-\d\d)/.exec(JSON.stringify(answerTo(1)))?.[1] ?? "none");
  }
  assert.notEqual(days[0], days[1]);
});

test("A session that others can read cannot write to, subscribe to or learn about the private note", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const uri = "memory://notes/MEMORY.md";
  const { answerTo, answers } = await talk(
    fixture,
    [
      ...opening(),
      callTool(1, "memory_add", { text: "The launch code word is kingfisher.", to: "long-term" }),
      ask(2, "resources/subscribe", { uri }),
      ask(3, "resources/read", { uri: "memory://notes/%4DEMORY.md" }),
      ask(4, "resources/subscribe", { uri: "memory://notes/memory/later.md" }),
      ask(5, "prompts/get", { name: "recall", arguments: { topic: "ships" } }),
    ],
    { argv: ["--session-key", "agent:main:slack:group:g1"] },
  );
  assert.match(textOf(answerTo(1)), /private/);
  assert.match(answerTo(2)?.error?.message ?? "", /private/);
  assert.match(answerTo(3)?.error?.message ?? "", /private/);
  assert.deepEqual(answerTo(4)?.result, {});
  assert.doesNotMatch(JSON.stringify(answers), /with its citation|cite the notes|already/i);
});

test("A flood of subscriptions ends at a limit", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const uris = Array.from({ length: 1003 }, (_, i) => `memory://notes/memory/${i}.md`);
  const { answers } = await talk(fixture, [
    ...opening(),
    ...uris.map((uri, i) => ask(i, "resources/subscribe", { uri })),
  ]);
  const refused = answers.filter(({ error }) => error !== undefined);
  assert.equal(refused.length, 3);
  assert.match(refused[0]!.error!.message, /resources\/unsubscribe/);
});

test("A note of many megabytes and one with a very long line are read as resources, whole", async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("memory/big.md", "- a line of a big note\n".repeat(400_000));
  fixture.write("memory/long.md", `${"x".repeat(50_000)}\nlast\u202e\n`);
  const { answerTo } = await talk(fixture, [
    ...opening(),
    ask(1, "resources/read", { uri: "memory://notes/memory/big.md" }),
    ask(2, "resources/read", { uri: "memory://notes/memory/long.md" }),
  ]);
  const read = (id: number) => ((answerTo(id)?.result?.["contents"] ?? []) as { text: string }[])[0]!.text;
  const inside = (id: number) => /```text\n[^\n]*\n\n([^`]*)\n```$/.exec(read(id))![1]!;
  assert.equal(inside(1).split("\n").length, 400_000);
  assert.equal(inside(2), `${"x".repeat(50_000)}\nlast<U+202E>`);
});

test("Other agents of a server have the notes that the configuration gives them, wherever it was started", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const work = path.join(fixture.home, "work-notes");
  mkdirSync(work);
  writeFileSync(path.join(work, "MEMORY.md"), "The work hint is heron.\n");
  const list = [
    { id: "work", workspace: work },
    { id: "plain" },
    { id: "gone", workspace: path.join(fixture.home, "nowhere") },
    { id: "off", workspace: work, memorySearch: { enabled: false } },
  ];
  fixture.write("../state/longhand.json5", JSON.stringify({ agents: { list } }));
  const child = fixture.start(
    { keepInputOpen: true, env: { LONGHAND_WORKSPACE: fixture.project } },
    ...["mcp", "--http", "--port", "0", "--json"],
  );
  const [line] = await once(child.stdout!, "data");
  const { url, tokenFiles } = JSON.parse(String(line)) as {
    url: string;
    tokenFiles: Record<string, string>;
  };
  const search = async (agent: string, query: string) => {
    const response = await fetch(`${url}${agent}`, {
      method: "POST",
      headers: headersWith(readFileSync(tokenFiles[`/mcp${agent}`]!, "utf8").trim()),
      body: JSON.stringify(callTool(1, "memory_search", { query })),
    });
    return `${response.status} ${await response.text()}`;
  };
  assert.match(await search("", "kingfisher"), /launch code/);
  assert.match(await search("/work", "heron"), /work hint/);
  for (const agent of ["/work", "/plain"])
    assert.match(await search(agent, "kingfisher"), /^200 .*Nothing in memory/s);
  assert.match(await search("/gone", "kingfisher"), /^503 .*nowhere.*does not exist/);
  assert.match(await search("/off", "kingfisher"), /^503 .*switches it off/);
});

function headersWith(token: string): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
}

test("Over HTTP, other methods, other forms of URL and too much of anything are refused with a clear error", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const { url, token } = await startHttp(fixture);
  const send = (options: {
    method?: string;
    path?: string;
    body?: string;
    headers?: Record<string, string>;
  }) =>
    new Promise<{ status: number | undefined; text: string; allow: string | undefined }>(
      (resolve, reject) => {
        const { method = "POST", path: target = "/mcp", body = "", headers = {} } = options;
        const { port } = new URL(url);
        const sent = request(
          { host: "127.0.0.1", port, method, path: target, headers: { ...headersWith(token), ...headers } },
          (response) => {
            let text = "";
            response.on("data", (data) => {
              text += data;
            });
            response.on("end", () =>
              resolve({ status: response.statusCode, text, allow: response.headers.allow }),
            );
          },
        );
        sent.on("error", reject);
        sent.end(body);
      },
    );
  const body = JSON.stringify(ask(1, "tools/list"));
  for (const method of ["PUT", "PATCH", "OPTIONS", "TRACE"]) {
    const { status, allow } = await send({ method });
    assert.deepEqual([status, allow], [405, "POST, GET, DELETE"], method);
  }
  assert.equal((await send({ path: "http://elsewhere.example/mcp", body })).status, 404);
  assert.equal((await send({ body: "x".repeat(2_000_000) })).status, 413);
  assert.equal((await send({ body, headers: { "x-long": "y".repeat(20_000) } })).status, 431);
  assert.equal((await send({ body: "{{{" })).status, 400);
  assert.equal((await send({ body, headers: { "mcp-session-id": "made-up" } })).status, 404);
  assert.equal((await send({ body })).status, 200);
});

test("An address that other machines can reach causes a warning, also in JSON, and the server accepts the machine's addresses", async (t) => {
  const fixture = openCliFixture(t);
  fillNotes(fixture);
  const child = fixture.start(
    { keepInputOpen: true },
    ...["mcp", "--http", "--port", "0", "--host", "0.0.0.0", "--json"],
  );
  const [line] = await once(child.stdout!, "data");
  assert.match((JSON.parse(String(line)) as { warning: string }).warning, /other machines/);
  const { code, value } = await fixture.json("mcp", "--http", "--port", "0", "--host", "");
  assert.equal(code, 1);
  assert.equal((value as { error: { code: string } }).error.code, "address-unusable");
});
