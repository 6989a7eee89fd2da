import { countFrontMatterLines } from "../../../text/front-matter.ts";
import type { MarkedHit } from "../api.ts";
import { condense } from "../text/condense.ts";
import { isOrnament, lookAtLine } from "../text/snippet-line.ts";
import { titleOf } from "./group-hits.ts";
import { InlineMarkdown } from "./inline-markdown.tsx";

const maxSnippetLines = 5;

/** The lines of a hit that are worth looking at first, as Markdown means them. */
export function Snippet({ hit }: { hit: MarkedHit }) {
  const { snippet, startLine, marks = [] } = hit;
  const frontMatter = startLine === 1 ? countFrontMatterLines(snippet) : 0;
  const { title } = titleOf(hit);
  const isTitle = (line: string): boolean =>
    /^#{1,6}\s/.test(line) && line.replace(/^#+\s+/, "").trim() === title;
  const find = (isSkipped: (line: string, index: number) => boolean) =>
    condense(snippet, marks, { maxLines: maxSnippetLines, isSkipped });
  const told = find((line, index) => index < frontMatter || isOrnament(line) || isTitle(line));
  // A hit may be nothing but its heading, or its front matter.
  const lines = told.length > 0 ? told : find(isOrnament);
  return (
    <div class="snippet">
      {lines.map(({ text, marks: own, followsGap }, index) => {
        const look = lookAtLine(text, own);
        return (
          <p key={index} data-kind={look.kind} data-gap={followsGap && index > 0}>
            <InlineMarkdown text={look.text} marks={look.marks} />
          </p>
        );
      })}
    </div>
  );
}
