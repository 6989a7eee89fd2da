import { resolveSettings, type Settings } from "../config/settings.ts";
import { LonghandError } from "../errors.ts";
import { checkOptions, type Shape } from "./check-options.ts";
import { guardCalls } from "./guard-calls.ts";
import { createLayeredMemory } from "./layered-memory.ts";
import type { Memory, OpenMemoryOptions } from "./memory.ts";
import { type ConfiguredMemoryOptions, openLayer } from "./open-layer.ts";
import { borrow } from "./open-once.ts";
import { createSessionGuard } from "./session-guard.ts";
import { createUserMemory } from "./user-memory.ts";

/** Deletes the rows of an agent in a shared database; an index in files is deleted with its files. */
export async function discardIndex(settings: Settings): Promise<void> {
  const { discardIndex: discard } = await import("./choose-store.ts");
  await discard(settings);
}

const shape: Shape<OpenMemoryOptions> = {
  workspace: "a non-empty string",
  agent: "a non-empty string",
  user: "a folder, or false for none",
  sessionKey: "a string",
  config: "a path or a configuration",
  stateDir: "a non-empty string",
  store: "an object",
  embedder: "an object",
  sources: "a list",
  trusted: "a boolean",
  now: "a function",
};

/** Opens the memory that the options and the configuration describe. The caller closes it. */
export async function openMemory(options: OpenMemoryOptions = {}): Promise<Memory> {
  checkOptions("openMemory", shape, options);
  checkClock(options.now);
  const { workspace, user, agent, sessionKey, config, stateDir, trusted = true, ...parts } = options;
  const settings = await resolveSettings({
    workspace,
    user,
    agent,
    sessionKey,
    stateDir,
    ...(typeof config === "string" ? { config } : config === undefined ? {} : { overrides: config }),
  });
  createSessionGuard(settings)(sessionKey);
  return await openConfiguredMemory(settings, { ...parts, isTrusted: () => trusted });
}

/** Without a day, an entry would go to a note of no day. */
function checkClock(now: OpenMemoryOptions["now"]): void {
  const time: unknown = now?.();
  if (now === undefined || (time instanceof Date && Number.isFinite(time.getTime()))) return;
  throw new LonghandError("not-supported", "openMemory cannot use its option now: it gives no valid Date.", {
    hint: "Return a Date, such as new Date(), or leave it out.",
  });
}

/** The memory that the settings describe: the project's, combined with the user's if there is one. */
export async function openConfiguredMemory(
  settings: Settings,
  options: ConfiguredMemoryOptions = {},
): Promise<Memory> {
  const { userLayer } = settings;
  if (userLayer === null || userLayer.isWorkspace) {
    return guardCalls((await openLayer(settings, options)).memory);
  }
  const { embedder, now, asksNoService, masksText } = options;
  const own = { now, asksNoService, masksText, isTrusted: () => true };
  const user = createUserMemory(userLayer.dir, () =>
    openLayer(userLayer.settings(), { ...own, embedder: embedder && borrow(embedder) }),
  );
  const { memory } = await openLayer(settings, { ...options, user });
  return guardCalls(createLayeredMemory(memory, user, { backend: settings.memory.backend }));
}
