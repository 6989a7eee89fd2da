import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { withMemorySearch } from "../../test/support/memory-fixture.ts";
import { makeCanaries, piecesOf } from "../../test/support/secret-canaries.ts";
import { talk } from "../../test/support/transcript-lines.ts";
import { openWebFixture, type WebFixture } from "../../test/support/web-fixture.ts";
import type { Embedder } from "../embedders/embedder.ts";

const notes = {
  "MEMORY.md": "# Facts\n\nThe launch code word is kingfisher.\n",
  "memory/2026-03-02.md": "# Monday\n\n- We ship on Fridays only.\n- Rollbacks need two people.\n",
};

test("An invalid request is refused, and the error says what would be valid", async (t) => {
  const { api, problems } = await openWebFixture(t, { notes });
  const cases: readonly [path: string, call: Parameters<typeof api>[1], status: number, code: string][] = [
    ["/api/search", {}, 400, "request-invalid"],
    ["/api/search?query=x&maxResults=many", {}, 400, "request-invalid"],
    ["/api/search?query=x&agent=other", {}, 400, "request-invalid"],
    ["/api/search?query=x&since=2026-02-30", {}, 400, "query-invalid"],
    ["/api/search?query=x&path=[", {}, 400, "query-invalid"],
    ["/api/search?query=x&path=..", {}, 400, "query-invalid"],
    ["/api/search?query=x&since=2026-03-02&until=2026-03-01", {}, 400, "query-invalid"],
    ["/api/search?query=x&maxResults=0x10", {}, 400, "request-invalid"],
    ["/api/search?query=x&maxResults=1e1", {}, 400, "request-invalid"],
    ["/api/search?query=x&maxResults=%205", {}, 400, "request-invalid"],
    ["/api/get?path=MEMORY.md&from=1e308", {}, 400, "request-invalid"],
    ["/api/get?path=MEMORY.md&from=9007199254740993", {}, 400, "request-invalid"],
    ["/api/search?query=x&query=y", {}, 400, "request-invalid"],
    ["/api/get?path=MEMORY.md&path=", {}, 400, "request-invalid"],
    ["/api/add", { method: "POST", body: "{" }, 400, "request-invalid"],
    ["/api/add", { method: "POST", body: Buffer.from('{"text":"\xff"}', "latin1") }, 400, "request-invalid"],
    ["/api/add", { method: "POST", body: [] }, 400, "request-invalid"],
    ["/api/add", { method: "POST", body: { text: "x".repeat(70_000) } }, 400, "entry-invalid"],
    ["/api/add", { method: "POST", body: { text: "x".repeat(1_100_000) } }, 413, "too-large"],
    ["/api/add", { method: "POST", body: "x".repeat(20_000_000) }, 413, "too-large"],
    ["/api/add", { method: "POST", headers: { "content-type": "text/plain" }, body: "x" }, 415, "not-json"],
    ["/api/add", { method: "GET" }, 405, "method-not-allowed"],
    ["/api/status", { method: "DELETE" }, 405, "method-not-allowed"],
    ["/api/none", {}, 404, "not-found"],
    // Nothing would read the body, so its type is not what is wrong.
    ["/api/search", { method: "PUT" }, 405, "method-not-allowed"],
    ["/api/notes", { method: "POST" }, 405, "method-not-allowed"],
    [
      "/api/status",
      { method: "PATCH", headers: { "content-type": "text/plain" } },
      405,
      "method-not-allowed",
    ],
    ["/", { method: "POST" }, 405, "method-not-allowed"],
    ["/plain.css", { method: "POST" }, 405, "method-not-allowed"],
    ["/api/none", { method: "POST" }, 404, "not-found"],
    ["/mcp/none", { method: "POST" }, 404, "not-found"],
    ["/api/search", { method: "POST" }, 415, "not-json"],
    // The API decodes paths.
    [
      "/api/%61dd",
      { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" },
      415,
      "not-json",
    ],
    [
      "/api/forget",
      { method: "POST", body: { path: "MEMORY.md", startLine: 3, endLine: 1, preview: true } },
      400,
      "request-invalid",
    ],
    ["/", { method: "POST", body: {} }, 405, "method-not-allowed"],
  ];
  for (const [path, call, status, code] of cases) {
    const answer = await api(path, call);
    assert.deepEqual([answer.status, answer.json?.error.code], [status, code], path);
    assert.ok(answer.json.error.message.length > 0 && answer.json.error.hint.length > 0);
  }
  assert.equal((await api("/api/events", { method: "HEAD" })).status, 405);
  assert.equal((await api("/mcp", { method: "PUT" })).status, 405);
  assert.equal((await api("/mcp", { method: "POST" })).status, 415);
  const { headers } = await api("/api/search", { method: "DELETE" });
  assert.equal(headers.allow, "GET, POST");
  assert.deepEqual(problems, []);
});

test("A client may send all of a body of unknown length that is too large, and sees why it is refused", async (t) => {
  const { server, token, problems } = await openWebFixture(t, { notes });
  const sizeBytes = 20_000_000;
  for (const path of ["/api/add", "/mcp"]) {
    const { host, port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const lines = [
      `POST ${path} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      "Transfer-Encoding: chunked",
      "Connection: close",
    ];
    const chunk = `${sizeBytes.toString(16)}\r\n${"x".repeat(sizeBytes)}\r\n0\r\n\r\n`;
    socket.end(`${lines.join("\r\n")}\r\n\r\n${chunk}`);
    const answer = Buffer.concat(await socket.toArray()).toString();
    assert.match(answer, /^HTTP\/1.1 413 .*(?:1 MiB|1048576 bytes)/s, path);
  }
  assert.deepEqual(problems, []);
});

test("A read-only server refuses changes and answers everything else", async (t) => {
  const { api, folder } = await openWebFixture(t, { notes, isReadOnly: true });
  const { hash } = (await api("/api/notes/source?path=MEMORY.md")).json;
  const changes = [
    ["POST", "/api/add", { text: "x" }],
    ["PUT", "/api/notes/source", { path: "MEMORY.md", text: "x", expectedHash: hash }],
    ["POST", "/api/forget", { path: "MEMORY.md", hash }],
  ] as const;
  for (const [method, path, body] of changes) {
    const answer = await api(path, { method, body });
    assert.deepEqual([answer.status, answer.json.error.code], [403, "read-only"], path);
  }
  assert.equal(
    (await api("/api/forget", { method: "POST", body: { path: "MEMORY.md", preview: true } })).status,
    200,
  );
  assert.equal((await api("/api/search?query=kingfisher")).json.results.length, 1);
  assert.equal(readFileSync(folder.at("notes/MEMORY.md"), "utf8"), notes["MEMORY.md"]);
});

test("A link admits one browser, once", async (t) => {
  const fixture = await openWebFixture(t, { notes });
  fixture.folder.write("page/index.html", "<title>page</title>");
  const typed = { accept: "text/html", "sec-fetch-site": "none", "sec-fetch-mode": "navigate" };
  const link = fixture.server.createLink().replace(fixture.server.url, "");

  const stranger = await fixture.call("/", { headers: typed });
  assert.equal(stranger.status, 401);
  assert.match(stranger.text, /Sign in to this memory/);
  const style = await fixture.call("/plain.css", { headers: { "sec-fetch-site": "same-origin" } });
  assert.deepEqual([style.status, style.headers["content-type"]], [200, "text/css; charset=utf-8"]);
  assert.ok(stranger.text.includes('<link rel="stylesheet" href="/plain.css">'));
  assert.doesNotMatch(stranger.text, /<style|style=|<script/);
  assert.equal(
    (await fixture.call("/plain.css", { headers: { "sec-fetch-site": "cross-site" } })).status,
    403,
  );
  assert.equal((await fixture.call(link, { method: "HEAD" })).status, 401);
  const clicked = await fixture.call(link, { headers: { ...typed, "sec-fetch-site": "cross-site" } });
  assert.equal(clicked.status, 403);
  assert.match(clicked.text, /Copy the address/);

  const entered = await fixture.call(link, { headers: typed });
  assert.deepEqual([entered.status, entered.headers.location, entered.text], [303, "/", ""]);
  const [setCookie = ""] = entered.headers["set-cookie"] ?? [];
  assert.match(setCookie, /^longhand_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  assert.ok(!setCookie.includes(fixture.token) && !link.includes(fixture.token));
  const cookie = setCookie.split(";")[0]!;
  assert.match((await fixture.call("/", { headers: { ...typed, cookie } })).text, /<title>page/);
  assert.equal((await fixture.call("/api/notes", { headers: { cookie } })).json.notes.length, 2);

  const second = await fixture.call(link, { headers: typed });
  assert.equal(second.status, 403);
  assert.match(second.text, /longhand serve/);
  assert.equal(second.headers["set-cookie"], undefined);
  const back = await fixture.call(link, { headers: { ...typed, cookie } });
  assert.deepEqual([back.status, back.headers["set-cookie"]], [303, undefined]);
  assert.equal((await fixture.call("/?once=guess", { headers: typed })).status, 403);

  const other = await fixture.enter();
  assert.notEqual(other, cookie);
  const write = { method: "POST", body: { text: "By hand." }, headers: { cookie: other } };
  assert.equal((await fixture.call("/api/add", write)).json.error.code, "origin-unknown");
  const own = { ...write, headers: { cookie: other, origin: fixture.server.url } };
  assert.equal((await fixture.call("/api/add", own)).status, 200);
});

test("Only the page's files are served", async (t) => {
  const fixture = await openWebFixture(t, { notes });
  const { api, folder } = fixture;
  assert.match((await api("/")).text, /npm run build/);
  folder.write("page/index.html", "<title>page</title>");
  folder.write("page/icon.svg", "<svg/>");
  folder.write("page/assets/page-1a2b.js", "page();");
  folder.write("page/assets/.hidden.js", "hidden");
  folder.write("page/notes.exe", "binary");
  const of = async (path: string) => {
    const { status, headers, text } = await api(path);
    return [status, headers["content-type"], headers["cache-control"], text];
  };
  const index = [200, "text/html; charset=utf-8", "no-cache", "<title>page</title>"];
  const script = "text/javascript; charset=utf-8";
  assert.deepEqual(await of("/assets/page-1a2b.js"), [
    200,
    script,
    "private, max-age=31536000, immutable",
    "page();",
  ]);
  assert.deepEqual(await of("/icon.svg"), [200, "image/svg+xml", "no-cache", "<svg/>"]);
  for (const path of ["/", "/index.html", "/search", "/notes/memory/2026-03-02.md", "/notes.exe"]) {
    assert.deepEqual(await of(path), index, path);
  }
  for (const path of [
    "/assets/none.js",
    "/assets/.hidden.js",
    "/assets/..%2f..%2fstate%2fhttp-token",
    "/assets/%2e%2e/index.html",
    "/favicon.ico",
  ]) {
    const { status, text } = await api(path);
    assert.ok(status === 404 || text === "<title>page</title>", `${path}: ${status} ${text}`);
    assert.ok(!text.includes(fixture.token));
  }
  assert.deepEqual((await api("/", { method: "HEAD" })).text, "");
});

test("A search stops when its client disconnects", async (t) => {
  const aborted = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const embedder: Embedder = {
    specificationVersion: 1,
    id: "waiting",
    provider: "waiting",
    model: "waiting",
    dimensions: null,
    maxBatch: 64,
    isSlow: false,
    vectorsPerText: "one",
    // Nothing to embed. An embedder that fails here would not be asked for the query.
    embedDocuments: async (texts) => texts.map(() => []),
    async embedQuery(_query, { signal } = {}) {
      begun.resolve();
      await new Promise<void>((resolve) =>
        signal?.addEventListener("abort", () => resolve(), { once: true }),
      );
      aborted.resolve();
      return null;
    },
    async [Symbol.asyncDispose]() {},
  };
  const config = withMemorySearch({ query: { vectorWaitMs: 60_000 }, sync: { watch: false } });
  const fixture = await openWebFixture(t, { notes, config, embedder });
  const sent = request(`${fixture.server.url}/api/search?query=kingfisher`, {
    headers: { authorization: `Bearer ${fixture.token}` },
  });
  sent.on("error", () => {});
  sent.end();
  await begun.promise;
  sent.destroy();
  await aborted.promise;
});

test("Pages receive progress, reports and changed notes until the server closes", async (t) => {
  const fixture = await openWebFixture(t, {
    notes,
    config: withMemorySearch({ sync: { watchDebounceMs: 10 } }),
  });
  const [first, second] = [await listenTo(t, fixture), await listenTo(t, fixture)];
  for (const listener of [first, second]) {
    assert.deepEqual(await listener.next("hello"), { agentId: "main", version: "1.2.3", isReadOnly: false });
  }
  await fixture.api("/api/sync", { method: "POST", body: { force: true } });
  for (const listener of [first, second]) {
    const { completed, total, label } = await listener.next("progress");
    assert.ok(completed <= total && typeof label === "string");
    assert.equal((await listener.next("synced")).failed.length, 0);
  }
  second.stop();
  await fixture.api("/api/add", { method: "POST", body: { text: "New.", to: "memory/new.md" } });
  assert.deepEqual(await first.next("changed"), { paths: ["memory/new.md"], isListChanged: true });
  fixture.folder.write("notes/MEMORY.md", "# Facts\n\nThe launch code word is osprey.\n");
  for (;;) {
    const { paths } = await first.next("changed");
    if (paths.includes("MEMORY.md")) break;
  }
  await fixture.server[Symbol.asyncDispose]();
  await first.ended();
});

test("Ten thousand notes are listed", async (t) => {
  const fixture = await openWebFixture(t, { config: withMemorySearch({ sync: { watch: false } }) });
  const paths = Array.from({ length: 10_000 }, (_, index) => `memory/topic-${index % 100}/note-${index}.md`);
  for (const path of paths) fixture.folder.write(`notes/${path}`, `Note ${path}.\n`);
  const { notes: listed } = (await fixture.api("/api/notes")).json;
  assert.deepEqual(
    listed.map(({ path }: { path: string }) => path),
    paths.sort(),
  );
});

test("No answer contains a secret of the configuration, the server or a transcript", async (t) => {
  const random = randomNumbers(7);
  const canaries = makeCanaries(40, random);
  const keys = ["sk-canary-remote-5101", "canary-header-5102", "canary-query-5103"];
  const config = {
    agents: {
      defaults: {
        memorySearch: {
          provider: "openai",
          sources: ["memory", "sessions"],
          experimental: { sessionMemory: true },
          sync: { watch: false },
          query: { minScore: 0 },
          remote: {
            apiKey: keys[0]!,
            baseUrl: `http://127.0.0.1:9/v1?key=${keys[2]}`,
            headers: { "x-secret": keys[1]! },
          },
        },
      },
    },
  } as const;
  const fixture = await openWebFixture(t, { notes, config: config as never });
  const said = [`The key is ${keys[0]}.`, ...canaries.map(({ text }) => text)];
  fixture.folder.write("state/agents/main/sessions/secrets.jsonl", talk(said));
  fixture.folder.write("notes/memory/leak.md", `The printer password is ${keys[0]} and here.\n`);
  const cookie = await fixture.enter();
  const answers = [
    await fixture.api("/api/sync", { method: "POST", body: {} }),
    await fixture.api("/api/search?query=the%20key%20is&explain=1&maxResults=200"),
    await fixture.api("/api/search", { method: "POST", body: { query: "printer password" } }),
    await fixture.api("/api/sessions"),
    await fixture.api("/api/sessions/show?id=secrets&lines=1000"),
    await fixture.api("/api/status?deep=1"),
    await fixture.api("/api/config"),
    await fixture.api("/api/timeline"),
    await fixture.api("/api/openapi.json"),
    await fixture.call("/api/notes", { headers: { cookie } }),
    await fixture.call("/", { headers: { accept: "text/html" } }),
  ];
  for (const { status, text } of answers) {
    const secrets = [...keys, ...canaries.flatMap(piecesOf), fixture.token, cookie.split("=")[1]!];
    for (const secret of secrets)
      assert.ok(!text.includes(secret), `${status} ${secret} in ${text.slice(0, 300)}`);
  }
  assert.equal(answers[4]!.json.turns.length, canaries.length + 1);
  for (const problem of fixture.problems) for (const key of keys) assert.ok(!problem.includes(key));
});

