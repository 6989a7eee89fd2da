import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import { skipWithoutLinks, skipWithoutPipes } from "../../test/support/platform.ts";
import { contentsOf, freshContents, openSessionsFixture } from "../../test/support/sessions-fixture.ts";
import { jsonLines, openclaw, talk } from "../../test/support/transcript-lines.ts";
import { createRandom } from "../eval/compare.ts";
import type { FullStore } from "../stores/store.ts";
import type { Document } from "../text/document.ts";
import type { Source } from "./source.ts";

async function textOf(store: FullStore, path: string): Promise<string> {
  return (await store.chunksOf("sessions", path)).map(({ text }) => text).join("\n");
}

const message = (text: string) => jsonLines(openclaw.message("user", text));

suite("A transcript as a document", () => {
  test("has its name as path, its day, and chunks that name lines of the file", async (t) => {
    const fixture = await openSessionsFixture(t);
    fixture.write(
      "abc.jsonl",
      jsonLines(
        openclaw.head("abc", "2026-03-01T23:00:00Z"),
        openclaw.message("user", "Which quokka?"),
        openclaw.message("toolResult", "hidden wombat"),
        openclaw.message("assistant", "The small one."),
      ),
    );
    const report = await fixture.sync();
    assert.deepEqual([report.added, report.failed], [1, []]);
    const chunks = await fixture.store.chunksOf("sessions", "sessions/abc.jsonl");
    assert.deepEqual(
      chunks.map(({ lines, text, date, scope }) => ({ lines, text, date, scope })),
      [
        {
          lines: { start: 2, end: 4 },
          text: "User: Which quokka?\n\nAssistant: The small one.",
          date: "2026-03-01",
          scope: "private",
        },
      ],
    );
    assert.equal((await fixture.sync()).unchanged, 1);
  });

  test("has the same size and hash however many readings it took, and whatever broken lines came between", async (t) => {
    const fixture = await openSessionsFixture(t, { partChars: 100 });
    const path = fixture.write("grown.jsonl", talk(["The first quokka", "The second quokka"]));
    let since: string | undefined;
    for (const more of [
      "",
      message("Grüße an den dritten"),
      '{"half\n',
      "\n",
      message("The fourth quokka"),
    ]) {
      appendFileSync(path, more);
      for (let isLast = false; !isLast; ) {
        const grown = await fixture.source.read("sessions/grown.jsonl", since === undefined ? {} : { since });
        since = grown!.version;
        isLast = grown!.part?.isLast ?? true;
        if (!isLast) continue;
        const whole = await readWhole(fixture.source);
        assert.deepEqual([grown!.sizeBytes, grown!.hash], [whole.sizeBytes, whole.hash]);
      }
    }

    async function readWhole(source: Source): Promise<Document> {
      for (let read: Document | null = null; ; ) {
        read = await source.read("sessions/grown.jsonl", read === null ? {} : { since: read.version });
        if (read!.part?.isLast !== false) return read!;
      }
    }
  });

  test("is shared only when its key says that others listen, and left out when it belongs to a clock", async (t) => {
    const fixture = await openSessionsFixture(t);
    for (const name of ["one", "two", "three", "four"])
      fixture.write(`${name}.jsonl`, talk([`I am ${name}`]));
    fixture.write(
      "sessions.json",
      JSON.stringify({
        "agent:main:main": { sessionId: "one" },
        "agent:main:discord:channel:7": { sessionId: "x", sessionFile: "/somewhere/two.jsonl" },
        "agent:main:cron:nightly": { sessionId: "three" },
      }),
    );
    fixture.write(
      "groups/g.json5",
      "{sessionId: 'g', version: 2, messages: [{role: 'user', content: 'in a group'}]}",
    );
    await fixture.sync();
    const scopes: Record<string, string | undefined> = {};
    for (const path of (await fixture.store.versions("sessions")).keys()) {
      scopes[path] = (await fixture.store.chunksOf("sessions", path))[0]?.scope;
    }
    assert.deepEqual(scopes, {
      "sessions/one.jsonl": "private",
      "sessions/two.jsonl": "shared",
      "sessions/four.jsonl": "private",
      "sessions/g.json5": "shared",
    });
    const twice = { "agent:main:main": { sessionId: "two" }, "agent:main:x:group:2": { sessionId: "two" } };
    fixture.write("sessions.json", JSON.stringify(twice));
    await fixture.sync();
    assert.equal((await fixture.store.chunksOf("sessions", "sessions/two.jsonl"))[0]?.scope, "private");
    fixture.write("sessions.json", JSON.stringify({ "agent:main:x:group:1": { sessionId: "one" } }));
    await fixture.sync();
    assert.equal((await fixture.store.chunksOf("sessions", "sessions/one.jsonl"))[0]?.scope, "shared");
    assert.equal((await fixture.store.chunksOf("sessions", "sessions/two.jsonl"))[0]?.scope, "private");
  });

  test("that was reset or deleted is read from its archive, compressed or not; copies are not read twice", async (t) => {
    const fixture = await openSessionsFixture(t);
    const when = "2026-03-01T10-00-00.000Z";
    fixture.write("a.jsonl", talk(["the present one"]));
    fixture.write(`a.jsonl.reset.${when}`, talk(["before the reset"]));
    fixture.write(`b.jsonl.deleted.${when}.zst`, zstdCompressSync(Buffer.from(talk(["deleted and packed"]))));
    fixture.write(`job.jsonl.deleted.${when}`, talk(["of a schedule"]));
    fixture.write("a.checkpoint.0b6f3c1e-1111-4222-8333-444455556666.jsonl", talk(["the present one"]));
    fixture.write("team.checkpoint.notes.jsonl", talk(["a session of this name"]));
    fixture.write("a.trajectory.jsonl", talk(["the present one"]));
    fixture.write(`a.jsonl.bak.${when}`, talk(["a backup"]));
    fixture.write("sessions.json", JSON.stringify({ "agent:main:cron:x:run:1": { sessionId: "job" } }));
    const report = await fixture.sync();
    assert.deepEqual([report.added, report.failed], [4, []]);
    const paths = ["a.jsonl", `a.jsonl.reset.${when}`, `b.jsonl.deleted.${when}.zst`];
    const texts = [];
    for (const path of paths) texts.push(await textOf(fixture.store, `sessions/${path}`));
    assert.deepEqual(texts, ["User: the present one", "User: before the reset", "User: deleted and packed"]);
    assert.equal((await fixture.sync()).unchanged, 4);
    fixture.write(`b.jsonl.deleted.${when}.zst`, "this is not zstd");
    assert.match((await fixture.sync()).failed[0]!.message, /it is not a zstd archive/);
  });

  test("is not looked for behind a link from one folder to another", {
    skip: skipWithoutLinks,
  }, async (t) => {
    const fixture = await openSessionsFixture(t);
    fixture.folder.write("other/sessions/b.jsonl", talk(["what another agent heard"]));
    fixture.write("a.jsonl", talk(["own"]));
    symlinkSync(fixture.folder.at("other/sessions"), join(fixture.sessionsDir, "chats"));
    const { entries, skipped } = await fixture.source.list();
    assert.deepEqual(
      [entries.map(({ path }) => path), skipped],
      [["sessions/a.jsonl"], [{ path: "sessions/chats", reason: "symlink" }]],
    );
  });

  test("has a path of its own where two files have one name; the same file is indexed once", async (t) => {
    const fixture = await openSessionsFixture(t);
    fixture.write("a.jsonl", talk(["own"]));
    const first = fixture.folder.write("elsewhere/a.jsonl", talk(["first of others"]));
    const second = fixture.folder.write("more/deep/a.jsonl", talk(["second of others"]));
    const paths = [first, fixture.folder.at("more"), second];
    fixture.write("imports.json", JSON.stringify({ version: 1, paths }));
    await fixture.sync();
    const listing = await fixture.source.list();
    assert.deepEqual(
      listing.skipped.map(({ reason }) => reason),
      ["duplicate"],
    );
    const texts = new Map<string, string>();
    for (const { path } of listing.entries) texts.set(await textOf(fixture.store, path), path);
    assert.equal(texts.get("User: own"), "sessions/a.jsonl");
    assert.match(texts.get("User: first of others") ?? "", /^sessions\/a~[0-9a-f]{8}\.jsonl$/);
    assert.match(texts.get("User: second of others") ?? "", /^sessions\/a~[0-9a-f]{8}\.jsonl$/);
    assert.equal(texts.size, 3);
  });

  test("is neither a link nor a pipe nor a folder nor a registry", {
    skip: skipWithoutLinks || skipWithoutPipes,
  }, async (t) => {
    const fixture = await openSessionsFixture(t);
    const secret = fixture.folder.write("outside.jsonl", talk(["outside"]));
    symlinkSync(secret, join(fixture.sessionsDir, "link.jsonl"));
    execFileSync("mkfifo", [join(fixture.sessionsDir, "pipe.jsonl")]);
    fixture.folder.makeFolder("sessions/folder.jsonl");
    fixture.write("sessions.json", "{broken");
    fixture.write("registry.json5", "{also broken");
    fixture.write("notes.txt", "nothing");
    const report = await fixture.sync();
    assert.deepEqual([report.added, report.failed], [0, []]);
    const { skipped } = await fixture.source.list();
    assert.deepEqual(
      skipped.map(({ path, reason }) => `${path} ${reason}`),
      ["sessions/link.jsonl symlink", "sessions/pipe.jsonl not-a-file"],
    );
  });
});

