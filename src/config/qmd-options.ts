import { choice, flag, group, items, number, text, wholeNumber } from "./option.ts";

const update = group(
  {
    interval: text({
      format: "duration",
      about: 'Time between updates of its index, such as `"5m"`; wins over `updateIntervalMinutes`.',
    }),
    debounceMs: wholeNumber({
      default: 0,
      min: 0,
      max: 86_400_000,
      about: "Milliseconds after an update in which a search does not start another.",
    }),
    embedInterval: text({
      default: "0",
      format: "duration",
      about: 'Time between two background embedding runs, such as `"60m"`.',
    }),
    updateTimeoutMs: wholeNumber({
      default: 120_000,
      min: 1000,
      max: 3_600_000,
      about: "Milliseconds after which an update is stopped.",
    }),
    embedTimeoutMs: wholeNumber({
      default: 900_000,
      min: 1000,
      max: 86_400_000,
      about: "Milliseconds after which an embedding run is stopped; the next one continues.",
    }),
  },
  { about: "Updates of qmd's index.", inline: true },
);

const limits = group(
  {
    maxResults: wholeNumber({ min: 1, max: 200, about: "Instead of `query.maxResults`." }),
    maxSnippetChars: wholeNumber({ min: 40, max: 20_000, about: "Instead of `query.maxSnippetChars`." }),
    maxInjectedChars: wholeNumber({
      min: 200,
      max: 1_000_000,
      about: "Instead of `query.maxInjectedChars`.",
    }),
    timeoutMs: wholeNumber({ min: 50, max: 600_000, about: "Instead of `memory.qmd.timeoutMs`." }),
  },
  { about: "Limits while qmd is the engine.", inline: true },
);

const action = (about: string) => choice(["allow", "deny"], { default: "allow", about });

const scope = group(
  {
    default: action("For sessions that no rule matches."),
    rules: items(
      group(
        {
          action: action("Whether a session that matches may search."),
          match: group(
            {
              chatType: choice(["any", "direct", "group", "channel"], {
                default: "any",
                about: "The kind of conversation, as the session key says.",
              }),
              channel: text({ about: "The channel in the session key, such as `telegram`." }),
              keyPrefix: text({ about: "The beginning of the session key, with or without `agent:<id>:`." }),
              rawKeyPrefix: text({ about: "The beginning of the whole session key." }),
            },
            { about: "All that is given has to match.", inline: true },
          ),
        },
        { about: "A rule for some sessions." },
      ),
      { about: "The first rule that matches the session key decides. A search without a key is allowed." },
    ),
  },
  { about: "Which sessions may search while qmd is the engine." },
);

/** The settings of the qmd engine, under the names that OpenClaw gives them. */
export const qmdOptions = group(
  {
    command: text({ default: "qmd", format: "name-or-path", about: "Name or path of the qmd program." }),
    searchMode: choice(["search", "vsearch", "query"], {
      default: "search",
      about:
        "Keyword search, vector search, or both. `query` also lets qmd expand the question and rerank the " +
        "results, if its models are installed.",
    }),
    rerank: flag({
      default: true,
      about: "Whether `query` reranks the results, if the model for it is installed.",
    }),
    updateIntervalMinutes: number({
      default: 5,
      min: 0,
      max: 10_080,
      about: "Minutes between updates of qmd's index; 0 for none.",
    }),
    timeoutMs: wholeNumber({
      default: 4000,
      min: 50,
      max: 600_000,
      about: "Milliseconds to wait for qmd's answer.",
    }),
    update,
    limits,
    scope,
    sessions: group(
      {
        enabled: flag({
          default: false,
          about: "Index transcripts as well, as `sources` with `sessions` does.",
        }),
      },
      { about: "Transcripts.", inline: true },
    ),
  },
  { about: "The qmd backend." },
);
