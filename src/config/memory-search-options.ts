import { choice, flag, group, headers, list, number, secret, text, wholeNumber } from "./option.ts";
import { queryOptions } from "./query-options.ts";

const prompt = (before: string) =>
  text({
    format: "prompt",
    about: `Put in front of ${before}, exactly as written; \`""\` is nothing. Not set, what the model is known to want.`,
  });
const prompts = (about: string) =>
  group({ query: prompt("questions"), document: prompt("notes") }, { about, inline: true });

const remote = group(
  {
    baseUrl: text({
      format: "url",
      about: "Address of the provider's service, for example your own compatible server.",
    }),
    apiKey: secret({
      mayBeEmpty: true,
      about:
        "Key for the chosen provider (with `auto`: for openai). " +
        '`""`: none, not even the one in the environment.',
    }),
    headers: headers({ about: "Headers to send with each request; their values are never shown." }),
    allowPlainHttp: flag({
      default: false,
      about:
        "Also send keys to `http://` addresses on other machines, where others on the network can read them.",
    }),
    prompts: prompts("Prompts of a model of `openai` or a compatible service."),
    concurrency: wholeNumber({ default: 4, min: 1, max: 64, about: "Requests at once." }),
    batch: group(
      {
        enabled: flag({
          default: false,
          about: "Embed large amounts through the provider's cheaper batch service.",
        }),
        minChunks: wholeNumber({
          default: 500,
          min: 1,
          max: 50_000,
          about: "Use it from this many chunks on.",
        }),
        wait: flag({ default: true, about: "Wait for the result; otherwise a later sync collects it." }),
        concurrency: wholeNumber({ default: 2, min: 1, max: 32, about: "Batch jobs at once." }),
        pollIntervalMs: wholeNumber({
          default: 2000,
          min: 10,
          max: 3_600_000,
          about: "Milliseconds between two polls of a job.",
        }),
        timeoutMinutes: number({
          default: 60,
          min: 0.01,
          max: 2880,
          about: "Minutes after which longhand gives up waiting for a job.",
        }),
      },
      { about: "Batch jobs of a provider.", inline: true },
    ),
  },
  { about: "How to reach a provider over the network." },
);

const local = group(
  {
    modelPath: text({
      default: "hf:ggml-org/embeddinggemma-300M-GGUF/embeddinggemma-300M-Q8_0.gguf",
      format: "model",
      about: "Model file (GGUF), or an `hf:` or `https:` address to fetch it from.",
    }),
    modelCacheDir: text({
      default: "<state>/models",
      format: "path",
      about: "Folder for fetched model files.",
    }),
    contextSize: wholeNumber({
      default: 2048,
      min: 64,
      max: 131_072,
      about: "Maximum number of tokens for the model.",
    }),
    prompts: prompts("Prompts of the model."),
  },
  { about: "The local provider, which runs a model on this machine." },
);

const store = group(
  {
    driver: choice(["sqlite", "postgres", "lancedb"], {
      default: "sqlite",
      about: "Where the index is stored.",
    }),
    path: text({
      default: "<state>/memory/{agentId}.longhand.sqlite",
      format: "path",
      about:
        "File of the index. Keep `{agentId}` in it: agents that share a file would undo each other's work.",
    }),
    url: secret({ shownAs: "address", about: "Address of the database, for drivers that need one." }),
    vector: group(
      {
        enabled: flag({
          default: true,
          about:
            "Search vectors with sqlite-vec where `extensionPath` names it; `false` always compares them in longhand itself. To search by keyword alone set `provider` to `none`.",
        }),
        extensionPath: text({
          format: "name-or-path",
          about:
            "The library of sqlite-vec, to search vectors with it instead of the builtin code; results are the same. `sqlite-vec` is the npm package of that name, installed beside longhand.",
        }),
      },
      { about: "Vectors in the index.", inline: true },
    ),
  },
  { about: "The derived index. Delete it any time; it is rebuilt." },
);

const chunking = group(
  {
    tokens: wholeNumber({
      default: 400,
      min: 32,
      max: 8192,
      about: "Size of a chunk in tokens (about 4 characters each).",
    }),
    overlap: wholeNumber({
      default: 80,
      min: 0,
      max: 4096,
      about: "Tokens that adjacent chunks share; less than `tokens`.",
    }),
  },
  { about: "How a document is split into chunks." },
);

