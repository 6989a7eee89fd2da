import { chatgptFormat, claudeExportFormat } from "./chat-exports.ts";
import { claudeCodeFormat } from "./claude-code.ts";
import { codexFormat } from "./codex-cli.ts";
import type { Fields, FormatName, LineFormat, ValueFormat } from "./format.ts";
import { geminiFormat, geminiLinesFormat } from "./gemini-cli.ts";
import { longhandFormat } from "./longhand-history.ts";
import { openclawFormat } from "./openclaw.ts";
import { opencodeFormat } from "./opencode.ts";
import { plainFormat } from "./plain-messages.ts";

const lineFormats: readonly LineFormat[] = [
  openclawFormat,
  claudeCodeFormat,
  codexFormat,
  geminiLinesFormat,
  opencodeFormat,
  plainFormat,
];
const valueFormats: readonly ValueFormat[] = [
  longhandFormat,
  geminiFormat,
  chatgptFormat,
  claudeExportFormat,
];

/** The format of a transcript by one of its lines; null when this line does not tell. */
export function recogniseLine(line: Fields): LineFormat | null {
  return lineFormats.find((format) => format.recognises(line)) ?? null;
}

export function recogniseValue(value: unknown): ValueFormat | null {
  return valueFormats.find((format) => format.recognises(value)) ?? null;
}

export function lineFormatOf(name: FormatName | null): LineFormat | null {
  return lineFormats.find((format) => format.name === name) ?? null;
}
