import { hostList } from "../../hosts/host-list.ts";
import { inputOf } from "../../tools/tool.ts";
import { probeBoth } from "../../upkeep/probes.ts";
import { defineRoute } from "../api-route.ts";
import {
  agentsSchema,
  configSchema,
  sessionsSchema,
  shownSessionSchema,
  statusSchema,
  syncSchema,
} from "../output-schemas.ts";

export const stateRoutes = [
  defineRoute({
    method: "GET",
    path: "/api/status",
    summary: "What is indexed, how fresh it is, and what is wrong",
    input: inputOf({
      deep: {
        type: "boolean",
        description: "Also test the embedder and the vectors: one word is sent to a service.",
      },
    }),
    output: {
      schema: statusSchema,
      description:
        "As `longhand status --json` prints it, with `probes` when they were asked for, and `server: {version, " +
        "isReadOnly, hosts: [{title, command}]}`; a command connects that agent host. `syncs` lists the latest that changed something.",
    },
    async run({ memory, version, isReadOnly }, { deep }, { signal }) {
      const probes = deep ? { probes: await probeBoth(memory, { signal }) } : {};
      const hosts = hostList.map(({ name, title }) => ({ title, command: `longhand init --${name}` }));
      return { ...(await memory.status()), ...probes, server: { version, isReadOnly, hosts } };
    },
  }),
  defineRoute({
    method: "POST",
    path: "/api/sync",
    summary: "Bring the index up to date",
    details:
      "Responds when the sync has finished; /api/events reports progress. It continues when the request is cancelled, because " +
      "others may wait for it too.",
    input: inputOf({
      force: { type: "boolean", description: "Index every note again." },
    }),
    output: {
      schema: syncSchema,
      description: "What was done, as `longhand index --json` prints it.",
    },
    async run({ memory, events, closing }, { force = false }) {
      const progress = (data: object): void => events.publish({ kind: "progress", data });
      const report = await memory.sync({ force, reason: "http", progress, signal: closing });
      events.publish({ kind: "synced", data: report });
      return report;
    },
  }),
  defineRoute({
    method: "GET",
    path: "/api/events",
    summary: "Follow changes, as server-sent events",
    details:
      "`hello` comes first: `{agentId, version, isReadOnly}`. `progress` of indexing: `{completed, total, " +
      "label}`. `synced` is the report of a sync that changed something. `changed` names notes: `{paths, isListChanged}`; the latter when some may have come or gone. " +
      "`watch` says who watches the notes: `{mode}`. `plan` says how many steps wait for review: `{steps}`. `warning` is a sentence: `{message}`. A comment comes every 15 seconds.",
    input: inputOf({}),
    output: {
      schema: { type: "string" },
      description: "A stream of events.",
      contentType: "text/event-stream",
    },
    async run({ events }, _, { response }) {
      await events.subscribe(response);
      return {};
    },
  }),
  defineRoute({
    method: "GET",
    path: "/api/config",
    summary: "Settings in effect, with their origin",
    input: inputOf({}),
    output: {
      schema: configSchema,
      description: "`[{key, value, origin}]`, as `longhand config --json` prints it. Secrets are masked.",
    },
    run: async ({ settings }) => settings(),
  }),
  defineRoute({
    method: "GET",
    path: "/api/agents",
    summary: "The agent of this server, and the other configured ones",
    input: inputOf({}),
    output: {
      schema: agentsSchema,
      description: "`{current, agents: [{id, isServed}]}`; each agent has a server of its own.",
    },
    async run({ memory, agents }) {
      const current = memory.agentId;
      const all = [...new Set([current, ...agents])];
      return { current, agents: all.map((id) => ({ id, isServed: id === current })) };
    },
  }),
];

export const sessionRoutes = [
  defineRoute({
    method: "GET",
    path: "/api/sessions",
    summary: "List transcripts of conversations",
    input: inputOf({}),
    output: {
      schema: sessionsSchema,
      description:
        "`{sessions: [{id, title?, path, file, format, turns, malformed, date?, sizeBytes, scope, isImported, isIndexed}], " +
        "isIndexing}`. `title` is the beginning of the first user message, secrets masked.",
    },
    async run({ memory, isIndexingSessions }) {
      return { sessions: await memory.sessions.list({ titles: true }), isIndexing: isIndexingSessions };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/api/sessions/show",
    summary: "Read a transcript, secrets masked",
    details: "A line number is that of the original, as hits cite it. Continue with `nextFrom`.",
    input: inputOf(
      {
        id: { type: "string", minLength: 1, description: "An id, a file name, or the path of a hit." },
        from: { type: "integer", minimum: 1, description: "First line of the original (default 1)." },
        to: { type: "integer", minimum: 1, description: "Last line of the original." },
        lines: {
          type: "integer",
          minimum: 1,
          maximum: 10_000,
          description: "At most this many turns (default 40).",
        },
      },
      ["id"],
    ),
    output: {
      schema: shownSessionSchema,
      description:
        "`{id, title?, path, file, format, date?, turns: [{line, text}], nextFrom?}`, one turn a line.",
    },
    run: ({ memory }, { lines, ...request }) => memory.sessions.show({ ...request, maxTurns: lines }),
  }),
];
