import { Secret } from "./secret.ts";
import type { Settings } from "./settings.ts";

/** Every key of the configuration in clear, so that it can be masked where it turns up in somebody's text. */
export function configuredSecrets({
  memorySearch,
  models,
}: Pick<Settings, "memorySearch" | "models">): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (value instanceof Secret) found.add(value.reveal());
    else if (typeof value === "object" && value !== null)
      for (const each of Object.values(value)) visit(each);
  };
  visit(memorySearch);
  visit(models);
  return [...found].filter((secret) => secret !== "");
}
