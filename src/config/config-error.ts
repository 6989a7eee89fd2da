import { LonghandError } from "../errors.ts";
import type { Problem } from "./check.ts";

const MAX_SHOWN = 20;

/** All problems of one place in one error; `place` is the file, or says who gave the values. */
export function configError(place: string, problems: readonly Problem[]): LonghandError {
  const shown = problems.slice(0, MAX_SHOWN).map(({ key, message }) => `${key} ${message}`);
  const left = problems.length - shown.length;
  if (left > 0) shown.push(`and ${left} more`);
  const message =
    shown.length === 1
      ? `Cannot use ${place}: ${withStop(shown[0]!)}`
      : [
          `Cannot use ${place}, ${problems.length} problems:`,
          ...shown.map((line) => `- ${withStop(line)}`),
        ].join("\n");
  const hint =
    problems.find((problem) => problem.hint !== undefined)?.hint ??
    "Correct it; docs/configuration.md lists every key, `longhand config schema` prints them for editors.";
  return new LonghandError("config-invalid", message, { hint });
}

function withStop(sentence: string): string {
  return /[.?]$/.test(sentence) ? sentence : `${sentence}.`;
}
