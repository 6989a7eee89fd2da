import { existsSync, rmSync } from "node:fs";
import { messageOf } from "../../errors.ts";
import type { Engine } from "../engine.ts";

/** For an engine without qmd: a purge also deletes what an earlier use of qmd has left. */
export function purgingLeftovers(engine: Engine, folder: string): Engine {
  if (!existsSync(folder)) return engine;
  return {
    ...engine,
    async preparePurge(paths) {
      const purge = await engine.preparePurge(paths);
      return async (edited) => {
        const outcome = await purge(edited);
        try {
          rmSync(folder, { recursive: true, force: true });
          return outcome;
        } catch (error) {
          const why = messageOf(error);
          return {
            ...outcome,
            rawSearch: "not-searched",
            detail: `what qmd has left at ${folder} could not be removed: ${why}`,
          };
        }
      };
    },
  };
}
