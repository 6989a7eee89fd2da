import { createServer } from "node:net";
import { findLocations } from "../../config/locations.ts";
import { useProxy } from "../../config/proxy.ts";
import { copyEnvironment, replaceEnvironment } from "../../config/whole-environment.ts";
import { commands } from "../commands.ts";
import { parseCommandLine } from "../parse-command-line.ts";
import { locationsOf } from "../with-memory.ts";
import { answerCaller, type Desk } from "./answer-caller.ts";
import { describeProcess } from "./describe-process.ts";
import type { CallRequest } from "./messages.ts";
import { publish } from "./socket-file.ts";

/** They are run often, and end soon. */
const answered = ["search", "hook"];

const maxConnections = 64;
const idleMs = 10 * 60_000;
/** Whatever might pile up goes with the process, and the next one starts afresh. */
const maxAnswers = 1000;
const lastWordsMs = 200;

export interface ServedPlace {
  readonly stateDir: string;
  readonly configPath: string;
}

/**
 * Answers command lines of other processes, one after the other, as a new process would: each opens the memory and
 * closes it. Resolves once callers can find this process.
 */
export async function serveCallers(place: ServedPlace): Promise<void> {
  const ownEnvironment = copyEnvironment();
  const description = describeProcess(ownEnvironment);
  const ownMask = process.umask();
  useProxy();
  await loadCommands();
  let answers = 0;
  let isBusy = false;
  let isEnding = false;
  let isClosed = false;
  const desk: Desk = {
    accept(request) {
      if (isBusy || isEnding) return "it has another caller";
      const why = refuse(request, { place, description });
      if (why !== null) return why;
      isBusy = true;
      idle.refresh();
      try {
        process.chdir(request.cwd);
        process.umask(request.umask);
        replaceEnvironment(request.env);
        return null;
      } catch {
        desk.release();
        return "it cannot open the same folders";
      }
    },
    release() {
      isBusy = false;
      // A folder in use could not be unmounted.
      process.chdir("/");
      process.umask(ownMask);
      replaceEnvironment(ownEnvironment);
      if (++answers >= maxAnswers) end();
      leave();
    },
    abandon() {
      end();
      setTimeout(() => process.exit(), lastWordsMs);
    },
  };
  const server = createServer((socket) => answerCaller(socket, desk));
  server.maxConnections = maxConnections;
  const idle = setTimeout(end, idleMs);
  const publication = await publish(server, place.stateDir, { replacesLiving: true });
  if (publication === null) process.exit();
  process.once("exit", () => publication.unpublish());
  process.once("disconnect", end).once("SIGTERM", end);

  /** Accepts no more callers. The one that is being answered gets its answer first. */
  function end(): void {
    if (isEnding) return;
    isEnding = true;
    publication?.unpublish();
    server.close(() => {
      isClosed = true;
      leave();
    });
  }

  function leave(): void {
    if (isClosed && !isBusy) process.exit();
  }
}

async function loadCommands(): Promise<void> {
  const needed = commands.filter(({ name }) => answered.includes(name));
  await Promise.all([
    ...needed.map(({ load }) => load()),
    import("../../config/settings.ts"),
    import("../../memory/open-memory.ts"),
  ]);
}

/**
 * A caller chooses neither the configuration nor the state folder: both name programs to start and services to use, and
 * a caller may be confined where this process is not.
 */
function refuse(
  { argv, cwd, env, process: caller }: CallRequest,
  { place, description }: { place: ServedPlace; description: string },
): string | null {
  if (caller !== description) return "it is another version, or was started differently";
  try {
    const invocation = parseCommandLine(argv);
    if (invocation.kind !== "run" || !answered.includes(invocation.command.name))
      return "it does not answer this command";
    const { stateDir, configPath } = findLocations({ ...locationsOf(invocation.globals), cwd, env });
    return stateDir === place.stateDir && configPath === place.configPath ? null : "it has other settings";
  } catch {
    return "it cannot tell which settings it has";
  }
}
