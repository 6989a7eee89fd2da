import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { suite, test } from "node:test";
import fc from "fast-check";
import type { SearchAnswer } from "../src/index.ts";
import { finish, firstOutput, startProgram } from "./support/child-process.ts";
import { makeMemoryFixture } from "./support/memory-fixture.ts";
import { nastyPath } from "./support/nasty-path.ts";
import { skipDeletingOpenFiles, skipWithoutLinks } from "./support/platform.ts";
import { libraryUrl } from "./support/programs.ts";
import { openCliFixture } from "./support/run-cli.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";

/*
 * The promises that users rely on, by number, tested through the installed library and command line: real folders, real
 * processes, default settings. Each test fails if its promise is broken.
 */

const longhand = JSON.stringify(libraryUrl);

const notes = {
  "MEMORY.md":
    "# Memory\n\n## Release\n\nWe ship on Fridays only.\n\n## People\n\nAda Lindgren owns the billing service.\n",
  "memory/2026-03-01.md": "# Sunday\n\nThe staging database moved to port 5433.\n",
  "memory/2026-03-02.md": "# Monday\n\nThe printer on the second floor is called Gutenberg.\n",
  "memory/ideas.md": "# Ideas\n\nA dashboard for water levels in the harbour.\n",
};

const hitsOf = (answer: SearchAnswer) =>
  answer.results.map(({ path: file, snippet }) => `${file}\n${snippet}`);

suite("1. Deleting the index or any temporary file at any moment loses nothing but time", () => {
  test("between commands", async (t) => {
    const fixture = openCliFixture(t);
    for (const [name, text] of Object.entries(notes)) fixture.write(name, text);
    const ask = async () =>
      hitsOf((await fixture.json("search", "staging database port")).value as SearchAnswer);
    const before = await ask();
    assert.equal(before.length, 1);
    rmSync(path.join(fixture.stateDir, "memory"), { recursive: true });
    assert.deepEqual(await ask(), before);
    const added = await fixture.json("add", "The quokka lives in the garden.");
    assert.equal(added.code, 0);
    rmSync(fixture.stateDir, { recursive: true });
    const found = await fixture.json("search", "where does the quokka live");
    assert.match(hitsOf(found.value as SearchAnswer).join(), /The quokka lives in the garden/);
    for (const [name, text] of Object.entries(notes)) {
      assert.equal(readFileSync(path.join(fixture.project, name), "utf8"), text);
    }
  });

  test("while processes search and add", { skip: skipDeletingOpenFiles }, async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const source = `
      import { openMemory } from ${longhand};
      import { writeSync } from "node:fs";
      const [workspace, stateDir, name] = process.argv.slice(1);
      await using memory = await openMemory({ workspace, stateDir });
      for (let i = 0; i < 25; i++) {
        const { duplicate } = await memory.add("Sighting " + i + " of " + name + " in the yard.", { to: "memory/" + name + ".md" });
        const answer = await memory.search("staging database port");
        const isKnown = answer.results.some(({ snippet }) => snippet.includes("port 5433"));
        writeSync(1, JSON.stringify({ i, duplicate, isKnown, stale: answer.stale, degraded: answer.degraded }) + "\\n");
      }`;
    const names = ["quokka", "wallaby"];
    const children = names.map((name) =>
      startProgram(t, source, [fixture.workspace, fixture.stateDir, name]),
    );
    const ends = children.map(finish);
    let isDone = false;
    const done = Promise.all(ends).finally(() => {
      isDone = true;
    });
    let deletions = 0;
    while (!isDone) {
      await Promise.race([firstOutput(children[deletions % 2]!).catch(() => {}), done]);
      // All of it, or one file of it, at any point of the others' work.
      for (const [i, name] of readFolder(path.join(fixture.stateDir, "memory")).entries()) {
        if (deletions % 3 === 0 || i === deletions % 3)
          rmSync(path.join(fixture.stateDir, "memory", name), { force: true });
      }
      deletions++;
    }
    for (const { code, stdout, stderr } of await done) {
      assert.equal(code, 0, stderr);
      const lines = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      assert.equal(lines.length, 25);
      for (const line of lines) {
        assert.equal(line.duplicate, false);
        assert.ok(
          line.isKnown || line.stale,
          `an answer without the note says that it is behind: ${JSON.stringify(line)}`,
        );
      }
    }
    // The number depends on how busy the machine is.
    assert.ok(deletions >= 3, `${deletions} deletions`);
    const memory = await fixture.open();
    for (const name of names) {
      const text = readFileSync(fixture.at(`memory/${name}.md`), "utf8");
      for (let i = 0; i < 25; i++) assert.ok(text.includes(`Sighting ${i} of ${name} in the yard.`));
      assert.ok(
        (await memory.search(`sightings of ${name}`)).results.some((hit) => hit.path === `memory/${name}.md`),
      );
    }
  });
});

