import type { Client } from "pg";
import { monotonicMs } from "../../timing.ts";
import { channelOf, readAgent } from "./agent-row.ts";
import type { Database } from "./database.ts";

/** The client's types leave these out. */
type UnreferencedClient = Client & { ref(): void; unref(): void };

/** The revision of an agent, known without a query while a connection listens. */
export interface RevisionWatch extends AsyncDisposable {
  read(): Promise<string>;
  /** Called after a write of this process: the known revision is outdated. */
  forget(): void;
}

/**
 * A notification is trusted for this long, then the database is polled: some poolers accept LISTEN and never deliver
 * anything.
 */
const believedMs = 5000;
const betweenAttemptsMs = 2000;

/**
 * A watcher asks every second or two. So from the second query on, a connection listens for notifications of writers on
 * any machine. Without one, or after it broke, the database is queried each time.
 */
export function createRevisionWatch(db: Database, agentId: number): RevisionWatch {
  let known: { readonly revision: number; readonly atMs: number } | null = null;
  let listener: Client | null = null;
  let isListening = false;
  let triedAtMs: number | null = null;
  let isClosed = false;
  let heard = 0;

  const lose = (client: Client): void => {
    if (listener !== client) return;
    [listener, isListening, known] = [null, false, null];
    client.end().catch(() => {});
  };

  async function listen(): Promise<void> {
    const client = db.createClient();
    listener = client;
    client.on("error", () => lose(client));
    client.on("end", () => lose(client));
    // Only a hint to query: any role of the database can send one, with any number in it.
    client.on("notification", () => {
      heard++;
      known = null;
    });
    try {
      await client.connect();
      // The connection alone must not keep the process alive.
      (client as UnreferencedClient).unref();
      await client.query(`LISTEN ${channelOf(agentId)}`);
      // A revision read before listening began may be outdated without a notification.
      known = null;
      isListening = listener === client;
    } catch {
      lose(client);
    }
  }

  return {
    async read() {
      const nowMs = monotonicMs();
      if (isListening && known !== null && nowMs - known.atMs < believedMs) return `${known.revision}`;
      const isDue = triedAtMs !== null && nowMs - triedAtMs > betweenAttemptsMs;
      if (listener === null && isDue && !isClosed) void listen();
      if (triedAtMs === null || isDue) triedAtMs = nowMs;
      const heardBefore = heard;
      const { revision } = await db.read((sql) => readAgent(sql, agentId));
      known = heard === heardBefore ? { revision, atMs: nowMs } : null;
      return `${revision}`;
    },
    forget: () => {
      known = null;
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      const client = listener;
      listener = null;
      // Closing the store waits for this, and must not end before it.
      (client as UnreferencedClient | null)?.ref();
      await client?.end().catch(() => {});
    },
  };
}
