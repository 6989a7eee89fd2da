import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareLance } from "../../config/prepare-lance.ts";
import { contractTokens, testStore } from "../store.contract.ts";
import { openLanceStore } from "./lance-store.ts";

prepareLance();

testStore("LanceDB", {
  create: async () => {
    const folder = await mkdtemp(join(tmpdir(), "longhand-lance-"));
    return {
      open: (options) =>
        openLanceStore({
          ...options,
          location: join(folder, "deep", "index.lance"),
          analyserId: "contract",
          tokens: ({ text }) => ({ body: contractTokens(text).join(" "), head: "" }),
        }),
      [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
    };
  },
});
