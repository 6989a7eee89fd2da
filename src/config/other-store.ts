import { LonghandError } from "../errors.ts";
import { findAddressFault } from "./postgres-address.ts";
import { Secret, showAddress } from "./secret.ts";
import type { Settings } from "./settings.ts";
import { type Environment, expandVariables } from "./variables.ts";

type Driver = Settings["memorySearch"]["store"]["driver"];

/** The same settings with another store. */
export function withStore(
  settings: Settings,
  { driver, url }: { readonly driver: Driver; readonly url?: string | undefined },
  env: Environment = process.env,
): Settings {
  const { text, missing } = expandVariables(url ?? "", env);
  if (missing.length > 0) throw refuse(`the variable ${missing[0]} is not set`);
  if (driver === "postgres" && text === "") throw refuse("PostgreSQL needs an address");
  const fault = driver === "postgres" ? findAddressFault(text) : null;
  if (fault !== null) throw refuse(`the address ${fault.message}`, fault.hint);
  if (driver === "sqlite" && text !== "") throw refuse("SQLite takes none: its file is store.path");
  const { memory, memorySearch } = settings;
  const address = text === "" ? undefined : new Secret(text, text.includes("://") ? showAddress(text) : text);
  return {
    ...settings,
    memory: { ...memory, backend: "builtin" },
    memorySearch: { ...memorySearch, store: { ...memorySearch.store, driver, url: address } },
  };
}

const addressHint =
  "Give the address of the new index with --url. Variables of the environment are replaced in it as in the configuration.";

function refuse(why: string, hint = addressHint): LonghandError {
  return new LonghandError("config-invalid", `Could not use another store: ${why}.`, { hint });
}
