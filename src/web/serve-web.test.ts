import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, utimesSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { type TestContext, test } from "node:test";
import { withMemorySearch } from "../../test/support/memory-place.ts";
import { makeCanaries, piecesOf } from "../../test/support/secret-canaries.ts";
import { openWebPlace, type WebPlace } from "../../test/support/web-place.ts";
import type { Embedder } from "../embedders/embedder.ts";
import { sha256 } from "../text/hash.ts";
import { apiRoutes } from "./api-routes.ts";

const monday = "# Monday\n\n- We ship on Fridays only.\n- Rollbacks need two people.\n";
const notes = {
  "MEMORY.md": "# Facts\n\nThe launch code word is kingfisher.\n",
  "memory/2026-03-02.md": monday,
};

/** One session of a host in the format of OpenClaw. */
function writeSession(place: WebPlace, name: string, texts: readonly string[]): void {
  const lines = [
    { type: "session", version: 3, id: name, timestamp: "2026-03-02T10:00:00.000Z", cwd: "/x" },
    ...texts.map((text, index) => ({
      type: "message",
      id: `m${index}`,
      timestamp: "2026-03-02T10:00:01.000Z",
      message: { role: "user", content: [{ type: "text", text }] },
    })),
  ];
  place.folder.write(
    `state/agents/main/sessions/${name}.jsonl`,
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
}

test("Every route answers in the shapes of the command line", async (t) => {
  const config = withMemorySearch({
    sources: ["memory", "sessions"],
    experimental: { sessionMemory: true },
    sync: { watch: false },
  });
  const place = await openWebPlace(t, { notes, config });
  const { api, memory, folder } = place;
  writeSession(place, "talk", ["What did we say about otters?", "They are kept in pond three."]);
  const asked = new Set<string>();
  const ask = async (method: string, path: string, body?: object) => {
    asked.add(`${method} ${path.split("?")[0]}`);
    const answer = await api(path, { method, ...(body && { body }) });
    assert.equal(answer.headers["cache-control"], "no-store", path);
    return answer;
  };
  const ok = async (method: string, path: string, body?: object) => {
    const answer = await ask(method, path, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };

  await t.test("search, by address and by body", async () => {
    const query = "when do we ship";
    const found = await ok("GET", `/api/search?query=${encodeURIComponent(query)}&maxResults=1&since=`);
    assert.deepEqual(found, JSON.parse(JSON.stringify(await memory.search(query, { maxResults: 1 }))));
    assert.equal(found.results[0].citation, "memory/2026-03-02.md#L1-L4");
    assert.deepEqual(await ok("POST", "/api/search", { query, maxResults: 1 }), found);
    const explained = await ok("GET", "/api/search?query=otters&explain=1&source=sessions");
    assert.equal(explained.results[0].path, "sessions/talk.jsonl");
    assert.ok(explained.results[0].explain.terms.length > 0 && explained.explain.tokens.length > 0);
    const filtered = await ok("GET", "/api/search?query=ship&path=MEMORY.md&until=2020-01-01");
    assert.deepEqual(filtered.results, []);
  });

  await t.test("get, and what is no note", async () => {
    const { path, text, from, lines, totalLines } = await ok("GET", "/api/get?path=MEMORY.md&from=3&lines=1");
    assert.deepEqual({ path, text }, { path: "MEMORY.md", text: "The launch code word is kingfisher." });
    assert.deepEqual({ from, lines, totalLines }, { from: 3, lines: 1, totalLines: 3 });
    for (const path of ["../state/http-token", "/etc/passwd", "README.md", "sessions/talk.jsonl"]) {
      const refused = await ask("GET", `/api/get?path=${encodeURIComponent(path)}`);
      assert.equal(refused.status, 403);
      assert.equal(refused.json.error.code, "path-outside-memory");
      assert.ok(refused.json.error.hint.length > 0 && refused.json.error.retryable === false);
    }
  });

  await t.test("notes with their sizes and chunks, and a tag that spares sending them again", async () => {
    const answer = await ask("GET", "/api/notes");
    const [first, second] = answer.json.notes;
    const { version, modifiedAt, ...rest } = second;
    assert.deepEqual(rest, {
      path: "memory/2026-03-02.md",
      date: "2026-03-02",
      sizeBytes: Buffer.byteLength(monday),
      scope: "shared",
      chunks: 1,
    });
    assert.ok(typeof version === "string" && Date.parse(modifiedAt) > Date.parse("2026-01-01"));
    assert.deepEqual([first.path, first.scope, answer.json.degraded], ["MEMORY.md", "private", []]);
    const known = { headers: { "if-none-match": String(answer.headers.etag) } };
    const again = await api("/api/notes", known);
    assert.deepEqual([again.status, again.text], [304, ""]);
    const written = folder.write("notes/memory/new.md", "Something new.\n");
    assert.equal((await api("/api/notes", known)).status, 200);
    utimesSync(written, new Date("2030-01-01"), new Date("2030-01-01"));
    const { notes: latest } = await ok("GET", "/api/notes?latest=1");
    assert.deepEqual(
      latest.map(({ path }: { path: string }) => path),
      ["memory/new.md"],
    );
  });

  await t.test("a timeline of days and months", async () => {
    await memory.sync();
    const days = await ok("GET", "/api/timeline");
    assert.deepEqual(days.points, [{ date: "2026-03-02", notes: 1, sessions: 1, chunks: 2 }]);
    assert.equal(days.undated.notes, 2);
    const months = await ok("GET", "/api/timeline?by=month");
    assert.deepEqual(months.points[0].date, "2026-03");
  });

  await t.test("a note is added, and found at once", async () => {
    const added = await ok("POST", "/api/add", { text: "Herons nest in May.", to: "memory/birds.md" });
    assert.deepEqual(
      { ...added, startLine: 0, endLine: 0 },
      {
        path: "memory/birds.md",
        startLine: 0,
        endLine: 0,
        duplicate: false,
        indexed: true,
      },
    );
    assert.equal((await ok("GET", "/api/search?query=herons")).results[0].path, "memory/birds.md");
    const again = await ok("POST", "/api/add", { text: "Herons nest in May.", to: "memory/birds.md" });
    assert.equal(again.duplicate, true);
    assert.equal((await ask("POST", "/api/add", { text: "x", to: "../x.md" })).status, 403);
  });

  await t.test("a note is edited if it is as it was read, and never overwritten", async () => {
    const source = await ok("GET", "/api/notes/source?path=MEMORY.md");
    assert.equal(source.text, notes["MEMORY.md"]);
    assert.equal(source.hash, sha256(Buffer.from(notes["MEMORY.md"])));
    const text = source.text.replace("kingfisher", "osprey");
    const edited = await ok("PUT", "/api/notes/source", {
      path: "MEMORY.md",
      text,
      expectedHash: source.hash,
    });
    assert.deepEqual(edited, {
      path: "MEMORY.md",
      before: source.hash,
      hash: sha256(Buffer.from(text)),
      indexed: true,
    });
    assert.equal(readFileSync(folder.at("notes/MEMORY.md"), "utf8"), text);
    assert.equal((await ok("GET", "/api/search?query=osprey")).results.length, 1);

    folder.write("notes/MEMORY.md", "Written by somebody else.\n");
    const late = await ask("PUT", "/api/notes/source", {
      path: "MEMORY.md",
      text,
      expectedHash: edited.hash,
    });
    assert.equal(late.status, 409);
    assert.equal(late.json.error.code, "note-changed");
    assert.equal(late.json.present.text, "Written by somebody else.\n");
    assert.equal(late.json.present.hash, sha256(Buffer.from("Written by somebody else.\n")));
    assert.equal(readFileSync(folder.at("notes/MEMORY.md"), "utf8"), "Written by somebody else.\n");

    const gone = { path: "memory/none.md", text, expectedHash: edited.hash };
    const missing = await ask("PUT", "/api/notes/source", gone);
    assert.deepEqual([missing.status, missing.json.present], [409, null]);
    assert.equal((await ask("GET", "/api/notes/source?path=memory/none.md")).json.error.code, "note-missing");
  });

  await t.test("forgetting shows first, and removes only what was seen", async () => {
    const path = "memory/2026-03-02.md";
    const found = await ok("POST", "/api/forget", { query: "rollbacks", preview: true });
    const [passage] = found.passages;
    const line = "- Rollbacks need two people.";
    assert.deepEqual(passage, { path, startLine: 4, endLine: 4, text: line, hash: sha256(line) });
    for (const body of [
      { query: "rollbacks" },
      { path, startLine: 4 },
      { path },
      {},
      { path, query: "x", preview: true },
      { path, endLine: 4, text: line },
    ]) {
      const refused = await ask("POST", "/api/forget", body);
      assert.deepEqual([refused.status, refused.json.error.code], [400, "request-invalid"], refused.text);
    }
    const wrong = await ask("POST", "/api/forget", { path, startLine: 3, hash: passage.hash });
    assert.deepEqual([wrong.status, wrong.json.error.code], [409, "note-changed"]);
    assert.equal(readFileSync(folder.at(`notes/${path}`), "utf8"), monday);

    const removed = await ok("POST", "/api/forget", { path, startLine: 4, hash: passage.hash });
    assert.deepEqual(removed.removed, [{ path, startLine: 4, endLine: 4 }]);
    assert.equal(removed.receipt.complete, true);
    assert.equal(readFileSync(folder.at(`notes/${path}`), "utf8"), monday.replace(`${line}\n`, ""));

    const seen = { path: "memory/birds.md", startLine: 1, endLine: 1 };
    const bird = (await ok("GET", "/api/get?path=memory/birds.md&lines=1")).text;
    assert.equal(
      (await ok("POST", "/api/forget", { passages: [{ ...seen, text: bird }] })).removed.length,
      1,
    );
    const whole = await ok("POST", "/api/forget", { path: "memory/new.md", preview: true });
    const { hash } = await ok("GET", "/api/notes/source?path=memory/new.md");
    assert.equal(whole.passages[0].hash, hash);
    const gone = await ok("POST", "/api/forget", { path: "memory/new.md", hash });
    assert.equal(gone.receipt.notes[0].after, null);
  });

  await t.test("transcripts, by the line that hits cite", async () => {
    const { sessions, isIndexing } = await ok("GET", "/api/sessions");
    assert.deepEqual([sessions[0].id, sessions[0].turns, isIndexing], ["talk", 2, true]);
    const shown = await ok("GET", "/api/sessions/show?id=sessions/talk.jsonl&from=3&lines=1");
    assert.equal(shown.turns[0].line, 3);
    assert.match(shown.turns[0].text, /pond three/);
    const first = await ok("GET", "/api/sessions/show?id=talk&lines=1");
    assert.deepEqual([first.turns.length, first.nextFrom], [1, 3]);
    assert.equal((await ask("GET", "/api/sessions/show?id=none")).status, 404);
  });

  await t.test("status with the latest passes, and probes when they are asked for", async () => {
    const report = await ok("POST", "/api/sync", { force: true });
    assert.deepEqual([report.failed, report.updated > 0], [[], true]);
    const status = await ok("GET", "/api/status");
    assert.equal(status.syncs[0].reason, "http");
    assert.equal(status.syncs[0].updated, report.updated);
    assert.deepEqual(status.server, { version: "1.2.3", isReadOnly: false });
    assert.equal(status.probes, undefined);
    assert.equal((await ok("GET", "/api/status?deep=1")).probes.embedding.ok, false);
  });

  await t.test("settings, agents, and a description of it all", async () => {
    const settings = await ok("GET", "/api/config");
    const of = (key: string) => settings.find((each: { key: string }) => each.key === key);
    assert.deepEqual(of("memorySearch.provider").value, "none");
    assert.deepEqual(await ok("GET", "/api/agents"), {
      current: "main",
      agents: [{ id: "main", isServed: true }],
    });
    const { paths } = await ok("GET", "/api/openapi.json");
    assert.ok("/api/search" in paths);
  });

  asked.add("GET /api/events");
  const all = apiRoutes.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual([...asked].sort(), all.sort(), "every route is asked here");
  assert.deepEqual(place.problems, []);
});

test("A request that does not fit is refused with what would fit", async (t) => {
  const { api, problems } = await openWebPlace(t, { notes });
  const cases: readonly [path: string, call: Parameters<typeof api>[1], status: number, code: string][] = [
    ["/api/search", {}, 400, "request-invalid"],
    ["/api/search?query=x&maxResults=many", {}, 400, "request-invalid"],
    ["/api/search?query=x&agent=other", {}, 400, "request-invalid"],
    ["/api/search?query=x&since=2026-02-30", {}, 400, "query-invalid"],
    ["/api/search?query=x&path=[", {}, 400, "query-invalid"],
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
  const { headers } = await api("/api/search", { method: "DELETE" });
  assert.equal(headers.allow, "GET, POST");
  assert.deepEqual(problems, []);
});

test("Where the server only reads, nothing is changed, and looking goes on", async (t) => {
  const { api, folder } = await openWebPlace(t, { notes, isReadOnly: true });
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

test("A link lets one browser in, once", async (t) => {
  const place = await openWebPlace(t, { notes });
  place.folder.write("page/index.html", "<title>page</title>");
  const typed = { accept: "text/html", "sec-fetch-site": "none", "sec-fetch-mode": "navigate" };
  const link = place.server.createLink().replace(place.server.url, "");

  const stranger = await place.call("/", { headers: typed });
  assert.equal(stranger.status, 401);
  assert.match(stranger.text, /A link is needed/);
  assert.equal((await place.call(link, { method: "HEAD" })).status, 401);
  const clicked = await place.call(link, { headers: { ...typed, "sec-fetch-site": "cross-site" } });
  assert.equal(clicked.status, 403);
  assert.match(clicked.text, /Copy the address/);

  const entered = await place.call(link, { headers: typed });
  assert.deepEqual([entered.status, entered.headers.location, entered.text], [303, "/", ""]);
  const [setCookie = ""] = entered.headers["set-cookie"] ?? [];
  assert.match(setCookie, /^longhand_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  assert.ok(!setCookie.includes(place.token) && !link.includes(place.token));
  const cookie = setCookie.split(";")[0]!;
  assert.match((await place.call("/", { headers: { ...typed, cookie } })).text, /<title>page/);
  assert.equal((await place.call("/api/notes", { headers: { cookie } })).json.notes.length, 2);

  const second = await place.call(link, { headers: typed });
  assert.equal(second.status, 403);
  assert.match(second.text, /longhand serve/);
  assert.equal(second.headers["set-cookie"], undefined);
  const back = await place.call(link, { headers: { ...typed, cookie } });
  assert.deepEqual([back.status, back.headers["set-cookie"]], [303, undefined]);
  assert.equal((await place.call("/?once=guess", { headers: typed })).status, 403);

  const other = await place.enter();
  assert.notEqual(other, cookie);
  const write = { method: "POST", body: { text: "By hand." }, headers: { cookie: other } };
  assert.equal((await place.call("/api/add", write)).json.error.code, "origin-unknown");
  const own = { ...write, headers: { cookie: other, origin: place.server.url } };
  assert.equal((await place.call("/api/add", own)).status, 200);
});

test("The page's files are served, and nothing beside them", async (t) => {
  const place = await openWebPlace(t, { notes });
  const { api, folder } = place;
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
    assert.ok(!text.includes(place.token));
  }
  assert.deepEqual((await api("/", { method: "HEAD" })).text, "");
});

test("A search whose caller has gone stops", async (t) => {
  const aborted = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const embedder: Embedder = {
    id: "waiting",
    provider: "waiting",
    model: "waiting",
    isSlow: false,
    vectorsPerText: "one",
    embedDocuments: async function* () {},
    async embedQuery(_query: string, { signal }: { signal?: AbortSignal } = {}) {
      begun.resolve();
      await new Promise<void>((resolve) =>
        signal?.addEventListener("abort", () => resolve(), { once: true }),
      );
      aborted.resolve();
      return null;
    },
    async [Symbol.asyncDispose]() {},
  } as never;
  const config = withMemorySearch({ query: { vectorWaitMs: 60_000 }, sync: { watch: false } });
  const place = await openWebPlace(t, { notes, config, embedder });
  const sent = request(`${place.server.url}/api/search?query=kingfisher`, {
    headers: { authorization: `Bearer ${place.token}` },
  });
  sent.on("error", () => {});
  sent.end();
  await begun.promise;
  sent.destroy();
  await aborted.promise;
});

test("Pages hear of progress, reports and changed notes until the server ends", async (t) => {
  const place = await openWebPlace(t, {
    notes,
    config: withMemorySearch({ sync: { watchDebounceMs: 10 } }),
  });
  const [first, second] = [await listenTo(t, place), await listenTo(t, place)];
  for (const listener of [first, second]) {
    assert.deepEqual(await listener.next("hello"), { agentId: "main", version: "1.2.3", isReadOnly: false });
  }
  await place.api("/api/sync", { method: "POST", body: { force: true } });
  for (const listener of [first, second]) {
    const { completed, total, label } = await listener.next("progress");
    assert.ok(completed <= total && typeof label === "string");
    assert.equal((await listener.next("synced")).failed.length, 0);
  }
  second.stop();
  await place.api("/api/add", { method: "POST", body: { text: "New.", to: "memory/new.md" } });
  assert.deepEqual(await first.next("changed"), { paths: ["memory/new.md"], isListChanged: true });
  place.folder.write("notes/MEMORY.md", "# Facts\n\nThe launch code word is osprey.\n");
  for (;;) {
    const { paths } = await first.next("changed");
    if (paths.includes("MEMORY.md")) break;
  }
  await place.server[Symbol.asyncDispose]();
  await first.ended();
});

test("Ten thousand notes are listed", async (t) => {
  const place = await openWebPlace(t, { config: withMemorySearch({ sync: { watch: false } }) });
  const paths = Array.from({ length: 10_000 }, (_, index) => `memory/topic-${index % 100}/note-${index}.md`);
  for (const path of paths) place.folder.write(`notes/${path}`, `Note ${path}.\n`);
  const { notes: listed } = (await place.api("/api/notes")).json;
  assert.deepEqual(
    listed.map(({ path }: { path: string }) => path),
    paths.sort(),
  );
});

test("No secret of the configuration, the server or a transcript is in any answer", async (t) => {
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
  const place = await openWebPlace(t, { notes, config: config as never });
  writeSession(place, "secrets", [`The key is ${keys[0]}.`, ...canaries.map(({ text }) => text)]);
  place.folder.write("notes/memory/leak.md", `The printer password is ${keys[0]} and here.\n`);
  const cookie = await place.enter();
  const answers = [
    await place.api("/api/sync", { method: "POST", body: {} }),
    await place.api("/api/search?query=the%20key%20is&explain=1&maxResults=200"),
    await place.api("/api/search", { method: "POST", body: { query: "printer password" } }),
    await place.api("/api/sessions"),
    await place.api("/api/sessions/show?id=secrets&lines=1000"),
    await place.api("/api/status?deep=1"),
    await place.api("/api/config"),
    await place.api("/api/timeline"),
    await place.api("/api/openapi.json"),
    await place.call("/api/notes", { headers: { cookie } }),
    await place.call("/", { headers: { accept: "text/html" } }),
  ];
  for (const { status, text } of answers) {
    const secrets = [...keys, ...canaries.flatMap(piecesOf), place.token, cookie.split("=")[1]!];
    for (const secret of secrets)
      assert.ok(!text.includes(secret), `${status} ${secret} in ${text.slice(0, 300)}`);
  }
  assert.equal(answers[4]!.json.turns.length, canaries.length + 1);
  for (const problem of place.problems) for (const key of keys) assert.ok(!problem.includes(key));
});

interface Listener {
  /** The data of the next event of this kind; others are passed over. */
  next(kind: string): Promise<ReturnType<typeof JSON.parse>>;
  /** Resolves when the server has ended the stream as it should. */
  ended(): Promise<void>;
  stop(): void;
}

async function listenTo(t: TestContext, place: WebPlace): Promise<Listener> {
  const sent = request(`${place.server.url}/api/events`, {
    headers: { authorization: `Bearer ${place.token}` },
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
