import type { ApplyRequest, Consolidation, PlanRequest } from "../consolidate/consolidation.ts";
import type { WatchOptions } from "../engines/engine.ts";
import type {
  Entries,
  EntryAccess,
  ForgetEntryRequest,
  RecallOptions,
  StoreRequest,
} from "../entries/entries.ts";
import type { ForgetRequest } from "../forget/forget.ts";
import type { SearchOptions } from "../search/search.ts";
import type { Sessions, ShowRequest } from "../sessions/transcripts/sessions.ts";
import type { SyncOptions } from "../sync/sync.ts";
import { override } from "../text/override.ts";
import { nameType } from "../text/value-rule.ts";
import type { MigrateRequest } from "../upkeep/migrate.ts";
import type { ProbeOptions } from "../upkeep/probes.ts";
import type { VerifyOptions } from "../upkeep/verify.ts";
import { checkForget } from "./check-forget.ts";
import {
  type AnyShape,
  atLeastOne,
  checkArgument,
  checkOptions,
  type Kind,
  oneOf,
  type Shape,
} from "./check-options.ts";
import type { ImportVectorsRequest, Memory } from "./memory.ts";
import type {
  AddOptions,
  EditNoteRequest,
  ListNotesRequest,
  ReadFileRequest,
  ReadNoteRequest,
  UsageRequest,
} from "./note-requests.ts";
import { closedError } from "./open-once.ts";
import type { StartSessionRequest } from "./start-session.ts";

/** The arguments of each call: options, a named argument, or null for one that the call itself checks. */
type Calls<Target> = {
  readonly [Name in MethodsOf<Target>]: readonly (AnyShape | NamedArgument | null)[];
};
type MethodsOf<Target> = {
  [Name in keyof Target]: Target[Name] extends (...given: never[]) => Promise<unknown>
    ? Name extends string
      ? Exclude<Name, "close">
      : never
    : never;
}[keyof Target];
type NamedArgument = readonly [name: string, kind: Kind];

const signal = "an AbortSignal";
const path = { kind: "a string", needed: "the path of a note" } as const;
const access = { sessionKey: "a string", signal } as const satisfies Shape<ListNotesRequest>;
const progress = { progress: "a function", signal } as const satisfies Shape<VerifyOptions>;
const probe: Shape<ProbeOptions> = { timeoutMs: "a number", signal };
const scope = oneOf("project", "user");
const indexing = oneOf("now", "later");

const search: Shape<SearchOptions> = {
  maxResults: atLeastOne,
  minScore: "a number",
  source: "a string",
  scope,
  since: "anything",
  until: "anything",
  path: "a string",
  tag: "a string",
  linksTo: "a string",
  paths: "a list of strings",
  keywordOnly: "a boolean",
  sessionKey: "a string",
  maxInjectedChars: "a number",
  explain: "a boolean",
  matchedLines: "a boolean",
  whyNot: "a string",
  progress: "a function",
  signal,
};

const add: Shape<AddOptions> = {
  scope,
  to: "a string",
  heading: "anything",
  onlyNewItems: "a boolean",
  origin: "a string",
  sessionKey: "a string",
  force: "a boolean",
  indexing,
  signal,
};

const readFile: Shape<ReadFileRequest> = {
  relPath: path,
  from: "a number",
  lines: "a number",
  maxChars: "a number",
  ...access,
};

const editNote: Shape<EditNoteRequest> = {
  path,
  text: { kind: "a string", needed: "the new text of the note" },
  expectedHash: { kind: "a string", needed: "the hash that readNote returned" },
  ...access,
};

const forget: Shape<ForgetRequest> = {
  path: "a string",
  startLine: "a number",
  endLine: "a number",
  text: "a string",
  query: "a string",
  maxResults: atLeastOne,
  minScore: "a number",
  words: oneOf("every", "any"),
  passages: "a list",
  dryRun: "a boolean",
  ...access,
};

const sync: Shape<SyncOptions> = {
  force: "a boolean",
  reason: "a string",
  background: "a boolean",
  whenBusy: oneOf("wait", "leave"),
  ...progress,
};

const watch: Shape<WatchOptions> = {
  when: oneOf("always", "configured"),
  onEvent: "a function",
  ...progress,
};

const migrate: Shape<MigrateRequest> = {
  to: { kind: oneOf("sqlite", "postgres", "lancedb"), needed: "the store to migrate to" },
  url: "a string",
  ...progress,
};

