import MarkdownIt, { type Token } from "markdown-it";

/** Remembers with each line end which one of its paragraph it is: code, links and pictures swallow some of them. */
export class LineCountingState extends MarkdownIt.StateInline {
  override push(...given: Parameters<InstanceType<typeof MarkdownIt.StateInline>["push"]>): Token {
    const token = super.push(...given);
    if (isBreak(token)) token.meta = { before: countLineEnds(this.src.slice(0, this.pos)) };
    return token;
  }
}

/**
 * Puts the numbers of source lines into the tokens of a document: each line of running text becomes an element of its
 * own (`span.line`), and rows of tables and rules carry theirs. A line end within emphasis or a link cannot be cut
 * there, so that element holds several lines.
 */
export function markTokens(tokens: readonly Token[]): Token[] {
  for (const token of tokens) {
    if (token.map === null) continue;
    const [start, end] = token.map;
    if (token.type === "tr_open" || token.type === "hr") {
      token.attrJoin("class", "line");
      setLines(token, start + 1, start + 1);
    }
    // Cells of a table say no lines of their own: their row does.
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

/** As a token, so that the renderer escapes what it should. */
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
