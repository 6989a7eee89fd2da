import { once } from "../once.ts";
import { findAccount, findDriverAddress, findOracleLogin, findUserinfo } from "./addresses.ts";
import { secretCommands } from "./command-lines.ts";
import { findAuthorization, findBasic, findBearer, findCookie } from "./headers.ts";
import { findNamedValue } from "./named-values.ts";
import { findPrivateKey, findPuttyKey, findSsh2Key, findWebKey } from "./private-keys.ts";
import { findColumn, findProseValue } from "./prose-values.ts";
import { findCards, findRuns } from "./runs.ts";
import { createScan, type FoundSecretAt, matchAt, type Scan } from "./scan.ts";
import { listSecretNames, readName, type SecretName } from "./secret-names.ts";
import { readContinuation, secretShapes } from "./shapes.ts";
import { createTriggerScan, maxTrigger } from "./trigger-scan.ts";

/** Words that introduce the seed of one-time passwords. */
const seedWords = ["totp", "otp", "2fa", "mfa", "two-factor", "authenticator", "setup key"];

const upper = "[A-Z2-7]";
const lower = "[a-z2-7]";
const seed = new RegExp(
  `[\\w ()/-]{0,32}?["'\`*)]{0,3}[ \\t]{0,3}(?:[:=→—–-]|\\bis\\b)?["'\`* \\t]{0,5}(?<![\\w/-])` +
    `(${upper}{16,128}={0,6}|(?:${upper}{4}[ -]){3,31}${upper}{1,4}|(?:${lower}{4}[ -]){3,31}${lower}{4})(?![\\w/-])`,
  "y",
);
/** The base32 lengths of typical seeds. */
const lengths = new Set([16, 20, 24, 26, 32, 40, 52, 56, 64, 103]);

/** `TOTP seed: JBSW Y3DP …`, `2FA secret …`: base32 in one piece or in groups of four. */
function findSeed(scan: Scan, end: number): void {
  const match = matchAt(seed, scan.text, end);
  const value = match?.[1];
  if (!match || value === undefined) return;
  const bare = value.replaceAll(/[ =-]/g, "");
  const isGrouped = bare.length !== value.replace(/=+$/, "").length;
  if (isGrouped ? !/\d/.test(bare) && bare.length % 4 !== 0 : !/\d/.test(bare) && !lengths.has(bare.length))
    return;
  if (/[a-z]/.test(bare) && !/\d/.test(bare)) return;
  const stop = end + match[0].length;
  scan.add("totp-seed", stop - value.length, stop);
}

/** How many characters are scanned before yielding. */
const sliceChars = 64 * 1024;

/**
 * All likely secrets, in no order; they may overlap. One pass over the text finds every fixed string of the tables, and
 * only there a rule looks closer, at a limited number of characters. Yields after every slice.
 */
export function* findSecrets(text: string): Generator<void, FoundSecretAt[]> {
  const scan = createScan(text);
  yield* findTriggers(scan);
  findRuns(scan, isSecretInside);
  findCards(scan);
  yield;
  const found = scan.found;
  for (const view of createViews(text)) {
    const inner = createScan(view.text);
    yield* findTriggers(inner);
    findRuns(inner, isSecretInside);
    for (const { kind, start, end } of inner.found) {
      const from = view.origins[start]!;
      const to = view.origins[end - 1]! + 1;
      // Only what the disguise concealed, in the value or shortly before it: everything else was found without the
      // view.
      const head = Math.max(inner.lineStart(start), start - 24, 0);
      const isHidden = to - view.origins[head]! > end - head;
      if (isHidden) found.push({ kind, start: from, end: Math.max(to, view.origins[end]!) });
    }
  }
  return found;
}

function* findTriggers(scan: Scan): Generator<void, void> {
  const { automaton, words } = triggers();
  const { text } = scan;
  const budget = createBudget(scan);
  // A trigger must not be cut, so slices overlap a little; hits in the overlap are reported once.
  let told = -1;
  for (let from = 0; from < text.length; from += sliceChars) {
    automaton.scan(
      text,
      Math.max(0, from - maxTrigger),
      Math.min(text.length, from + sliceChars),
      (index, start) => {
        const { word, handlers } = words[index]!;
        if (start + Math.min(word.length, maxTrigger) <= told) return;
        if (word.length > 2 && text.slice(start, start + word.length).toLowerCase() !== word) return;
        for (const handle of handlers) handle(scan, start + word.length, budget);
      },
    );
    told = from + sliceChars;
    yield;
  }
}

/** Whether a rule may do more work of a kind at a position. */
type Budget = (work: keyof typeof maxWork, at: number) => boolean;

/** Per stretch of text: reading the name around a trigger, reading on from a trigger, and reading a sentence. */
const maxWork = { name: 24, rule: 8, sentence: 5 };
const stretchBits = 9;

