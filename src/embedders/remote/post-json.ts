import { LonghandError } from "../../errors.ts";
import { excerpt, type Redact } from "./mask.ts";
import { readBody } from "./read-body.ts";
import { parseJson, type RequestOptions, sendRequest } from "./send-request.ts";
import type { ServiceFailure } from "./service.ts";

export interface PostOptions extends Omit<RequestOptions, "method" | "body"> {
  readonly body: unknown;
  /** Of the answer, after decompression. */
  readonly maxBytes: number;
}

/** Posts JSON and gives back JSON. */
export async function postJson({
  body,
  maxBytes,
  ...request
}: PostOptions): Promise<{ readonly json: unknown } | ServiceFailure> {
  return await sendRequest({ ...request, method: "POST", body: JSON.stringify(body) }, (response, from) =>
    readJson(response, { from, maxBytes, mask: request.mask }),
  );
}

export async function readJson(
  response: Response,
  { from, maxBytes, mask }: { readonly from: string; readonly maxBytes: number; readonly mask: Redact },
): Promise<{ readonly json: unknown } | ServiceFailure> {
  const text = await readBody(response, maxBytes);
  if (text === null) return misunderstood(from, `it is larger than ${maxBytes} bytes`);
  // Some servers begin with a mark of byte order, which JSON does not know.
  const json = parseJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  if (json !== undefined) return { json };
  if (text.trim() === "") return misunderstood(from, "it is empty");
  return misunderstood(from, `it is not JSON: ${excerpt(mask(text.slice(0, 2000)))}`);
}

export function misunderstood(from: string, why: string): ServiceFailure {
  const error = new LonghandError("provider-answer-invalid", `The answer of ${from} cannot be used: ${why}`, {
    hint: "Check that remote.baseUrl is the address of an embedding service of this provider.",
  });
  return { kind: "final", error };
}
