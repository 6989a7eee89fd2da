import type { SourceName } from "../text/document.ts";
import type { Source } from "./source.ts";

/** Stands for a source that the configuration leaves out: what the index has of it goes with the next sync. */
export function createSwitchedOffSource(name: SourceName): Source {
  return {
    specificationVersion: 1,
    name,
    async list({ known } = {}) {
      const skipped = [...(known?.keys() ?? [])].map((path) => ({
        path,
        reason: "excluded" as const,
        detail: `the source ${name} is switched off`,
      }));
      return { entries: [], skipped, folders: [] };
    },
    read: async () => null,
  };
}
