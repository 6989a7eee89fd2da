import { withStore } from "../config/other-store.ts";
import type { Settings } from "../config/settings.ts";
import type { Embedder } from "../embedders/embedder.ts";
import { LonghandError } from "../errors.ts";
import { requireVectors } from "../stores/store.ts";
import { monotonicMs } from "../timing.ts";
import { type MigrateReport, type MigrateRequest, migrateIndex } from "../upkeep/migrate.ts";
import type { OpenedEngine } from "./choose-parts.ts";
import { borrow } from "./open-once.ts";

interface MigrateParts {
  /** The current index. */
  readonly opened: OpenedEngine;
  /** The caller's own embedder; otherwise the settings decide. */
  readonly given: Embedder | undefined;
  /** Opens an index of the same notes with other settings. */
  readonly openOther: (settings: Settings, embedder: Embedder | undefined) => Promise<OpenedEngine>;
}

/** Builds an index of the same notes in another store. The current one is only read. */
export async function migrateMemory(
  settings: Settings,
  { to, url, signal, progress }: MigrateRequest,
  { opened, given, openOther }: MigrateParts,
): Promise<MigrateReport> {
  const startedAt = monotonicMs();
  const { store: source, embedder, place } = opened;
  if (place === null) throw refuse("this memory has a store of its program's own");
  const settingsThere = withStore(settings, { driver: to, url });
  await using there = await openOther(settingsThere, given && borrow(given));
  if (there.place === place) throw refuse(`the new index would be the old one, ${place}`);
  const request = { reason: "migrate", ...(signal && { signal }), ...(progress && { progress }) };
  const moved = await migrateIndex({
    ...{ source: requireVectors(source), target: requireVectors(there.store), embedder, progress, signal },
    embedderThere: there.embedder,
    fillWords: () => there.engine.sync({ ...request, vectors: "never" }),
    fillVectors: () => there.engine.sync({ ...request, vectors: "wait" }),
  });
  const { driver, url: address } = settingsThere.memorySearch.store;
  return {
    from: { driver: settings.memorySearch.store.driver, place },
    to: { driver, place: there.place! },
    ...moved,
    durationMs: Math.round(monotonicMs() - startedAt),
    configuration: `store: { driver: "${driver}"${address ? `, url: "${address}"` : ""} }`,
  };
}

function refuse(why: string): LonghandError {
  return new LonghandError("not-supported", `Could not migrate the index: ${why}.`, {
    hint: "Name another store, or another place for it.",
  });
}