suite("2. A note that add acknowledged survives; nothing truncates or overwrites a note", () => {
  const writer = `
    import { openMemory } from ${longhand};
    import { writeSync } from "node:fs";
    const [workspace, stateDir, name] = process.argv.slice(1);
    await using memory = await openMemory({ workspace, stateDir });
    for (let i = 0; i < 10_000; i++) {
      const text = name + " number " + i + " " + "x".repeat(i % 5 === 0 ? 9000 : 9) + " end";
      const { path, startLine } = await memory.add(text, { to: i % 2 ? "long-term" : "memory/log.md" });
      writeSync(1, JSON.stringify({ path, startLine, text }) + "\\n");
    }`;

  test("kill -9 during add, with another writer beside it", async (t) => {
    const fixture = makeMemoryFixture(t, { ...notes, "memory/log.md": "Kept by hand.\n" });
    const acknowledged: { path: string; startLine: number; text: string }[] = [];
    for (let round = 0; round < 3; round++) {
      const children = ["a", "b"].map((name) =>
        startProgram(t, writer, [fixture.workspace, fixture.stateDir, `${name}${round}`]),
      );
      const ends = children.map(finish);
      for (let outputs = 0; outputs <= 3 * round; outputs++) {
        await Promise.race([firstOutput(children[outputs % 2]!), ends[outputs % 2]]);
      }
      for (const child of children) child.kill("SIGKILL");
      for (const { stdout } of await Promise.all(ends)) {
        // A kill may truncate the last line in the pipe, which says nothing about the note.
        for (const line of stdout.split("\n").slice(0, -1)) acknowledged.push(JSON.parse(line));
      }
    }
    assert.ok(acknowledged.length >= 6, `${acknowledged.length} notes`);
    for (const { path: file, startLine, text } of acknowledged) {
      const lines = readFileSync(fixture.at(file), "utf8").split("\n");
      assert.ok(lines[startLine - 1]!.includes(text), `${file}:${startLine}`);
    }
    assert.ok(readFileSync(fixture.at("MEMORY.md"), "utf8").startsWith(notes["MEMORY.md"].trimEnd()));
    assert.ok(readFileSync(fixture.at("memory/log.md"), "utf8").startsWith("Kept by hand.\n"));
    const memory = await fixture.open();
    assert.equal((await memory.add("And life goes on.")).indexed, true);
    const last = acknowledged.at(-1)!;
    const { results } = await memory.search(last.text.slice(0, 20), { path: last.path });
    assert.ok(results.length > 0, "and all of it is found");
    assert.deepEqual(
      readdirSync(fixture.workspace).filter((name) => name !== "MEMORY.md" && name !== "memory"),
      [],
      "nothing else is left behind",
    );
  });

  test("a full disk", {
    skip: process.platform !== "linux" && "the limit on the size of files is that of Linux",
  }, async (t) => {
    const kept = `# Memory\n\n${"A line that must stay. ".repeat(60)}\n`;
    const fixture = makeMemoryFixture(t, { "MEMORY.md": kept });
    const source = `
      import { openMemory } from ${longhand};
      const [workspace, stateDir] = process.argv.slice(1);
      const memory = await openMemory({ workspace, stateDir });
      for (const text of ["y".repeat(5000), "z".repeat(30_000)]) {
        const { code = "written" } = await memory.add(text, { to: "long-term" }).catch((error) => error);
        process.stdout.write(code + "\\n");
      }
      await memory.close();`;
    // With a file size limit the kernel writes what fits and refuses the rest, as on a full disk.
    const script = 'ulimit -f 2; exec "$0" --input-type=module-typescript -e "$1" -- "$2" "$3"';
    const child = spawn("bash", [
      "-c",
      script,
      process.execPath,
      source,
      fixture.workspace,
      fixture.stateDir,
    ]);
    t.after(() => child.kill("SIGKILL"));
    const { stdout, stderr } = await finish(child);
    assert.equal(stdout, "note-unwritable\nnote-unwritable\n", stderr);
    assert.equal(readFileSync(fixture.at("MEMORY.md"), "utf8"), kept);
  });
});