/**
 * A text that has more trigger words than this was crafted to be slow. A list of real secrets costs nothing: rules that
 * find one get a refund.
 */
function createBudget(scan: Scan): Budget {
  let [stretch, found] = [-1, 0];
  let done = { name: 0, rule: 0, sentence: 0 };
  return (work, at) => {
    if (at >> stretchBits !== stretch || scan.found.length !== found) {
      [stretch, found] = [at >> stretchBits, scan.found.length];
      done = { name: 0, rule: 0, sentence: 0 };
    }
    return done[work]++ < maxWork[work];
  };
}

type Handler = (scan: Scan, end: number, budget: Budget) => void;

const triggers = once(() => {
  const byWord = new Map<string, Handler[]>();
  const on = (word: string, handle: Handler): void => {
    const key = word.toLowerCase();
    byWord.set(key, [...(byWord.get(key) ?? []), handle]);
  };
  for (const shape of secretShapes()) {
    on(shape.prefix, (scan, end, budget) => {
      const start = end - shape.prefix.length;
      if (!shape.canBeAt(scan.text, start) || scan.isMarked(start) || !budget("rule", end)) return;
      const found = shape.findAt(scan.text, start);
      if (found !== null) scan.add(found.kind, found.start, found.end);
      const more = readContinuation(scan.text, found?.end ?? end, found === null ? 24 : 8);
      if (more !== null) scan.add(shape.kind, more.start, more.end);
    });
  }
  for (const name of listSecretNames())
    on(name.word, (scan, end, budget) => findNamed(scan, name, end, budget));
  const onRule = (word: string, find: (scan: Scan, end: number) => void): void =>
    on(word, (scan, end, budget) => {
      if (!scan.isFound(end - 1) && budget("rule", end)) find(scan, end);
    });
  for (const { word, find } of secretCommands()) onRule(word, find);
  onRule("://", findUserinfo);
  onRule("admin", findAccount);
  for (const driver of ["@tcp(", "@unix(", "@tcp6("])
    onRule(driver, (scan, end) => findDriverAddress(scan, end - driver.length));
  onRule("oracle:thin:", findOracleLogin);
  onRule("sqlplus", findOracleLogin);
  for (const word of seedWords) onRule(word, findSeed);
  onRule("authorization", findAuthorization);
  onRule("bearer", findBearer);
  onRule("basic", findBasic);
  onRule("cookie", findCookie);
  onRule("cookies", findCookie);
  onRule("-----begin", findPrivateKey);
  onRule("---- begin ssh2", findSsh2Key);
  onRule("putty-user-key-file-", findPuttyKey);
  onRule('"kty"', findWebKey);
  const words = Array.from(byWord, ([word, handlers]) => ({ word, handlers }));
  return { automaton: createTriggerScan(words.map(({ word }) => word)), words };
});

function findNamed(scan: Scan, name: SecretName, end: number, budget: Budget): void {
  // No sign, quote or digit: a sentence about secrets, unless the secret itself consists of words.
  const isWords = name.level === "phrase" || name.word === "seed";
  if ((!isWords && !scan.lineHasValue(end)) || scan.isFound(end - 1) || !budget("name", end)) return;
  const named = readName(scan, name, end);
  if (named === null || !budget("rule", end)) return;
  if (findNamedValue(scan, named)) return;
  if (budget("sentence", end)) {
    findColumn(scan, named);
    findProseValue(scan, named);
  }
}

/** Whether a decoded text contains a secret by shape or name. */
function isSecretInside(text: string): boolean {
  const scan = createScan(text);
  for (const _ of findTriggers(scan)) if (scan.found.length > 0) return true;
  return scan.found.length > 0;
}

/** Some lines of a text with a disguise removed, and the origin of each character. */
interface View {
  readonly text: string;
  /** Offset in the original of each character, and of the end. */
  readonly origins: Int32Array;
}

interface Disguise {
  /** A cheap test before the pattern. */
  readonly mayHave: (text: string) => boolean;
  readonly pattern: RegExp;
  readonly replace: (match: string) => string;
}

const disguises: readonly Disguise[] = [
  // Invisible characters.
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

/** In every text that has some disguise; most have none, and are read once instead of once per kind. */
const anyDisguise = /[\u200b-\u200d\u2060\ufeff\u00ad%]|["'`](?: ?[+.&~\\] ?["'`\n]|\n *[+.&~])|\.join\(/;

/** The disguised lines of a text, one view per kind of disguise. */
function createViews(text: string): View[] {
  if (!anyDisguise.test(text)) return [];
  return disguises.flatMap(({ mayHave, pattern, replace }) => {
    if (!mayHave(text)) return [];
    const view = createView(text, pattern, replace);
    return view === null ? [] : [view];
  });
}

/** Longer lines are data rather than text. */
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
