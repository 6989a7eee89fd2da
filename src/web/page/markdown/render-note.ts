import type { Token } from "markdown-it";
import MarkdownIt from "markdown-it";
import { escapeHtml } from "../../../text/escape-html.ts";
import { countFrontMatterLines } from "../../../text/front-matter.ts";
import { showHidden } from "../../../text/visible.ts";
import { resolveNoteLink } from "../state/routes.ts";
import { addConflictBlocks } from "./conflict-blocks.ts";
import { addNoteSyntax, decorateText, type NoteSyntaxOptions } from "./note-syntax.ts";

interface RenderNoteOptions extends NoteSyntaxOptions {
  readonly path: string;
}

/**
 * Markdown as HTML in which every source line is an element with its number (`data-line`, and `data-end` if it spans
 * several lines). Raw HTML is shown as text. The caller still has to sanitise the result: this function is responsible
 * for correctness, `sanitise.ts` for safety.
 */
export function renderNote(text: string, options: RenderNoteOptions): string {
  const shown = showHidden(text);
  const skipped = countFrontMatterLines(shown);
  const lines = shown.split("\n");
  const head = skipped === 0 ? "" : renderFrontMatter(lines.slice(0, skipped));
  // Blank lines replace the front matter, so that everything after it keeps its line number.
  const body = [...lines.slice(0, skipped).map(() => ""), ...lines.slice(skipped)].join("\n");
  const markdown = createMarkdown(options);
  const tokens = markTokens(markdown.parse(body, {}));
  return head + markdown.renderer.render(tokens, markdown.options, {});
}

/** A longer cell contains a sentence, and its column gets a readable width. */
const longCellChars = 40;

function createMarkdown({ path, resolveWikiLink }: RenderNoteOptions): InstanceType<typeof MarkdownIt> {
  const markdown = new MarkdownIt("default", { html: false, linkify: false, typographer: false });
  addNoteSyntax(markdown, { resolveWikiLink });
  addConflictBlocks(markdown);
  markdown.inline.State = LineCountingState;
  markdown.validateLink = (href) => classifyLink(path, href) !== null;
  const { rules } = markdown.renderer;

  // A date that wraps at its hyphens is hard to read, especially in tables.
  rules.text = (tokens, index) =>
    decorateText(escapeHtml(tokens[index]!.content)).replaceAll(
      /\b\d{4}-\d{2}-\d{2}\b/g,
      `<span class="date">$&</span>`,
    );
  // Each source line has its own element already.
  rules.softbreak = () => "\n";
  rules.hardbreak = () => "\n";
  rules.html_inline = (tokens, index) => tokens[index]!.content;
  rules.link_open = (tokens, index, options, _env, self) => {
    const token = tokens[index]!;
    const link = classifyLink(path, String(token.attrGet("href") ?? ""));
    token.attrSet("href", link?.href ?? "");
    if (link?.isExternal) {
      token.attrSet("rel", "noreferrer noopener");
      token.attrSet("target", "_blank");
    }
    return self.renderToken(tokens, index, options);
  };
  // Loading an external image would tell its host that the note is being read; the reader can still follow the link.
  rules.image = (tokens, index) => {
    const token = tokens[index]!;
    const link = classifyLink(path, String(token.attrGet("src") ?? ""));
    const name = escapeHtml(token.content === "" ? "without a name" : token.content);
    if (!link?.isExternal) return `<span class="image-link">image: ${name}</span>`;
    const href = escapeHtml(link.href);
    return `<a class="image-link" href="${href}" rel="noreferrer noopener" target="_blank">image: ${name}</a>`;
  };
  rules.fence = (tokens, index) => renderFence(tokens[index]!, 1);
  rules.code_block = (tokens, index) => renderFence(tokens[index]!, 0);
  for (const name of ["th_open", "td_open"]) {
    rules[name] = (tokens, index, options, _env, self) => {
      const token = tokens[index]!;
      // The content security policy forbids style attributes.
      const side = /text-align:(left|center|right)/.exec(String(token.attrGet("style") ?? ""))?.[1];
      token.attrs = (token.attrs ?? []).filter(([attribute]) => attribute !== "style");
      if (side !== undefined) token.attrSet("class", `to-${side}`);
      if ((tokens[index + 1]?.content.length ?? 0) > longCellChars) token.attrJoin("class", "long");
      return self.renderToken(tokens, index, options);
    };
  }
  return markdown;
}

