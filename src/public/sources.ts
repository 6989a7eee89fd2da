/** `longhand/sources`: everything needed to write a source. See docs/extending.md. */
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
