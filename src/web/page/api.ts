import type { ApplyResult, Receipt, UndoResult } from "../../consolidate/consolidation.ts";
import type { Plan } from "../../consolidate/plan.ts";
import type { ForgetResult } from "../../forget/forget.ts";
import type { AddResult, ListedNote, NoteLinks, WholeNote } from "../../memory/memory.ts";
import type { MemoryStatus } from "../../memory/status.ts";
import type { SearchAnswer, SearchHit } from "../../search/search.ts";
import type { SessionSummary, ShownSession } from "../../sessions/transcripts/sessions.ts";
import type { SyncReport } from "../../sync/sync.ts";
import type { Timeline as CountedDays } from "../timeline.ts";
import { ApiFailure } from "./api-failure.ts";
import type { SearchState } from "./search/search-address.ts";

/** As the server lists it; `chunks` is absent while it is not indexed. */
export type NoteEntry = ListedNote & { readonly chunks?: number };

/** What is known of a note that was just saved, too. */
export type NoteSource = Pick<WholeNote, "path" | "text" | "hash" | "readOnly">;

/** A hit, and which stretches of its snippet the question is about. */
export interface MarkedHit extends SearchHit {
  readonly marks?: readonly (readonly [start: number, end: number])[];
}

export interface MarkedAnswer extends Omit<SearchAnswer, "results"> {
  readonly results: readonly MarkedHit[];
}

/** Lines as they were seen, or a whole note by the hash that it had. */
export type ForgetTarget =
  | { readonly path: string; readonly startLine: number; readonly endLine: number; readonly text: string }
  | { readonly path: string; readonly hash: string };

export type Timeline = CountedDays & { readonly degraded: readonly string[] };

export interface SessionList {
  readonly sessions: readonly SessionSummary[];
  /** Transcripts are searched, too. */
  readonly isIndexing: boolean;
}

export interface ServedStatus extends MemoryStatus {
  readonly server: {
    readonly version: string;
    readonly isReadOnly: boolean;
    /** How each agent host is connected to this memory. */
    readonly hosts: readonly { readonly title: string; readonly command: string }[];
  };
}

/** The routes of the server that this page comes from. The browser adds the cookie; no token is ever seen here. */
export const api = {
  status: () => call<ServedStatus>("GET", "/api/status"),
  search: (state: SearchState, signal: AbortSignal) =>
    call<MarkedAnswer>("GET", `/api/search${writeQuery(searchParameters(state))}`, { signal }),
  notes: () => call<{ readonly notes: readonly NoteEntry[] }>("GET", "/api/notes"),
  latestNotes: (latest: number) =>
    call<{ readonly notes: readonly NoteEntry[] }>("GET", `/api/notes${writeQuery({ latest })}`),
  source: (path: string) => call<NoteSource>("GET", `/api/notes/source${writeQuery({ path })}`),
  save: (note: { path: string; text: string; expectedHash: string }) =>
    call<{ readonly hash: string }>("PUT", "/api/notes/source", { body: note }),
  add: (entry: { text: string; to?: string; heading?: string }) =>
    call<AddResult>("POST", "/api/add", { body: entry }),
  previewForget: (target: { path: string; startLine?: number; endLine?: number }) =>
    call<ForgetResult>("POST", "/api/forget", { body: { ...target, preview: true } }),
  forget: (target: ForgetTarget) => call<ForgetResult>("POST", "/api/forget", { body: target }),
  links: (path: string) => call<NoteLinks>("GET", `/api/links${writeQuery({ path })}`),
  plan: () => call<Plan>("GET", "/api/consolidation"),
  applySteps: (ids: readonly string[]) =>
    call<ApplyResult>("POST", "/api/consolidation/apply", { body: { ids } }),
  rejectSteps: (ids: readonly string[]) =>
    call<{ readonly rejected: readonly string[] }>("POST", "/api/consolidation/reject", { body: { ids } }),
  undo: (receipt: string) => call<UndoResult>("POST", "/api/consolidation/undo", { body: { receipt } }),
  receipts: () => call<{ readonly receipts: readonly Receipt[] }>("GET", "/api/consolidation/receipts"),
  timeline: () => call<Timeline>("GET", "/api/timeline"),
  sessions: () => call<SessionList>("GET", "/api/sessions"),
  session: (request: { id: string; from?: number; lines?: number }) =>
    call<ShownSession>("GET", `/api/sessions/show${writeQuery(request)}`),
  sync: () => call<SyncReport>("POST", "/api/sync", { body: {} }),
};

interface CallOptions {
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

async function call<T>(method: string, address: string, { body, signal }: CallOptions = {}): Promise<T> {
  const response = await fetch(address, {
    method,
    credentials: "same-origin",
    ...(signal ? { signal } : {}),
    ...(body === undefined
      ? {}
      : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : ApiFailure.unreachable(error);
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw ApiFailure.of(response.status, answer);
  return answer as T;
}

function searchParameters({ query, source, since, until, path, tag, explain }: SearchState) {
  return {
    query,
    maxResults: 10,
    marks: "true",
    source,
    since,
    until,
    path,
    tag,
    explain: explain ? "true" : "",
  };
}

/** `?a=1&b=2` without what is empty. */
function writeQuery(values: Readonly<Record<string, string | number | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  }
  return `?${parameters}`;
}
