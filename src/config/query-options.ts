import { choice, flag, group, number, wholeNumber } from "./option.ts";

const hybrid = group(
  {
    enabled: flag({
      default: true,
      about: "Combine both searches; when off, semantic search alone where that is possible.",
    }),
    fusion: choice(["weighted", "rrf"], {
      default: "weighted",
      about:
        "Fuse by weighted scores, or by ranks (reciprocal rank fusion). If neither this nor the weights " +
        "are set, the two are fused by evidence.",
    }),
    vectorWeight: number({
      default: 0.7,
      min: 0,
      max: 100,
      about: "Weight of semantic search, for users who know their model. The two are scaled to sum 1.",
    }),
    textWeight: number({ default: 0.3, min: 0, max: 100, about: "Weight of keyword search." }),
    candidateMultiplier: wholeNumber({
      default: 4,
      min: 1,
      max: 50,
      about: "Candidates from each search, as a multiple of `maxResults`.",
    }),
    temporalDecay: group(
      {
        enabled: flag({ default: false, about: "Let dated notes and sessions lose score with age." }),
        halfLifeDays: number({
          default: 30,
          min: 0.01,
          max: 36_500,
          about: "Days in which the score halves.",
        }),
        undated: choice(["keep", "modified"], {
          default: "keep",
          about:
            "Notes without a date: `keep` leaves their score as it is, `modified` takes the day the file was last written. `MEMORY.md` never decays.",
        }),
      },
      { about: "Age.", inline: true },
    ),
    mmr: group(
      {
        enabled: flag({ default: false, about: "Prefer hits that differ from each other." }),
        lambda: number({
          default: 0.7,
          min: 0,
          max: 1,
          about: "1 considers only the score, 0 only the difference.",
        }),
      },
      { about: "Variety.", inline: true },
    ),
  },
  { about: "How keyword and semantic search are combined." },
);

export const queryOptions = group(
  {
    maxResults: wholeNumber({ default: 6, min: 1, max: 200, about: "Hits in an answer." }),
    minScore: number({ default: 0.35, min: 0, max: 1, about: "Hits below this score are left out." }),
    maxSnippetChars: wholeNumber({ default: 700, min: 40, max: 20_000, about: "Characters of a snippet." }),
    maxInjectedChars: wholeNumber({
      default: 4000,
      min: 200,
      max: 1_000_000,
      about: "Characters that `memory_search` hands to an agent, over all hits.",
    }),
    vectorWaitMs: wholeNumber({
      default: 1500,
      min: 0,
      max: 600_000,
      about: "Milliseconds to wait for the query's vector; afterwards the answer is by keyword and says so.",
    }),
    hybrid,
  },
  { about: "What a search returns." },
);
