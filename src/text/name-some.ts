/** `a, b, c and 4 more`: the first few of a list, for a sentence. */
export function nameSome(names: readonly string[], maxNamed = 3): string {
  const more = names.length - maxNamed;
  return `${names.slice(0, maxNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
