import type { StoredChunk } from "../../src/stores/store.ts";

/** A chunk as a store returns it; its lines follow from its text. */
export function makeChunk(chunk: Partial<StoredChunk> & { readonly text: string }, start = 1): StoredChunk {
  const end = start + chunk.text.split("\n").length - 1;
  return {
    id: 1,
    path: "memory/a.md",
    source: "memory",
    headings: [],
    scope: "shared",
    lines: { start, end },
    ...chunk,
  };
}
