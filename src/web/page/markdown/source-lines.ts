import type { Token } from "markdown-it";

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
      token.children = wrapLines(token.children, start + 1);
    }
  }
  return [...tokens];
}

function wrapLines(children: readonly Token[], firstLine: number): Token[] {
  const wrapped: Token[] = [];
  let piece: Token[] = [];
  let [line, pieceStart, depth] = [firstLine, firstLine, 0];
  const close = (): void => {
    if (piece.length === 0) return;
    wrapped.push(makeSpan(piece[0]!, "open", pieceStart, line), ...piece, makeSpan(piece[0]!, "close"));
    piece = [];
  };
  for (const child of children) {
    depth += child.nesting;
    const isBreak = child.type === "softbreak" || child.type === "hardbreak";
    if (isBreak && depth === 0) {
      close();
      line++;
      pieceStart = line;
      continue;
    }
    if (isBreak) line++;
    piece.push(child);
  }
  close();
  return wrapped;
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
