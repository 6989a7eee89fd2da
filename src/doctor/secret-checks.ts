import { LonghandError } from "../errors.ts";
import type { Memory } from "../memory/memory.ts";
import { redactInSlices } from "../text/redact.ts";
import { type CheckGroup, unwell, well } from "./check.ts";

const mostNamed = 8;

/** Where notes hold what looks like a secret: place and kind, never the secret. */
export const checkSecrets: CheckGroup = async ({ memory, status }) => {
  if (memory === undefined || status === undefined || status instanceof LonghandError) return [];
  const places: string[] = [];
  for (const { path } of await memory.listNotes()) places.push(...(await findIn(memory, path)));
  if (places.length === 0) return [well("secrets", "no note holds what looks like a secret")];
  const more = places.length > mostNamed ? ` and ${places.length - mostNamed} more` : "";
  return [
    unwell(
      "secrets",
      `${places.length} likely in notes: ${places.slice(0, mostNamed).join(", ")}${more}`,
      "Keep them elsewhere, take them out with `longhand forget`, and replace them where they are used.",
    ),
  ];
};

/** Reads on from piece to piece. A note that cannot be read is told by another check. */
async function findIn(memory: Memory, relPath: string): Promise<string[]> {
  const places: string[] = [];
  try {
    for (let from: number | undefined = 1; from !== undefined; ) {
      const piece = await memory.readFile({ relPath, from, lines: 100_000 });
      const first = from;
      places.push(
        ...(await redactInSlices(piece.text)).found.map(
          ({ kind, line }) => `${relPath}:${first + line - 1} ${kind}`,
        ),
      );
      from = piece.nextFrom;
    }
  } catch (error) {
    if (!(error instanceof LonghandError)) throw error;
  }
  return places;
}
