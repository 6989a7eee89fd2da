import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";

/** A part of an index that was quarantined; its replacement starts empty. */
export interface Repair {
  readonly reason: string;
  readonly movedTo: string;
}

/** How many quarantined copies are kept for inspection. */
const maxKept = 2;

/** The quarantined copies of an index, `<name>.corrupt-<n>`, oldest first. */
export function listQuarantined(path: string): string[] {
  return numbersOf(path).map((number) => nameOf(path, number));
}

/** The name of the next copy, and the older ones that it replaces. */
export function planQuarantine(path: string): { readonly target: string; readonly outdated: string[] } {
  const last = numbersOf(path).at(-1) ?? 0;
  return { target: nameOf(path, last + 1), outdated: listQuarantined(path).slice(0, 1 - maxKept) };
}

function nameOf(path: string, number: number): string {
  return `${path}.corrupt-${number}`;
}

function numbersOf(path: string): number[] {
  const prefix = basename(nameOf(path, 0)).slice(0, -1);
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b);
}
