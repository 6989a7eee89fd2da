import { flushTurn } from "../flush/flush-turn.ts";
import { localTime } from "../notes/local-time.ts";
import { type HostConfig, readCount, readSetting, readText } from "./host-api.ts";

/**
 * When OpenClaw lets the model write before a compaction, which prompt it uses, and the note that the model may append
 * to.
 */
export interface FlushPlan {
  readonly softThresholdTokens: number;
  readonly forceFlushTranscriptBytes: number;
  readonly reserveTokensFloor: number;
  readonly model?: string;
  readonly fallbacks?: readonly string[];
  readonly prompt: string;
  readonly systemPrompt: string;
  readonly relativePath: string;
}

const defaultSoftTokens = 4000;
const defaultReserveTokens = 20_000;
const defaultTranscriptBytes = 2 * 1024 * 1024;

/** Null if the user has disabled the flush. */
export function planFlush(
  config: HostConfig | undefined,
  { now, contextWindowTokens }: { now: Date; contextWindowTokens?: number | undefined },
): FlushPlan | null {
  const compaction = readSetting(config, "agents", "defaults", "compaction") as HostConfig | undefined;
  const settings = readSetting(compaction, "memoryFlush") as HostConfig | undefined;
  if (readSetting(settings, "enabled") === false) return null;
  const named = readText(readSetting(config, "agents", "defaults", "userTimezone"));
  const timezone =
    named !== undefined && isTimezone(named) ? named : new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const moment = Number.isNaN(now.getTime()) ? new Date() : now;
  const turn = flushTurn({
    now: moment,
    timezone,
    prompts: {
      prompt: readText(readSetting(settings, "prompt")),
      systemPrompt: readText(readSetting(settings, "systemPrompt")),
    },
  });
  const chosen = readSetting(settings, "model");
  const model = readText(chosen) ?? readText(readSetting(settings, "model", "primary"));
  const fallbacks = readTexts(readSetting(settings, "model", "fallbacks"));
  const reserve = readCount(readSetting(compaction, "reserveTokensFloor")) ?? defaultReserveTokens;
  const soft = readCount(readSetting(settings, "softThresholdTokens")) ?? defaultSoftTokens;
  return {
    ...fitWindow({ reserve, soft }, contextWindowTokens),
    forceFlushTranscriptBytes:
      readCount(readSetting(settings, "forceFlushTranscriptBytes")) ?? defaultTranscriptBytes,
    ...(model !== undefined && { model }),
    ...(fallbacks.length > 0 && { fallbacks }),
    prompt: `${withTime(turn.prompt, moment, timezone)}\n${writeHint}`,
    systemPrompt: turn.systemPrompt,
    relativePath: turn.path,
  };
}

/** The only tools of that turn. */
const writeHint = `Use the write tool: what you write to that file is appended. All other files are read-only.`;

/** The model dates what it writes, but does not know the time. */
function withTime(prompt: string, moment: Date, timezone: string): string {
  if (prompt.includes("Current time:")) return prompt;
  const { day, time } = localTime(moment, timezone);
  return `${prompt}\nCurrent time: ${day} ${time} (${timezone})`;
}

/**
 * In a small context window, the usual reserve would leave no room to work. The ratios are those of the host itself.
 */
function fitWindow(
  { reserve, soft }: { reserve: number; soft: number },
  window: number | undefined,
): Pick<FlushPlan, "softThresholdTokens" | "reserveTokensFloor"> {
  if (!window || window <= 0) return { softThresholdTokens: soft, reserveTokensFloor: reserve };
  const reserveTokensFloor = Math.min(reserve, Math.floor(window / 4));
  const left = Math.floor((window - reserveTokensFloor) / 2);
  return { softThresholdTokens: Math.min(soft, left), reserveTokensFloor };
}

function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => readText(text) !== undefined) : [];
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
