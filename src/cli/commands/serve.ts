import { describeSettings } from "../../config/describe.ts";
import type { Settings } from "../../config/settings.ts";
import type { Memory } from "../../memory/memory.ts";
import type { WatchEvent } from "../../sync/watch.ts";
import { compact } from "../../text/compact.ts";
import { countOf } from "../../text/count-of.ts";
import { isLoopback } from "../../text/loopback.ts";
import { showOnOneLine } from "../../text/visible.ts";
import { untilAborted } from "../../timing.ts";
import { readVersion } from "../../version.ts";
import type { WebServer } from "../../web/serve-web.ts";
import type { CommandContext } from "../command.ts";
import { createProgress } from "../progress-bar.ts";
import { offerResident } from "../resident/offer-resident.ts";
import { tokenFileOf } from "../token-file.ts";
import { withMemory } from "../with-memory.ts";

interface ServeInput {
  readonly port?: number;
  readonly host?: string;
  readonly readOnly?: boolean;
  readonly allowWrites?: boolean;
}

const defaultPort = 4755;

/** Serves the page and the HTTP API until a signal stops it. */
export async function runServe(context: CommandContext, input: ServeInput): Promise<void> {
  await withMemory(context, async (memory, settings) => {
    using _resident = offerResident(context.globals);
    await serve(context, input, memory, settings);
  });
}

async function serve(
  context: CommandContext,
  { port = defaultPort, host = "127.0.0.1", readOnly = false, allowWrites = false }: ServeInput,
  memory: Memory,
  settings: Settings,
): Promise<void> {
  const { output, signal } = context;
  const { paintNote } = output;
  const { serveWeb } = await import("../../web/serve-web.ts");
  const tokenFile = tokenFileOf(settings, settings.agentId);
  const progress = createProgress(output.bar);
  const say = (text: string): void => {
    progress.clear();
    output.note(text);
  };
  await using server = await serveWeb({
    port,
    host,
    tokenPath: tokenFile,
    memory,
    version: readVersion(),
    now: () => new Date(),
    settings: () => describeSettings(settings),
    agents: settings.configuredAgents,
    isIndexingSessions: settings.memorySearch.sources.includes("sessions"),
    isReadOnly: readOnly,
    allowsAgentWrites: allowWrites,
    planEveryMs: settings.consolidation.planEveryHours * 3_600_000,
    onPlan: (steps) => {
      if (steps > 0) say(`${countOf(steps, "step")} to put the notes in order. Review: longhand consolidate`);
    },
    onProblem: (problem) => say(paintNote("yellow", showOnOneLine(problem))),
    progress: progress.report,
    onWatch: (event) => {
      if (event.kind === "synced") progress.clear();
      say(describeEvent(event));
    },
  });
  const warning = isLoopback(host)
    ? undefined
    : `This server can be reached from other machines at ${host}, without encryption: everyone who sees the traffic can read this memory and change it.`;
  const link = server.createLink();
  output.show({ url: server.url, link, tokenFile, warning }, ({ paint }) => paint("bold", link));
  say(paintNote("dim", `Open it in a browser; it works once. Press Enter for another, Ctrl-C to stop.`));
  say(paintNote("dim", `Programs call ${server.url}/api with the text of ${tokenFile} as a bearer token.`));
  if (warning) say(paintNote(["red", "bold"], warning));
  const stopPrinting = printLinks(context, server);
  await untilAborted(signal);
  stopPrinting();
  progress.clear();
}

/** Each line typed at the terminal prints a new link. */
function printLinks({ input, output }: CommandContext, server: WebServer): () => void {
  if (input.isTTY !== true || output.json) return () => {};
  const read = async (): Promise<void> => {
    for await (const _ of input) output.show(null, ({ paint }) => paint("bold", server.createLink()));
  };
  // The server outlives its terminal.
  read().catch(() => {});
  return () => input.destroy();
}

function describeEvent(event: WatchEvent): string {
  if (event.kind !== "synced") return "";
  const { added, updated, removed } = event.report;
  const parts = compact([
    added > 0 && `${countOf(added, "note")} added`,
    updated > 0 && `${countOf(updated, "note")} changed`,
    removed > 0 && `${countOf(removed, "note")} gone`,
  ]);
  return parts.length === 0 ? "" : `Indexed: ${parts.join(", ")}.`;
}
