import { randomUUID } from "node:crypto";
import { after, describe } from "node:test";
import { createTestDatabase } from "../../../test/support/postgres.ts";
import { contractTokens, testStore } from "../store.contract.ts";
import { openPostgresStore } from "./postgres-store.ts";

const serverUrl = process.env["LONGHAND_TEST_POSTGRES_URL"];
const skip = serverUrl === undefined && "LONGHAND_TEST_POSTGRES_URL names no server (see docs/scaling.md)";

describe("on a real server", { skip }, async () => {
  if (serverUrl === undefined) return;
  const database = await createTestDatabase(serverUrl);
  after(() => database[Symbol.asyncDispose]());

  testStore("PostgreSQL", {
    create: async () => {
      const owner = randomUUID();
      return {
        open: (options) =>
          openPostgresStore({
            ...options,
            url: database.url,
            place: "the test server",
            owner,
            analyserId: "contract",
            tokens: ({ text }) => ({ body: contractTokens(text).join(" "), head: "" }),
          }),
        async [Symbol.asyncDispose]() {},
      };
    },
  });
});