interface Listener {
  /** The data of the next event of this kind; other events are skipped. */
  next(kind: string): Promise<ReturnType<typeof JSON.parse>>;
  /** Resolves when the server has ended the stream properly. */
  ended(): Promise<void>;
  stop(): void;
}

async function listenTo(t: TestContext, fixture: WebFixture): Promise<Listener> {
  const sent = request(`${fixture.server.url}/api/events`, {
    headers: { authorization: `Bearer ${fixture.token}` },
  });
  sent.end();
  sent.on("error", () => {});
  t.after(() => sent.destroy());
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  assert.equal(response.headers["content-type"], "text/event-stream");
  response.on("error", () => {});
  const events = readEvents(response);
  return {
    async next(kind) {
      for (;;) {
        const { value, done } = await events.next();
        if (done) throw new Error(`The stream ended before ${kind}.`);
        if (value.kind === kind) return JSON.parse(value.data);
      }
    },
    async ended() {
      while (!(await events.next()).done);
    },
    stop: () => sent.destroy(),
  };
}

async function* readEvents(response: IncomingMessage): AsyncGenerator<{ kind: string; data: string }> {
  let rest = "";
  for await (const part of response) {
    rest += part;
    for (let end = rest.indexOf("\n\n"); end !== -1; end = rest.indexOf("\n\n")) {
      const fields = new Map(
        rest
          .slice(0, end)
          .split("\n")
          .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
      );
      rest = rest.slice(end + 2);
      if (fields.has("event")) yield { kind: fields.get("event")!, data: fields.get("data")! };
    }
  }
}

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
