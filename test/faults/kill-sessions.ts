import { openSessionStore } from "../../src/index.ts";
import { hangLimitMs } from "../support/hang-limit.ts";
import type { Fault } from "./fault.ts";
import { runKillCycles } from "./kill-cycles.ts";

interface Said {
  readonly key: string;
  readonly content?: string;
  readonly model?: string;
}

export const killSessions: Fault = {
  name: "kill-sessions",
  what: "kill -9 at random moments while two processes add messages to the same conversations",
  shortCycles: 3,
  longCycles: 500,
  run: (options) =>
    runKillCycles(options, {
      work: "sessions",
      from: "acknowledgement",
      spanMs: 500,
      processes: 2,
      async check({ fixture, tally, when, said }) {
        const store = openSessionStore({ stateDir: fixture.stateDir, waitMs: hangLimitMs });
        for (const [key, group] of Map.groupBy(said as Said[], (each) => each.key)) {
          const messages = (await store.history(key))?.messages ?? [];
          const contents = Map.groupBy(messages, (message) => String(message.content));
          for (const { content } of group) {
            const count = content === undefined ? 1 : (contents.get(content)?.length ?? 0);
            if (count !== 1) tally.losses.push(`${when}: ${content?.slice(0, 30)} is there ${count} times`);
          }
          const torn = messages.filter(({ content }) => !/^Entry (\S+) .* here-\1$/.test(String(content)));
          if (torn.length > 0) tally.losses.push(`${when}: ${torn.length} torn messages`);
        }
        const [repair] = store.repairs;
        if (repair) tally.losses.push(`${when}: ${repair.path} was damaged: ${repair.reason}`);
      },
    }),
};
