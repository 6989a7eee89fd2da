import { sha256 } from "../text/hash.ts";

/** What stands in front of texts, because a model was trained with it. */
export interface Prompts {
  readonly query: string;
  readonly document: string;
}

export interface NamedPrompts extends Prompts {
  /** Part of an embedder's identity: other prompts, other vectors. */
  readonly name: string;
}

/** Those that the user has set. */
export type OwnPrompts = { readonly [purpose in keyof Prompts]?: string | undefined };

/** Prompts that the user has set replace the usual ones of the model, each for itself. */
export function choosePrompts(usual: NamedPrompts, own: OwnPrompts = {}): NamedPrompts {
  const { query = usual.query, document = usual.document } = own;
  if (query === usual.query && document === usual.document) return usual;
  return { name: `own-${sha256(JSON.stringify([query, document])).slice(0, 16)}`, query, document };
}
