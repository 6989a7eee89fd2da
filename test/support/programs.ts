import { join } from "node:path";
import { pathToFileURL } from "node:url";

/*
 * The programs that tests start as processes: the built package, which starts in a third of the time, if
 * scripts/run-tests.ts has ensured that it is up to date; otherwise the sources.
 */
const root = join(import.meta.dirname, "..", "..");
export const isBuilt: boolean = process.env["LONGHAND_TEST_BUILT"] === "1";

export const cliProgram: string = isBuilt
  ? join(root, "dist", "cli", "bin.js")
  : join(root, "src", "cli", "bin.ts");

/** The library, as programs import it. */
export const libraryUrl: string = pathToFileURL(
  isBuilt ? join(root, "dist", "index.js") : join(root, "src", "index.ts"),
).href;
