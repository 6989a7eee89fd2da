import { join } from "node:path";
import { messageOf } from "../../errors.ts";
import { removeFolderSync } from "../../rename-file.ts";

export function entryIndexFolder({ stateDir, agentId }: { stateDir: string; agentId: string }): string {
  return join(stateDir, "memory", `${agentId}.entries.lance`);
}

/** Removes the index and all old versions of its tables. Returns null, or the reason for the failure. */
export function removeEntryIndex(folder: string): string | null {
  try {
    removeFolderSync(folder);
    return null;
  } catch (error) {
    const why = messageOf(error);
    return `The index of entries at ${folder} may still hold the text: ${why}. Delete it; it is made again.`;
  }
}
