import { withMemorySearch } from "../support/memory-fixture.ts";
import { createTestDatabase } from "../support/postgres.ts";
import type { FaultFixtureOptions } from "./fault-fixture.ts";

/** Where the index of a fault is kept. */
export type FaultStore = "sqlite" | "postgres";

const serverUrl = process.env["LONGHAND_TEST_POSTGRES_URL"];

export function lackOfPostgres(): string | null {
  return serverUrl === undefined ? "LONGHAND_TEST_POSTGRES_URL names no server (see docs/scaling.md)" : null;
}

/** Options of a memory on that store, and what removes its database afterwards. */
export async function openFaultStore(
  store: FaultStore,
): Promise<Required<Pick<FaultFixtureOptions, "options">> & AsyncDisposable> {
  if (store === "sqlite") return { options: {}, async [Symbol.asyncDispose]() {} };
  const database = await createTestDatabase(serverUrl!);
  const config = withMemorySearch({ store: { driver: "postgres", url: database.url } });
  return { options: { config }, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}