suite("A transcript that grows", () => {
  test("costs reading what is new, and a few kilobytes to see that it is the same file", async (t) => {
    const fixture = await openSessionsFixture(t);
    const path = fixture.write(
      "abc.jsonl",
      talk(Array.from({ length: 20_000 }, (_, i) => `turn ${i} ${"x".repeat(100)}`)),
    );
    await fixture.sync();
    const whole = fixture.read.bytes;
    assert.ok(whole > 4_000_000);
    const added = message("the last quokka");
    appendFileSync(path, added);
    const report = await fixture.sync();
    assert.deepEqual([report.updated, report.failed], [1, []]);
    const cost = fixture.read.bytes - whole;
    assert.ok(cost <= added.length + 4096 + 2 * 1024, `${cost} bytes were read for ${added.length} new ones`);
    assert.match(await textOf(fixture.store, "sessions/abc.jsonl"), /turn 0 .*the last quokka/s);
    const [last] = (await fixture.store.chunksOf("sessions", "sessions/abc.jsonl")).slice(-1);
    assert.equal(last?.lines.end, 20_002);
    await fixture.sync();
    assert.equal(fixture.read.bytes - whole, cost, "nothing is read when nothing has changed");
  });

  test("waits for the rest of a line that is half written, also in the middle of a character", async (t) => {
    const fixture = await openSessionsFixture(t);
    const bytes = Buffer.from(message("ein größerer Käfig für 🦘"));
    const path = fixture.write("abc.jsonl", talk(["hello"]));
    for (const [index, byte] of bytes.entries()) {
      appendFileSync(path, Buffer.of(byte));
      await fixture.sync();
      const text = await textOf(fixture.store, "sessions/abc.jsonl");
      // With its closing brace the line is whole; the line end says nothing new.
      assert.equal(text.includes("Käfig"), index >= bytes.length - 2);
    }
    assert.match(
      await textOf(fixture.store, "sessions/abc.jsonl"),
      /User: hello\nUser: ein größerer Käfig für 🦘$/,
    );
  });

  test("is indexed as it would be at once, wherever it was cut off", async (t) => {
    const random = createRandom(20);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
    for (let run = 0; run < 12; run++) {
      const fixture = await openSessionsFixture(t, { partChars: pick([1, 60, 400, 3000]) });
      const lines: string[] = [jsonLines(openclaw.head())];
      for (let i = 0; i < 60; i++) {
        const words = Array.from({ length: Math.floor(random() * 60) }, () =>
          pick(["one", "two", "three", "sk-no", "é"]),
        );
        lines.push(
          pick([
            message(words.join(" ")),
            jsonLines(openclaw.message("assistant", `${i} ${words.join("\n")}`)),
            jsonLines(openclaw.message("toolResult", "tool")),
            jsonLines(openclaw.message("user", "tick", { trigger: "cron" })),
            "{broken\n",
            "\n",
          ]),
        );
      }
      const bytes = Buffer.from(lines.join(""));
      const path = fixture.write("abc.jsonl", "");
      for (let at = 0; at < bytes.length; ) {
        const next = Math.min(bytes.length, at + 1 + Math.floor(random() * random() * 3000));
        appendFileSync(path, bytes.subarray(at, next));
        at = next;
        await fixture.sync();
      }
      assert.deepEqual(await contentsOf(fixture.store), await freshContents(t, fixture.source), `run ${run}`);
    }
  });
});

