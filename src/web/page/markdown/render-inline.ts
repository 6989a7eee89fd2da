import MarkdownIt from "markdown-it";
import { escapeHtml } from "../../../text/escape-html.ts";
import { once } from "../../../text/once.ts";
import { showHidden } from "../../../text/visible.ts";
import { cutIntoParts } from "../text/marked-parts.ts";
import { addNoteSyntax, decorateText } from "./note-syntax.ts";

/**
 * Sentinels around marked text while Markdown is parsed. Markdown treats them as letters, so emphasis and links are
 * unaffected.
 */
const [start, end] = ["\ue000", "\ue001"];
const sentinels = /[\ue000\ue001]/g;

/**
 * One line of a note as HTML: emphasis, code and link texts, with some ranges of the source marked. Links are not
 * clickable, because the whole hit is a link. The caller still has to sanitise the result.
 */
export function renderInline(text: string, marks: readonly (readonly [number, number])[] = []): string {
  const parts = cutIntoParts(text.replaceAll(sentinels, "\ufffd"), marks);
  const source = parts.map(({ text: part, isMarked }) =>
    isMarked ? `${start}${showHidden(part)}${end}` : showHidden(part),
  );
  return markdown().renderInline(source.join(""));
}

const markdown = once((): InstanceType<typeof MarkdownIt> => {
  const markdown = new MarkdownIt("default", { html: false, linkify: false, typographer: false });
  addNoteSyntax(markdown, {});
  markdown.validateLink = () => true;
  const { rules } = markdown.renderer;
  const show = (content: string): string => markText(decorateText(escapeHtml(content)));
  const wikiLink = rules["wiki_link"]!;
  rules.text = (tokens, index) => show(tokens[index]!.content);
  rules.text_special = rules.text;
  rules.code_inline = (tokens, index) => `<code>${show(tokens[index]!.content)}</code>`;
  rules.image = (tokens, index) => show(tokens[index]!.content);
  rules.link_open = () => "";
  rules.link_close = () => "";
  rules["wiki_link"] = (...given) => markText(wikiLink(...given).replaceAll(/<\/?span[^>]*>/g, ""));
  return markdown;
});

/** A word that Markdown split in two is not marked, but its sentinels are removed. */
function markText(html: string): string {
  return html.replaceAll(/\ue000([^\ue000\ue001<]*)\ue001/g, "<mark>$1</mark>").replaceAll(sentinels, "");
}
