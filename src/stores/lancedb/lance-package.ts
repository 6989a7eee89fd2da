import { createRequire } from "node:module";
import { LonghandError } from "../../errors.ts";

export type Lance = typeof import("@lancedb/lancedb");
export type Arrow = typeof import("apache-arrow");
export type LanceConnection = import("@lancedb/lancedb").Connection;
export type LanceTable = import("@lancedb/lancedb").Table;
export type FullTextQuery = import("@lancedb/lancedb").FullTextQuery;
export type ArrowTable = import("apache-arrow").Table;
export type ArrowSchema = import("apache-arrow").Schema;

export interface LoadLanceOptions {
  /** What cannot be done without it, as the beginning of a sentence: `memory_store`, `store.driver "lancedb"`. */
  readonly user: string;
  /** Another name, to see what happens when there is no such package. */
  readonly packageName?: string;
}

/** The one place that imports LanceDB: an optional package of native code, loaded when it is first needed. */
export function loadLance({ user, packageName = "@lancedb/lancedb" }: LoadLanceOptions): Promise<Lance> {
  return load(user, packageName, () => import(packageName));
}

/**
 * Describes and holds rows on their way in and out of LanceDB. It must be the very copy that LanceDB has, which knows
 * its own objects only, so it is looked for from there.
 */
export async function loadArrow({ user, packageName = "apache-arrow" }: LoadLanceOptions): Promise<Arrow> {
  const fromHere = createRequire(import.meta.url);
  return await load(user, packageName, async () =>
    createRequire(fromHere.resolve("@lancedb/lancedb"))(packageName),
  );
}

async function load<Package>(
  user: string,
  packageName: string,
  loading: () => Promise<unknown>,
): Promise<Package> {
  try {
    return (await loading()) as Package;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const isMissing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
    const why = isMissing ? "which is not installed" : `which cannot be loaded here: ${firstLine(cause)}`;
    const first = packageName === "apache-arrow" ? "@lancedb/lancedb" : packageName;
    throw new LonghandError("dependency-missing", `${user} needs the package ${packageName}, ${why}.`, {
      hint:
        `Install it beside longhand with \`npm install ${first} apache-arrow@18\` ` +
        "(with -g when longhand is global).",
      cause,
    });
  }
}

function firstLine(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).split("\n", 1)[0]!.slice(0, 200);
}
