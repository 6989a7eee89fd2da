import { defaultFlushPrompt, defaultFlushSystemPrompt } from "../config/options.ts";
import { localTime } from "../notes/local-time.ts";

export interface FlushPrompts {
  /** `{date}` is today, `{note}` the path of today's note. */
  readonly systemPrompt?: string | undefined;
  readonly prompt?: string | undefined;
}

export interface FlushTurn {
  readonly systemPrompt: string;
  readonly prompt: string;
  /** The user's current day, `YYYY-MM-DD`. */
  readonly date: string;
  /** The note to write to. */
  readonly path: string;
  /** The reply of a model that has nothing to write. */
  readonly silentToken: string;
}

const silentToken = "NO_REPLY";

/** The prompts for the model. Custom prompts get the date and the reply rule if they lack them. */
export function flushTurn(
  options: {
    now?: Date;
    timezone?: string;
    prompts?: FlushPrompts;
    /** The path of a day's note; `memory/YYYY-MM-DD.md` by default. */
    dailyNoteOf?: (day: string) => string;
  } = {},
): FlushTurn {
  const {
    now = new Date(),
    timezone = new Intl.DateTimeFormat().resolvedOptions().timeZone,
    prompts = {},
    dailyNoteOf = (day: string) => `memory/${day}.md`,
  } = options;
  const date = localTime(now, timezone).day;
  const path = dailyNoteOf(date);
  const fill = (text: string) =>
    text
      .replaceAll("{note}", () => path)
      .replaceAll("{date}", date)
      .replaceAll("YYYY-MM-DD", date);
  const systemPrompt = fill(given(prompts.systemPrompt) ?? defaultFlushSystemPrompt);
  const asked = fill(given(prompts.prompt) ?? defaultFlushPrompt);
  const missing = [
    ...([date, path].some((each) => asked.includes(each) || systemPrompt.includes(each))
      ? []
      : [`Today is ${date}. Append what is worth keeping to ${path}.`]),
    ...(asked.includes(silentToken) || systemPrompt.includes(silentToken)
      ? []
      : [`If there is nothing to write down, reply ${silentToken} and nothing else.`]),
  ];
  return { systemPrompt, prompt: [asked, ...missing].join("\n"), date, path, silentToken };
}

/** Whether a model had nothing to write: no text, or the token surrounded by white space or punctuation. */
export function isSilentReply(reply: string): boolean {
  const text = reply.slice(0, 1000);
  return reply.length <= 1000 && /^[\s\p{P}\p{S}]*(?:NO_REPLY[\s\p{P}\p{S}]*)?$/iu.test(text);
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text;
}
