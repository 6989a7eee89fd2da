import type { CommandDefinition } from "../command.ts";

/** Inspecting, checking, filling and measuring the index. */
export const maintenanceCommands: readonly CommandDefinition[] = [
  {
    name: "status",
    summary: "Show what is indexed, from where, and how fresh it is",
    details: [
      "Compares the index with the notes on disk and names what was skipped, with the reason.",
      "--fix repairs the index if it is damaged or differs from the notes, removes what crashed processes " +
        "left beside it, and closes its files to other users. Reports what it did, and exits with 1 if " +
        "problems remain.",
    ],
    arguments: [],
    options: [
      { flags: "--deep", description: "also embed one word and search with it, to see that both work now" },
      { flags: "--fix", description: "repair what can be repaired" },
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
    name: "doctor",
    summary: "Check the installation, and say what to do",
    details: [
      "Checks Node and SQLite, the configuration, the state folder, the notes, the index, the embedder, " +
        "and for likely secrets in notes. Changes nothing and uses no service. Exits with 1 if there " +
        "is a problem.",
    ],
    arguments: [],
    options: [],
    examples: [{ command: "longhand doctor", does: "find out what is wrong" }],
    json: "`{checks: [{name, ok, detail, fix}]}`; `fix` is null where nothing has to be done",
    load: async () => (await import("../commands/doctor.ts")).runDoctorCommand,
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
      { flags: "--force", description: "index every note again, and accept that most known notes are gone" },
      { flags: "--watch", description: "keep running, and index changes as they are made" },
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
    name: "migrate",
    summary: "Move the index and its vectors to another store",
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
    name: "eval",
    summary: "Measure how well questions are answered",
    details: [
      "With DIR, asks the questions of a set (queries.jsonl and workspace/) or of every set in a folder of sets, " +
        "and compares the hits with the lines that are known to answer. Each set is indexed in a temporary folder, " +
        "with your settings. Without DIR, asks your own memory questions that are made from your notes: headings, " +
        "names, identifiers, dates, `key: value` lines and definitions.",
      "The figures are means over questions, 1 is best (0 for empty). recall@4000c is what the first hits show " +
        "within 4,000 characters. macro is the mean over sets. docs/eval.md explains all of them.",
    ],
    arguments: [
      {
        name: "DIR",
        required: false,
        completes: "folder",
        description: "a question set, or a folder of sets",
      },
    ],
    options: [
      {
        flags: "--compare <FILE>",
        type: { kind: "file" },
        description: "a second configuration, asked the same; shows differences with 95 % intervals",
      },
      {
        flags: "--sets <NAMES>",
        type: { kind: "text" },
        description: "only these sets (or kinds of generated questions), with commas between",
      },
      {
        flags: "--limit <N>",
        type: { kind: "number", whole: true, min: 1, max: 1_000_000 },
        description: "only the first questions of each set",
      },
      {
        flags: "--by <WHAT>",
        type: { kind: "choice", choices: ["category", "lang"] },
        description: "break the figures down by category or language",
      },
      {
        flags: "--off-topic <DIR>",
        type: { kind: "folder" },
        description: "also ask questions of another set, and show how many rightly get no hit",
      },
      {
        flags: "--results <FILE>",
        type: { kind: "file" },
        description: "write the hits of every question as JSON lines",
      },
    ],
    examples: [
      { command: "longhand eval", does: "check your own memory" },
      { command: "longhand eval --compare other.json5", does: "compare with other settings" },
      { command: "longhand eval quality --by lang", does: "ask a question set, by language" },
    ],
    json:
      "one object: for each set `{n, nDCG@10, MRR@10, recall@5, recall@4000c, hit@5, recall@10, recall@1, empty, p50Ms, " +
      "p95Ms}` with `noAnswerEmpty`, `noAnswerLow`, `offTopicEmpty`, `offTopicLow`, `answerLow` and `by` where they apply; `macro` with the same; `compare` as " +
      "`{config, rows, differences}`; `warnings`; `generated` as `{questions, notes}`",
    load: async () => (await import("../commands/eval.ts")).runEval,
  },
];
