/** `1 file`, `3 files`, `12,000 files`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** `12,000`. Written out, because `toLocaleString` loads the rules of all languages, which takes longer than a search. */
export function formatCount(count: number): string {
  const sign = count < 0 ? "-" : "";
  const digits = String(Math.abs(count));
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return sign + groups.join(",");
}

/** `a, b, c and 4 more`: the first few of a list, for a sentence. */
export function nameSome(names: readonly string[], maxNamed = 3): string {
  const more = names.length - maxNamed;
  return `${names.slice(0, maxNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
