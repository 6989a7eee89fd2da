import { LonghandError } from "../../errors.ts";

export type Pg = typeof import("pg");

/** The one place that imports the PostgreSQL client: an optional package, loaded when it is first needed. */
export async function loadPg(packageName = "pg"): Promise<Pg> {
  try {
    const loaded = (await import(packageName)) as { default?: Pg } & Pg;
    return loaded.default ?? loaded;
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
    const why = isMissing ? "which is not installed" : "which cannot be loaded here";
    throw new LonghandError(
      "dependency-missing",
      `store.driver "postgres" needs the package ${packageName}, ${why}.`,
      {
        hint: `Install it beside longhand with \`npm install ${packageName}\` (with -g when longhand is global).`,
        cause,
      },
    );
  }
}
