import { prepareLance } from "../../src/config/lance-access.ts";
import { type LanceStoreOptions, openLanceStore } from "../../src/stores/lancedb/lance-store.ts";
import { contractTokens } from "../../src/stores/store.contract.ts";
import type { FullStore } from "../../src/stores/store.ts";

export { document, search, texts } from "../../src/stores/contract/fixture.ts";

/** A LanceDB store with plain words as tokens, in this folder or at this address. */
export function openLanceAt(location: string, options: Partial<LanceStoreOptions> = {}): Promise<FullStore> {
  prepareLance();
  return openLanceStore({
    location,
    analyzerId: "plain",
    tokens: ({ text }) => ({ body: contractTokens(text).join(" "), head: "" }),
    ...options,
  });
}
