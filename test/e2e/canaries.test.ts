import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { suite, type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  type Behave,
  type EmbeddingServer,
  openEmbeddingServer,
  type ServiceKind,
} from "../support/embedding-server.ts";
import { type CliFixture, openCliFixture } from "../support/run-cli.ts";
import { makeTinyModel } from "../support/tiny-gguf.ts";

/** One secret for each place where a person can put one; only the service may ever see it again. */
const canaries = {
  apiKey: "sk-canary-remote-5101",
  header: "canary-header-5102",
  query: "canary-query-5103",
  other: "sk-canary-other-5104",
  inString: 'can"ary/ing+5105',
  openaiEnv: "sk-canary-env-5106",
  geminiEnv: "canary-gemini-env-5107",
  voyageEnv: "canary-voyage-env-5108",
  strangerEnv: "canary-stranger-5109",
  user: "canary-user-5110",
  password: "canary-password-5111",
} as const;

const env = {
  OPENAI_API_KEY: canaries.openaiEnv,
  GEMINI_API_KEY: canaries.geminiEnv,
  GOOGLE_API_KEY: canaries.geminiEnv,
  VOYAGE_API_KEY: canaries.voyageEnv,
  MY_PROXY_SECRET: canaries.inString,
  CUDA_TOKEN: canaries.strangerEnv,
  AWS_SECRET_ACCESS_KEY: canaries.strangerEnv,
};

/** How services misuse a key that they were given: they return all of it, in many encodings. */
const echo = ({ headers, path }: Parameters<Behave>[0]): string => {
  const all = [...Object.values(headers), path, ...Object.values(canaries)].join(" ");
  return [all, JSON.stringify(all), encodeURIComponent(all), ...spellings()].join(" ");
};

const spellings = (): string[] =>
  Object.values(canaries).flatMap((canary) => [
    canary,
    JSON.stringify(canary).slice(1, -1),
    encodeURIComponent(canary),
    Buffer.from(canary).toString("base64"),
  ]);

const behaviours: Readonly<Record<string, Behave>> = {
  "that works": (_, reply) => reply.answer(),
  "that refuses the key": (request, { json }) => json(401, { error: { message: echo(request) } }),
  "that refuses everything": (request, { json }) => json(400, { detail: echo(request) }),
  "with an error inside a 200": (request, { json }) => json(200, { error: { message: echo(request) } }),
  "that redirects": (request, { response }) =>
    response
      .writeHead(307, { location: `http://127.0.0.1:9/?${encodeURIComponent(echo(request).slice(0, 2000))}` })
      .end(),
  "that sends a page": (request, { response }) =>
    response.writeHead(200, { "content-type": "text/html" }).end(`<html>${echo(request)}</html>`),
  "that packs a page": (request, { response }) =>
    response.writeHead(403, { "content-encoding": "gzip" }).end(gzipSync(`<html>${echo(request)}</html>`)),
  "that hangs up": (_, { response }) => response.socket?.destroy(),
};

const more = [
  ["status", "--deep", "--json"],
  ["status"],
  ["doctor"],
  ["--debug", "search", "printer", "--explain"],
  ["index", "--json", "--force"],
  ["config"],
  ["config", "--json"],
  ["verify"],
];

async function setUp(t: TestContext) {
  const server = await openEmbeddingServer();
  t.after(() => server[Symbol.asyncDispose]());
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "# Memory\n\nThe deployment goes out on Friday.\n");
  fixture.write("memory/zoo.md", "# Zoo\n\nA quokka moved in.\n");
  // Writers of notes, including agents, must not decide where texts and keys are sent.
  const foreign = {
    agents: { defaults: { memorySearch: { remote: { baseUrl: "http://127.0.0.1:9/evil" } } } },
  };
  for (const name of [
    "longhand.json5",
    "memory/longhand.json5",
    ".longhand/longhand.json5",
    ".longhand.json5",
  ])
    fixture.write(name, JSON.stringify(foreign));
  fixture.write(".env", "OPENAI_BASE_URL=http://127.0.0.1:9/evil\nOPENAI_API_KEY=other\n");
  return { server, fixture };
}

function configure(fixture: CliFixture, server: EmbeddingServer, kind: ServiceKind): string {
  const config = {
    agents: {
      defaults: {
        memorySearch: {
          provider: kind,
          query: { vectorWaitMs: 300, minScore: 0 },
          remote: {
            baseUrl: `${server.baseUrl(kind)}?token=${canaries.query}`,
            apiKey: canaries.apiKey,
            // biome-ignore lint/suspicious/noTemplateCurlyInString: longhand replaces it.
            headers: { "x-canary": canaries.header, "x-proxy": "Basic ${MY_PROXY_SECRET}" },
          },
        },
      },
    },
    models: { providers: { [kind === "voyage" ? "openai" : "voyage"]: { apiKey: canaries.other } } },
  };
  return fixture.write(`../${kind}.json5`, JSON.stringify(config));
}

/** Everything that was written below the home folder, except the configuration and the notes themselves. */
function readWritten(fixture: CliFixture): Map<string, string> {
  const entries = readdirSync(fixture.home, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile() && !/\.json5$/.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(fixture.home, file), readFileSync(file).toString("latin1")]),
  );
}

