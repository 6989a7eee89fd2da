import { redactSecrets } from "../../text/redact.ts";

export type Redact = (text: string) => string;

/** Anything shorter is not a key, and masking it would mask ordinary words. */
const minLength = 4;

/** Masks these keys of the configuration, and what looks like a secret. */
export function createRedact(literals: readonly string[]): Redact {
  return (text) => redactSecrets(text, { literals }).text;
}

export const redactText: Redact = createRedact([]);

/** Masks known secrets in a text, in any encoding a service may use, and what looks like a secret. */
export function createMask(secrets: readonly string[], redact: Redact = redactText): Redact {
  const spellings = secrets
    .flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret.toWellFormed()),
      Buffer.from(secret).toString("base64"),
    ])
    .filter((spelling) => spelling.length >= minLength)
    // The longest first, so that no part of one remains.
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let masked = text;
    for (const spelling of new Set(spellings)) masked = masked.replaceAll(spelling, "[secret]");
    return redact(masked);
  };
}
