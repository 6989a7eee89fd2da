/** Reasons to refuse a request before anything of the memory is accessed. `docs/http.md` lists them. */
export const refusals = {
  unauthorized: {
    status: 401,
    message: "A token is needed.",
    hint: "Send `Authorization: Bearer …` with the text of the token file that the server names: http-token in the state folder, or http-tokens/AGENT for a named agent.",
  },
  "wrong-address": {
    status: 403,
    message: "This server answers only under its own address.",
    hint: "Use the address that the server printed when it started.",
  },
  "other-origin": {
    status: 403,
    message: "Pages of other origins may not call this server.",
    hint: "Call it from its own page, or from a program that sends no Origin.",
  },
  "other-site": {
    status: 403,
    message: "Pages of other sites may not call this server.",
    hint: "Copy the address into the address bar of the browser instead of following a link of another page.",
  },
  "origin-unknown": {
    status: 403,
    message: "A change by cookie must come from this server's own page.",
    hint: "Programs send the token instead: `Authorization: Bearer …`.",
  },
  "not-found": {
    status: 404,
    message: "There is nothing at this address.",
    hint: "GET /api/openapi.json lists all routes.",
  },
  "method-not-allowed": {
    status: 405,
    message: "This address does not support that method.",
    hint: "GET /api/openapi.json lists the supported ones.",
  },
  "too-large": {
    status: 413,
    message: "The body is over 1 MiB.",
    hint: "Send less at a time; edit a longer note in an editor.",
  },
  "not-json": {
    status: 415,
    message: "The body must be JSON.",
    hint: "Send it with `Content-Type: application/json`.",
  },
  failed: {
    status: 500,
    message: "The request failed inside the server.",
    hint: "The output of the server says why.",
  },
} as const;

export type RefusalCode = keyof typeof refusals;

/** The JSON of every failure: `{error: {code, message, hint, retryable}}`. */
export function refusalBody(code: RefusalCode): string {
  const { message, hint } = refusals[code];
  return JSON.stringify({ error: { code, message, hint, retryable: code === "failed" } });
}
