import { resolveFormat } from "./formats.ts";
import type { MergeRules } from "./merge.ts";
import type { LeafOption } from "./option.ts";
import type { Origin } from "./origin.ts";
import { Secret } from "./secret.ts";
import { type Environment, readVariable } from "./variables.ts";

export interface MergeSurroundings {
  readonly home: string;
  readonly stateDir: string;
  readonly workspaceDir: string;
  readonly agentId: string;
  readonly env: Environment;
}

/**
 * How values get their final form: paths absolute, and keys that the configuration leaves out from the
 * environment.
 */
export function createMergeRules(surroundings: MergeSurroundings): MergeRules {
  const { home, stateDir, workspaceDir, agentId, env } = surroundings;

  function finish(option: LeafOption, value: unknown, baseDir: string | null): unknown {
    if (option.kind === "list") {
      const finished = (value as readonly unknown[]).map((item) => finish(option.item, item, baseDir));
      return [...new Set(finished)];
    }
    if (option.kind !== "text" || typeof value !== "string") return value;
    const start = option.relativeTo === "workspace" ? workspaceDir : (baseDir ?? stateDir);
    return resolveFormat(option.format, value, { home, stateDir, agentId, baseDir: start });
  }

  function standIn(option: LeafOption): { value: Secret; origin: Origin } | null {
    if (option.kind !== "secret") return null;
    for (const variable of option.variables) {
      // A line break that came along from a file would end the header that carries the key.
      const text = readVariable(env, variable)?.trim() ?? "";
      if (text !== "") return { value: new Secret(text), origin: { from: "environment", variable } };
    }
    return null;
  }

  return { finish, standIn };
}
