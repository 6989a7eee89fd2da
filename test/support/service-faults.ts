import { createGzip } from "node:zlib";
import type { Behave, Reply, ServerRequest } from "./embedding-server.ts";

export interface ServiceFault {
  readonly behave: Behave;
  /** The error that a caller gets. */
  readonly code: string;
  readonly message: RegExp;
  /** How many requests one text causes; a refused text is followed by a request for a harmless word. */
  readonly requests: number;
}

/** About a kilobyte that decompresses to a million zeros. */
const zeros = Buffer.alloc(2 ** 20, "0");

function each(change: (vector: number[], index: number) => unknown[]): Behave {
  return (request, reply) => reply.answer(vectorsOf(request).map(change));
}

function vectorsOf({ texts }: ServerRequest): number[][] {
  return texts.map(() => [3, 0, 4, 0, 0, 0, 0, 0]);
}

const refuse =
  (status: number, body: unknown, headers: Record<string, string> = {}): Behave =>
  (_, { json }) =>
    json(status, body, headers);

function pour({ response }: Reply, pack: boolean): void {
  response.writeHead(200, {
    "content-type": "application/json",
    ...(pack ? { "content-encoding": "gzip" } : {}),
  });
  const stream = pack ? createGzip() : response;
  if (stream !== response) stream.pipe(response);
  // Up to a gigabyte, for as long as the client reads.
  let left = 1024;
  const more = (): void => {
    while (left-- > 0 && !response.destroyed) {
      if (!stream.write(zeros)) return;
    }
    stream.end();
  };
  stream.on("drain", more);
  stream.on("error", () => {});
  more();
}

/** Permanent faults of a service, with the resulting errors. Deadlines are those of the test. */
export const lastingFaults: Readonly<Record<string, ServiceFault>> = {
  "vectors of no dimensions": {
    behave: each(() => []),
    code: "vectors-invalid",
    message: /no numbers/,
    requests: 1,
  },
  "a number that JSON cannot say": {
    behave: each((vector) => [null, ...vector.slice(1)]),
    code: "vectors-invalid",
    message: /not a finite number/,
    requests: 2,
  },
  "numbers as text": {
    behave: each((vector) => vector.map(String)),
    code: "vectors-invalid",
    message: /not a finite number/,
    requests: 2,
  },
  "a zero vector": {
    behave: each((vector) => vector.map(() => 0)),
    code: "vectors-invalid",
    message: /is zero/,
    requests: 2,
  },
  "no vector at all": {
    behave: (_, reply) => reply.answer([]),
    code: "vectors-invalid",
    message: /0 vectors came back for 1 text/,
    requests: 1,
  },
  "one vector too many": {
    behave: (request, reply) => reply.answer([...vectorsOf(request), [1, 1, 1, 1, 1, 1, 1, 1]]),
    code: "vectors-invalid",
    message: /2 vectors came back/,
    requests: 1,
  },
  "another shape of JSON": {
    behave: refuse(200, { result: "ok" }),
    code: "provider-answer-invalid",
    message: /no list of vectors/,
    requests: 1,
  },
  "JSON that is cut": {
    behave: (_, { response, bodyOf }) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(bodyOf()).slice(0, 40));
    },
    code: "provider-answer-invalid",
    message: /not JSON/,
    requests: 1,
  },
  "a web page": {
    behave: (_, { response }) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(`<html>${"Sign in. ".repeat(1000)}</html>`);
    },
    code: "provider-answer-invalid",
    message: /not JSON: <html>Sign in.{100,190}…$/,
    requests: 1,
  },
  "a redirect": {
    behave: (_, { response }) => {
      response.writeHead(307, { location: "/elsewhere" });
      response.end();
    },
    code: "provider-refused",
    message: /redirect, which is not followed/,
    requests: 1,
  },
  "a gigabyte": {
    behave: (_, reply) => pour(reply, false),
    code: "provider-answer-invalid",
    message: /larger than \d+ bytes/,
    requests: 1,
  },
  "a gigabyte packed into a megabyte": {
    behave: (_, reply) => pour(reply, true),
    code: "provider-answer-invalid",
    message: /larger than \d+ bytes/,
    requests: 1,
  },
  "silence before the headers": {
    behave: () => {},
    code: "provider-unreachable",
    message: /no complete answer within 0\.\d+ seconds/,
    requests: 1,
  },
  "silence after the headers": {
    behave: (_, { response }) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{");
    },
    code: "provider-unreachable",
    message: /no complete answer within/,
    requests: 1,
  },
  "a slow drip": {
    behave: (_, { response }) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 5);
      response.on("close", () => clearInterval(timer));
    },
    code: "provider-unreachable",
    message: /no complete answer within/,
    requests: 1,
  },
  "connections that are reset": {
    behave: (_, { response }) => response.socket?.resetAndDestroy(),
    code: "provider-unreachable",
    message: /could not be reached: (?:ECONNRESET|UND_ERR_SOCKET)/,
    requests: 3,
  },
  "a body that is reset in its middle": {
    behave: (_, { response }) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"data":', () => response.socket?.resetAndDestroy());
    },
    code: "provider-unreachable",
    message: /could not be reached/,
    requests: 3,
  },
  "overload without an end": {
    behave: refuse(503, { error: { message: "The model is overloaded" } }),
    code: "provider-unreachable",
    message: /HTTP 503\): The model is overloaded/,
    requests: 3,
  },
  "a limit of requests without a time": {
    behave: refuse(429, { error: { message: "Rate limit reached" } }),
    code: "provider-unreachable",
    message: /HTTP 429\): Rate limit reached/,
    requests: 3,
  },
  "a limit of requests with a far time": {
    behave: refuse(429, { error: { message: "Come back tomorrow" } }, { "retry-after": "3600" }),
    code: "provider-unreachable",
    message: /Come back tomorrow/,
    requests: 1,
  },
  "a used-up quota": {
    behave: refuse(429, {
      error: { message: "You exceeded your current quota", type: "insufficient_quota" },
    }),
    code: "provider-refused",
    message: /exceeded your current quota/,
    requests: 1,
  },
  "a wrong key": {
    behave: refuse(401, { error: { message: "Incorrect API key provided" } }),
    code: "provider-refused",
    message: /HTTP 401\): Incorrect API key/,
    requests: 1,
  },
  "a key that may not": {
    behave: refuse(403, { detail: "You are not allowed" }),
    code: "provider-refused",
    message: /HTTP 403\): You are not allowed/,
    requests: 1,
  },
  "an unknown model": {
    behave: refuse(404, { error: { message: "The model does not exist" } }),
    code: "provider-refused",
    message: /HTTP 404\): The model does not exist/,
    requests: 1,
  },
  "a request that is never right": {
    behave: refuse(400, { error: { message: "Unknown name 'dimensions'" } }),
    code: "provider-refused",
    message: /HTTP 400\): Unknown name/,
    requests: 2,
  },
};
