import { once } from "../once.ts";
import { type FoundSecretAt, matchAt } from "./scan.ts";
import { cloudRows, codeRows, modelRows, type ShapeRow } from "./shape-rows.ts";
import { commerceRows, cryptoRows, otherRows, webhookRows } from "./shape-rows-more.ts";
import { isFiller, isRandom, isScattered } from "./values.ts";

/** One prefix of the table of shapes, with the patterns around it. */
interface Shape {
  readonly kind: string;
  readonly prefix: string;
  /** A cheap test: whether the prefix is here, at a boundary. */
  canBeAt(text: string, at: number): boolean;
  findAt(text: string, at: number): FoundSecretAt | null;
}

/** The more specific prefix comes first. */
export const secretShapes = once((): readonly Shape[] =>
  [
    ...modelRows,
    ...cloudRows,
    ...codeRows,
    ...commerceRows,
    ...otherRows,
    ...cryptoRows,
    ...webhookRows,
  ].flatMap((row) => row[1].split(/ (?=\S)/).map((prefix) => createShape(row, prefix))),
);

function createShape([kind, , body, lead]: ShapeRow, prefix: string): Shape {
  // Compiled when the prefix is first met: most texts need none of them.
  const rest = once(() => new RegExp(expand(body), "y"));
  const before =
    lead === undefined
      ? null
      : once(() => new RegExp(`(?:(?<!%w)|(?<=\\\\[nrt]))(?:${lead})$`.replaceAll(/%./g, expand)));
  const isAddress = prefix.includes("/") || lead !== undefined;
  const canBeGlued = gluedPrefix.test(prefix);
  return {
    kind,
    prefix,
    canBeAt: (text, at) => (isAddress || isBoundary(text, at, canBeGlued)) && text.startsWith(prefix, at),
    findAt(text, at) {
      let start = at;
      if (before !== null) {
        const head = before().exec(text.slice(Math.max(0, at - maxLead), at));
        if (head === null) return null;
        start = at - head[0].length;
      }
      const found = matchAt(rest(), text, at + prefix.length);
      if (found === null) return null;
      const end = at + prefix.length + found[0].length;
      // One in thirty random strings of sixteen capitals and digits has no digit.
      const isCapitals = kind === "aws-key" && !/(.)\1{3}/.test(found[0]);
      if (!isAddress && !isCapitals && isFiller(found[0])) return null;
      if (kind === "jwt" && found[0].slice(found[0].indexOf(".")).replaceAll(".", "").length < 16)
        return null;
      return { kind, start, end };
    },
  };
}

const wrapped =
  /[ \t]{0,3}\\?\r?\n[ \t>|]{0,12}([A-Za-z0-9_+/=-]{8,400})(?=["'`,;)]{0,3}[ \t]{0,8}(?:\r?\n|$))/y;

/** The part of a key that a narrow terminal or a mail program wrapped onto the next line. */
export function readContinuation(
  text: string,
  end: number,
  minLength: number,
): { start: number; end: number } | null {
  const code = text.charCodeAt(end);
  if (code !== 10 && code !== 13 && code !== 32 && code !== 92) return null;
  const match = matchAt(wrapped, text, end);
  const value = match?.[1];
  if (
    !match ||
    value === undefined ||
    !isRandom(value, minLength) ||
    !isScattered(value) ||
    /^[0-9a-f-]+$/.test(value)
  )
    return null;
  const stop = end + match[0].length;
  return { start: stop - value.length, end: stop };
}

const maxLead = 100;

/** Prefixes that occur in no word, so that a secret is found even if it is joined to one. */
const gluedPrefix =
  /^(?:gh[pousr]_|github_|gl(?:pat|rt|dt|ptt|cbt|ft|soat)-|sk-(?:ant|proj|svcacct|or|admin)-|xox|xapp-|AKIA|ASIA|AIza|npm_|hf_|do[opr]_v1|sntry|pypi-|shp|SG\.|ya29|GOCSPX|hvs\.|dckr|(?:sk|rk)_(?:live|test)_|whsec_|nvapi-|pcsk_|tskey-|figd_|glsa_|lin_|ntn_|gsk_|r8_|pplx-|ATATT|PMAK-|NRAK-|AGE-SECRET)/;

const escapes = "nrtbf";

/** A boundary: no run of key characters is in progress. An escaped line break, `\n`, ends in a letter. */
function isBoundary(text: string, at: number, canBeGlued: boolean): boolean {
  if (at === 0) return true;
  const code = text.charCodeAt(at - 1);
  const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  const isDigit = code >= 48 && code <= 57;
  if (!isLetter && !isDigit && code !== 95 && code !== 45) return true;
  if (canBeGlued && (code >= 97 || code === 95 || code === 45)) return true;
  return isLetter && text[at - 2] === "\\" && escapes.includes(text[at - 1]!);
}

const alphabets: Readonly<Record<string, string>> = {
  "%w": "[A-Za-z0-9]",
  "%b": "[A-Za-z0-9_-]",
  "%_": "[A-Za-z0-9_]",
  "%s": "[A-Za-z0-9+/=_-]",
  "%h": "[0-9a-f]",
  "%H": "[0-9A-Fa-f]",
  "%U": "[A-Z0-9]",
  "%l": "[a-z0-9]",
};

const alphabet = /%[wb_shHUl]/g;

function expand(body: string): string {
  // Within a set the alphabet's own brackets must be removed.
  return body
    .replaceAll(/\[[^\]]*\]/g, (set) => set.replaceAll(alphabet, (name) => alphabets[name]!.slice(1, -1)))
    .replaceAll(alphabet, (name) => alphabets[name]!);
}
