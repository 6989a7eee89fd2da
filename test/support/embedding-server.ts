import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

export type ServiceKind = "openai" | "gemini" | "voyage";
/** `ai-gateway` is the service behind the AI SDK's own provider. */
export type ServerKind = ServiceKind | "ai-gateway";

/** One recorded request: its texts, and everything around them. */
export interface ServerRequest {
  readonly kind: ServerKind;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
  readonly texts: readonly string[];
  readonly purpose: "query" | "document" | "unknown";
}

export interface Reply {
  readonly response: ServerResponse;
  /** Answers as documented, with these vectors or the server's own. */
  readonly answer: (vectors?: readonly (readonly unknown[])[]) => void;
  /** The documented body, for tests that send it in another way. */
  readonly bodyOf: (vectors?: readonly (readonly unknown[])[]) => Record<string, unknown>;
  readonly json: (status: number, body: unknown, headers?: Record<string, string>) => void;
}

/** Answers one request; the default answers as documented. */
export type Behave = (request: ServerRequest, reply: Reply) => void;

export interface EmbeddingServer extends AsyncDisposable {
  /** The address of the server, without a provider's path. */
  readonly origin: string;
  readonly requests: ServerRequest[];
  /** The maximum number of concurrent requests. */
  maxConcurrent: number;
  behave: Behave;
  baseUrl(kind: ServerKind): string;
  vectorOf(text: string): number[];
}

/** A real server on loopback that implements the APIs of OpenAI, Gemini and Voyage, and misbehaves on request. */
export async function openEmbeddingServer({ dimensions = 8 } = {}): Promise<EmbeddingServer> {
  let underWay = 0;
  const http = createServer((message, response) => {
    const parts: Buffer[] = [];
    message.on("data", (part: Buffer) => parts.push(part));
    message.on("end", () => {
      const bytes = Buffer.concat(parts);
      const isPacked = message.headers["content-encoding"] === "gzip";
      const body = JSON.parse((isPacked ? gunzipSync(bytes) : bytes).toString("utf8"));
      const request = readRequest(message, body);
      server.requests.push(request);
      server.maxConcurrent = Math.max(server.maxConcurrent, ++underWay);
      response.on("close", () => underWay--);
      const json: Reply["json"] = (status, answer, headers = {}) => {
        response.writeHead(status, { "content-type": "application/json", ...headers });
        response.end(JSON.stringify(answer));
      };
      const bodyOf: Reply["bodyOf"] = (vectors = request.texts.map(server.vectorOf)) =>
        documentedBody(request, vectors);
      server.behave(request, { response, json, bodyOf, answer: (vectors) => json(200, bodyOf(vectors)) });
    });
    message.on("error", () => {});
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const server: EmbeddingServer = {
    origin,
    requests: [],
    maxConcurrent: 0,
    behave: (_, reply) => reply.answer(),
    baseUrl: (kind) => `${origin}/${kind}/v1`,
    /** Similar words get similar vectors: a count of letters. Not of unit length, so that normalization is tested. */
    vectorOf(text) {
      const counts = new Array<number>(dimensions).fill(0.01);
      for (const letter of text.toLowerCase()) counts[letter.codePointAt(0)! % dimensions]! += 1;
      return counts;
    },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}

function readRequest(message: IncomingMessage, body: Record<string, unknown>): ServerRequest {
  const path = message.url ?? "";
  const kind = path.split("/")[1] as ServerKind;
  const around = { kind, path, headers: message.headers, body };
  if (kind === "gemini") {
    const asked = (path.includes(":embedContent") ? [body] : body["requests"]) as {
      content: { parts: { text: string }[] };
      taskType: string;
    }[];
    const isQuery = asked[0]?.taskType === "RETRIEVAL_QUERY";
    return {
      ...around,
      texts: asked.map(({ content }) => content.parts[0]!.text),
      purpose: isQuery ? "query" : "document",
    };
  }
  if (kind === "ai-gateway") return { ...around, texts: body["values"] as string[], purpose: "unknown" };
  const purpose = (body["input_type"] as "query" | "document" | undefined) ?? "unknown";
  return { ...around, texts: body["input"] as string[], purpose };
}

function documentedBody({ kind, path, body }: ServerRequest, vectors: readonly (readonly unknown[])[]) {
  if (kind === "gemini") {
    if (path.includes(":embedContent")) return { embedding: { values: vectors[0] } };
    return { embeddings: vectors.map((values) => ({ values })) };
  }
  if (kind === "ai-gateway") return { embeddings: vectors, usage: { tokens: vectors.length * 10 } };
  const data = vectors.map((embedding, index) => ({ object: "embedding", embedding, index }));
  const tokens = vectors.length * 10;
  return {
    object: "list",
    data,
    model: body["model"],
    usage: kind === "openai" ? { prompt_tokens: tokens, total_tokens: tokens } : { total_tokens: tokens },
  };
}
