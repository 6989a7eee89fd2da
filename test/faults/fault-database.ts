import { withMemorySearch } from "../support/memory-fixture.ts";
import { createTestDatabase } from "../support/postgres.ts";
import type { FaultFixtureOptions } from "./fault-fixture.ts";

/** The store of a fault's index. */
export type FaultStore = "sqlite" | "postgres";

const serverUrl = process.env["LONGHAND_TEST_POSTGRES_URL"];

export function lackOfPostgres(): string | null {
  return serverUrl === undefined ? "LONGHAND_TEST_POSTGRES_URL names no server (see docs/scaling.md)" : null;
}

/** The options of a memory on that store, and a function that removes its database. */
export async function openFaultStore(
  store: FaultStore,
): Promise<Required<Pick<FaultFixtureOptions, "options">> & AsyncDisposable> {
  if (store === "sqlite") return { options: {}, async [Symbol.asyncDispose]() {} };
  const database = await createTestDatabase(serverUrl!);
  const config = withMemorySearch({ store: { driver: "postgres", url: database.url } });
  return { options: { config }, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}
