import type { Settings } from "../config/settings.ts";
import { describeFallback, type Fallback } from "../embedders/fallback-chain.ts";
import { cite, showsCitations } from "../search/citation.ts";
import type { SearchAnswer, SearchOptions } from "../search/search.ts";
import type { SourceName } from "../text/document.ts";

export interface AnswerContext {
  readonly request: SearchOptions;
  /** Which embedder stands in for which; null while the one that was asked for is in use. */
  readonly fallback: Fallback | null;
  readonly settings: Settings;
}

/** Adds what the engine does not know: what the settings leave out, which embedder is missing, and citations. */
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

function withFallback(answer: SearchAnswer, fallback: Fallback | null): SearchAnswer {
  // An embedder that the answering engine does not use is no loss to its answer.
  if (fallback === null || answer.provider === "qmd") return answer;
  return {
    ...answer,
    fallback: answer.fallback ?? fallback,
    degraded: [...answer.degraded, describeFallback(fallback)],
  };
}

/** Nothing can be found in a source that the configuration leaves out, and whoever asks for it is told so. */
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
