import type { SourceName } from "../text/document.ts";

export interface SeenFile {
  /** From the listing of its source. */
  readonly version: string;
  /** Of the resulting document. */
  readonly hash: string;
}

/**
 * What this machine has indexed of its files. Where machines share an index, the version that one of them stored means
 * nothing to the others: a copy of a note has another inode and other times. There a file counts as indexed if it is
 * the one that was read before, and the index contains what was read. Derived and disposable: without it every file is
 * read once more.
 */
export interface SeenContents extends AsyncDisposable {
  /** Called first, with the mark of the index: files seen for another index do not count. */
  open(indexMark: string): Promise<void>;
  find(source: SourceName, path: string): SeenFile | undefined;
  note(source: SourceName, path: string, file: SeenFile): void;
  forget(source: SourceName, path: string): void;
  /** Writes the changes, if there are enough. */
  save(): Promise<void>;
}
