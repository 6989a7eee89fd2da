import { delegateTo, type EmbeddedText, type Embedder, isRefused } from "../embedders/embedder.ts";
import { LonghandError } from "../errors.ts";
import type { VectorStore } from "../stores/store.ts";
import { sha256 } from "../text/hash.ts";

/** The identity under which vectors of a service are kept now. */
interface Current {
  /** Null until an answer or the index reveals it. */
  readonly dims: number | null;
  /** The number of dimensions is part of the id, because the plain one belongs to vectors of another length. */
  readonly isInId: boolean;
}

type FollowStore = Pick<VectorStore, "readFact" | "writeFact" | "vectorSets" | "vectorStatistics">;

/**
 * A service, or a program that brings its own embedder, can change the model behind a name, and its vectors then have
 * another number of dimensions. They get an id of their own, so the store keeps them apart and the next sync embeds all
 * notes again. The current id is a fact of the index: other processes start with it, or find it by their next answer.
 */
export async function followDimensions(embedder: Embedder, store: FollowStore): Promise<Embedder> {
  const { id: plainId, providerKey: plainKey } = embedder;
  const fact = `embedder_dimensions:${plainId}`;
  let current = await readCurrent(store, plainId, fact);

  const idOf = ({ dims, isInId }: Current): string => (isInId ? `${plainId}:${dims}` : plainId);

  async function remember(next: Current): Promise<void> {
    if (next.dims === current.dims) return;
    current = next;
    // With a read-only index each process follows the change on its own.
    await store.writeFact(fact, JSON.stringify(next)).catch(() => {});
  }

  const storedDims = async (id: string): Promise<number | null> =>
    (await store.vectorStatistics(id)).dims ?? null;

  /** One odd answer must not cost embedding all notes again, so the service is asked once more. */
  async function adopt(length: number, expected: number, signal: AbortSignal | undefined): Promise<void> {
    if (current.dims === length) return;
    const again = await embedder.embedQuery(probeText, signal ? { signal } : {});
    if (again?.length !== length) throw unsteady(embedder, length, expected);
    const plainDims = await storedDims(plainId);
    await remember({ dims: length, isInId: plainDims !== null && plainDims !== length });
  }

  return {
    ...delegateTo(embedder),
    get id() {
      return idOf(current);
    },
    get providerKey() {
      const isOther = plainKey !== undefined && current.isInId;
      return isOther ? sha256(`${plainKey} ${current.dims}`) : plainKey;
    },
    get dimensions() {
      return current.dims ?? embedder.dimensions;
    },
    async embedDocuments(texts, options = {}) {
      const before = current;
      let dims = before.dims ?? (await storedDims(idOf(before)));
      let other: number | null = null;
      const fits = (text: EmbeddedText): boolean => {
        const length = isRefused(text) ? undefined : text[0]?.length;
        if (length === undefined) return true;
        dims ??= length;
        if (length !== dims) other = length;
        return length === dims;
      };
      const embedded = await embedder.embedDocuments(texts, {
        ...options,
        onEmbedded: (index, text) => fits(text) && options.onEmbedded?.(index, text),
      });
      if (!embedded.every(fits)) {
        await adopt(other!, dims!, options.signal);
        throw changed(embedder, other!, dims!);
      }
      if (current === before) await remember({ ...before, dims });
      return embedded;
    },
    async embedQuery(text, options = {}) {
      const before = current;
      const vector = await embedder.embedQuery(text, options);
      if (vector === null) return null;
      const dims = before.dims ?? (await storedDims(idOf(before)));
      if (dims !== null && dims !== vector.length) await adopt(vector.length, dims, options.signal);
      // A query alone must not decide for an index that has no vectors yet.
      else if (dims !== null && current === before) await remember({ ...before, dims });
      return vector;
    },
  };
}

const probeText = "memory";

/** The embedder under its current id. Once that has changed, it refuses to embed. */
export function pinIdentity(embedder: Embedder): Embedder {
  const { id, providerKey, dimensions } = embedder;
  return {
    ...delegateTo(embedder),
    id,
    ...(providerKey === undefined ? {} : { providerKey }),
    dimensions,
    async embedDocuments(texts, options) {
      if (embedder.id !== id) throw changed(embedder, embedder.dimensions ?? 0, dimensions ?? 0);
      return await embedder.embedDocuments(texts, options);
    },
  };
}

/** Without the fact (another program wrote the index, or it was copied) the sets of vectors show it. */
async function readCurrent(store: FollowStore, plainId: string, fact: string): Promise<Current> {
  const json = await store.readFact(fact);
  if (json !== null) return JSON.parse(json) as Current;
  const ids = (await store.vectorSets()).map(({ id }) => id);
  const latest = ids.findLast((id) => id.startsWith(`${plainId}:`));
  if (latest === undefined || ids.includes(plainId)) return { dims: null, isInId: false };
  return { dims: Number(latest.slice(plainId.length + 1)), isInId: true };
}

function changed({ provider, model }: Embedder, length: number, expected: number): LonghandError {
  return new LonghandError(
    "vectors-invalid",
    `The vectors of ${provider} ${model} now have ${length} numbers instead of ${expected}.`,
    { hint: "The next sync embeds all notes again; until then keyword search finds them." },
  );
}

function unsteady({ provider, model }: Embedder, length: number, expected: number): LonghandError {
  return new LonghandError(
    "vectors-invalid",
    `${provider} ${model} gave a vector of ${length} numbers instead of ${expected}, and other lengths when asked again.`,
    { hint: "Check that one model answers at this address; then sync again." },
  );
}
