import { randomUUID } from "node:crypto";
import { after } from "node:test";
import { startPglite } from "../../../test/support/postgres.ts";
import { contractTokens, testStore } from "../store.contract.ts";
import { openPostgresStore } from "./postgres-store.ts";

const server = await startPglite();
after(() => server[Symbol.asyncDispose]());

testStore("PostgreSQL", {
  create: async () => {
    const owner = randomUUID();
    return {
      open: (options) =>
        openPostgresStore({
          ...options,
          ...server,
          place: "PGlite",
          owner,
          analyserId: "contract",
          tokens: ({ text }) => ({ body: contractTokens(text).join(" "), head: "" }),
        }),
      async [Symbol.asyncDispose]() {},
    };
  },
});
