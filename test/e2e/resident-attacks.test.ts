import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, chownSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import path from "node:path";
import { suite, type TestContext, test } from "node:test";
import { finish } from "../support/child-process.ts";
import { answeredBy, openResidentFixture, type ResidentFixture, skip } from "../support/resident-fixture.ts";

const line = (message: object) => `${JSON.stringify(message)}\n`;

/** Puts a server of ours in the place of the resident. */
async function impersonate(
  t: TestContext,
  { socket }: ResidentFixture,
  onMessage: (kind: string, caller: Socket) => void,
): Promise<void> {
  const server = createServer((caller) => {
    caller.on("error", () => {});
    caller.setEncoding("utf8").on("data", (text: string) => {
      for (const each of text.split("\n").filter((part) => part !== ""))
        onMessage(JSON.parse(each).kind, caller);
    });
  });
  const own = `${socket}-of-ours`;
  server.listen(own);
  await once(server, "listening");
  renameSync(own, socket);
  t.after(() => server.close());
}

/** Unlike `once` of Node, whatever happens before. */
const closing = (socket: Socket) => new Promise<void>((done) => socket.once("close", () => done()));

const ask = ["search", "deploy"] as const;

/** The caller has found what it asked for, without the resident. */
async function assertOnItsOwn(fixture: ResidentFixture): Promise<void> {
  const { code, stdout, stderr } = await fixture.run(...ask, "--debug");
  assert.equal(answeredBy(stderr), null);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /blue script/);
}

suite("A caller does its work itself", { skip }, () => {
  const places: Readonly<Record<string, (fixture: ResidentFixture) => void>> = {
    "if others can open the folder of the socket": ({ folder }) => chmodSync(folder, 0o755),
    "if a link is in the place of that folder": ({ folder }) => {
      renameSync(folder, `${folder}-elsewhere`);
      symlinkSync(`${folder}-elsewhere`, folder);
    },
    "if a link is in the place of the socket": ({ socket }) => {
      renameSync(socket, `${socket}-elsewhere`);
      symlinkSync(`${socket}-elsewhere`, socket);
    },
  };
  for (const [title, prepare] of Object.entries(places)) {
    test(title, async (t) => {
      const fixture = openResidentFixture(t, ["mcp"]);
      await fixture.askResident({}, ...ask);
      prepare(fixture);
      await assertOnItsOwn(fixture);
    });
  }

  test("if the folder or the socket belongs to another user", async (t) => {
    if (process.getuid?.() !== 0) return t.skip("only root can give a file away");
    const fixture = openResidentFixture(t, ["mcp"]);
    for (const file of [fixture.socket, fixture.folder]) {
      await fixture.askResident({}, ...ask);
      chownSync(file, 65534, 65534);
      await assertOnItsOwn(fixture);
      chownSync(file, 0, 0);
    }
  });

  const impostors: Readonly<Record<string, (kind: string, caller: Socket) => void>> = {
    "never answers": () => {},
    "hangs up": (_, caller) => caller.destroy(),
    refuses: (_, caller) => caller.write(line({ kind: "refused", why: "no" })),
    "sends garbage": (_, caller) => caller.end("\0\xff{]\n"),
    "sends JSON of another kind": (_, caller) => caller.end('"accepted"\n'),
    "hangs up after it has accepted": (_, caller) => caller.end(line({ kind: "accepted" })),
    "hangs up when it should begin": (kind, caller) =>
      kind === "request" ? caller.write(line({ kind: "accepted" })) : caller.destroy(),
  };
  for (const [does, behave] of Object.entries(impostors)) {
    test(`if the other process ${does}`, async (t) => {
      const fixture = openResidentFixture(t, ["mcp"]);
      await fixture.askResident({}, ...ask);
      await impersonate(t, fixture, behave);
      await assertOnItsOwn(fixture);
    });
  }
});

suite("A caller whose answer is cut off", { skip }, () => {
  const cutOff = (kind: string, caller: Socket) =>
    kind === "request"
      ? caller.write(line({ kind: "accepted" }))
      : caller.end(line({ kind: "stdout", text: "the first half\n" }));

  test("says so and fails", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    await fixture.askResident({}, ...ask);
    await impersonate(t, fixture, cutOff);
    const { code, stdout, stderr } = await fixture.run(...ask);
    assert.deepEqual([code, stdout], [1, "the first half\n"]);
    assert.match(stderr, /^error: .* did not finish.\nhint: Run the same command again/);
  });

  test("lets the host continue if it is a hook", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    await fixture.askResident({}, ...ask);
    await impersonate(t, fixture, cutOff);
    const { code, stdout, stderr } = await fixture.runWith({ input: "{}" }, "hook", "user-prompt");
    assert.deepEqual([code, stdout], [0, "the first half\n"]);
    assert.match(stderr, /^longhand hook: .* did not finish/m);
  });
});