function assertUnseen(texts: ReadonlyMap<string, string>): void {
  for (const [where, text] of texts) {
    for (const spelling of spellings()) {
      const at = text.indexOf(spelling);
      assert.equal(at, -1, `${where}: …${text.slice(Math.max(0, at - 80), at + 60)}…`);
    }
  }
}

suite("No key is seen in any output, log, error, database or file", () => {
  for (const kind of ["openai", "gemini", "voyage"] as const) {
    test(`of ${kind}`, async (t) => {
      const { server, fixture } = await setUp(t);
      const config = configure(fixture, server, kind);
      const seen = new Map<string, string>();
      for (const [what, behave] of Object.entries(behaviours)) {
        server.behave = behave;
        fixture.write("memory/new.md", `# New\n\nWritten before a service ${what}.\n`);
        const isThorough = kind === "openai" && /works|refuses the key/.test(what);
        const commands = [["--debug", "index"], ["search", "quokka", "--json"], ...(isThorough ? more : [])];
        for (const command of commands) {
          const setting = { env: { ...env, LONGHAND_CONFIG: config } };
          const { stdout, stderr } = await fixture.runWith(setting, ...command);
          seen.set(`${what}: ${command.join(" ")}`, stdout + stderr);
          assert.doesNotMatch(stderr, /^\s+at /m, "a stack trace");
        }
      }
      const told = [...seen.values()].join("\n");
      if (kind === "openai") assert.match(told, /requests?, \d+ tokens/);
      for (const expected of [
        /HTTP 401/,
        /HTTP 400/,
        /redirect/,
        /not JSON/,
        /HTTP 403/,
        /UND_ERR_SOCKET|ECONNRESET|lost/,
      ])
        assert.match(told, expected);
      const [first] = server.requests;
      assert.equal(
        first?.headers["x-proxy"],
        `Basic ${canaries.inString}`,
        "the service is given what is its own",
      );
      assertUnseen(new Map([...seen, ...readWritten(fixture)]));
      const sent = server.requests.map(({ headers, path, body }) => JSON.stringify([headers, path, body]));
      const foreign = [canaries.other, canaries.openaiEnv, canaries.geminiEnv, canaries.voyageEnv];
      for (const secret of [...foreign, canaries.strangerEnv]) {
        assert.ok(
          sent.every((request) => !request.includes(secret)),
          `${secret} was sent to the wrong service`,
        );
      }
    });
  }

  test("of a configuration that is refused", async (t) => {
    const { fixture } = await setUp(t);
    const { user, password, query, apiKey, header } = canaries;
    for (const remote of [
      { baseUrl: `http://${user}:${password}@127.0.0.1/v1?key=${query}`, apiKey },
      { baseUrl: `htp:/${password}`, apiKey },
      { apiKey: { key: apiKey } },
      { apiKey: `${apiKey}\n`, headers: { "x-canary": `${header}\u0000` } },
      { apiKey, headers: { [`bad name`]: header } },
      { apiKey, headers: [header] },
      { apikey: apiKey },
    ]) {
      const file = fixture.write(
        "../bad.json5",
        JSON.stringify({ agents: { defaults: { memorySearch: { provider: "openai", remote } } } }),
      );
      for (const command of [["index"], ["--debug", "status"], ["config"], ["doctor", "--json"]]) {
        const { stdout, stderr } = await fixture.runWith({ env: { LONGHAND_CONFIG: file } }, ...command);
        assertUnseen(new Map([[`${JSON.stringify(remote)} ${command.join(" ")}`, stdout + stderr]]));
      }
    }
    assertUnseen(readWritten(fixture));
  });

  test("by the process that runs a local model", {
    skip: process.platform !== "linux" && "needs /proc",
  }, async (t) => {
    const { fixture } = await setUp(t);
    fixture.write("../tiny.gguf", makeTinyModel());
    const config = fixture.write(
      "../local.json5",
      JSON.stringify({
        agents: {
          defaults: {
            memorySearch: {
              provider: "local",
              local: { modelPath: path.join(fixture.home, "tiny.gguf") },
              remote: { apiKey: canaries.apiKey, headers: { "x-canary": canaries.header } },
            },
          },
        },
      }),
    );
    const cli = fixture.start({ env: { ...env, LONGHAND_CONFIG: config } }, "index", "--watch", "--json");
    let printed = "";
    cli.stderr?.on("data", (data) => {
      printed += data;
    });
    const [report] = await once(cli.stdout!, "data");
    assert.match(String(report), /"embedded":2/);
    const children = findChildren(cli.pid!);
    assert.ok(children.length > 0, "the model has a process of its own");
    const seen = children.flatMap((pid) =>
      ["environ", "cmdline"].map((file): [string, string] => [
        `${file} of a child`,
        readFileSync(`/proc/${pid}/${file}`, "latin1"),
      ]),
    );
    assert.ok(seen.some(([, text]) => text.includes("HOME=")));
    assertUnseen(new Map([...seen, ["output", String(report) + printed], ...readWritten(fixture)]));
    cli.kill("SIGINT");
    await once(cli, "close");
  });
});

function findChildren(pid: number): string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const fields = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)!.split(" ");
      return fields[1] === String(pid);
    } catch {
      return false;
    }
  });
}
