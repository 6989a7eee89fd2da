/** A value of a JSON5 text, with its position. */
export interface JsonNode {
  readonly kind: "object" | "array" | "scalar";
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** Members of an object, items of an array. */
  readonly children: readonly JsonChild[];
}

export interface JsonChild {
  /** Of a member; "" for an item. */
  readonly key: string;
  /** Where the member begins: at its key. */
  readonly start: number;
  readonly node: JsonNode;
  /** Position of the comma after it, or -1. */
  readonly comma: number;
}

/**
 * Finds the position of each value in a JSON5 text, so that one can be changed while everything else stays as written:
 * comments, order, spacing. Expects text that a JSON5 parser has accepted, and throws a SyntaxError otherwise.
 */
export function findJsonNodes(text: string): JsonNode {
  const scanner = createScanner(text);
  scanner.skip();
  const root = scanner.value(0);
  scanner.skip();
  if (scanner.position() < text.length) throw scanner.failure();
  return root;
}

const maxDepth = 500;

function createScanner(text: string) {
  let at = text.startsWith("\ufeff") ? 1 : 0;

  const failure = () => new SyntaxError(`The text cannot be parsed at position ${at}.`);

  function skip(): void {
    for (;;) {
      if (/\s|\ufeff/.test(text[at] ?? "x")) at++;
      else if (text.startsWith("//", at)) {
        const end = /[\n\r\u2028\u2029]/g;
        end.lastIndex = at;
        at = end.exec(text)?.index ?? text.length;
      } else if (text.startsWith("/*", at)) {
        const end = text.indexOf("*/", at + 2);
        if (end === -1) throw failure();
        at = end + 2;
      } else return;
    }
  }

  function value(depth: number): JsonNode {
    if (depth > maxDepth) throw failure();
    const start = at;
    const first = text[at];
    if (first === "{" || first === "[") {
      const children = readChildren(first === "{" ? "}" : "]", depth);
      return { kind: first === "{" ? "object" : "array", start, end: at, children };
    }
    if (first === '"' || first === "'") readString();
    else readBare();
    return { kind: "scalar", start, end: at, children: [] };
  }

  function readChildren(close: "}" | "]", depth: number): JsonChild[] {
    const children: JsonChild[] = [];
    at++;
    for (;;) {
      skip();
      if (text[at] === close) {
        at++;
        return children;
      }
      const start = at;
      let key = "";
      if (close === "}") {
        key = text[at] === '"' || text[at] === "'" ? readString() : readBare();
        skip();
        if (text[at] !== ":") throw failure();
        at++;
        skip();
      }
      const node = value(depth + 1);
      skip();
      const comma = text[at] === "," ? at : -1;
      if (comma !== -1) at++;
      else if (text[at] !== close) throw failure();
      children.push({ key, start, node, comma });
    }
  }

  /** A name, number or literal. */
  function readBare(): string {
    const pattern = /[^\s,:{}[\]"'/]+/y;
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined || found.includes("\\")) throw failure();
    at += found.length;
    return found;
  }

  function readString(): string {
    const quote = text[at]!;
    let decoded = "";
    for (at++; text[at] !== quote; ) {
      const character = text[at];
      if (character === undefined) throw failure();
      if (character === "\\") decoded += readEscape();
      else {
        decoded += character;
        at++;
      }
    }
    at++;
    return decoded;
  }

  function readEscape(): string {
    const code = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(\r\n|[\s\S]))/y;
    code.lastIndex = at;
    const found = code.exec(text);
    if (found === null) throw failure();
    at += found[0].length;
    const hex = found[1] ?? found[2];
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    const letter = found[3]!;
    return escapes.get(letter) ?? letter;
  }

  return { skip, value, failure, position: () => at };
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["0", "\0"],
  // A line continuation.
  ["\n", ""],
  ["\r", ""],
  ["\r\n", ""],
  ["\u2028", ""],
  ["\u2029", ""],
]);
