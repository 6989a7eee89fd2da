import { isFields } from "./fields.ts";

/** How a key is written in a configuration of OpenClaw. */
export type SecretReference =
  /** In our syntax; the key itself is elsewhere. */
  | { readonly kind: "reference"; readonly text: string; readonly variable: string }
  /** The key itself. */
  | { readonly kind: "literal"; readonly text: string }
  /** From a file, a program or a profile. */
  | { readonly kind: "unsupported"; readonly source: string };

export function readSecret(value: unknown): SecretReference | null {
  if (typeof value === "string") {
    const variable = /^\s*\$\{([A-Za-z_]\w*)\}\s*$/.exec(value)?.[1];
    if (variable !== undefined) return { kind: "reference", text: value.trim(), variable };
    // The name of a variable alone means the variable, too.
    const named = /^\s*([A-Z][A-Z0-9_]*_API_KEY)\s*$/.exec(value)?.[1];
    if (named !== undefined) return { kind: "reference", text: `\${${named}}`, variable: named };
    // Line breaks that came along when the key was pasted are not part of it.
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
