import type { ServerResponse } from "node:http";
import type { DescribedSetting } from "../config/describe.ts";
import type { ErrorCode } from "../errors.ts";
import type { Memory } from "../memory/memory.ts";
import type { InputOf, ObjectSchema } from "../tools/tool.ts";
import type { EventHub } from "./event-hub.ts";

export interface ApiContext {
  readonly memory: Memory;
  readonly version: string;
  readonly events: EventHub;
  /** Effective settings with their origins; secrets are masked. */
  readonly settings: () => readonly DescribedSetting[];
  /** Agents named in the configuration. */
  readonly agents: readonly string[];
  /** Whether transcripts are searched. */
  readonly isIndexingSessions: boolean;
  /** Whether the server refuses changes. */
  readonly isReadOnly: boolean;
  /** Aborted when the server closes, for work that outlives its request. */
  readonly closing: AbortSignal;
}

export interface ApiCall {
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** For streaming responses. */
  readonly response: ServerResponse;
}

/**
 * The single definition of a route: input parsing, the OpenAPI document, docs/http.md and the tests of the guard are
 * derived from it.
 */
export interface ApiRoute<
  Method extends "GET" | "POST" | "PUT" = "GET" | "POST" | "PUT",
  Path extends `/api/${string}` = `/api/${string}`,
  Answer extends object = object,
> {
  readonly method: Method;
  readonly path: Path;
  readonly summary: string;
  /** Details that do not fit into the summary. */
  readonly details?: string;
  /** The query parameters of a GET, otherwise the JSON body. */
  readonly input: ObjectSchema;
  readonly output: ApiOutput;
  /** Refused by a read-only server. */
  readonly changesNotes?: true;
  /** The response is long and rarely changes: an `ETag` avoids sending it again. */
  readonly isTagged?: true;
  /** Returns the JSON value, or a complete `Response`. */
  run(
    context: ApiContext,
    input: Readonly<Record<string, unknown>>,
    call: ApiCall,
  ): Promise<Answer | Response>;
}

interface ApiOutput {
  readonly description: string;
  /** The JSON schema of the response. */
  readonly schema: object;
  /** The content type, if it is not JSON. */
  readonly contentType?: "text/event-stream";
}

/** A route whose input has the type that its schema describes. */
interface RouteDefinition<
  Method extends ApiRoute["method"],
  Path extends ApiRoute["path"],
  Schema extends ObjectSchema,
  Answer extends object,
> extends Omit<ApiRoute<Method, Path>, "input" | "run"> {
  readonly input: Schema;
  run(context: ApiContext, input: InputOf<Schema>, call: ApiCall): Promise<Answer | Response>;
}

/** Method, path and response stay in the type, so that the page derives its API client from the routes. */
export function defineRoute<
  const Method extends ApiRoute["method"],
  const Path extends ApiRoute["path"],
  Schema extends ObjectSchema,
  Answer extends object,
>(definition: RouteDefinition<Method, Path, Schema, Answer>): ApiRoute<Method, Path, Answer> {
  const { run, ...shown } = definition;
  return { ...shown, run: (context, input, call) => run(context, input as InputOf<Schema>, call) };
}

/** The HTTP status of an error code: 4xx if the request has to change, 5xx otherwise. */
export const errorStatus: Readonly<Record<ErrorCode, number>> = {
  usage: 400,
  "config-invalid": 500,
  "memory-disabled": 503,
  "workspace-missing": 503,
  "path-outside-memory": 403,
  "note-missing": 404,
  "note-unreadable": 500,
  "note-too-large": 413,
  "note-binary": 422,
  "note-unwritable": 500,
  "entry-unconfirmed": 503,
  "note-changed": 409,
  "receipt-unusable": 409,
  "entry-invalid": 400,
  "query-invalid": 400,
  "tool-input-invalid": 400,
  "request-invalid": 400,
  "read-only": 403,
  "index-newer": 503,
  "index-foreign": 503,
  "index-shared": 503,
  "index-unusable": 503,
  "index-busy": 503,
  "store-unreachable": 503,
  "store-refused": 503,
  "store-busy": 503,
  "session-missing": 404,
  "session-foreign": 403,
  "session-invalid": 400,
  "session-unusable": 500,
  "host-config-unusable": 500,
  "dependency-missing": 500,
  "model-unusable": 500,
  "model-stopped": 502,
  "download-failed": 502,
  "vectors-invalid": 502,
  "key-missing": 500,
  "provider-unreachable": 502,
  "provider-refused": 502,
  "provider-answer-invalid": 502,
  "backend-failed": 503,
  "not-supported": 501,
  "token-unusable": 500,
  "trust-unusable": 500,
  "address-unusable": 500,
  "eval-invalid": 400,
  "too-many-open-files": 503,
  // The client has disconnected.
  aborted: 499,
  internal: 500,
};
