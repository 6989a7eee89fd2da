import type { Settings } from "./settings.ts";

/**
 * A key, or anything else that must not be shown. Printing, JSON and inspection give `[secret]`; only `reveal` returns
 * the text, so every use of a key can be found by that word.
 */
export class Secret {
  readonly #text: string;
  readonly #shown: string;

  /** `shown` replaces `[secret]` if a part may be shown, such as the host of an address. */
  constructor(text: string, shown = "[secret]") {
    this.#text = text;
    this.#shown = shown;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return this.#shown;
  }

  toJSON(): string {
    return this.#shown;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.#shown;
  }
}

/** An address without user, password, query and fragment, which may contain keys. */
export function showAddress(address: string): string {
  if (!URL.canParse(address)) return "[secret]";
  const url = new URL(address);
  const hidden = url.search === "" && url.hash === "" ? "" : "?[secret]";
  const user = url.username === "" && url.password === "" ? "" : "[secret]@";
  const pathname = url.pathname === "/" ? "" : url.pathname;
  return `${url.protocol}//${user}${url.host}${pathname}${hidden}`;
}

/** Every key of the configuration in clear text, so that it can be masked wherever it appears. */
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
