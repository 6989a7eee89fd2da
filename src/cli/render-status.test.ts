import assert from "node:assert/strict";
import { test } from "node:test";
import type { MemoryStatus } from "../memory/status.ts";
import type { View } from "./output.ts";
import { renderStatus } from "./render-status.ts";

const view: View = {
  terminal: false,
  width: Number.POSITIVE_INFINITY,
  paint: (_, text) => text,
  link: (text) => text,
};
const now = new Date("2026-11-15T12:00:00Z");

const status: MemoryStatus = {
  backend: "builtin",
  provider: "none",
  requestedProvider: "auto",
  files: 2,
  chunks: 1200,
  dirty: false,
  agentId: "notes-0a1b2c",
  trusted: true,
  workspaceDir: "/w",
  dbPath: "/s/memory/notes.sqlite",
  extraPaths: ["/more"],
  sources: ["memory"],
  sourceCounts: [{ source: "memory", files: 2, chunks: 1200 }],
  cache: { enabled: true, entries: 0, maxEntries: 50_000 },
  fts: { enabled: true, available: true },
  vector: { enabled: true, available: false, path: "builtin" },
  batch: {
    enabled: false,
    failures: 0,
    limit: 2,
    wait: true,
    concurrency: 2,
    pollIntervalMs: 2000,
    timeoutMs: 3_600_000,
    pending: [],
  },
  embedding: {
    why: "the provider is none",
    texts: 0,
    missing: 0,
    missingTokens: 0,
    missingCostUsd: 0,
    requests: 0,
    tokens: 0,
    costUsd: 0,
    refused: [],
    problems: [],
  },
  sessions: { files: 0, turns: 0, malformedLines: 0 },
  syncOnSearch: true,
  syncs: [],
  atWork: [],
  onDisk: { files: 2, changed: 0, added: 0, gone: 0, skipped: [] },
  sizeBytes: 123_456,
  sizes: { databaseBytes: 120_000, walBytes: 3456, vectorBytes: 20_000, cacheBytes: 0 },
  meta: {},
  quarantined: [],
  pendingPurges: [],
  pendingRecoveries: [],
  lastSync: { at: "2026-11-15T11:57:00Z", reason: "search", failed: 0 },
  watcher: { mode: "watching", pid: 4242, since: "2026-11-15T11:00:00.000Z" },
};

test("status is sections of aligned rows", () => {
  assert.equal(
    renderStatus(status, { view, now }),
    `Memory
  workspace  /w
  trusted    yes
  agent      notes-0a1b2c
  extra/0    /more
  on disk    2 files

Index
  state      up to date
  indexed    2 files, 1,200 chunks
  last sync  3 minutes ago (search)
  watcher    process 4242, started 1 hour ago
  file       /s/memory/notes.sqlite
  size       123 kB (log 3.5 kB, vectors 20 kB)

Search
  keyword    ready
  semantic   off: the provider is none`,
  );
});

test("what a service received, refused and failed at is reported", () => {
  const embedding: MemoryStatus["embedding"] = {
    why: "it is configured",
    texts: 90,
    missing: 10,
    missingTokens: 4000,
    missingCostUsd: 0.00008,
    meanwhile: "90 of 100 chunks have their vectors of openai",
    requests: 7,
    tokens: 12_000,
    costUsd: 0.00024,
    refused: [{ hash: "0a", reason: "it is not liked", at: "2026-11-15T11:57:00Z" }],
    problems: ["texts could not be embedded: it is down"],
  };
  const text = renderStatus({ ...status, provider: "openai", embedding }, { view, now });
  assert.match(text, /semantic +90 of 100 texts embedded/);
  assert.match(text, /sent +7 requests, 12,000 tokens, about \$0\.0002/);
  assert.match(text, /to send +about 4,000 tokens, about \$0\.0001/);
  assert.match(text, /meanwhile +90 of 100 chunks/);
  assert.match(text, /refused +1 text: it is not liked/);
  assert.match(text, /problem +texts could not be embedded: it is down/);
});

