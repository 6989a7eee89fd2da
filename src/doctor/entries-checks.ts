import { LonghandError } from "../errors.ts";
import { type CheckGroup, unwell, well } from "./check.ts";

/** The plugin for small facts: its file can be read, its package is there, its index can be used. */
export const checkEntries: CheckGroup = ({ status }) => {
  if (status === undefined || status instanceof LonghandError || status.entries === undefined) return [];
  const { entries, indexed, problem } = status.entries;
  if (problem !== undefined) {
    return [
      unwell("entries", problem, 'Repair that, or set plugins.slots.memory to "memory-core" to do without.'),
    ];
  }
  const compared =
    indexed === null
      ? "found by their words: there is no embedder"
      : `${indexed} of them indexed; the rest with the next call`;
  return [well("entries", entries === 0 ? "no facts yet" : `facts: ${entries}, ${compared}`)];
};
