import type { KeywordClause } from "../store.ts";

/**
 * The clauses as an FTS5 expression, or null when nothing is left to look for. Every token is quoted, so
 * nothing in it is ever an operator; a NUL would end the expression even inside quotes and is dropped.
 */
export function matchExpression(clauses: readonly KeywordClause[]): string | null {
  const parts = new Set<string>();
  for (const { tokens, prefix } of clauses) {
    const words = tokens
      .map((token) => token.replaceAll("\0", "").replaceAll('"', '""'))
      .filter((word) => /[^ ]/.test(word));
    if (words.length > 0) parts.add(`"${words.join(" ")}"${prefix ? " *" : ""}`);
  }
  return parts.size === 0 ? null : [...parts].join(" OR ");
}

/** What FTS5's tokenizer leaves as it is. */
const plainWord = /^[^\0 A-Z]{1,1000}$/;

/** The clauses as single words, or null when they say more than that. */
export function plainWords(clauses: readonly KeywordClause[]): string[] | null {
  const words = new Set<string>();
  for (const { tokens, prefix } of clauses) {
    const [word] = tokens;
    if (prefix || tokens.length !== 1 || word === undefined || !plainWord.test(word)) return null;
    words.add(word);
  }
  return [...words];
}
