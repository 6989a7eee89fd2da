import { defaultDailyPattern } from "../notes/daily-pattern.ts";
import { memorySearchOptions } from "./memory-search-options.ts";
import { choice, flag, group, headers, type Input, items, secret, text, wholeNumber } from "./option.ts";
import { qmdOptions } from "./qmd-options.ts";

/** `{date}` is today in the user's time zone, as `YYYY-MM-DD`; `{note}` is the path of today's note. */
export const defaultFlushSystemPrompt = [
  "This conversation is about to be compacted: a summary will replace its older part, details are lost.",
  "This is a silent turn that the user does not see. Use it only to write durable memories into the notes of",
  "the workspace. Append; never edit, move or delete what is already written there.",
].join(" ");

export const defaultFlushPrompt = [
  "Before the conversation is compacted, write down what later sessions will need: decisions and their",
  "reasons, preferences, people and names, dates and deadlines, identifiers and open tasks.",
  "Append it to {note} as short list items that each make sense on their own.",
  "Leave out what the notes already say, small talk, and passwords or keys.",
  "If there is nothing to write down, reply NO_REPLY and nothing else.",
].join(" ");

const compactionOptions = group(
  {
    reserveTokensFloor: wholeNumber({
      default: 20_000,
      min: 0,
      max: 10_000_000,
      about: "Tokens of the context window to keep free.",
    }),
    memoryFlush: group(
      {
        enabled: flag({
          default: true,
          about: "Ask the agent to write down what is about to be compacted away.",
        }),
        softThresholdTokens: wholeNumber({
          default: 4000,
          min: 0,
          max: 10_000_000,
          about: "Ask this many tokens before the reserve is reached.",
        }),
        systemPrompt: text({
          default: defaultFlushSystemPrompt,
          about:
            "System prompt of that turn. `{date}` is today in `userTimezone`, `{note}` the path of today's note.",
        }),
        prompt: text({
          default: defaultFlushPrompt,
          about: "Prompt of that turn. `{date}` and `{note}` as above.",
        }),
        fallback: choice(["off", "extract"], {
          default: "off",
          about: "`extract` also copies key sentences that the agent left out into the notes.",
        }),
      },
      { about: "Writing down before compaction.", inline: true },
    ),
  },
  { about: "What happens before a conversation is compacted." },
);

const notesOptions = group(
  {
    include: choice(["memory", "all"], {
      default: "memory",
      isPerProject: true,
      about:
        "Which Markdown files of the workspace are its notes: `MEMORY.md` and `memory/`, or `all` of them. " +
        "`longhand adopt` sets it for a folder.",
    }),
    daily: text({
      default: defaultDailyPattern,
      format: "daily-pattern",
      isPerProject: true,
      about:
        "The note of a day, to which new entries go. `{date}` is `YYYY-MM-DD`; `{date:YYYY/MM/DD}` is " +
        "another form, in Obsidian's format. Without a date, there is one note for everything.",
    }),
  },
  { about: "Which files are notes, and where new ones go." },
);

const layersOptions = group(
  {
    user: group(
      {
        enabled: flag({
          default: true,
          about:
            "Search the user's memory beside the project's, where there is one. Groups and channels never see it.",
        }),
        path: text({
          default: "<state>/user",
          format: "path",
          about: "Folder of the user's memory, with its own MEMORY.md and memory/.",
        }),
      },
      { about: "The user's memory: what holds in every project.", inline: true },
    ),
  },
  { about: "Memories beside the workspace; see docs/layers.md." },
);

const workspaceAbout =
  "Folder with MEMORY.md and memory/. If not set, the nearest such folder at or above the current one.";
const timezoneAbout = 'Time zone that decides which day it is, such as `"Europe/Berlin"`.';

/** An agent's settings: `agents.defaults`, overridden field by field by the agent's entry in `agents.list`. */
export const agentOptions = group(
  {
    workspace: text({ default: "<state>/workspace", format: "path", about: workspaceAbout }),
    userTimezone: text({ default: "<system>", format: "timezone", about: timezoneAbout }),
    notes: notesOptions,
    layers: layersOptions,
    memorySearch: memorySearchOptions,
    compaction: compactionOptions,
  },
  { about: "Values for every agent." },
);

const agentEntry = group(
  {
    id: text({
      format: "agent-id",
      required: true,
      about: "Name of the agent: at most 64 letters, digits, `.`, `_` and `-`, not starting with a dot.",
    }),
    ...agentOptions.options,
  },
  { about: "One agent. Every key but `id` is as in `agents.defaults` and overrides it." },
);

