import type { HostPlace, HostSetup } from "./host.ts";
import type { HostName } from "./host-list.ts";
import { setUpClaudeCode } from "./setups/claude-code.ts";
import { setUpCodex } from "./setups/codex.ts";
import { setUpCursor } from "./setups/cursor.ts";
import { setUpGemini } from "./setups/gemini.ts";
import { setUpOpenClaw } from "./setups/openclaw.ts";
import { setUpOpenCode } from "./setups/opencode.ts";
import { setUpVsCode } from "./setups/vscode.ts";

/** What a host needs, and in which of its files. */
export function hostSetup(name: HostName, place: HostPlace): HostSetup {
  return setups[name](place);
}

const setups: Readonly<Record<HostName, (place: HostPlace) => HostSetup>> = {
  "claude-code": setUpClaudeCode,
  codex: setUpCodex,
  cursor: setUpCursor,
  vscode: setUpVsCode,
  gemini: setUpGemini,
  opencode: setUpOpenCode,
  openclaw: setUpOpenClaw,
};
