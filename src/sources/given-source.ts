import { LonghandError, messageOf, throwIfAborted } from "../errors.ts";
import { isDay } from "../text/day.ts";
import type { Document, Scope, SourceName } from "../text/document.ts";
import { sha256 } from "../text/hash.ts";
import type { Mask } from "../text/mask.ts";
import { runWithin } from "../timing.ts";
import type { Listing, Source } from "./source.ts";

export interface DocumentDraft {
  readonly source: SourceName;
  readonly path: string;
  readonly version: string;
  readonly text: string;
  readonly modifiedAt?: Date;
  readonly date?: string;
  readonly title?: string;
  /** `shared` by default. */
  readonly scope?: Scope;
}

/** A document with everything that follows from its text filled in. */
export function createDocument(draft: DocumentDraft): Document {
  const { source, path, version, text, modifiedAt = new Date(0), date, title, scope = "shared" } = draft;
  return {
    ...{ source, path, version, text, modifiedAt, scope },
    // The same text is another document under another title or date.
    hash: sha256(JSON.stringify([text, date, title, scope])),
    sizeBytes: Buffer.byteLength(text),
    ...(date === undefined ? {} : { date }),
    ...(title === undefined ? {} : { title }),
  };
}

interface GivenSourceLimits {
  /** How long the source may take for a listing or a document. */
  readonly silentMs?: number;
}

/**
 * Wraps the source of a program so that the rest of longhand can rely on it: paths start with its name, secrets are
 * masked (the mask is part of the version), invalid paths are skipped, and a source that fails leaves its documents in
 * the index as they are. A call that was cancelled ends, whether the source honours the signal or not; so does one that
 * never answers, which would keep locks forever.
 */
export function createGivenSource(
  given: Source,
  mask: Mask,
  { silentMs = 300_000 }: GivenSourceLimits = {},
): Source {
  const { name } = given;
  const prefix = `${name}/`;
  const marked = (version: string): string => `${version}:${mask.id}`;

  async function list(options: Parameters<Source["list"]>[0] = {}): Promise<Listing> {
    const known = new Map<string, { version: string }>();
    for (const [path, { version }] of options.known ?? []) {
      if (!path.startsWith(prefix) || !version.endsWith(`:${mask.id}`)) continue;
      known.set(path.slice(prefix.length), { version: version.slice(0, -`:${mask.id}`.length) });
    }
    const list = async (signal: AbortSignal) => given.list({ ...options, known, signal });
    const listing = await runWithin(silentMs, list, { signal: options.signal });
    if (listing === undefined) throw silent(name);
    checkListing(listing);
    const entries = new Map<string, Listing["entries"][number]>();
    const skipped = listing.skipped.map((entry) => ({ ...entry, path: `${prefix}${entry.path}` }));
    for (const { path, version, sizeBytes, isSlow } of listing.entries) {
      const problem = typeof version === "string" ? findProblem(path) : "its version is not text";
      const shown = `${prefix}${path}`;
      if (problem !== null) skipped.push({ path: shown, reason: "invalid-path", detail: problem });
      else
        entries.set(shown, {
          path: shown,
          version: marked(version),
          ...(sizeBytes === undefined ? {} : { sizeBytes }),
          ...(isSlow === undefined ? {} : { isSlow }),
        });
    }
    return {
      ...listing,
      entries: [...entries.values()],
      skipped,
      folders: listing.folders ?? [],
      // Nobody sees what changes in a place that has no folders.
      hidesChanges: listing.hidesChanges === true || listing.folders === undefined,
    };
  }

  return {
    specificationVersion: 1,
    name,
    async list(options) {
      try {
        return await list(options);
      } catch (error) {
        throwIfAborted(options?.signal);
        const problem = messageOf(error);
        const skipped = [{ path: name, reason: "unreadable" as const, detail: problem }];
        return { entries: [], skipped, folders: [], hidesChanges: true, problem };
      }
    },
    async read(path, { signal } = {}) {
      if (!path.startsWith(prefix)) return null;
      const read = async (either: AbortSignal) => given.read(path.slice(prefix.length), { signal: either });
      const document = await runWithin(silentMs, read, { signal });
      if (document === undefined) throw silent(path);
      if (document === null) return null;
      const mistake = findMistake(document);
      if (mistake !== null) {
        throw new LonghandError(
          "note-unreadable",
          `${path} cannot be indexed: the source ${name} gave a document ${mistake}.`,
          { hint: "Make its documents with createDocument of longhand/sources." },
        );
      }
      const text = await mask.apply(document.text);
      return createDocument({ ...document, source: name, path, text, version: marked(document.version) });
    },
  };
}

function silent(what: string): LonghandError {
  return new LonghandError("note-unreadable", `${what} cannot be read: its source gave no answer.`, {
    hint: "Check the source that was given to openMemory; then sync again.",
  });
}

/** Types only protect TypeScript. */
function checkListing({ entries, skipped }: Listing): void {
  const isList = (list: unknown) => Array.isArray(list) && list.every((each) => each instanceof Object);
  if (isList(entries) && isList(skipped)) return;
  throw new LonghandError("note-unreadable", "its listing has no list of entries, or none of skipped ones.", {
    hint: "Return { entries: [{ path, version }], skipped: [] } from list.",
  });
}

/** What would spoil the index, where every note is: a document has been read by a program's own code. */
function findMistake({ text, version, title, date, modifiedAt, scope }: Partial<Document>): string | null {
  if (typeof text !== "string" || typeof version !== "string") return "without text or version";
  if (title !== undefined && typeof title !== "string") return "whose title is not text";
  if (date !== undefined && !(typeof date === "string" && isDay(date)))
    return "whose date is no day, such as 2026-03-02";
  if (modifiedAt !== undefined && !(modifiedAt instanceof Date && Number.isFinite(modifiedAt.getTime())))
    return "whose modifiedAt is not a valid Date";
  const isScope = scope === undefined || scope === "private" || scope === "shared";
  return isScope ? null : 'whose scope is neither "private" nor "shared"';
}

const maxPathBytes = 1024;

/** Why a path cannot name a document: it is shown in hits, given back to `get`, and cited. */
function findProblem(path: unknown): string | null {
  if (typeof path !== "string" || path === "") return "it is empty";
  if (Buffer.byteLength(path) > maxPathBytes) return `it is longer than ${maxPathBytes} bytes`;
  if (!path.isWellFormed() || /\p{Cc}/u.test(path)) return "it contains a control character";
  const parts = path.split("/");
  return parts.some((part) => part === "" || part === "." || part === "..") ? "it has an empty part" : null;
}