function providerOptions(spec: {
  name: string;
  variables: readonly string[];
  alsoCalled?: readonly string[];
}) {
  const { name, variables, alsoCalled = [] } = spec;
  const orVariables = variables.map((variable) => `\`${variable}\``).join(" or ");
  return group(
    {
      apiKey: secret({ variables, about: `Key for ${name}; not set, ${orVariables} of the environment.` }),
      baseUrl: text({ format: "url", about: `Another address for ${name}.` }),
      headers: headers({ about: "Headers to send with each request; their values are never shown." }),
    },
    { about: `${name}.`, alsoCalled, inline: true },
  );
}

const memoryOptions = group(
  {
    backend: choice(["builtin", "qmd"], {
      default: "builtin",
      about: "What answers searches: longhand itself, or qmd.",
    }),
    citations: choice(["auto", "on", "off"], {
      default: "auto",
      about: "Show agents where a hit comes from. `auto`: not in groups and channels.",
    }),
    qmd: qmdOptions,
  },
  { about: "The engine, and how its answers are shown." },
);

const toolsOptions = group(
  {
    forget: flag({ default: false, about: "Offer `memory_forget` to agents." }),
    consolidate: flag({
      default: false,
      about:
        "Offer `memory_plan` to agents: they may propose steps for `longhand consolidate`, not apply them.",
    }),
  },
  { about: "What agents may do." },
);

const consolidationOptions = group(
  {
    archiveAfterDays: wholeNumber({
      default: 180,
      min: 7,
      max: 36_500,
      about:
        "Daily notes older than this go to the archive when no note links to them and no search recalled them in this time.",
    }),
    planEveryHours: wholeNumber({
      default: 0,
      min: 0,
      max: 500,
      about:
        "`longhand serve` makes a plan this often and says how many steps wait for review; 0 is never. Nothing is applied.",
    }),
  },
  { about: "Proposals of `longhand consolidate`." },
);

const pluginsOptions = group(
  {
    slots: group(
      {
        memory: choice(["memory-core", "memory-lancedb", "none"], {
          default: "memory-core",
          about:
            "Which memory plugin is in use. `memory-lancedb` adds small facts to the notes (docs/entries.md), " +
            "`none` switches memory off.",
        }),
      },
      { about: "Which plugin fills a place.", inline: true },
    ),
    memoryLancedb: group(
      {
        autoRecall: flag({
          default: false,
          about: "`longhand hook user-prompt` also gives the entries that fit the prompt.",
        }),
        autoCapture: flag({
          default: false,
          about: "`longhand hook user-prompt` also stores what the user states for later.",
        }),
        recallLimit: wholeNumber({
          default: 5,
          min: 1,
          max: 50,
          about: "Number of entries recalled by default.",
        }),
        captureLimit: wholeNumber({
          default: 3,
          min: 1,
          max: 20,
          about: "Maximum number of entries stored per turn.",
        }),
      },
      { about: "The entries plugin, `memory-lancedb`; see docs/entries.md.", inline: true },
    ),
  },
  { about: "Plugins of the agent host." },
);

const modelsOptions = group(
  {
    providers: group(
      {
        openai: providerOptions({ name: "OpenAI", variables: ["OPENAI_API_KEY"] }),
        google: providerOptions({
          name: "Google",
          variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
          alsoCalled: ["gemini"],
        }),
        voyage: providerOptions({ name: "Voyage", variables: ["VOYAGE_API_KEY"] }),
      },
      { about: "Access to each provider.", inline: true },
    ),
  },
  { about: "Keys and addresses of providers, for all agents." },
);

/**
 * Every option of longhand, once. Validation, defaults, types, the docs page and the JSON Schema are derived from it.
 */
export const configOptions = group(
  {
    agents: group(
      {
        defaults: agentOptions,
        list: items(agentEntry, { about: "Separate agents, each with its own index." }),
      },
      { about: "Agents and their memories." },
    ),
    memory: memoryOptions,
    consolidation: consolidationOptions,
    tools: toolsOptions,
    plugins: pluginsOptions,
    models: modelsOptions,
  },
  { about: "Configuration of longhand." },
);

/** The environment variable for the key of a company that serves models. */
export function keyVariableOf(company: keyof typeof modelsOptions.options.providers.options): string {
  return modelsOptions.options.providers.options[company].options.apiKey.variables[0]!;
}

/** What a configuration file may contain: any subset. */
export type PartialConfig = Input<typeof configOptions>;