suite("4. What was added or edited is found by the next search", () => {
  test("added in the same process, edited by another program, added by another process", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const memory = await fixture.open({ config: {} });
    for (let i = 0; i < 5; i++) {
      await memory.add(`Visitor marsupial${i} came by.`);
      const { results } = await memory.search(`marsupial${i}`);
      assert.match(results[0]?.snippet ?? "", new RegExp(`marsupial${i}\\b`));
    }
    for (let i = 0; i < 5; i++) {
      writeFileSync(fixture.at("memory/edited.md"), `The gauge shows monotreme${i} now.\n`);
      const answer = await memory.search(`monotreme${i}`);
      assert.ok(
        answer.results[0]?.snippet.includes(`monotreme${i}`) || answer.stale,
        "found, or known to be behind",
      );
    }
    const source = `
      import { openMemory } from ${longhand};
      const [workspace, stateDir] = process.argv.slice(1);
      await using memory = await openMemory({ workspace, stateDir });
      await memory.add("The echidna arrived by boat.");`;
    const { code, stderr } = await finish(startProgram(t, source, [fixture.workspace, fixture.stateDir]));
    assert.equal(code, 0, stderr);
    const { results, stale } = await memory.search("How did the echidna arrive?");
    assert.ok(results[0]?.snippet.includes("echidna") || stale);
    await memory.sync();
    assert.match((await memory.search("echidna")).results[0]?.snippet ?? "", /echidna/);
  });
});

suite("5. Keyword search always works", () => {
  /** A note of each script, and questions that it must answer. */
  const scripts: Readonly<Record<string, readonly [note: string, ...questions: string[]]>> = {
    chinese: ["会议改到星期三下午三点。", "会议什么时候", "星期三"],
    traditional: ["電腦密碼放在綠色的保險箱裡。", "密碼在哪裡", "保險箱"],
    japanese: ["新しいプリンターは二階にあります。", "プリンターはどこですか", "ﾌﾟﾘﾝﾀｰ"],
    korean: ["다음 출시일은 금요일입니다.", "출시일이 언제예요", "금요일"],
    german: [
      "Die Straßenbahnhaltestelle wird am Dienstag gesperrt.",
      "Wann wird die STRASSENBAHNHALTESTELLE gesperrt?",
    ],
    french: ["L'élève a oublié sa clé à l'école.", "ou est la cle de l'eleve"],
    greek: ["Η βάρδια αλλάζει την Τετάρτη.", "ΒΑΡΔΙΑ ΤΕΤΑΡΤΗ"],
    russian: ["Ёлку привезут во вторник утром.", "когда привезут елку"],
    arabic: ["موعدُ الاجتماع القادم يوم الثلاثاء", "متى الاجتماع"],
    hebrew: ["הפגישה הבאה ביום ראשון", "מתי הפגישה"],
    hindi: ["अगली बैठक मंगलवार को होगी", "बैठक कब होगी"],
    thai: ["การประชุมครั้งต่อไปจะมีขึ้นในวันอังคาร", "ประชุมวันอังคาร"],
    turkish: ["İzmir'deki depo pazartesi açılıyor.", "izmir depo", "IZMIR"],
    code: [
      "Set `maxRetryCount` in src/net/httpClient.ts, or pass --retry-limit; see commit 7f3a2b1c9d.",
      "max retry count",
      "max_retry_count",
      "httpclient",
      "--retry-limit",
      "7f3a2b1",
    ],
  };

  test("with no key, no model, no network and no native extension, in any script", async (t) => {
    const written = Object.fromEntries(
      Object.entries(scripts).map(([name, [note]]) => [`memory/${name}.md`, `${note}\n`]),
    );
    const fixture = makeMemoryFixture(t, { ...notes, ...written });
    const source = `
      import dns from "node:dns";
      import net from "node:net";
      import { openMemory } from ${longhand};
      const forbidden = (what) => () => { throw new Error(what + " was used"); };
      net.Socket.prototype.connect = forbidden("the network");
      dns.lookup = forbidden("a name server");
      globalThis.fetch = forbidden("fetch");
      process.dlopen = forbidden("a native extension");
      const [workspace, stateDir, asked] = process.argv.slice(1);
      await using memory = await openMemory({ workspace, stateDir });
      const answers = [];
      for (const query of JSON.parse(asked)) answers.push(await memory.search(query, { minScore: 0 }));
      process.stdout.write(JSON.stringify(answers));`;
    const questions = Object.entries(scripts).flatMap(([name, [, ...asked]]) =>
      asked.map((query) => ({ name, query })),
    );
    const child = spawn(
      process.execPath,
      [
        "--input-type=module-typescript",
        "-e",
        source,
        "--",
        fixture.workspace,
        fixture.stateDir,
        JSON.stringify(questions.map(({ query }) => query)),
      ],
      { env: { PATH: process.env["PATH"], HOME: fixture.stateDir } },
    );
    t.after(() => child.kill("SIGKILL"));
    const { stdout, stderr } = await finish(child);
    assert.equal(stderr, "");
    const answers = JSON.parse(stdout) as SearchAnswer[];
    for (const [i, { name, query }] of questions.entries()) {
      assert.equal(answers[i]!.results[0]?.path, `memory/${name}.md`, query);
      assert.notEqual(answers[i]!.results[0]?.textScore, null);
    }
  });
});

