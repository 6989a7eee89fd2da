/** `longhand/sources`: what a source of your own is written with. See docs/extending.md. */
export { createDocument, type DocumentDraft } from "../sources/given-source.ts";
export type {
  ListedEntry,
  ListedFolder,
  Listing,
  ListOptions,
  SkippedEntry,
  SkipReason,
  Source,
} from "../sources/source.ts";
export type { Document, DocumentPart, Scope, SourceName } from "../text/document.ts";
