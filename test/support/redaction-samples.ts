/** Secrets in context, and ordinary lines, from templates in text files; every value is random. */
import { readFileSync } from "node:fs";

/** A made-up secret in a text as someone may paste it. No such key was ever issued. */
export interface SecretSample {
  readonly group: string;
  readonly text: string;
  /** The secret, no part of which may remain visible. */
  readonly secrets: readonly string[];
}

const small = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";
const capitals = small.toUpperCase();
const alphabets: Readonly<Record<string, string>> = {
  a: small + capitals + digits,
  b: `${small}${capitals}${digits}+/`,
  c: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
  d: digits,
  h: "0123456789abcdef",
  k: "0123456789ABCDEF",
  l: small + digits,
  s: `${small}${capitals}${digits}-_`,
  t: `${capitals}234567`,
  u: capitals + digits,
  x: `${small}${capitals}${digits}!#%^*()-_=+[]{}:;,.?`,
};

/** In a template, `«…»` marks what must be masked, and `⏎` is a line break. */
export function makeSecretSamples(random: () => number, file: string, rounds = 1): SecretSample[] {
  const samples: SecretSample[] = [];
  let group = "";
  for (const line of Array.from({ length: rounds }, () => readTemplates(file)).flat()) {
    if (line.startsWith("# ")) {
      group = line.slice(2);
      continue;
    }
    const marked = fill(line, random);
    const secrets = [...marked.matchAll(/«([^»]+)»/g)].flatMap((match) => match[1]!.split("\n"));
    samples.push({ group, text: marked.replaceAll(/[«»]/g, ""), secrets });
  }
  return samples;
}

/** With several rounds, each template that contains a value gives one line per round. */
export function makeLines(random: () => number, file: string, rounds = 1): string[] {
  const templates = Array.from({ length: rounds }, () => readTemplates(file)).flat();
  return [...new Set(templates.map((line) => fill(line, random)))];
}

/** The part of a secret that is still visible: any six characters in a row. Null if nothing is. */
export function leftOf({ text, secrets }: SecretSample, masked: string): string | null {
  const redacted = masked.replaceAll(/\[redacted:[\w-]+\]/g, "\0");
  for (const secret of secrets) {
    const rest = text.replaceAll(secret, "");
    const width = Math.min(6, secret.length);
    for (let at = 0; at + width <= secret.length; at++) {
      const part = secret.slice(at, at + width);
      if (redacted.includes(part) && !rest.includes(part)) return part;
    }
  }
  return null;
}

function readTemplates(file: string): string[] {
  const text = readFileSync(new URL(`redaction/${file}`, import.meta.url), "utf8");
  return text.split("\n").filter((line) => line !== "");
}

