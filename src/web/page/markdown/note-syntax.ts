import type MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";
import { escapeHtml } from "../../../text/escape-html.ts";
import { blockId, wikiLink } from "../../../text/note-parts.ts";

type Markdown = InstanceType<typeof MarkdownIt>;
type Core = Parameters<Parameters<Markdown["core"]["ruler"]["push"]>[1]>[0];
type TokenClass = Core["Token"];

export interface NoteSyntaxOptions {
  /**
   * Returns the address of the note that a wikilink names, or null if there is none. Without it, wikilinks are plain
   * text.
   */
  readonly resolveWikiLink?: ((target: string, heading: string | undefined) => string | null) | undefined;
}

/** Markdown extensions of note-taking programs: `[[links]]`, `==highlights==`, check boxes and callouts. */
export function addNoteSyntax(markdown: Markdown, { resolveWikiLink }: NoteSyntaxOptions): void {
  const link = new RegExp(wikiLink.source, "y");
  markdown.inline.ruler.before("link", "wiki_link", (state, silent) => {
    link.lastIndex = state.pos;
    const match = link.exec(state.src);
    if (match === null) return false;
    if (!silent) state.push("wiki_link", "", 0).meta = { parts: match.slice(1) };
    state.pos += match[0].length;
    return true;
  });
  markdown.renderer.rules["wiki_link"] = (tokens, index) => {
    const [embed, target = "", heading, title] = (tokens[index]!.meta as { parts: (string | undefined)[] })
      .parts;
    const name = escapeHtml(
      title?.trim() || [target.trim(), heading?.replace(/^\^/, "")].filter(Boolean).join(" › "),
    );
    if (embed === "!" && /\.(?:png|jpe?g|gif|svg|webp|pdf|mp\d)$/i.test(target)) {
      return `<span class="image-link">image: ${name}</span>`;
    }
    if (resolveWikiLink === undefined) return `<span class="wiki-link">${name}</span>`;
    const address = resolveWikiLink(target.trim().replace(/\.md$/, ""), heading);
    return address === null
      ? `<span class="missing-link" title="No note has this name.">${name}</span>`
      : `<a href="${escapeHtml(address)}">${name}</a>`;
  };

  const highlight = /==(?=\S)([^=\n]{1,500})(?<=\S)==/y;
  markdown.inline.ruler.before("emphasis", "highlight", (state, silent) => {
    highlight.lastIndex = state.pos;
    const match = highlight.exec(state.src);
    if (match === null) return false;
    if (!silent) {
      // Query words are marked as well, and have to look different.
      state.push("highlight_open", "mark", 1).attrSet("class", "highlight");
      state.push("text", "", 0).content = match[1]!;
      state.push("highlight_close", "mark", -1);
    }
    state.pos += match[0].length;
    return true;
  });

  markdown.core.ruler.push("task_boxes_and_callouts", ({ tokens, Token }) => {
    tokens.forEach((token, index) => {
      if (token.type !== "inline" || tokens[index - 1]?.type !== "paragraph_open") return;
      const parent = tokens[index - 2];
      if (parent?.type === "list_item_open") markTask(token, parent, Token);
      if (parent?.type === "blockquote_open") markCallout(token, parent, Token);
    });
  });
  markdown.core.ruler.push("block_ids", ({ tokens }) => {
    for (const { children } of tokens) {
      const last = children?.at(-1);
      if (last?.type === "text") last.content = last.content.replace(blockId, "");
    }
  });
  markdown.renderer.rules["task_box"] = (tokens, index) => {
    const isDone = tokens[index]!.meta?.["isDone"] === true;
    return `<b class="task-box" title="${isDone ? "done" : "to do"}">${isDone ? "☑" : "☐"}</b> `;
  };
}

/** Renders `- [x] done` with a check box in place of the brackets. */
function markTask({ children }: Token, item: Token, TokenOf: TokenClass): void {
  const text = children?.[0];
  const match = text?.type === "text" ? /^\[([ xX])\]\s+/.exec(text.content) : null;
  if (!match) return;
  text!.content = text!.content.slice(match[0].length);
  const box = new TokenOf("task_box", "", 0);
  const isDone = match[1] !== " ";
  box.meta = { isDone };
  children!.unshift(box);
  item.attrJoin("class", isDone ? "task done" : "task");
}

/** Renders `> [!warning] Title` as a callout of that kind, with its first line as the title. */
function markCallout({ children }: Token, quote: Token, TokenOf: TokenClass): void {
  const text = children?.[0];
  const match = text?.type === "text" ? /^\[!([\w-]{1,40})\][+-]?[ \t]*/.exec(text.content) : null;
  if (!match) return;
  const kind = match[1]!.toLowerCase();
  quote.attrJoin("class", `callout callout-${kind}`);
  text!.content = text!.content.slice(match[0].length);
  const found = children!.findIndex(({ type }) => type === "softbreak" || type === "hardbreak");
  const end = found === -1 ? children!.length : found;
  if (end === 1 && text!.content === "") text!.content = kind.charAt(0).toUpperCase() + kind.slice(1);
  children!.splice(end, 0, new TokenOf("callout_title_close", "strong", -1));
  children!.unshift(new TokenOf("callout_title_open", "strong", 1));
}

/** Comments with the origin of an entry are styled separately, and hidden characters are made visible. */
export function decorateText(escaped: string): string {
  return escaped
    .replaceAll(/&lt;!--\s*(.*?)\s*--&gt;/g, `<span class="origin">$1</span>`)
    .replaceAll(/&lt;(U\+[\dA-F]{4,6})&gt;/g, `<span class="was-hidden">$1</span>`);
}
