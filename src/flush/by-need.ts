/**
 * Turns in the order in which a flush reads them, with their position in the conversation: user turns first, latest
 * first. A flush that runs out of time has read the beginning of this list.
 */
export function byNeed<T extends { readonly role: string }>(turns: readonly T[]): [number, T][] {
  return [...turns.entries()]
    .filter(([, { role }]) => role === "user" || role === "assistant")
    .sort(([a, one], [b, other]) => Number(one.role !== "user") - Number(other.role !== "user") || b - a);
}