test("what is stale, failed or missing is reported", () => {
  const { lastSync: _, ...never } = status;
  const text = renderStatus(
    {
      ...never,
      dirty: true,
      onDisk: { files: 5, changed: 3, added: 1, gone: 1, lagMs: 7_500_000, skipped: [] },
      fts: { enabled: true, available: false, error: "no FTS5" },
    },
    { view, now },
  );
  assert.match(text, /state +stale: 1 file new, 1 file changed, 1 file gone, the oldest 2 hours ago/);
  assert.match(text, /last sync +none has been finished yet/);
  assert.match(
    renderStatus({ ...status, provider: "builtin", requestedProvider: "openai" }, { view, now }),
    /embedder +builtin \(openai was asked for\)/,
  );
  assert.match(text, /keyword +not available: no FTS5/);
  assert.match(
    renderStatus(
      { ...status, lastSync: { at: "2026-11-15T11:57:00Z", reason: "cli", failed: 1 } },
      { view, now },
    ),
    /last sync +3 minutes ago \(cli\)\n +failed +1 note;/,
  );
});

test("skipped files are grouped by reason, and long groups are cut", () => {
  const links = Array.from({ length: 7 }, (_, index) => ({
    path: `memory/${index}.md`,
    reason: "symlink" as const,
  }));
  const skipped = [...links, { path: "memory/huge.md", reason: "too-large" as const, detail: "120 MB" }];
  const text = renderStatus(
    { ...status, onDisk: { files: 2, changed: 0, added: 0, gone: 0, skipped } },
    { view, now },
  );
  assert.match(text, /Skipped\n {2}a symbolic link, which is not followed 7\n {4}memory\/0\.md/);
  assert.match(text, /and 2 more \(--json lists all\)/);
  assert.match(text, /too large 1\n {4}memory\/huge\.md {2}120 MB/);
});

test("an empty index claims neither to be up to date nor that files changed", () => {
  const { lastSync: _, ...never } = { ...status, files: 0, chunks: 0 };
  const nothing = { files: 0, changed: 0, added: 0, gone: 0, skipped: [] };
  assert.match(
    renderStatus({ ...never, onDisk: nothing }, { view, now }),
    /state +empty: there are no notes yet/,
  );
  const first = { ...nothing, files: 1, changed: 1, added: 1, lagMs: 5 };
  const text = renderStatus({ ...never, dirty: true, onDisk: first }, { view, now });
  assert.match(text, /state +nothing is indexed yet, 1 file to do\n/);
  assert.match(text, /last sync +never\n/);
});

test("without a watcher, status says correctly whether searches look for changes", () => {
  const none = { ...status, watcher: { mode: "none" as const } };
  assert.match(renderStatus(none, { view, now }), /watcher +none; each search looks for changes itself/);
  const text = renderStatus({ ...none, syncOnSearch: false }, { view, now });
  assert.match(text, /watcher +none, and searches do not look for changes \(sync\.onSearch is false\)/);
});

test("a process that is indexing is named", () => {
  const atWork = [{ pid: 4242, doing: "index", since: "2026-11-15T11:57:00Z" }];
  assert.match(
    renderStatus({ ...status, atWork }, { view, now }),
    /at work +process 4242 \(index\), started /,
  );
});

test("an unavailable index is reported, beside everything that is known without it", () => {
  const unavailable = {
    code: "store-unreachable" as const,
    message: "Away.",
    hint: "Wait.",
    retryable: true,
  };
  const fts = { enabled: true, available: false };
  const away = { ...status, unavailable, fts, dirty: true, dbPath: "postgresql://[secret]@db/memory" };
  const text = renderStatus({ ...away, sources: ["memory", "sessions"] }, { view, now });
  assert.match(text, /on disk +2 files\n\nIndex\n +state +not known\. Away\.\n +address +postgresql:/);
  assert.match(text, /keyword +not available while the index is not/);
  assert.doesNotMatch(text, /indexed|last sync|size|transcript/);
});