suite("6. A question in plain words gets hits", () => {
  const questions: Readonly<Record<string, string>> = {
    "On which days are we allowed to ship something?": "MEMORY.md",
    "Who is the person that owns the billing service these days?": "MEMORY.md",
    "What was the port of the staging database again, after it had moved?": "memory/2026-03-01.md",
    "Do you remember how the printer upstairs is called?": "memory/2026-03-02.md",
    "please tell me about the idea with the dashboard and the water": "memory/ideas.md",
  };

  test("with the default settings, though no note has all the words", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const memory = await fixture.open({ config: {} });
    for (const [question, file] of Object.entries(questions)) {
      const { results } = await memory.search(question);
      assert.equal(results[0]?.path, file, question);
    }
  });

  test("on the command line, as one argument or as many", async (t) => {
    const fixture = openCliFixture(t);
    for (const [name, text] of Object.entries(notes)) fixture.write(name, text);
    const question = "Who is the person that owns the billing service?";
    for (const argv of [[question], question.split(" ")]) {
      const { code, value } = await fixture.json("search", ...argv);
      assert.equal(code, 0);
      assert.equal((value as SearchAnswer).results[0]?.path, "MEMORY.md");
    }
  });
});

suite("8. Nothing outside the allowed roots can be read or written", () => {
  const secret = "The combination of the safe is platypus.";

  /** A workspace beside files that must stay out of reach, with every kind of path to them. */
  function makeTrap(dir: string, workspace: string): string {
    const outside = path.join(dir, "outside");
    mkdirSync(outside, { recursive: true });
    mkdirSync(path.join(workspace, "memory"), { recursive: true });
    mkdirSync(path.join(workspace, "secrets"));
    const files = [
      path.join(outside, "secret.md"),
      path.join(workspace, "README.md"),
      path.join(workspace, "secrets", "s.md"),
    ];
    for (const file of [...files, path.join(workspace, "memory", "key.txt"), `${workspace}-twin.md`])
      writeFileSync(file, `${secret}\n`);
    symlinkSync(outside, path.join(workspace, "memory", "linked"));
    symlinkSync(path.join(outside, "secret.md"), path.join(workspace, "memory", "alias.md"));
    symlinkSync(path.join(outside, "new.md"), path.join(workspace, "memory", "dangling.md"));
    return outside;
  }

  const escapes = (dir: string): string[] => [
    "../outside/secret.md",
    "memory/../../outside/secret.md",
    "memory/linked/secret.md",
    "memory/linked/new.md",
    "memory/alias.md",
    "memory/dangling.md",
    path.join(dir, "outside", "secret.md"),
    "README.md",
    "secrets/s.md",
    "memory/key.txt",
    "MEMORY.md/../README.md",
    "./README.md",
    "../project-twin.md",
    "memory\\..\\..\\outside\\secret.md",
    "memory/a.md\0.txt",
    "memory/key.txt:x.md",
    "extra/0/secret.md",
    "extra/../outside/secret.md",
    "~/outside/secret.md",
    "file:///etc/passwd",
    "/etc/passwd",
    "//etc/passwd",
    "\\\\?\\C:\\secret.md",
    "",
    ".",
    "memory",
    "memory/",
  ];

  function snapshot(dir: string): Record<string, string> {
    const all: Record<string, string> = {};
    for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.parentPath.includes("state")) continue;
      const file = path.join(entry.parentPath, entry.name);
      all[path.relative(dir, file)] = readFileSync(file, "latin1");
    }
    return all;
  }

  test("through the library, by any path", { skip: skipWithoutLinks }, async (t) => {
    const folder = makeTemporaryFolder(t);
    const workspace = folder.makeFolder("project");
    makeTrap(folder.dir, workspace);
    const fixture = { workspace, stateDir: folder.at("state") };
    const { openMemory } = await import("../src/index.ts");
    await using memory = await openMemory(fixture);
    const before = snapshot(folder.dir);
    const check = async (relPath: string): Promise<void> => {
      const read = await memory.readFile({ relPath }).catch((error: { code: string }) => error);
      if ("code" in read)
        assert.match(read.code, /^(?:path-outside-memory|note-unreadable)$/, JSON.stringify(relPath));
      else assert.equal(read.text, "", JSON.stringify(relPath));
    };
    for (const relPath of escapes(folder.dir)) {
      await check(relPath);
      const added = await memory.add("gotcha", { to: relPath }).catch((error: { code: string }) => error);
      assert.ok("code" in added, JSON.stringify(relPath));
    }
    assert.deepEqual(snapshot(folder.dir), before, "no file was made or changed");
    await fc.assert(fc.asyncProperty(nastyPath, check), { seed: 81, numRuns: 300 });
    const answer = await memory.search("combination of the safe platypus", { minScore: 0 });
    assert.deepEqual(answer.results, [], "and search knows nothing of them");
    assert.ok(!existsSync(folder.at("outside/new.md")));
  });

  test("through the command line, by any path", { skip: skipWithoutLinks }, async (t) => {
    const fixture = openCliFixture(t);
    makeTrap(fixture.home, fixture.project);
    fixture.write("MEMORY.md", "# Memory\n\nNothing to see.\n");
    const before = snapshot(fixture.home);
    const some = escapes(fixture.home).filter((each) => !each.includes("\0") && each !== "");
    await Promise.all(
      // A few at a time, because each is a process.
      [some.slice(0, 8), some.slice(8, 16), some.slice(16)].map(async (slice) => {
        for (const [i, relPath] of slice.entries()) {
          const argv = i % 2 ? ["add", "gotcha", "--to", relPath] : ["get", relPath];
          const { stdout, stderr } = await fixture.run(...argv, "--json");
          assert.doesNotMatch(stdout + stderr, /platypus|root:/, relPath);
          if (i % 2) assert.equal(JSON.parse(stdout).error?.code, "path-outside-memory", relPath);
        }
      }),
    );
    const { code, stdout } = await fixture.run(
      "search",
      "combination of the safe",
      "--min-score",
      "0",
      "--json",
    );
    assert.equal(code, 0);
    assert.doesNotMatch(stdout, /platypus/);
    assert.deepEqual(snapshot(fixture.home), before);
  });

  test("nor does a hard link make private notes public", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    linkSync(fixture.at("MEMORY.md"), fixture.at("memory/public.md"));
    const memory = await fixture.open();
    const sessionKey = "agent:main:slack:channel:general";
    assert.doesNotMatch(JSON.stringify(await memory.search("billing ship", { sessionKey })), /Ada|Fridays/);
    await assert.rejects(memory.readFile({ relPath: "memory/public.md", sessionKey }), {
      code: "path-outside-memory",
    });
  });
});

function readFolder(dir: string): string[] {
  return existsSync(dir) ? readdirSync(dir) : [];
}
