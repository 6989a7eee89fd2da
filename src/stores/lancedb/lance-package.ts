import { createRequire } from "node:module";
import { LonghandError, messageOf } from "../../errors.ts";

export type Lance = typeof import("@lancedb/lancedb");
export type Arrow = typeof import("apache-arrow");
export type LanceConnection = import("@lancedb/lancedb").Connection;
export type LanceTable = import("@lancedb/lancedb").Table;
export type FullTextQuery = import("@lancedb/lancedb").FullTextQuery;
export type ArrowTable = import("apache-arrow").Table;
export type ArrowSchema = import("apache-arrow").Schema;

export interface LoadLanceOptions {
  /** What needs the package, as the start of a sentence: `memory_store`, `store.driver "lancedb"`. */
  readonly user: string;
  /** Lets tests name a package that does not exist. */
  readonly packageName?: string;
}

/** The only place that imports LanceDB: an optional package with native code, loaded on first use. */
export function loadLance({ user, packageName = "@lancedb/lancedb" }: LoadLanceOptions): Promise<Lance> {
  return load(user, packageName, () => import(packageName));
}

/**
 * Arrow holds rows on their way in and out of LanceDB. LanceDB accepts only objects of its own copy, so the package is
 * resolved from there.
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
  return messageOf(cause).split("\n", 1)[0]!.slice(0, 200);
}