suite("A hook whose resident is killed", { skip }, () => {
  const event = { session_id: "s1", hook_event_name: "UserPromptSubmit", prompt: "when do we deploy?" };

  test("answers itself, with all of its input, in whatever part that came", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    await fixture.trust();
    for (const sentBefore of [0, 20, 10_000]) {
      const text = JSON.stringify({ ...event, session_id: `s${sentBefore}`, cwd: fixture.project });
      const { pid } = await fixture.askResident({}, ...ask);
      const hook = fixture.start(
        { keepInputOpen: true },
        "hook",
        "user-prompt",
        "--debug",
        "--within",
        "120",
      );
      const ended = finish(hook);
      hook.stdin!.write(text.slice(0, sentBefore));
      const [shown] = await once(hook.stderr!, "data");
      assert.match(String(shown), /^longhand /);
      process.kill(pid, "SIGKILL");
      hook.stdin!.end(text.slice(sentBefore));
      const { code, stdout, stderr } = await ended;
      assert.equal(code, 0, stderr);
      assert.match(stdout, /blue script/, `${sentBefore}: ${stderr}`);
      assert.match(stderr, /^not answered by a process: it did not finish$/m);
    }
  });

  test("answers itself although the event was claimed for it before", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    await fixture.trust();
    await fixture.askResident({}, ...ask);
    const input = JSON.stringify({ ...event, cwd: fixture.project });
    const first = await fixture.runWith({ input }, "hook", "user-prompt");
    assert.match(first.stdout, /blue script/);
    const files = readdirSync(path.join(fixture.stateDir, "agents"), { recursive: true, encoding: "utf8" });
    const mark = path.join(
      fixture.stateDir,
      "agents",
      files.find((name) => name.includes("hooks/user-prompt-"))!,
    );
    await impersonate(t, fixture, (kind, caller) => {
      if (kind === "request") caller.write(line({ kind: "accepted" }));
      if (kind !== "input-end") return;
      // As the process would have done that was killed then.
      writeFileSync(mark, `${hook.pid}`);
      caller.destroy();
    });
    const hook = fixture.start({ input }, "hook", "user-prompt");
    const repeated = await finish(hook);
    assert.match(repeated.stdout, /blue script/, repeated.stderr);
    assert.equal((await fixture.runWith({ input }, "hook", "user-prompt")).stdout, "");
  });
});

suite("A resident keeps answering", { skip }, () => {
  const attacks: Readonly<Record<string, (caller: Socket) => Promise<void> | void>> = {
    "after bytes that are no request": async (caller) => {
      caller.write(Buffer.from([0xff, 0, 10, 123, 10]));
      await closing(caller);
    },
    "after half a request": (caller) => void caller.write('{"kind":"requ'),
    "after a request that is too long": async (caller) => {
      caller.resume();
      const closed = closing(caller);
      for (const chunk = "x".repeat(1 << 20); caller.writable; ) {
        if (!caller.write(chunk))
          await Promise.race([new Promise((done) => caller.once("drain", done)), closed]);
      }
      await closed;
    },
    "after a request without what belongs to it": async (caller) => {
      caller.write(line({ kind: "request" }));
      await closing(caller.resume());
    },
    "after a request of another kind of process": async (caller) => {
      caller.write(line({ kind: "request", request: { argv: 3 } }) + line({ kind: "go" }));
      await closing(caller.resume());
    },
    "after messages without a request": (caller) => {
      caller.write(line({ kind: "go" }) + line({ kind: "input", bytes: "e30=" }) + line({ kind: "signal" }));
    },
  };
  for (const [title, attack] of Object.entries(attacks)) {
    test(title, async (t) => {
      const fixture = openResidentFixture(t, ["mcp"]);
      const { pid } = await fixture.askResident({}, ...ask);
      await attack(await fixture.connect());
      assert.equal((await fixture.askResident({}, ...ask)).pid, pid);
    });
  }

  test("while one caller takes its time, and the others do their work themselves", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    const { pid } = await fixture.askResident({}, ...ask);
    const slow = fixture.start({ keepInputOpen: true }, "hook", "user-prompt", "--within", "600", "--debug");
    const [text] = await once(slow.stderr!, "data");
    assert.match(String(text), /^longhand /);
    await assertOnItsOwn(fixture);
    slow.kill("SIGKILL");
    assert.equal((await fixture.askResident({}, ...ask)).pid, pid);
  });

  test("when thirty ask at once", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    await fixture.askResident({}, ...ask);
    const results = await Promise.all(Array.from({ length: 30 }, () => fixture.run(...ask, "--json")));
    for (const { code, stdout, stderr } of results) {
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(JSON.parse(stdout).results[0].snippet, /blue script/);
    }
    await fixture.askResident({}, ...ask);
  });
});

suite("A hook that a running process answers", { skip }, () => {
  test("ends in time if that process hangs", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    await fixture.askResident({}, ...ask);
    await impersonate(t, fixture, (kind, caller) => {
      if (kind === "request") caller.write(line({ kind: "accepted" }));
    });
    const { code, stdout, stderr } = await fixture.runWith(
      { keepInputOpen: true },
      "hook",
      "user-prompt",
      "--within",
      "1",
    );
    assert.deepEqual([code, stdout], [0, ""]);
    assert.match(stderr, /^longhand hook: .* did not finish/);
  });

  test("ends within its time limit, counted from its own start", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    await fixture.askResident({}, ...ask);
    const argv = ["hook", "user-prompt", "--within", "1"];
    const own = await fixture.runWith({ keepInputOpen: true, env: { LONGHAND_RESIDENT: "0" } }, ...argv);
    const asked = await fixture.runWith({ keepInputOpen: true }, ...argv);
    assert.deepEqual(asked, own);
  });

  test("is cancelled as always", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    await fixture.askResident({}, ...ask);
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const results = [];
      for (const resident of ["0", "1"]) {
        const env = { LONGHAND_RESIDENT: resident };
        const setting = { keepInputOpen: true, env };
        const hook = fixture.start(setting, "hook", "user-prompt", "--debug", "--within", "60");
        const ended = finish(hook);
        await once(hook.stderr!, "data");
        hook.kill(signal);
        const { stderr, ...result } = await ended;
        results.push({ ...result, stderr: stderr.replace(/^answered by .*\n/m, "") });
      }
      assert.deepEqual(results[1], results[0]);
      assert.equal(results[0]?.code, 0);
    }
  });
});