/** Collapsed, because front matter is for programs. */
function renderFrontMatter(lines: readonly string[]): string {
  const names = lines.flatMap((line) => /^([\w-]{1,40}):/.exec(line)?.[1] ?? []);
  const summary = names.length === 0 ? "Properties" : `Properties: ${names.join(", ")}`;
  return `<details class="front-matter"><summary>${escapeHtml(summary)}</summary>${renderCode(lines.join("\n"), 1, "code")}</details>`;
}

/** Resolves a link target: a web page, an email address, lines of this note or another note; null for anything else. */
function classifyLink(path: string, href: string): { href: string; isExternal: boolean } | null {
  if (/^(?:https?:\/\/|mailto:)[^\s]/i.test(href)) return { href, isExternal: true };
  if (href.startsWith("#")) return { href, isExternal: false };
  const address = resolveNoteLink(path, href);
  return address === null ? null : { href: address, isExternal: false };
}

function renderFence({ content, map, info }: Token, skippedLines: number): string {
  const language = /^[\w+#.-]{1,20}/.exec(info.trim())?.[0] ?? "";
  return renderCode(content.replace(/\n$/, ""), (map?.[0] ?? 0) + 1 + skippedLines, "code", language);
}

function renderCode(text: string, firstLine: number, name: string, language = ""): string {
  const rows = (text === "" ? [] : text.split("\n")).map(
    (line, index) =>
      `<span class="line" data-line="${firstLine + index}">${decorateText(escapeHtml(line)) || " "}</span>`,
  );
  const label = language === "" ? "" : ` data-language="${language}"`;
  return `<pre class="${name}"${label}><code>${rows.join("")}</code></pre>\n`;
}

/**
 * Records for each line break its position within the paragraph, because code, links and images swallow some breaks.
 */
class LineCountingState extends MarkdownIt.StateInline {
  override push(...given: Parameters<InstanceType<typeof MarkdownIt.StateInline>["push"]>): Token {
    const token = super.push(...given);
    if (isBreak(token)) token.meta = { before: countLineEnds(this.src.slice(0, this.pos)) };
    return token;
  }
}

/**
 * Adds source line numbers to the tokens of a document: each line of running text becomes an element of its own
 * (`span.line`); table rows and rules carry theirs. A line break within emphasis or a link cannot be split there, so
 * that element spans several lines.
 */
function markTokens(tokens: readonly Token[]): Token[] {
  for (const token of tokens) {
    if (token.map === null) continue;
    const [start, end] = token.map;
    if (token.type === "tr_open" || token.type === "hr") {
      token.attrJoin("class", "line");
      setLines(token, start + 1, start + 1);
    }
    // Table cells carry no line numbers: their row does.
    if (token.type === "inline" && token.children !== null && end > start) {
      token.children = wrapLines(token, start + 1);
    }
  }
  return [...tokens];
}

function wrapLines({ children, content }: Token, firstLine: number): Token[] {
  const wrapped: Token[] = [];
  let piece: Token[] = [];
  let [pieceStart, depth] = [firstLine, 0];
  const close = (lastLine: number): void => {
    if (piece.length > 0) {
      wrapped.push(makeSpan(piece[0]!, "open", pieceStart, lastLine), ...piece, makeSpan(piece[0]!, "close"));
    }
    piece = [];
    pieceStart = lastLine + 1;
  };
  for (const child of children ?? []) {
    depth += child.nesting;
    if (isBreak(child) && depth === 0) close(firstLine + (child.meta as { before: number }).before);
    else piece.push(child);
  }
  close(firstLine + countLineEnds(content));
  return wrapped;
}

function isBreak({ type }: Token): boolean {
  return type === "softbreak" || type === "hardbreak";
}

function countLineEnds(text: string): number {
  return text.split("\n").length - 1;
}

/** Made as a token, so that the renderer does the escaping. */
function makeSpan(like: Token, which: "open" | "close", start = 0, end = 0): Token {
  const TokenOf = like.constructor as new (type: string, tag: string, nesting: -1 | 0 | 1) => Token;
  const token = new TokenOf(`line_${which}`, "span", which === "open" ? 1 : -1);
  if (which === "open") {
    token.attrSet("class", "line");
    setLines(token, start, end);
  }
  return token;
}

function setLines(token: Token, start: number, end: number): void {
  token.attrSet("data-line", String(start));
  if (end > start) token.attrSet("data-end", String(end));
}
