import assert from "node:assert/strict";
import { readFileSync, utimesSync } from "node:fs";
import { test } from "node:test";
import { withMemorySearch } from "../../test/support/memory-fixture.ts";
import { findMisfit } from "../../test/support/schema-misfit.ts";
import { talk } from "../../test/support/transcript-lines.ts";
import { openWebFixture } from "../../test/support/web-fixture.ts";
import { sha256 } from "../text/hash.ts";
import { apiRoutes } from "./api-routes.ts";

const monday = "# Monday\n\n- We ship on Fridays only.\n- Rollbacks need two people.\n";
const notes = {
  "MEMORY.md": "# Facts\n\nThe launch code word is kingfisher.\n",
  "memory/2026-03-02.md": monday,
};

test("Every route answers with the JSON that the command line prints", async (t) => {
  const config = withMemorySearch({
    sources: ["memory", "sessions"],
    experimental: { sessionMemory: true },
    sync: { watch: false },
  });
  const fixture = await openWebFixture(t, { notes, config });
  const { api, memory, folder } = fixture;
  const said = ["What did we say about otters?", "They are kept in pond three."];
  folder.write("state/agents/main/sessions/talk.jsonl", talk(said));
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
    const { output } = apiRoutes.find((each) => each.method === method && each.path === path.split("?")[0])!;
    assert.equal(findMisfit(answer.json, output.schema), null, path);
    return answer.json;
  };

  await t.test("search by query string and by JSON body", async () => {
    const query = "when do we ship";
    const found = await ok("GET", `/api/search?query=${encodeURIComponent(query)}&maxResults=1&since=`);
    assert.deepEqual(found, JSON.parse(JSON.stringify(await memory.search(query, { maxResults: 1 }))));
    assert.equal(found.results[0].citation, "memory/2026-03-02.md#L1-L4");
    assert.deepEqual(await ok("POST", "/api/search", { query, maxResults: 1 }), found);
    const explained = await ok("GET", "/api/search?query=otters&explain=1&marks=1&source=sessions");
    assert.equal(explained.results[0].path, "sessions/talk.jsonl");
    assert.ok(explained.results[0].explain.terms.length > 0 && explained.explain.tokens.length > 0);
    const filtered = await ok("GET", "/api/search?query=ship&path=MEMORY.md&until=2020-01-01");
    assert.deepEqual(filtered.results, []);
  });

  await t.test("get a note, and refuse a path that is not a note", async () => {
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

  await t.test(
    "notes with their sizes and chunk counts, and an ETag that avoids sending them again",
    async () => {
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
      const written = folder.write("notes/memory/new.md", "# News\n\nSomething new.\n");
      assert.equal((await api("/api/notes", known)).status, 200);
      utimesSync(written, new Date("2030-01-01"), new Date("2030-01-01"));
      const { notes: latest } = await ok("GET", "/api/notes?latest=1");
      assert.deepEqual(
        latest.map(({ path, title }: { path: string; title: string }) => [path, title]),
        [["memory/new.md", "News"]],
      );
      folder.write("notes/memory/new.md", "# Other news\n\nSomething new.\n");
      utimesSync(written, new Date("2030-01-02"), new Date("2030-01-02"));
      assert.equal((await ok("GET", "/api/notes?latest=1")).notes[0].title, "Other news");
    },
  );

  await t.test("a timeline by day and by month", async () => {
    await memory.sync();
    const linked = await ok("GET", "/api/links?path=MEMORY.md");
    assert.deepEqual([linked.path, linked.broken, linked.backlinks], ["MEMORY.md", [], []]);
    assert.ok(Array.isArray((await ok("GET", "/api/tags")).tags));
    const used = await ok("GET", "/api/usage?path=MEMORY.md");
    assert.deepEqual([used.enabled, used.notes.length], [true, 1]);
    const days = await ok("GET", "/api/timeline");
    assert.deepEqual(days.points, [
      { date: "2026-03-01", notes: 0, sessions: 1, chunks: 1 },
      { date: "2026-03-02", notes: 1, sessions: 0, chunks: 1 },
    ]);
    assert.equal(days.undated.notes, 2);
    const months = await ok("GET", "/api/timeline?by=month");
    assert.deepEqual(months.points[0].date, "2026-03");
  });

  await t.test("an added note is found immediately", async () => {
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

  await t.test("a note is edited only if it is unchanged since it was read", async () => {
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

  await t.test("forgetting previews first, and removes only what was previewed", async () => {
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
    // Exactly as previewed, hash included.
    const { passages } = await ok("POST", "/api/forget", { ...seen, preview: true });
    assert.equal((await ok("POST", "/api/forget", { passages })).removed.length, 1);
    const whole = await ok("POST", "/api/forget", { path: "memory/new.md", preview: true });
    const { hash } = await ok("GET", "/api/notes/source?path=memory/new.md");
    assert.equal(whole.passages[0].hash, hash);
    const gone = await ok("POST", "/api/forget", { path: "memory/new.md", hash });
    assert.equal(gone.receipt.notes[0].after, null);
  });

  await t.test("a plan is listed, partly applied, rejected and undone", async () => {
    const path = "memory/2020-05-05.md";
    const lines = "- We decided to use CockroachDB for the ledger.\n- Met Ana yesterday.\n";
    folder.write(`notes/${path}`, lines);
    const { steps } = await ok("GET", "/api/consolidation?since=2020-01-01");
    const own = steps.filter(({ sources }: { sources: { path: string }[] }) => sources[0]!.path === path);
    assert.deepEqual(
      own.map(({ kind }: { kind: string }) => kind),
      ["promote", "anchor"],
    );
    const applied = await ok("POST", "/api/consolidation/apply", { ids: [own[1].id, "none"] });
    assert.deepEqual([applied.applied.length, applied.refused[0].id], [1, "none"]);
    assert.match(readFileSync(folder.at(`notes/${path}`), "utf8"), /yesterday \(2020-05-04\)/);
    assert.deepEqual(await ok("POST", "/api/consolidation/reject", { ids: [own[0].id] }), {
      rejected: [own[0].id],
    });
    assert.equal((await ok("GET", "/api/consolidation")).rejected, 1);
    const { receipts } = await ok("GET", "/api/consolidation/receipts");
    assert.deepEqual([receipts[0].id, receipts[0].state], [applied.receipt, "applied"]);
    const undone = await ok("POST", "/api/consolidation/undo", { receipt: applied.receipt });
    assert.deepEqual(undone.restored, [path]);
    assert.equal(readFileSync(folder.at(`notes/${path}`), "utf8"), lines);
    for (const body of [{}, { ids: ["x"], all: true }, { ids: "x".repeat(3), since: "soon" }]) {
      assert.equal((await ask("POST", "/api/consolidation/apply", body)).status, 400);
    }
    assert.equal((await ask("POST", "/api/consolidation/undo", { receipt: "none" })).status, 409);
    assert.equal((await ask("GET", "/api/consolidation?since=2020-02-31")).status, 400);
  });

  await t.test("transcripts from the line that a hit cites", async () => {
    const { sessions, isIndexing } = await ok("GET", "/api/sessions");
    assert.deepEqual([sessions[0].id, sessions[0].turns, isIndexing], ["talk", 2, true]);
    const shown = await ok("GET", "/api/sessions/show?id=sessions/talk.jsonl&from=3&lines=1");
    assert.equal(shown.turns[0].line, 3);
    assert.match(shown.turns[0].text, /pond three/);
    const first = await ok("GET", "/api/sessions/show?id=talk&lines=1");
    assert.deepEqual([first.turns.length, first.nextFrom], [1, 3]);
    assert.equal((await ask("GET", "/api/sessions/show?id=none")).status, 404);
  });

  await t.test("status with the latest syncs, and with probes on request", async () => {
    const report = await ok("POST", "/api/sync", { force: true });
    assert.deepEqual([report.failed, report.updated > 0], [[], true]);
    const status = await ok("GET", "/api/status");
    assert.equal(status.syncs[0].reason, "http");
    assert.equal(status.syncs[0].updated, report.updated);
    const { hosts, ...server } = status.server;
    assert.deepEqual(server, { version: "1.2.3", isReadOnly: false });
    assert.deepEqual(hosts[0], { title: "Claude Code", command: "longhand init --claude-code" });
    assert.equal(status.probes, undefined);
    assert.equal((await ok("GET", "/api/status?deep=1")).probes.embedding.ok, false);
  });

  await t.test("settings, agents and the OpenAPI document", async () => {
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
  assert.deepEqual(fixture.problems, []);
});
