import { LonghandError } from "../errors.ts";
import { editDistance } from "../text/edit-distance.ts";
import { quote } from "../text/value-rule.ts";
import type { GroupOption, Option } from "./option.ts";

/** `parent.name`, with a name that is not a plain word in brackets; safe to print whatever the name contains. */
export function joinKey(parent: string, name: string): string {
  if (/^[A-Za-z_$][\w$-]{0,79}$/.test(name)) return parent === "" ? name : `${parent}.${name}`;
  return `${parent}[${quote(name)}]`;
}

interface KeyContext {
  readonly root: GroupOption;
  readonly group: GroupOption;
  /** The key of the group; empty at the top. */
  readonly parent: string;
}

/** The text after "is not a known key": the nearest one here or anywhere, otherwise all keys that are known here. */
export function suggestKey(name: string, { root, group, parent }: KeyContext): string {
  const names = namesOf(group);
  const here = nearestKey(name, [...names.keys()]);
  if (here !== null) return `did you mean ${quote(names.get(here)!)}?`;
  const elsewhere = allKeys(root, "").filter((key) => lastPart(key).toLowerCase() === name.toLowerCase());
  const inside = elsewhere.find((key) => parent !== "" && key.startsWith(`${parent}.`));
  const place = inside ?? elsewhere[0];
  if (place !== undefined) return `did you mean ${quote(place)}?`;
  return `known here: ${Object.keys(group.options).join(", ")}`;
}

/** Every key of the tree, including groups, in the order of declaration. Items of lists are not visited. */
export function allKeys(option: Option, key: string): string[] {
  const own = key === "" ? [] : [key];
  if (option.kind !== "group") return own;
  return [
    ...own,
    ...Object.entries(option.options).flatMap(([name, inner]) => allKeys(inner, joinKey(key, name))),
  ];
}

/** Names that may be meant, each with the name of its option. */
function namesOf(group: GroupOption): Map<string, string> {
  const names = Object.entries(group.options).flatMap(([name, option]) => {
    const aliases = option.kind === "group" ? (option.alsoCalled ?? []) : [];
    return [name, ...aliases].map((each): [string, string] => [each, name]);
  });
  return new Map(names);
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1);
}

/** Suggestions for an unknown key: the nearest as a whole, by its last part, or by resemblance to that. */
export function refuseUnknownKey(written: string, known: readonly string[]): LonghandError {
  const name = lastPart(written).toLowerCase();
  const names = known.map(lastPart);
  const similar = nearestKey(name, names);
  const nearest =
    nearestKey(written.replace(/^agents\.defaults\./, ""), known) ??
    known.find((key) => key.toLowerCase().endsWith(`.${name}`)) ??
    (similar === null ? undefined : known[names.indexOf(similar)]);
  const suggestion = nearest === undefined ? "." : `; did you mean ${quote(nearest)}?`;
  return new LonghandError("usage", `There is no setting ${quote(written)}${suggestion}`, {
    hint: "`longhand config` lists every setting.",
  });
}

/** Longer keys are truncated before comparison: they resemble nothing, and the time must stay bounded. */
const MAX_COMPARED_CHARS = 64;

/** The known key that most resembles `key`, or null. Among equally near ones, the first wins. */
export function nearestKey(key: string, known: readonly string[]): string | null {
  const wanted = plain(key);
  let nearest: string | null = null;
  let smallest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = editDistance(wanted, plain(candidate));
    // With more than a third of the letters wrong, it is a different word, not a typo.
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3));
    if (distance <= allowed && distance < smallest) {
      nearest = candidate;
      smallest = distance;
    }
  }
  return nearest;
}

/** `max_results` and `MaxResults` are spelling variants, not other words. */
function plain(key: string): string {
  return key.slice(0, MAX_COMPARED_CHARS).toLowerCase().replaceAll(/[-_]/g, "");
}
