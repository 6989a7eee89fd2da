/** Where an effective value came from. Never contains the value. */
export type Origin =
  | { readonly from: "default" }
  | {
      readonly from: "file";
      readonly path: string;
      /** The key as written there: `agents.list[0].workspace`. */
      readonly key: string;
      /** Environment variables that were expanded in it. */
      readonly variables: readonly string[];
    }
  | { readonly from: "environment"; readonly variable: string }
  /** A command-line flag, or an option of a program that uses the library. */
  | { readonly from: "caller"; readonly key: string }
  /** Derived from the state of this machine. */
  | { readonly from: "found"; readonly reason: string }
  | { readonly from: "union"; readonly of: readonly Origin[] };

export function describeOrigin(origin: Origin): string {
  switch (origin.from) {
    case "default":
      return "default";
    case "file": {
      const variables = origin.variables.map((name) => `$${name}`).join(", ");
      return `${origin.path}: ${origin.key}${variables === "" ? "" : ` (with ${variables})`}`;
    }
    case "environment":
      return `environment: ${origin.variable}`;
    case "caller":
      return `given: ${origin.key}`;
    case "found":
      return origin.reason;
    case "union":
      return origin.of.map(describeOrigin).join("; ");
  }
}

/** The key as the user wrote it, or would write it. */
export function writtenKey(key: string, origin: Origin | undefined): string {
  if (origin?.from === "file" || origin?.from === "caller") return origin.key;
  return /^(workspace|userTimezone|notes|memorySearch|compaction)\b/.test(key)
    ? `agents.defaults.${key}`
    : key;
}
