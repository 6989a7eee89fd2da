import type { SourceName } from "../text/document.ts";

export interface SeenFile {
  /** As a listing of its source gives it. */
  readonly version: string;
  /** Of the document that was made of it. */
  readonly hash: string;
}

/**
 * What this machine has indexed of its files. Where machines share an index, the version that one of them stored means
 * nothing to the others: a copy of a note has another inode and other times. There a file counts as indexed when it is
 * the one that was read before, and the index holds what was read. Derived and disposable: without it every file is
 * read once more.
 */
export interface SeenContents extends AsyncDisposable {
  /** Called before it is asked, with the mark of the index: of another index nothing was seen. */
  open(indexMark: string): Promise<void>;
  find(source: SourceName, path: string): SeenFile | undefined;
  note(source: SourceName, path: string, file: SeenFile): void;
  forget(source: SourceName, path: string): void;
  /** Keeps what was noted, when it is worth writing it down. */
  save(): Promise<void>;
}
