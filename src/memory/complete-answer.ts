import type { Settings } from "../config/settings.ts";
import { describeFallback, type Fallback } from "../embedders/fallback-chain.ts";
import { cite, showsCitations } from "../search/location.ts";
import type { SearchAnswer, SearchHit, SearchOptions } from "../search/search.ts";
import type { Sessions } from "../sessions/transcripts/sessions.ts";
import type { SourceName } from "../text/document.ts";

interface AnswerContext {
  readonly request: SearchOptions;
  /** The active fallback of the embedder; null while the chosen one is in use. */
  readonly fallback: Fallback | null;
  readonly settings: Settings;
}

/** Adds what the engine does not know: switched-off sources, a missing embedder, and citations. */
export function completeAnswer(
  answer: SearchAnswer,
  { request, fallback, settings }: AnswerContext,
): SearchAnswer {
  const complete = withAbsence(
    request.keywordOnly ? answer : withFallback(answer, fallback),
    request.source,
    settings,
  );
  if (!showsCitations(settings.memory.citations, request.sessionKey)) return complete;
  const results = complete.results.map((hit) => ({
    ...hit,
    citation: cite(hit.path, hit.startLine, hit.endLine),
  }));
  return { ...complete, results };
}

/** Hits of conversations are named by what the user said first: their paths are ids. */
export async function withTitles(
  hits: readonly SearchHit[],
  sessions: Pick<Sessions, "titlesOf">,
): Promise<readonly SearchHit[]> {
  const paths = hits.filter(({ source }) => source === "sessions").map(({ path }) => path);
  if (paths.length === 0) return hits;
  // A hit without its title is still a hit.
  const titles = await sessions.titlesOf(paths).catch(() => new Map<string, string>());
  return hits.map((hit) => {
    const title = hit.source === "sessions" ? titles.get(hit.path) : undefined;
    return title === undefined ? hit : { ...hit, title };
  });
}

function withFallback(answer: SearchAnswer, fallback: Fallback | null): SearchAnswer {
  // An embedder that the answering engine does not use is no loss.
  if (fallback === null || answer.provider === "qmd") return answer;
  return {
    ...answer,
    fallback: answer.fallback ?? fallback,
    degraded: [...answer.degraded, describeFallback(fallback)],
  };
}

/** A search of a switched-off source finds nothing, and says so. */
function withAbsence(
  answer: SearchAnswer,
  source: SourceName | undefined,
  { memorySearch }: Settings,
): SearchAnswer {
  const names: Readonly<Record<string, string>> = {
    memory: "notes",
    sessions: "transcripts of conversations",
  };
  const what = source === undefined ? undefined : names[source];
  const indexed: readonly string[] = memorySearch.sources;
  if (source === undefined || what === undefined || indexed.includes(source)) return answer;
  const reason = `${what} are not indexed, because memorySearch.sources does not name "${source}"`;
  return { ...answer, degraded: [...answer.degraded, reason] };
}