suite("A transcript that is not what it was", () => {
  const changes: Record<string, (path: string) => void> = {
    "became shorter": (path) => truncateSync(path, 400),
    "was emptied": (path) => truncateSync(path, 0),
    "was exchanged for another file": (path) => {
      writeFileSync(`${path}.new`, talk(["quite", "another", "talk", "with", "more", "lines", "in", "it"]));
      renameSync(`${path}.new`, path);
    },
    "was rewritten in place with the same length": (path) => {
      const size = talk(["alpha", "beta", "gamma"]).length;
      writeFileSync(path, talk(["alpha", "zeta", "gamma"]).padEnd(size));
    },
    "was copied over": (path) => {
      copyFileSync(path, `${path}.tmp`);
      appendFileSync(`${path}.tmp`, message("more"));
      renameSync(`${path}.tmp`, path);
    },
    "became a history of another format": (path) =>
      writeFileSync(path, '{"sessionId":"x","version":2,"messages":[]}'),
    "became binary": (path) => writeFileSync(path, Buffer.from([0, 1, 2, 255, 10, 0])),
  };
  for (const [what, change] of Object.entries(changes)) {
    test(`is read again when it ${what}`, async (t) => {
      const fixture = await openSessionsFixture(t);
      const path = fixture.write("abc.jsonl", talk(["alpha", "beta", "gamma"]));
      await fixture.sync();
      change(path);
      const report = await fixture.sync();
      assert.deepEqual(report.failed, []);
      assert.deepEqual(await contentsOf(fixture.store), await freshContents(t, fixture.source));
    });
  }

  test("is gone from the index when it is deleted", async (t) => {
    const fixture = await openSessionsFixture(t);
    const path = fixture.write("abc.jsonl", talk(["alpha"]));
    fixture.write("def.jsonl", talk(["beta"]));
    await fixture.sync();
    rmSync(path);
    assert.equal((await fixture.sync()).removed, 1);
    assert.deepEqual([...(await fixture.store.versions("sessions")).keys()], ["sessions/def.jsonl"]);
  });

  test("may be cut, exchanged or deleted while it is read", async (t) => {
    const long = talk(Array.from({ length: 3000 }, (_, i) => `turn ${i} ${"y".repeat(60)}`));
    const changes: ((path: string) => void)[] = [
      (path) => truncateSync(path, 5000),
      (path) => rmSync(path),
      (path) => {
        rmSync(path);
        writeFileSync(path, talk(["new"]));
      },
    ];
    for (const change of changes) {
      let left = 3;
      let path = "";
      const fixture = await openSessionsFixture(t, {
        partChars: 20_000,
        onBytes: () => {
          if (--left === 0) change(path);
        },
      });
      path = fixture.write("abc.jsonl", long);
      await fixture.sync();
      left = Number.POSITIVE_INFINITY;
      await fixture.sync();
      assert.deepEqual(await contentsOf(fixture.store), await freshContents(t, fixture.source));
    }
  });
});

