import { LonghandError } from "../errors.ts";
import type { Store, StoredChunk } from "../stores/store.ts";
import { headOf } from "../text/document.ts";
import { compilePaths } from "../text/glob.ts";
import type { WhyNot } from "./search.ts";
import type { SearchTrace } from "./searcher.ts";

/** Follows a line through the stages of a search and names the one that dropped it. */
export async function explainWhyNot(
  place: string,
  trace: SearchTrace,
  store: Pick<Store, "chunksOf" | "stats">,
): Promise<WhyNot> {
  const { path, line } = readPlace(place);
  const { filter, terms, finder, candidates, ranked, aboveFloor, drafts, minScore } = trace;
  const say = (stage: WhyNot["stage"], reason: string): WhyNot => ({ path, line, stage, reason });

  const stored: StoredChunk[] = [];
  for (const { source } of (await store.stats()).sources)
    stored.push(...(await store.chunksOf(source, path)));
  const chunks = stored.filter(({ lines }) => lines.start <= line && line <= lines.end);
  const [first] = stored;
  if (first === undefined) return say("not-indexed", `${path} is not in the index. See "longhand status".`);
  const isFiltered =
    (filter.source !== undefined && filter.source !== first.source) ||
    (filter.since !== undefined && (first.date ?? "") < filter.since) ||
    (filter.until !== undefined && (first.date === undefined || first.date > filter.until)) ||
    compilePaths(filter)?.(path) === false ||
    (filter.sharedOnly === true && first.scope === "private");
  if (isFiltered)
    return say(
      "filtered",
      "The source, date, path, tag, link or session of this search leaves the note out.",
    );
  if (chunks.length === 0) {
    return say("not-indexed", `Line ${line} of ${path} is blank or past the end, so no chunk holds it.`);
  }

  const ids = new Set(chunks.map(({ id }) => id));
  const returned = drafts.find(
    ({ passage, lines }) => passage.chunk.path === path && lines.start <= line && line <= lines.end,
  );
  if (returned) {
    const own = ids.has(returned.passage.chunk.id);
    return own || returned.joined.length === 0
      ? say(
          "returned",
          `It is in hit ${drafts.indexOf(returned) + 1}, lines ${returned.lines.start} to ${returned.lines.end}.`,
        )
      : say("merged", `It was merged into hit ${drafts.indexOf(returned) + 1}, next to it.`);
  }
  const matched = terms.filter((_, t) =>
    chunks.some((chunk) => finder.count(`${chunk.text} ${headOf(chunk)}`)[t]! > 0),
  );
  if (matched.length === 0) {
    const asked = terms.map(({ text }) => text).join(", ") || "nothing but words that only ask";
    return say("no-matching-word", `The lines around it hold none of the question's words (${asked}).`);
  }
  const words = matched.map(({ text }) => text).join(", ");
  if (!candidates.some(({ id }) => ids.has(id))) {
    return say(
      "not-a-candidate",
      `It matches ${words}, but ${candidates.length} other chunks match better. Ask for more results (-n).`,
    );
  }
  const best = Math.max(
    ...ranked.filter(({ passage }) => ids.has(passage.chunk.id)).map(({ score }) => score),
  );
  if (!aboveFloor.some(({ passage }) => ids.has(passage.chunk.id))) {
    return say(
      "below-floor",
      `It matches ${words} and scores ${best.toFixed(2)}, below the floor of ${minScore}.`,
    );
  }
  const draft = drafts.find(({ passage }) => ids.has(passage.chunk.id));
  if (draft) {
    return say(
      "merged",
      `Its chunk is hit ${drafts.indexOf(draft) + 1}, but the best lines there are ${draft.lines.start} to ${draft.lines.end}.`,
    );
  }
  return say(
    "below-limit",
    `It scores ${best.toFixed(2)}, but better hits fill the list. Ask for more results (-n).`,
  );
}

function readPlace(place: string): { path: string; line: number } {
  const match = /^(.+?)(?::|#L)(\d+)(?:-L?\d+)?$/s.exec(place);
  const line = Number(match?.[2]);
  if (match?.[1] && Number.isSafeInteger(line) && line >= 1) return { path: match[1], line };
  throw new LonghandError("query-invalid", `Could not explain "${place}": it does not name a line.`, {
    hint: "Write PATH:LINE, for example memory/2026-11-15.md:12.",
  });
}
