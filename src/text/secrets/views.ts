/** Some lines of a text as they read when a disguise is taken off, with where each character came from. */
export interface View {
  readonly text: string;
  /** Offset in the original of each character, and of the end. */
  readonly origins: Int32Array;
}

interface Disguise {
  /** A cheap look before the pattern. */
  readonly mayHave: (text: string) => boolean;
  readonly pattern: RegExp;
  readonly replace: (match: string) => string;
}

const disguises: readonly Disguise[] = [
  // Characters that nobody sees.
  {
    mayHave: (text) => /[\u200b-\u200d\u2060\ufeff\u00ad]/.test(text),
    pattern: /[\u200b-\u200d\u2060\ufeff\u00ad]{1,64}/g,
    replace: () => "",
  },
  {
    mayHave: (text) => text.includes("%"),
    pattern: /%[2-7][0-9A-Fa-f]/g,
    replace: (match) => String.fromCharCode(Number.parseInt(match.slice(1), 16)),
  },
  // A string in parts: `"abc" + "def"`, `"abc" . "def"`, `"abc" \` and the next line.
  {
    mayHave: (text) => /["'`] ?[+.&~\\] ?["'`\n]|["'`]\n *[+.&~]/.test(text),
    pattern:
      /(["'`])[ \t]{0,8}(?:[+.&~]{1,2}[ \t]{0,8}(?:\\?\r?\n[ \t]{0,40})?|\\?\r?\n[ \t]{0,40}[+.&~]{1,2}[ \t]{0,8}|\\\r?\n[ \t]{0,40})\1/g,
    replace: () => "",
  },
  // `["abc", "def"].join("")`
  {
    mayHave: (text) => /\]\s?\.join\(["'`]{2}\)/.test(text),
    pattern: /(["'`])[ \t]{0,8},\s{0,40}\1(?=[^\]\n]{0,400}\]\s?\.join\((["'`])\2\))/g,
    replace: () => "",
  },
];

/** The lines of a text that are disguised, one view for each kind of disguise. */
export function createViews(text: string): View[] {
  return disguises.flatMap(({ mayHave, pattern, replace }) => {
    if (!mayHave(text)) return [];
    const view = createView(text, pattern, replace);
    return view === null ? [] : [view];
  });
}

/** Longer lines are rather data than text. */
const maxAround = 4096;

function createView(text: string, pattern: RegExp, replace: (match: string) => string): View | null {
  const parts: string[] = [];
  const origins: number[] = [];
  let done = 0;
  let lineEnd = -1;
  const copy = (to: number): void => {
    parts.push(text.slice(done, to));
    for (let at = done; at < to; at++) origins.push(at);
    done = to;
  };
  for (const match of text.matchAll(pattern)) {
    if (match.index > lineEnd) {
      if (lineEnd !== -1) {
        copy(lineEnd);
        parts.push("\n");
        origins.push(lineEnd);
      }
      done = Math.max(done, text.lastIndexOf("\n", match.index - 1) + 1, match.index - maxAround);
    }
    copy(Math.max(done, match.index));
    const plain = replace(match[0]);
    parts.push(plain);
    for (let at = 0; at < plain.length; at++) origins.push(match.index);
    done = match.index + match[0].length;
    if (done > lineEnd) {
      const next = text.indexOf("\n", done);
      lineEnd = Math.min(next === -1 ? text.length : next, done + maxAround);
    }
  }
  if (lineEnd === -1) return null;
  copy(Math.max(done, lineEnd));
  origins.push(Math.max(done, lineEnd));
  return { text: parts.join(""), origins: Int32Array.from(origins) };
}
