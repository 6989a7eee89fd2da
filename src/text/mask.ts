import { sha256 } from "./hash.ts";
import { once } from "./once.ts";

/** A way to mask secrets, with an id that changes whenever the same text would be masked differently. */
export interface Mask {
  readonly id: string;
  /** Loads the rules, for `applyNow`. */
  load(): Promise<void>;
  apply(text: string): Promise<string>;
  /** Blocks while a long text is masked. The rules must have been loaded. */
  applyNow(text: string): string;
}

/** Increase this whenever the masking changes. */
const maskVersion = 6;

/** The rules are loaded when something is masked: they are an eighth of what a search loads, which masks nothing. */
export function createMask(literals: readonly string[]): Mask {
  // A few digits show that the keys changed, and reveal nothing about them.
  const mark = literals.length === 0 ? "" : `:${sha256([...literals].sort().join("\n")).slice(0, 6)}`;
  let loaded: typeof import("./redact.ts") | undefined;
  const load = once(async () => {
    loaded = await import("./redact.ts");
    return loaded;
  });
  return {
    id: `${maskVersion}${mark}`,
    load: async () => void (await load()),
    async apply(text) {
      const { redactInSlices } = await load();
      return (await redactInSlices(text, { literals })).text;
    },
    applyNow(text) {
      if (loaded === undefined) throw new Error("The rules for masking secrets were not loaded.");
      return loaded.redactSecrets(text, { literals }).text;
    },
  };
}
