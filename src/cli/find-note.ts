import type { Memory } from "../memory/memory.ts";

/** A note named as in a wikilink, by file name or alias, has no ending; anything else is a path, right or wrong. */
export async function findNotePath(
  memory: Memory,
  name: string,
  options: { readonly signal: AbortSignal; readonly sessionKey: string | undefined },
): Promise<string> {
  if (name === "" || /\.[a-z]{1,5}$/i.test(name) || /(?:^|\/)\.\.(?:\/|$)|^\//.test(name)) return name;
  const { signal, sessionKey } = options;
  return (await memory.findNote(name, { signal, ...(sessionKey !== undefined && { sessionKey }) })) ?? name;
}
