import { isFields } from "../../text/fields.ts";
import { keyVariableOf } from "../options.ts";

/** A service key that was not imported, with the variable that longhand reads instead; null if there is none. */
export interface UnmovedKey {
  readonly key: string;
  readonly variable: string | null;
}

interface KeyTranslationOptions {
  /** `keep`: keys are copied. `leave`: only references to variables are. */
  readonly mode: "keep" | "leave";
  /** The key in openclaw.json that became this one. */
  readonly writtenAs: (key: string) => string;
  readonly leaveOut: (key: string, reason: string) => void;
}

/** Translates the keys of services: references to variables are kept, and keys are copied only on request. */
export function createKeyTranslation({ mode, writtenAs, leaveOut }: KeyTranslationOptions) {
  const unmoved: UnmovedKey[] = [];

  /** Undefined if there is nothing to write. */
  function translate(value: unknown, key: string, variable: string | null): string | undefined {
    const secret = readSecret(value);
    if (secret === null) return undefined;
    if (secret.kind === "unsupported") {
      const advice = variable === null ? "write it into longhand.json5" : `export ${variable}`;
      leaveOut(key, `a key from ${secret.source} cannot be read; ${advice}`);
      return undefined;
    }
    const isDefault = secret.kind === "reference" && secret.variable === variable;
    if (isDefault && mode === "leave") return undefined;
    if (secret.kind === "reference" || mode === "keep") return secret.text;
    unmoved.push({ key, variable });
    return undefined;
  }

  function replaceIn(fields: Record<string, unknown>, parent: string, above: string | undefined): void {
    const provider = typeof fields["provider"] === "string" ? fields["provider"] : above;
    for (const [name, value] of Object.entries(fields)) {
      const key = parent === "" ? name : `${parent}.${name}`;
      if (name === "apiKey" || parent.endsWith(".headers")) {
        if (value === "") continue;
        const translated = translate(value, writtenAs(key), variableOf(key, provider));
        if (translated === undefined) delete fields[name];
        else fields[name] = translated;
      } else if (isFields(value)) replaceIn(value as Record<string, unknown>, key, provider);
      else if (Array.isArray(value)) {
        for (const [index, item] of value.entries())
          if (isFields(item)) replaceIn(item, `${key}[${index}]`, provider);
      }
    }
  }

  return {
    unmoved: unmoved as readonly UnmovedKey[],
    /** Replaces every key in these settings, or removes it. */
    replaceAll: (fields: Record<string, unknown>): void => replaceIn(fields, "", undefined),
    /** The key of a service for which longhand has no variable; an empty one keeps other keys from being sent there. */
    ofOtherService: (value: unknown, key: string): string => translate(value, key, null) ?? "",
  };
}

/** The variable that longhand reads if no key is set. */
function variableOf(key: string, provider: string | undefined): string | null {
  if (!key.endsWith(".apiKey")) return null;
  const named = /^models\.providers\.(\w+)\./.exec(key)?.[1] ?? (provider === "gemini" ? "google" : provider);
  return named === "openai" || named === "google" || named === "voyage" ? keyVariableOf(named) : null;
}

/** How a configuration of OpenClaw specifies a key. */
type SecretReference =
  /** In our syntax; the key itself is elsewhere. */
  | { readonly kind: "reference"; readonly text: string; readonly variable: string }
  /** The key itself. */
  | { readonly kind: "literal"; readonly text: string }
  /** From a file, a program or a profile. */
  | { readonly kind: "unsupported"; readonly source: string };

function readSecret(value: unknown): SecretReference | null {
  if (typeof value === "string") {
    const variable = /^\s*\$\{([A-Za-z_]\w*)\}\s*$/.exec(value)?.[1];
    if (variable !== undefined) return { kind: "reference", text: value.trim(), variable };
    // A bare variable name also refers to the variable.
    const named = /^\s*([A-Z][A-Z0-9_]*_API_KEY)\s*$/.exec(value)?.[1];
    if (named !== undefined) return { kind: "reference", text: `\${${named}}`, variable: named };
    // Line breaks that were pasted with the key are not part of it.
    const text = value.replaceAll(/[\r\n]/g, "").trim();
    return text === "" ? null : { kind: "literal", text };
  }
  if (!isFields(value)) return null;
  const { source, id } = value;
  if (source === "env" && typeof id === "string" && /^[A-Za-z_]\w*$/.test(id)) {
    return { kind: "reference", text: `\${${id}}`, variable: id };
  }
  return { kind: "unsupported", source: typeof source === "string" ? source : "an unknown source" };
}