const memoryCalls: Calls<Memory> = {
  search: [["query", "a string"], search],
  readFile: [readFile],
  startSession: [{ indexing, ...access } satisfies Shape<StartSessionRequest>],
  listNotes: [access],
  readNote: [{ path, ...access } satisfies Shape<ReadNoteRequest>],
  editNote: [editNote],
  findNote: [["name", "a string"], access],
  links: [["path", "a string"], access],
  tags: [access],
  usage: [{ path: "a string", ...access } satisfies Shape<UsageRequest>],
  listIndexed: [],
  add: [null, add],
  forget: [forget],
  sync: [sync],
  watch: [watch],
  status: [],
  verify: [progress],
  checkIndex: [],
  repair: [progress],
  migrate: [migrate],
  importVectors: [
    {
      from: { kind: "a list of strings", needed: "the SQLite files of OpenClaw" },
      signal,
    } satisfies Shape<ImportVectorsRequest>,
  ],
  probeEmbeddingAvailability: [probe],
  probeVectorAvailability: [probe],
};

const show: Shape<ShowRequest> = {
  id: { kind: "a string", needed: "the id, file name or path of a transcript" },
  from: "a number",
  to: "a number",
  maxTurns: "a number",
};

const sessionCalls: Calls<Sessions> = {
  list: [{ titles: "a boolean" }],
  show: [show],
  titlesOf: [["paths", "a list of strings"]],
  candidates: [null],
  import: [["paths", "a list of strings"]],
};

const plan = { since: "a string", signal } as const satisfies Shape<PlanRequest>;
const apply: Shape<ApplyRequest> = {
  steps: { kind: '"all" or a list of ids', needed: 'ids of steps in the plan, or "all"' },
  ...plan,
};

const consolidationCalls: Calls<Consolidation> = {
  plan: [plan],
  apply: [apply],
  reject: [["ids", "a list of strings"]],
  undo: [{ receipt: "a string", signal }],
  receipts: [],
  submit: [["steps", "a list"]],
  propose: [["generate", "a function"], plan],
};

const store: Shape<StoreRequest> = {
  text: { kind: "a string", needed: "the fact to store" },
  // Checked where the fact is written, for tools as well.
  category: "anything",
  importance: "anything",
  origin: "a string",
  ...access,
};

const entryCalls: Calls<Entries> = {
  list: [access satisfies Shape<EntryAccess>],
  store: [store],
  recall: [null, { limit: "a number", minScore: "a number", ...access } satisfies Shape<RecallOptions>],
  forget: [{ id: "a string", query: "a string", ...access } satisfies Shape<ForgetEntryRequest>],
  capture: [["turns", "a list"], { origin: "a string", ...access }],
  status: [],
};

/** The memory as programs get it: each call checks its arguments, and none works once the memory is closed. */
export function guardCalls(memory: Memory): Memory {
  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosed = true;
    await memory.close();
  };

  function guard<Target extends object>(target: Target, calls: Calls<Target>, prefix = ""): Target {
    const guarded: Record<string, unknown> = {};
    for (const [name, shapes] of Object.entries(calls as Calls<Record<string, never>>)) {
      const call = target[name as keyof Target] as (...given: unknown[]) => Promise<unknown>;
      guarded[name] = async (...given: unknown[]): Promise<unknown> => {
        if (isClosed) throw closedError();
        for (const [index, shape] of shapes.entries()) check(`${prefix}${name}`, shape, given[index]);
        return await call.apply(target, given);
      };
    }
    return override(target, guarded as Partial<Target>);
  }

  const guarded = guard(memory, memoryCalls);
  return override(guarded, {
    forget: async (request) => {
      // What is no object is refused below, like any call of a closed memory.
      const isObject = request === undefined || nameType(request) === "an object";
      if (isObject && !isClosed) checkForget(request);
      return await guarded.forget(request);
    },
    checkSession: (sessionKey) => {
      checkArgument("checkSession", { name: "sessionKey", kind: "a string" }, sessionKey);
      memory.checkSession(sessionKey);
    },
    maskSecrets: (text) => {
      checkArgument("maskSecrets", { name: "text", kind: "a string" }, text);
      return memory.maskSecrets(text);
    },
    sessions: guard(memory.sessions, sessionCalls, "sessions."),
    consolidation: guard(memory.consolidation, consolidationCalls, "consolidation."),
    entries: memory.entries && guard(memory.entries, entryCalls, "entries."),
    close,
    [Symbol.asyncDispose]: close,
  });
}

function check(call: string, shape: AnyShape | NamedArgument | null, given: unknown): void {
  if (shape === null) return;
  if (isNamed(shape)) checkArgument(call, { name: shape[0], kind: shape[1] }, given);
  else checkOptions(call, shape, given as object | undefined);
}

function isNamed(shape: AnyShape | NamedArgument): shape is NamedArgument {
  return Array.isArray(shape);
}
