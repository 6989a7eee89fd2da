import { choice, flag, group, list, number, record, secret, text, wholeNumber } from "./option.ts";
import { queryOptions } from "./query-options.ts";

const headerValue = secret({ about: "The value of a header." });

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
      about: "Address of the chosen provider's service, for example of a compatible server of your own.",
    }),
    apiKey: secret({ about: "Key for the chosen provider (with `auto`: for openai)." }),
    headers: record(headerValue, {
      about: "Headers to send with each request; their values are never shown.",
    }),
    allowPlainHttp: flag({
      default: false,
      about:
        "Send keys also to an `http://` address on another machine, where everyone in between can read them.",
    }),
    prompts: prompts("Prompts of a model of `openai` or a compatible service."),
    concurrency: wholeNumber({ default: 4, min: 1, max: 64, about: "Requests under way at once." }),
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
        concurrency: wholeNumber({ default: 2, min: 1, max: 32, about: "Batch jobs under way at once." }),
        pollIntervalMs: wholeNumber({
          default: 2000,
          min: 10,
          max: 3_600_000,
          about: "Milliseconds between two looks at a job.",
        }),
        timeoutMinutes: number({
          default: 60,
          min: 0.01,
          max: 2880,
          about: "Minutes after which a job that is waited for is given up.",
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
      about: "Tokens that the model is given at most.",
    }),
    prompts: prompts("Prompts of the model."),
  },
  { about: "The local provider, which runs a model on this machine." },
);

const store = group(
  {
    driver: choice(["sqlite", "postgres", "lancedb"], { default: "sqlite", about: "What keeps the index." }),
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
          format: "path",
          about:
            "The library of sqlite-vec, to search vectors with it instead of the builtin code; results are the same.",
        }),
      },
      { about: "Vectors in the index.", inline: true },
    ),
  },
  { about: "The derived index. It can be deleted at any time and is then built again." },
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
      about: "Tokens that two neighbours share; less than `tokens`.",
    }),
  },
  { about: "How a document is cut into chunks." },
);

const sync = group(
  {
    onSessionStart: flag({
      default: true,
      about: "Look for changed files when a session starts, for as long as a search would.",
    }),
    onSearch: flag({ default: true, about: "Look for changed files before answering a search." }),
    searchWaitMs: wholeNumber({
      default: 300,
      min: 0,
      max: 60_000,
      about:
        "Milliseconds that a search waits for that; afterwards it answers and says that it may be stale.",
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
  { about: "When the index is brought up to date." },
);

export const memorySearchOptions = group(
  {
    enabled: flag({ default: true, about: "Switches memory off altogether when false." }),
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
        "More Markdown files or folders, relative to the workspace. An entry that is itself a link is followed, because you named it; links below it are not. An agent's are added to the defaults.",
    }),
    exclude: list(text({ about: "" }), {
      default: [],
      union: true,
      isPerProject: true,
      about: "Notes to leave out, in the syntax of `.gitignore`. An agent's are added to the defaults.",
    }),
    experimental: group(
      { sessionMemory: flag({ default: false, about: "Allows `sessions` as a source." }) },
      { about: "Features that may still change.", inline: true },
    ),
    provider: choice(["builtin", "auto", "local", "openai", "gemini", "voyage", "none"], {
      default: "builtin",
      about:
        "Who turns text into vectors. Nothing is sent to a service that is not named here or as `fallback`. " +
        "`auto` takes the first of local, openai, gemini, voyage and builtin that can be used, which may be a service; " +
        "`none` means keyword search only.",
    }),
    model: text({ about: "The provider's model; not set, the provider's default." }),
    outputDimensionality: wholeNumber({
      min: 1,
      max: 16_384,
      about: "Dimensions of a vector, where the model can give fewer.",
    }),
    fallback: choice(["none", "builtin", "local", "openai", "gemini", "voyage"], {
      default: "none",
      about:
        "Provider that takes over, for questions and for indexing, while the chosen one cannot be used or fails. A service that is named here may be sent texts. Behind it, and with `none`, the builtin model takes over.",
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
            "Count in the index how often lines of notes were part of an answer, for `longhand usage`. The counts are sent nowhere.",
        }),
      },
      { about: "Which lines are recalled.", inline: true },
    ),
  },
  { about: "What is indexed and how it is searched." },
);
