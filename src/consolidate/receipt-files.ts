import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { LonghandError, systemErrorCode } from "../errors.ts";
import { removeFileSync, replaceFileSync, syncFolder } from "../files.ts";
import { readTextFile } from "../paths.ts";
import { parseJson } from "../text/parse-json.ts";
import type { Receipt } from "./consolidation.ts";

/** A receipt with what is needed to undo it. */
export interface FullReceipt extends Receipt {
  /** The operation in progress; absent when it is complete. */
  readonly doing?: "apply" | "undo";
  readonly notes: readonly NoteRecord[];
}

export interface NoteRecord {
  readonly path: string;
  /** SHA-256; null if there is no note. */
  readonly before: string | null;
  readonly after: string | null;
  /** The former bytes in base64; absent if nothing can be restored any more. */
  readonly bytes?: string;
  readonly mode?: number;
}

/**
 * Receipts in a folder, one file each. An operation in progress is recorded in `pending/` before its first edit, so
 * that the next process can complete it or roll it back.
 */
export interface ReceiptFiles {
  /** Newest first. */
  list(): FullReceipt[];
  pending(): FullReceipt[];
  /** Files in `pending/` that cannot be read. */
  unreadable(): string[];
  /** Receipts that cannot be read. */
  unreadableReceipts(): string[];
  /** Cheap if there are none. */
  hasPending(): boolean;
  /** Always increases, whatever the clock says: `2026-03-20-7`. */
  nextId(now: Date): string;
  /** On disk when it returns. */
  begin(receipt: FullReceipt): void;
  /** Completes the operation, with or without a receipt. */
  end(id: string, receipt: FullReceipt | null): void;
  /** Replaces a receipt, complete or in progress. */
  rewrite(receipt: FullReceipt): void;
  /** Ids of steps that must not be proposed again; they contain no text. */
  readRejected(): readonly string[];
  writeRejected(ids: readonly string[]): void;
  /** Steps that a model proposed. */
  readSubmitted(): unknown;
  writeSubmitted(steps: readonly unknown[]): void;
}

/** Older receipts are deleted, because each contains whole notes. */
const maxReceipts = 50;

export function createReceiptFiles(folder: string): ReceiptFiles {
  const done = join(folder, "receipts");
  const pending = join(folder, "pending");
  const write = (file: string, value: unknown) =>
    inFolder(folder, () => replaceFileSync(file, `${JSON.stringify(value)}\n`));
  const remove = (file: string) => inFolder(folder, () => removeFileSync(file));
  const fileOf = (dir: string, id: string): string => join(dir, `${id}.json`);

  function readAll(dir: string): FullReceipt[] {
    return recordsIn(dir)
      .flatMap((name) => readReceipt(join(dir, name)) ?? [])
      .sort((a, b) => numberOf(b.id) - numberOf(a.id));
  }

  return {
    list: () => readAll(done),
    pending: () => readAll(pending),
    unreadable: () => unreadableIn(pending),
    unreadableReceipts: () => unreadableIn(done),
    hasPending: () => recordsIn(pending).length > 0,
    nextId(now) {
      const last = Math.max(0, ...[...readAll(done), ...readAll(pending)].map(({ id }) => numberOf(id)));
      return `${now.toISOString().slice(0, 10)}-${last + 1}`;
    },
    begin: (receipt) => write(fileOf(pending, receipt.id), receipt),
    end(id, receipt) {
      if (receipt !== null) write(fileOf(done, id), receipt);
      remove(fileOf(pending, id));
      syncFolder(pending);
      for (const { id: old } of readAll(done).slice(maxReceipts)) remove(fileOf(done, old));
    },
    rewrite(receipt) {
      const dir = existsSync(fileOf(pending, receipt.id)) ? pending : done;
      write(fileOf(dir, receipt.id), receipt);
    },
    readRejected: () => {
      const ids = readJson(join(folder, "rejected.json"));
      return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
    },
    writeRejected: (ids) => write(join(folder, "rejected.json"), ids),
    readSubmitted: () => readJson(join(folder, "submitted.json")),
    writeSubmitted(steps) {
      if (steps.length > 0) write(join(folder, "submitted.json"), steps);
      else remove(join(folder, "submitted.json"));
    },
  };
}

/** Excludes temporary files of killed processes. */
function recordsIn(dir: string): string[] {
  return existsSync(dir)
    ? inFolder(dir, () => readdirSync(dir)).filter((name) => name.endsWith(".json"))
    : [];
}

function unreadableIn(dir: string): string[] {
  return recordsIn(dir)
    .map((name) => join(dir, name))
    .filter((file) => readReceipt(file) === null && existsSync(file));
}

function inFolder<T>(folder: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    const message = `The receipts of consolidations in ${folder} cannot be used: the system says ${code}.`;
    throw new LonghandError("receipt-unusable", message, {
      hint: "Give yourself the right to read and write that folder and its files. `sudo` may have made them.",
      cause: error,
    });
  }
}

function numberOf(id: string): number {
  return Number(/-(\d{1,9})$/.exec(id)?.[1] ?? 0);
}

/** Null for a file that cannot be parsed: it was edited by hand, or has just been deleted. */
function readReceipt(file: string): FullReceipt | null {
  const value = readJson(file) as Partial<FullReceipt> | null | undefined;
  const isWhole =
    typeof value?.id === "string" &&
    typeof value.at === "string" &&
    Array.isArray(value.steps) &&
    Array.isArray(value.notes) &&
    value.notes.every((note) => typeof note?.path === "string");
  return isWhole ? (value as FullReceipt) : null;
}

function readJson(file: string): unknown {
  return parseJson(readTextFile(file) ?? "");
}