const sync = group(
  {
    onSessionStart: flag({
      default: true,
      about: "Check for changed files when a session starts, for as long as a search would.",
    }),
    onSearch: flag({ default: true, about: "Check for changed files before answering a search." }),
    searchWaitMs: wholeNumber({
      default: 300,
      min: 0,
      max: 60_000,
      about: "Milliseconds that a search waits for that; then it answers and says that it may be stale.",
    }),
    watch: flag({ default: true, about: "Watch the folders in long-running processes." }),
    watchDebounceMs: wholeNumber({
      default: 1500,
      min: 0,
      max: 600_000,
      about: "Milliseconds of quiet after a change before a sync starts.",
    }),
    intervalMinutes: number({
      default: 0,
      min: 0,
      max: 10_080,
      about: "Minutes between regular syncs; 0 for none.",
    }),
    sessions: group(
      {
        deltaBytes: wholeNumber({
          default: 100_000,
          min: 0,
          max: 1_000_000_000,
          about: "Index a growing transcript again after this many new bytes.",
        }),
        deltaMessages: wholeNumber({
          default: 50,
          min: 0,
          max: 1_000_000,
          about: "The same, after this many new messages.",
        }),
      },
      { about: "Growing transcripts.", inline: true },
    ),
  },
  { about: "When the index is updated." },
);

export const memorySearchOptions = group(
  {
    enabled: flag({ default: true, about: "False switches memory off." }),
    sources: list(choice(["memory", "sessions"], { default: "memory", about: "" }), {
      default: ["memory"],
      minItems: 1,
      about: "What is indexed. `sessions` needs `experimental.sessionMemory`.",
    }),
    extraPaths: list(text({ format: "path", relativeTo: "workspace", about: "" }), {
      default: [],
      union: true,
      isPerProject: true,
      about:
        "More Markdown files or folders, relative to the workspace. An entry that is a link is followed; " +
        "links below it are not. An agent's entries are added to the defaults.",
    }),
    exclude: list(text({ about: "" }), {
      default: [],
      union: true,
      isPerProject: true,
      about: "Notes to exclude, in `.gitignore` syntax. An agent's entries are added to the defaults.",
    }),
    experimental: group(
      { sessionMemory: flag({ default: false, about: "Allows `sessions` as a source." }) },
      { about: "Features that may still change.", inline: true },
    ),
    provider: choice(["builtin", "auto", "local", "openai", "gemini", "voyage", "none"], {
      default: "builtin",
      about:
        "The embedding provider. Nothing is sent to a service that is not named here or as `fallback`. " +
        "`auto` takes the first available of local, openai, gemini, voyage and builtin, which may be a " +
        "service; `none` means keyword search only.",
    }),
    model: text({ about: "The provider's model; by default the provider's own." }),
    outputDimensionality: wholeNumber({
      min: 1,
      max: 16_384,
      about: "Dimensions of a vector, if the model supports fewer.",
    }),
    fallback: choice(["none", "builtin", "local", "openai", "gemini", "voyage"], {
      default: "none",
      about:
        "Provider that takes over, for questions and for indexing, while the chosen one is unavailable or " +
        "fails. A service named here may receive texts. After it, and with `none`, comes the builtin " +
        "model.",
    }),
    remote,
    local,
    store,
    chunking,
    sync,
    query: queryOptions,
    cache: group(
      {
        enabled: flag({
          default: true,
          about: "Keep vectors of texts seen before, so that they are not paid for twice.",
        }),
        maxEntries: wholeNumber({
          default: 50_000,
          min: 0,
          max: 10_000_000,
          about: "Vectors kept; the oldest go first.",
        }),
      },
      { about: "The cache of vectors." },
    ),
    usage: group(
      {
        enabled: flag({
          default: true,
          about:
            "Count in the index how often lines of notes were part of an answer, for `longhand usage` and `longhand consolidate`. The counts are sent nowhere.",
        }),
      },
      { about: "Which lines are recalled.", inline: true },
    ),
  },
  { about: "What is indexed and how it is searched." },
);
