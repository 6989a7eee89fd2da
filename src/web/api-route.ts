import type { ServerResponse } from "node:http";
import type { DescribedSetting } from "../config/describe.ts";
import type { ErrorCode } from "../errors.ts";
import type { Memory } from "../memory/memory.ts";
import type { ObjectSchema } from "../tools/tool.ts";
import type { EventHub } from "./event-hub.ts";

/** What the routes work on. */
export interface ApiContext {
  readonly memory: Memory;
  readonly version: string;
  readonly events: EventHub;
  /** Effective settings with their origins; secrets are masked in them. */
  readonly settings: () => readonly DescribedSetting[];
  /** Agents that the configuration names. */
  readonly agents: readonly string[];
  /** Transcripts are searched. */
  readonly isIndexingSessions: boolean;
  /** Nothing is changed through this server. */
  readonly isReadOnly: boolean;
  /** Ends with the server. Long work that outlives its request takes it. */
  readonly closing: AbortSignal;
}

export interface ApiCall {
  /** Aborted when whoever asked has gone. */
  readonly signal: AbortSignal;
  /** For an answer that goes on and on. */
  readonly response: ServerResponse;
}

/** One route, once: reading its input, the OpenAPI document, docs/http.md and the tests of the guard follow from it. */
export interface ApiRoute<
  Method extends "GET" | "POST" | "PUT" = "GET" | "POST" | "PUT",
  Path extends `/api/${string}` = `/api/${string}`,
  Answer extends object = object,
> {
  readonly method: Method;
  readonly path: Path;
  readonly summary: string;
  /** More than the summary has room for. */
  readonly details?: string;
  /** Of the query for GET, else of the JSON in the body. */
  readonly input: ObjectSchema;
  readonly output: ApiOutput;
  /** It changes notes: refused where the server only reads. */
  readonly changesNotes?: true;
  /** The list is long and seldom changes: an `ETag` spares sending it again. */
  readonly isTagged?: true;
  /** Gives what is sent as JSON, or a whole `Response`. */
  run(context: ApiContext, input: Readonly<Record<string, unknown>>, call: ApiCall): Promise<Answer>;
}

export interface ApiOutput {
  readonly description: string;
  /** What the JSON of it looks like. */
  readonly schema: object;
  /** Other than JSON. */
  readonly contentType?: "text/event-stream";
}

/** A schema, and the type of what has passed it. */
interface InputSchema<Input> extends ObjectSchema {
  readonly read?: Input;
}

/** A route whose input is what its schema says. */
interface RouteDefinition<
  Method extends ApiRoute["method"],
  Path extends ApiRoute["path"],
  Input,
  Answer extends object,
> extends Omit<ApiRoute<Method, Path>, "input" | "run"> {
  readonly input: InputSchema<Input>;
  run(context: ApiContext, input: Input, call: ApiCall): Promise<Answer>;
}

/** Method, path and answer stay in the type, so that the page derives its calls from the routes. */
export function defineRoute<
  const Method extends ApiRoute["method"],
  const Path extends ApiRoute["path"],
  Input,
  Answer extends object,
>(definition: RouteDefinition<Method, Path, Input, Answer>): ApiRoute<Method, Path, Answer> {
  const { run, ...shown } = definition;
  return { ...shown, run: (context, input, call) => run(context, input as Input, call) };
}

/** An object schema of these properties, and no others. */
export function inputOf<Input = Record<never, never>>(
  properties: ObjectSchema["properties"],
  required: readonly string[] = [],
): InputSchema<Input> {
  return { type: "object", properties, required, additionalProperties: false };
}

/** The status of an answer that is a failure. 4xx: the request has to change. 5xx: something else has to. */
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
  // Nobody is there to read it.
  aborted: 499,
  internal: 500,
};
