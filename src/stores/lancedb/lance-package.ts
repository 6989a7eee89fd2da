import { LonghandError } from "../../errors.ts";

export type Lance = typeof import("@lancedb/lancedb");

export interface LoadLanceOptions {
  /** What cannot be done without it, as the beginning of a sentence: `memory_store`, `store.driver "lancedb"`. */
  readonly user: string;
  /** Another name, to see what happens when there is no such package. */
  readonly packageName?: string;
}

/** The one place that imports LanceDB: an optional package of native code, loaded when it is first needed. */
export async function loadLance({
  user,
  packageName = "@lancedb/lancedb",
}: LoadLanceOptions): Promise<Lance> {
  try {
    return (await import(packageName)) as Lance;
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
    const why = isMissing ? "which is not installed" : `which cannot be loaded here: ${firstLine(cause)}`;
    throw new LonghandError("dependency-missing", `${user} needs the package ${packageName}, ${why}.`, {
      hint:
        `Install it beside longhand with \`npm install ${packageName} apache-arrow@18\` ` +
        "(with -g when longhand is global).",
      cause,
    });
  }
}

function firstLine(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).split("\n", 1)[0]!.slice(0, 200);
}
