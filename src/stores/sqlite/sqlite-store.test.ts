import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contractTokens, storeContract } from "../store.contract.ts";
import { openSqliteStore } from "./sqlite-store.ts";

storeContract("SQLite", {
  create: async () => {
    const folder = await mkdtemp(join(tmpdir(), "longhand-store-"));
    return {
      open: (options) =>
        openSqliteStore({
          ...options,
          path: join(folder, "deep", "index.sqlite"),
          analyzerId: "contract",
          tokens: ({ text }) => ({ body: contractTokens(text).join(" "), head: "" }),
        }),
      [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
    };
  },
});