function fill(template: string, random: () => number): string {
  const pick = <T>(from: ArrayLike<T>): T => from[Math.floor(random() * from.length)]!;
  const draw = (alphabet: string, length: number): string =>
    Array.from({ length }, () => pick(alphabet)).join("");
  const word = (): string => Array.from({ length: 3 }, () => pick("bdfgklmnprstvz") + pick("aeiou")).join("");
  const base64url = (text: string): string => Buffer.from(text).toString("base64url");
  const named: Readonly<Record<string, () => string>> = {
    card: () => makeCard(draw(digits, 14)),
    cards: () => makeCard(draw(digits, 14)).replaceAll(/\d{4}(?=\d)/g, "$& "),
    g: () => [8, 4, 4, 4, 12].map((length) => draw(alphabets.h!, length)).join("-"),
    jwe: () =>
      [
        base64url('{"alg":"RSA-OAEP","enc":"A256GCM"}'),
        ...[342, 16, 90, 22].map((n) => draw(alphabets.s!, n)),
      ].join("."),
    jwt: () =>
      `${base64url('{"alg":"HS256","typ":"JWT"}')}.${base64url(`{"sub":"${draw(digits, 9)}"}`)}.${draw(alphabets.s!, 43)}`,
    n: () => pick([() => `${capital(word())}${draw(digits, 4)}`, () => draw(alphabets.a!, 16)])(),
    p: () => pick(passwords)(),
    q: () => pick(chosen)(),
    r: () => pick(hard)(),
    w: word,
  };
  const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
  const passwords = [
    () => `${capital(word())}${pick("!#-_.@")}${capital(word())}${draw(digits, 2)}`,
    () => `${capital(word())}${draw(digits, 4)}!`,
    () => draw(alphabets.a!, 16),
    () => `${draw(alphabets.a!, 5)}${pick("!$%^*-")}${draw(alphabets.a!, 6)}${draw(digits, 1)}`,
    () => `${word()}${draw(digits, 3)}${word()}`,
  ];
  // Passwords as people choose them, with characters that end a value elsewhere.
  const sign = (): string => pick("!@#%^*+?-_.");
  const chosen = [
    () => `${capital(word())}${draw(digits, 2)}${pick("!@#%^*")}`,
    () => `${word()}-${capital(word())}-${draw(digits, 3)}`,
    () => `${draw(alphabets.a!, 6)}${draw(digits, 2)}${draw(small, 4)}${draw(capitals, 1)}`,
    () => `${draw(alphabets.a!, 5)}${sign()}${sign()}${draw(digits, 2)}${draw(alphabets.a!, 5)}`,
    () => `${capital(word())}${draw(digits, 4)}`,
    () => `p${draw(digits, 1)}${draw(small, 2)}W${draw(digits, 1)}${draw(small, 3)}!`,
  ];
  const mixed = (length: number): string => draw(alphabets.a!, length);
  const hard = [
    () => `a${mixed(4)},${mixed(4)};${draw(digits, 2)}&${draw(small, 3)}`,
    () => `$${mixed(5)}${draw(digits, 2)}!${mixed(4)}`,
    () => `%${mixed(4)}${draw(digits, 2)}#${mixed(4)}`,
    () => `/${mixed(6)}+${draw(digits, 2)}${draw(capitals, 2)}=`,
    () => `.${mixed(6)}${draw(digits, 2)}!${mixed(3)}`,
    () => `~${mixed(6)}${draw(digits, 2)}^${mixed(3)}`,
    () => `<${mixed(6)}${draw(digits, 2)}>${mixed(3)}!`,
    () => `ab(${mixed(5)})${draw(digits, 2)}${draw(capitals, 2)}`,
    () => `${mixed(5)}|${draw(digits, 2)}\\${mixed(4)}`,
    () => `${mixed(4)}'${draw(digits, 2)}${mixed(5)}`,
  ];
  return template
    .replaceAll("⏎", "\n")
    .replaceAll(/\{(card|cards|jwe|jwt|[gnpqrw])\}/g, (_, name: string) => named[name]!())
    .replaceAll(/\{m(\d+)\}/g, (_, count) =>
      Array.from({ length: Number(count) }, () => pick(seedWords)).join(" "),
    )
    .replaceAll(/\{([abcdhklstux])(\d+)\}/g, (_, name: string, length) =>
      draw(alphabets[name]!, Number(length)),
    )
    .replaceAll(/\{base64\(([^)]*)\)\}/g, (_, text: string) => Buffer.from(text).toString("base64"));
}

function makeCard(start: string): string {
  const body = `4${start}`;
  const sum = [...body].reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return body + ((10 - (sum % 10)) % 10);
}

const seedWords = (
  "abandon ability above absorb access acoustic actor adapt afford agree alarm album amazing anchor arena armor " +
  "autumn bamboo banner barrel battle beauty benefit bicycle blanket bleak border bracket breeze bronze bubble butter " +
  "cabin candle canyon carbon casino castle cereal cherry cinnamon circle clarify cluster coconut coral cradle crystal " +
  "dawn debris denial desert dolphin dragon eagle echo elbow ember enforce enrich episode erosion fabric falcon fiber " +
  "forest fossil galaxy garlic giraffe glimpse gravity harvest hazard hybrid island jungle kitchen ladder lemon"
).split(" ");
