import type { WholeNote } from "../../memory/note-requests.ts";
import type { ApiRoute } from "../api-route.ts";
import type { apiRoutes } from "../api-routes.ts";
import { ApiFailure } from "./api-failure.ts";
import type { SearchState } from "./search/search-address.ts";

type Routes = (typeof apiRoutes)[number];
type Method = Routes["method"];
type PathOf<M extends Method> = Extract<Routes, { readonly method: M }>["path"];

/** The response of a route, as its definition on the server declares it. */
type Answer<M extends Method, P extends string> =
  Extract<Routes, { readonly method: M; readonly path: P }> extends ApiRoute<M, infer _, infer Given>
    ? Given
    : never;

export type NoteEntry = Answer<"GET", "/api/notes">["notes"][number];

/** The fields that are also known for a note that was just saved. */
export type NoteSource = Pick<WholeNote, "path" | "text" | "hash" | "readOnly">;

export type MarkedAnswer = Answer<"GET", "/api/search">;
export type MarkedHit = MarkedAnswer["results"][number];

/** Lines with the text that was shown, or a whole note with the hash it had. */
export type ForgetTarget =
  | { readonly path: string; readonly startLine: number; readonly endLine: number; readonly text: string }
  | { readonly path: string; readonly hash: string };

export type Timeline = Answer<"GET", "/api/timeline">;
export type SessionList = Answer<"GET", "/api/sessions">;
export type ServedStatus = Answer<"GET", "/api/status">;

/** The routes of the server that served this page. The browser adds the cookie; the page never sees a token. */
export const api = {
  status: () => call("GET", "/api/status"),
  search: (state: SearchState, signal: AbortSignal) =>
    call("GET", "/api/search", { query: searchParameters(state), signal }),
  notes: () => call("GET", "/api/notes"),
  latestNotes: (latest: number) => call("GET", "/api/notes", { query: { latest } }),
  source: (path: string) => call("GET", "/api/notes/source", { query: { path } }),
  save: (note: { path: string; text: string; expectedHash: string }) =>
    call("PUT", "/api/notes/source", { body: note }),
  add: (entry: { text: string; to?: string; heading?: string }) => call("POST", "/api/add", { body: entry }),
  previewForget: (target: { path: string; startLine?: number; endLine?: number }) =>
    call("POST", "/api/forget", { body: { ...target, preview: true } }),
  forget: (target: ForgetTarget) => call("POST", "/api/forget", { body: target }),
  tags: () => call("GET", "/api/tags"),
  links: (path: string) => call("GET", "/api/links", { query: { path } }),
  plan: () => call("GET", "/api/consolidation"),
  applySteps: (ids: readonly string[]) => call("POST", "/api/consolidation/apply", { body: { ids } }),
  rejectSteps: (ids: readonly string[]) => call("POST", "/api/consolidation/reject", { body: { ids } }),
  undo: (receipt: string) => call("POST", "/api/consolidation/undo", { body: { receipt } }),
  receipts: () => call("GET", "/api/consolidation/receipts"),
  timeline: () => call("GET", "/api/timeline"),
  sessions: () => call("GET", "/api/sessions"),
  session: (request: { id: string; from?: number; lines?: number }) =>
    call("GET", "/api/sessions/show", { query: request }),
  sync: () => call("POST", "/api/sync", { body: {} }),
};

interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

async function call<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  { query, body, signal }: CallOptions = {},
): Promise<Answer<M, P>> {
  const response = await fetch(query === undefined ? path : path + writeQuery(query), {
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
  return answer as Answer<M, P>;
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

/** Builds `?a=1&b=2`, leaving out empty values. */
function writeQuery(values: NonNullable<CallOptions["query"]>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  }
  return `?${parameters}`;
}
