import type { CommandDefinition } from "../command.ts";

/** The index: filling, inspecting and repairing it. */
export const maintenanceCommands: readonly CommandDefinition[] = [
  {
    name: "index",
    summary: "Bring the index up to date with the notes",
    details: [
      "Indexes what changed since the last time. Every search does this, too; run it to see what happens, " +
        "or after a large import. The index is derived from the notes; you can delete it any time.",
      "With --watch it keeps running and indexes changes as they are made, until Ctrl-C or SIGTERM. One " +
        "process watches an index; a second one waits and takes over when the first ends. With --json it " +
        "prints one line of JSON for the first sync and for each later one that found changes.",
    ],
    arguments: [],
    options: [
      {
        flags: "--force",
        type: { kind: "flag" },
        description: "index every note again, and accept that most known notes are gone",
      },
      {
        flags: "--watch",
        type: { kind: "flag" },
        description: "keep running, and index changes as they are made",
      },
    ],
    examples: [
      { command: "longhand index", does: "index what changed" },
      { command: "longhand index --force", does: "index everything again" },
      { command: "longhand index --watch", does: "keep the index up to date" },
    ],
    json: "`{added, updated, removed, unchanged, failed: [{path, code, message}], skipped: [{path, reason, detail}], skippedCount, chunks, embedded, cached, durationMs, pendingRemovals, left, degraded}`; with --watch a line of JSON for each sync",
    load: async () => (await import("../commands/index.ts")).runIndex,
  },
  {
    name: "status",
    summary: "Show what is indexed, from where, and how fresh it is",
    details: [
      "Compares the index with the notes on disk and names what was skipped, with the reason.",
      "--fix repairs the index if it is damaged or differs from the notes, removes what crashed processes " +
        "left beside it, and closes its files to other users. It says what it did, and exits with 1 if " +
        "something is left to do.",
    ],
    arguments: [],
    options: [
      {
        flags: "--deep",
        type: { kind: "flag" },
        description: "also embed one word and search with it, to see that both work now",
      },
      { flags: "--fix", type: { kind: "flag" }, description: "repair what can be repaired" },
    ],
    examples: [
      { command: "longhand status", does: "see whether all notes are indexed" },
      { command: "longhand status --deep", does: "see whether the embedder answers" },
      { command: "longhand status --fix", does: "repair the index" },
    ],
    json:
      "`{backend, provider, requestedProvider, files, chunks, dirty, agentId, workspaceDir, dbPath, extraPaths, " +
      "sources, sourceCounts, cache, fts, vector, batch: {enabled, failures, limit, pending, problem}, onDisk: {files, changed, added, gone, skipped}, sizeBytes, sizes, " +
      "meta, quarantined, pendingPurges: [{at, notes}], pendingRecoveries: [{receipt, doing, notes, problem, hint}], sharing?: {at, problems}, unavailable?: {code, message, hint, retryable}, lastSync, watcher: {mode, pid, since}, atWork: [{pid, doing, since}], syncOnSearch}`; `--deep` adds `probes: {embedding, vector}`, `--fix` " +
      "adds `fixed: {done, equal, differences}`",
    load: async () => (await import("../commands/status.ts")).runStatus,
  },
  {
    name: "verify",
    summary: "Compare the index with a fresh rebuild",
    details: [
      "Updates the index, builds another one from the same notes in a temporary file, and compares " +
        "documents, chunks, words, and the vectors of the builtin model. No service is used. Exits with 1 " +
        "if they differ; `longhand status --fix` then repairs the index.",
    ],
    arguments: [],
    options: [],
    examples: [{ command: "longhand verify", does: "check the index against the notes" }],
    json: "`{equal, differences: [{kind, source, path, detail}], more, documents, chunks, vectorsCompared, durationMs}`",
    load: async () => (await import("../commands/verify.ts")).runVerify,
  },
  {
    name: "migrate",
    summary: "Move the index to another store, without embedding anything again",
    details: [
      "Copies the vectors of the embedder in use to a new index and fills that from the notes. The old " +
        "index stays until you delete it. The configuration is not changed; the command prints what to set.",
      "Vectors of other embedders are left behind. The builtin model's vectors are recomputed, which " +
        "costs nothing.",
    ],
    arguments: [],
    options: [
      {
        flags: "--to <driver>",
        type: { kind: "choice", choices: ["sqlite", "postgres", "lancedb"] },
        description: "the store of the new index",
      },
      {
        flags: "--url <address>",
        type: { kind: "text" },
        description: "its address, as in store.url, with environment variables replaced",
      },
    ],
    examples: [
      { command: "longhand migrate --to lancedb", does: "move to LanceDB, in a folder beside the old file" },
      { command: "longhand migrate --to lancedb --url s3://bucket/memory", does: "move to object storage" },
    ],
    json: "`{from: {driver, place}, to: {driver, place}, vectors, documents, chunks, embedded, cached, degraded, durationMs, configuration}`",
    load: async () => (await import("../commands/migrate.ts")).runMigrate,
  },
  {
    name: "doctor",
    summary: "Check the installation, and say what to do",
    details: [
      "Looks at Node and SQLite, the configuration, the state folder, the notes, the index, the embedder, " +
        "and for likely secrets in notes. Changes nothing and uses no service. Exits with 1 if something " +
        "should be done.",
    ],
    arguments: [],
    options: [],
    examples: [{ command: "longhand doctor", does: "find out what is wrong" }],
    json: "`{checks: [{name, ok, detail, fix}]}`; `fix` is null where nothing has to be done",
    load: async () => (await import("../commands/doctor.ts")).runDoctorCommand,
  },
];
