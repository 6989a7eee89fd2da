import { sha256 } from "../../text/hash.ts";

/** Models that were trained with the same prompts. */
export interface ModelFamily extends NamedPrompts {
  /** The first numbers of a vector form a shorter, valid vector. */
  readonly canShorten: boolean;
}

/** From the metadata of the file: `general.architecture` and its names. */
interface ModelDescription {
  readonly architecture: string;
  readonly names: readonly string[];
}

/** The first matching row counts. Without the right prompts, most of these models find noticeably less. */
export function findModelFamily({ architecture, names }: ModelDescription): ModelFamily {
  // Converters write the same name with spaces, underscores or capitals.
  const written = [architecture, ...names].map((name) => name.toLowerCase().replaceAll(/[\s_]+/g, "-"));
  const known = families.find(({ is }) => written.some((name) => is.test(name)));
  if (known === undefined) return { name: plainFamily, document: "", query: "", canShorten: false };
  const { name, document = "", query, canShorten = false } = known;
  return { name, document, query, canShorten };
}

/** For unknown models: texts are embedded as they are. */
export const plainFamily = "plain";

/** The family of a model, by the name that a service gives it. */
export function familyOfName(name: string): ModelFamily {
  return findModelFamily({ architecture: "", names: [name] });
}

const searchTask = "Given a web search query, retrieve relevant passages that answer the query";
const represent = "Represent this sentence for searching relevant passages: ";

const families: readonly (Partial<ModelFamily> & { is: RegExp; name: string; query: string })[] = [
  {
    name: "embeddinggemma",
    is: /embedding-?gemma|gemma-?embedding/,
    document: "title: none | text: ",
    query: "task: search result | query: ",
    canShorten: true,
  },
  {
    name: "nomic",
    is: /nomic-(?:bert|embed)/,
    document: "search_document: ",
    query: "search_query: ",
    canShorten: true,
  },
  { name: "e5-instruct", is: /\be5\b.*instruct/, query: `Instruct: ${searchTask}\nQuery: ` },
  { name: "e5", is: /\be5\b/, document: "passage: ", query: "query: " },
  { name: "qwen3", is: /qwen3-embedding/, query: `Instruct: ${searchTask}\nQuery:`, canShorten: true },
  { name: "bge-zh", is: /\bbge-(?:small|base|large)-zh/, query: "为这个句子生成表示以用于检索相关文章：" },
  { name: "bge", is: /\bbge-(?:small|base|large)/, query: represent },
  { name: "mxbai", is: /mxbai-embed/, query: represent, canShorten: true },
  { name: "arctic-2", is: /arctic-embed-[a-z]+-v2/, query: "query: ", canShorten: true },
  { name: "arctic", is: /arctic-embed/, query: represent },
];

/** Prefixes of texts, because a model was trained with them. */
export interface Prompts {
  readonly query: string;
  readonly document: string;
}

export interface NamedPrompts extends Prompts {
  /** Part of an embedder's identity: other prompts, other vectors. */
  readonly name: string;
}

/** The prompts that the user has set. */
export type OwnPrompts = { readonly [purpose in keyof Prompts]?: string | undefined };

/** Each prompt that the user has set replaces the model's default. */
export function choosePrompts(usual: NamedPrompts, own: OwnPrompts = {}): NamedPrompts {
  const { query = usual.query, document = usual.document } = own;
  if (query === usual.query && document === usual.document) return usual;
  return { name: `own-${sha256(JSON.stringify([query, document])).slice(0, 16)}`, query, document };
}
