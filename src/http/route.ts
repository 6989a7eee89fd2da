import type { IncomingMessage, ServerResponse } from "node:http";

/** Answers a request that was let in. */
export type Route = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>;
