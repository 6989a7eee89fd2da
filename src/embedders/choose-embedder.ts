import { LonghandError } from "../errors.ts";
import type { Embedder } from "./embedder.ts";

/** Opens the embedder of one provider. */
export interface EmbedderFactory {
  /** What `auto` needs to choose this one; null if nothing is missing. */
  readonly missing: () => MissingPart | null | Promise<MissingPart | null>;
  /** Throws with the reason if it cannot be opened. */
  readonly open: () => Promise<Embedder>;
}

/** What is missing, as the end of a sentence. This may take longer than a search. */
export type MissingPart = () => string | Promise<string>;

interface ChooseOptions {
  /** `auto` chooses the provider that the index was built with, otherwise the first that is complete. */
  readonly provider: string;
  /** Used if a named provider cannot be opened; with `none`, the builtin model is used. */
  readonly fallback: string;
  /** The packaged model, used before search falls back to keywords alone; null if its files are missing. */
  readonly standby?: (() => Promise<Embedder | null>) | undefined;
  /** By name of provider, the best first. */
  readonly factories: ReadonlyMap<string, EmbedderFactory>;
  /** For `auto`: the provider of the vectors in the index; absent if it has none besides the builtin model's. */
  readonly indexedWith?: string | undefined;
  /** Uses the builtin model or none: for short-lived processes, where services and local models take too long. */
  readonly asksNoService?: boolean | undefined;
}

export interface ChosenEmbedder {
  /** Absent: keyword search only. */
  readonly embedder?: Embedder;
  /** Why this one. */
  readonly why: string;
  /** What would give better vectors; absent if nothing is known to. */
  readonly better?: () => Promise<string>;
  readonly fallback?: { readonly from: string; readonly reason: string };
}

/** The requested embedder, another one, or none: always with the reason, and never an error. */
export async function chooseEmbedder(options: ChooseOptions): Promise<ChosenEmbedder> {
  if (options.asksNoService && options.provider !== "builtin")
    return { why: "this process uses no services" };
  const { provider, fallback, factories } = options;
  if (provider === "none") return { why: "the provider is none" };
  if (provider === "auto") return await chooseAutomatically(options);
  const asked = await open(provider, factories);
  if (typeof asked !== "string") return { embedder: asked, why: "it is configured" };
  const tried = fallback === "none" || fallback === provider ? null : await open(fallback, factories);
  if (tried !== null && typeof tried !== "string") {
    const failed = { from: provider, reason: asked };
    return { embedder: tried, why: `it is the fallback of ${provider}`, fallback: failed };
  }
  const failed = {
    from: provider,
    reason: tried === null ? asked : `${asked} The fallback ${fallback} cannot be used either: ${tried}`,
  };
  const standby = (await options.standby?.()) ?? null;
  if (standby === null) return { why: `neither ${provider} nor a fallback can be used`, fallback: failed };
  return { embedder: standby, why: `it is the fallback for ${provider}`, fallback: failed };
}

/**
 * Chosen once for an index, and not by the keys that a process happens to have: an agent host gives its hooks other keys
 * than its MCP server, and the two would each embed everything.
 */
async function chooseAutomatically(options: ChooseOptions): Promise<ChosenEmbedder> {
  const { factories, indexedWith } = options;
  if (indexedWith === undefined) return await chooseBest(factories);
  const lack = await factories.get(indexedWith)?.missing();
  const recorded = lack ? `${indexedWith} needs ${await lack()}` : await open(indexedWith, factories);
  if (typeof recorded !== "string") return { embedder: recorded, why: "auto: the index was made with it" };
  return await openBuiltin(factories, {
    why: `auto: the index was made with ${indexedWith}, which this process cannot use`,
    fallback: { from: indexedWith, reason: recorded },
  });
}

async function openBuiltin(
  factories: ReadonlyMap<string, EmbedderFactory>,
  reasons: Omit<ChosenEmbedder, "embedder">,
): Promise<ChosenEmbedder> {
  const embedder = await open("builtin", factories);
  return typeof embedder === "string" ? reasons : { embedder, ...reasons };
}

async function chooseBest(factories: ReadonlyMap<string, EmbedderFactory>): Promise<ChosenEmbedder> {
  const lacking: [name: string, lack: MissingPart][] = [];
  let failed: { from: string; reason: string } | undefined;
  for (const [name, { missing }] of factories) {
    const lack = await missing();
    if (lack !== null) {
      lacking.push([name, lack]);
      continue;
    }
    const opened = await open(name, factories);
    if (typeof opened !== "string") {
      return {
        embedder: opened,
        why: "auto: best available",
        ...(lacking.length === 0 ? {} : { better: () => describeLacks(lacking) }),
        ...(failed === undefined ? {} : { fallback: failed }),
      };
    }
    failed ??= { from: name, reason: opened };
  }
  return { why: "auto: no provider can be used", ...(failed === undefined ? {} : { fallback: failed }) };
}

async function describeLacks(lacking: readonly [name: string, lack: MissingPart][]): Promise<string> {
  const sentences = await Promise.all(lacking.map(async ([name, lack]) => `${name} needs ${await lack()}`));
  return sentences.join("; ");
}

/** For a fallback, which may be unavailable too. */
export async function openOrNull(
  name: string,
  factories: ReadonlyMap<string, EmbedderFactory>,
): Promise<Embedder | null> {
  const opened = await open(name, factories);
  return typeof opened === "string" ? null : opened;
}

/** The embedder, or why it cannot be used. */
async function open(
  name: string,
  factories: ReadonlyMap<string, EmbedderFactory>,
): Promise<Embedder | string> {
  const factory = factories.get(name);
  if (factory === undefined) return `there is no provider ${name}`;
  try {
    return await factory.open();
  } catch (error) {
    if (!(error instanceof LonghandError)) throw error;
    return `${error.message} ${error.hint}`;
  }
}
