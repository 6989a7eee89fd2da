/** Secrets in their context and ordinary lines, written as templates in text files; every value is drawn at random. */
import { readFileSync } from "node:fs";
import type { SecretSample } from "./secret-samples.ts";

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

/** `«…»` in a template marks what must be masked, and `⏎` is a line break. */
export function makeMixedSamples(random: () => number, file: string): SecretSample[] {
  const samples: SecretSample[] = [];
  let group = "";
  for (const line of readTemplates(file)) {
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

export function makeMixedLines(random: () => number, file: string): string[] {
  return readTemplates(file).map((line) => fill(line, random));
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
    p: () => pick(passwords)(),
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
  return template
    .replaceAll("⏎", "\n")
    .replaceAll(/\{(card|cards|jwe|jwt|g|p|w)\}/g, (_, name: string) => named[name]!())
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
