/** JSON Schemas of responses that only this server gives; those of tools are defined with the tools. */
export const text = { type: "string" } as const;
export const integer = { type: "integer" } as const;
const number = { type: "number" } as const;
const boolean = { type: "boolean" } as const;
const day = { type: "string", description: "YYYY-MM-DD." } as const;
const moment = { type: "string", description: "ISO 8601." } as const;
const hash = { type: "string", description: "SHA-256 of the bytes." } as const;
const scope = { type: "string", enum: ["private", "shared"] } as const;
const anyObject = { type: "object" } as const;
export const orNull = (type: string): object => ({ type: [type, "null"] });
export const listOf = (items: object): object => ({ type: "array", items });

/** A name that ends with `?` is optional. */
export function shape(properties: Readonly<Record<string, object>>): object {
  const names = Object.keys(properties);
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name.replace(/\?$/, ""), schema]),
    ),
    required: names.filter((name) => !name.endsWith("?")),
  };
}

const degraded = { ...listOf(text), description: "What limited the answer." };

export const notesSchema = shape({
  notes: listOf(
    shape({
      path: text,
      "date?": day,
      version: text,
      sizeBytes: integer,
      modifiedAt: moment,
      scope,
      "layer?": { ...text, description: "project or user; absent if there is only the project." },
      "chunks?": { ...integer, description: "Absent if the note is not indexed." },
      "title?": { ...text, description: "Only with `latest`, and if the note has one." },
    }),
  ),
  degraded,
});

export const noteSourceSchema = shape({
  path: text,
  text,
  hash,
  sizeBytes: integer,
  modifiedAt: moment,
  "readOnly?": { ...text, description: "Why it cannot be edited." },
});

const outgoingLink = shape({
  target: { ...text, description: "The link target as written." },
  "path?": { ...text, description: "The note it leads to; absent if there is none." },
  line: integer,
  "heading?": text,
  "title?": text,
  "isEmbed?": boolean,
});

export const noteLinksSchema = shape({
  path: text,
  "missing?": boolean,
  tags: listOf(text),
  aliases: listOf(text),
  links: listOf(outgoingLink),
  broken: { ...listOf(outgoingLink), description: "The entries of `links` that lead to no note." },
  backlinks: listOf(shape({ path: text, line: integer, "heading?": text, "title?": text })),
});

const lines = { startLine: integer, endLine: integer };

export const usageSchema = shape({
  enabled: boolean,
  since: { ...orNull("string"), description: "The day of the first count." },
  notes: listOf(
    shape({
      path: text,
      recalled: listOf(shape({ ...lines, recalls: integer, lastRecalled: day })),
      never: listOf(shape(lines)),
    }),
  ),
});

export const tagsSchema = shape({ tags: listOf(shape({ tag: text, notes: integer })) });

export const editedSchema = shape({
  path: text,
  before: hash,
  hash,
  indexed: boolean,
  "indexProblem?": text,
});

const counts = { notes: integer, sessions: integer, chunks: integer };

export const timelineSchema = shape({
  by: { type: "string", enum: ["day", "month"] },
  points: listOf(shape({ date: text, ...counts })),
  undated: shape(counts),
  degraded,
});

const session = { id: text, "title?": text, path: text, file: text, format: orNull("string"), "date?": day };

export const sessionsSchema = shape({
  sessions: listOf(
    shape({
      ...session,
      turns: orNull("integer"),
      malformed: orNull("integer"),
      sizeBytes: integer,
      scope,
      isImported: boolean,
      isIndexed: boolean,
    }),
  ),
  isIndexing: boolean,
});

export const shownSessionSchema = shape({
  ...session,
  turns: listOf(shape({ line: integer, text })),
  "nextFrom?": integer,
});

export const syncSchema = shape({
  added: integer,
  updated: integer,
  removed: integer,
  unchanged: integer,
  failed: listOf(shape({ path: text, code: text, message: text })),
  skipped: listOf(shape({ path: text, reason: text, "detail?": text })),
  skippedCount: integer,
  chunks: integer,
  embedded: integer,
  cached: integer,
  durationMs: number,
  pendingRemovals: listOf(text),
  left: integer,
  degraded: listOf(text),
});

export const configSchema = listOf(shape({ key: text, value: {}, origin: text }));

export const agentsSchema = shape({ current: text, agents: listOf(shape({ id: text, isServed: boolean })) });

/** The fields that the page needs; `docs/` describes the rest. */
export const statusSchema = {
  ...shape({
    backend: { type: "string", enum: ["builtin", "qmd"] },
    provider: text,
    "model?": text,
    requestedProvider: text,
    files: integer,
    chunks: integer,
    dirty: boolean,
    agentId: text,
    workspaceDir: text,
    trusted: { type: "boolean", description: "Whether hooks may give its notes to agents." },
    dbPath: text,
    extraPaths: listOf(text),
    sources: listOf(text),
    sourceCounts: listOf(shape({ source: text, files: integer, chunks: integer })),
    cache: shape({ enabled: boolean, entries: integer, maxEntries: integer }),
    fts: shape({ enabled: boolean, available: boolean, "error?": text }),
    vector: anyObject,
    batch: anyObject,
    "fallback?": shape({ from: text, to: text, reason: text, since: text, "retryAt?": text }),
    embedding: anyObject,
    onDisk: anyObject,
    sizeBytes: integer,
    "lastSync?": anyObject,
    syncs: listOf(anyObject),
    "sharing?": shape({ at: text, problems: listOf(text) }),
    "unavailable?": shape({ code: text, message: text, hint: text, retryable: boolean }),
    server: shape({
      version: text,
      isReadOnly: boolean,
      hosts: listOf(shape({ title: text, command: text })),
    }),
    "probes?": anyObject,
  }),
  additionalProperties: true,
};