suite("In the background", () => {
  test("a transcript is left alone until enough came, and then for five seconds; whoever asks gets it at once", async (t) => {
    const fixture = await openSessionsFixture(t, { deltaBytes: 10_000, deltaMessages: 5 });
    const path = fixture.write("abc.jsonl", talk(["hello"]));
    await fixture.sync({ background: true });
    assert.match(await textOf(fixture.store, "sessions/abc.jsonl"), /hello/, "a new one is indexed at once");
    const isIndexed = async (word: string) =>
      (await textOf(fixture.store, "sessions/abc.jsonl")).includes(word);

    appendFileSync(path, message("one quokka"));
    await fixture.sync({ background: true });
    assert.equal(await isIndexed("quokka"), false);
    assert.equal(
      (await fixture.source.list({ known: await fixture.store.versions("sessions"), background: true }))
        .hidesChanges,
      true,
    );
    await fixture.sync();
    assert.equal(await isIndexed("quokka"), true);

    for (let i = 0; i < 5; i++) appendFileSync(path, message(`wallaby ${i}`));
    await fixture.sync({ background: true });
    assert.equal(await isIndexed("wallaby"), false, "the talk may still go on");
    fixture.clock.now = new Date(fixture.clock.now.getTime() + 5000);
    await fixture.sync({ background: true });
    assert.equal(await isIndexed("wallaby 4"), true);

    appendFileSync(path, message(`koala ${"z".repeat(12_000)}`));
    await fixture.sync({ background: true });
    fixture.clock.now = new Date(fixture.clock.now.getTime() + 5000);
    await fixture.sync({ background: true });
    assert.equal(await isIndexed("koala"), true);

    writeFileSync(path, talk(["new"]));
    await fixture.sync({ background: true });
    assert.equal(await isIndexed("koala"), false, "what was exchanged does not wait");
  });
});

test("a key that comes into the configuration later is masked in what was indexed before", async (t) => {
  const fixture = await openSessionsFixture(t);
  fixture.write("abc.jsonl", talk(["my word is plainlookingkey"]));
  await fixture.sync();
  const later = await openSessionsFixture(t, { literals: ["plainlookingkey"] });
  copyFileSync(join(fixture.sessionsDir, "abc.jsonl"), join(later.sessionsDir, "abc.jsonl"));
  const { entries } = await later.source.list({ known: await fixture.store.versions("sessions") });
  assert.notEqual(
    entries[0]?.version,
    (await fixture.store.versions("sessions")).get("sessions/abc.jsonl")?.version,
  );
  await later.sync();
  assert.equal(await textOf(later.store, "sessions/abc.jsonl"), "User: my word is [redacted:configured-key]");
});
