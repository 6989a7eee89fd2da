import type { QmdDriver } from "./driver.ts";
import { createLibraryProcess, type LibraryOptions } from "./library-process.ts";

/**
 * Drives qmd by its library, in two processes: an update takes seconds without a pause, and a question that waited for
 * it would come too late.
 */
export function createLibraryDriver(options: LibraryOptions): QmdDriver {
  const asking = createLibraryProcess(options);
  const updating = createLibraryProcess(options);
  return {
    way: "library",
    ask: (question, request) => asking.call({ kind: "ask", question }, request),
    async update(request) {
      await updating.call({ kind: "update" }, request);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([asking[Symbol.asyncDispose](), updating[Symbol.asyncDispose]()]);
    },
  };
}
