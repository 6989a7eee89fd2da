import { LonghandError, messageOf } from "../errors.ts";

/** Why an embedder did not give vectors, and for whom that holds. */
export interface ProviderFailure {
  readonly reason: string;
  /**
   * `unreachable`: every process of this machine would meet it. `refused`: it may be due to this process, such as its
   * key or its model process. `late`: a question did not wait longer, and the next one may be answered in time.
   */
  readonly kind: "unreachable" | "refused" | "late";
}

export function failureOf(error: unknown): ProviderFailure {
  const isDown = error instanceof LonghandError && error.code === "provider-unreachable";
  return { reason: messageOf(error), kind: isDown ? "unreachable" : "refused" };
}
