import { pathInLayer } from "./layer-path.ts";

/** What the words of a chunk are made from. */
export interface WordSource {
  readonly text: string;
  readonly headings: readonly string[];
  readonly path: string;
}

/** What stands above a chunk, for the words that count less than those of its text. */
export function headOf({ path, headings }: WordSource): string {
  return `${pathInLayer(path)} ${headings.join(" / ")}`;
}
