import { openReference, searchVec0 } from "../classic-index.ts";
import { createMadeUpNotes } from "../made-up-notes.ts";
import { processorMs } from "../measure.ts";
import { openStore } from "../store-of-chunks.ts";
import { stubIdentity } from "../stub-embedder.ts";

export interface FirstVectorSearch {
  readonly which: "ours" | "vec0";
  readonly path: string;
  readonly dimensions: number;
  readonly limit: number;
}

/** Includes opening, because a search from the command line always does. */
export async function measure({ which, path, dimensions, limit }: FirstVectorSearch): Promise<number> {
  const query = createMadeUpNotes(dimensions, 7).vector();
  return await processorMs(async () => {
    if (which === "vec0") return searchVec0(openReference(path), query);
    const store = await openStore(path);
    return await store.byVector(stubIdentity.id, query, { limit });
  });
}
