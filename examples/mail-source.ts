/**
 * A custom source: the messages of an mbox file, indexed beside the notes. It passes the contract suite for sources.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { openMemory } from "longhand";
import { sourceContract } from "longhand/testing";
import { createMboxSource } from "./mail-source/mbox-source.ts";

const mbox = `From ada@example.org Mon Mar  2 09:00:00 2026
Message-ID: <1@example.org>
Date: Mon, 2 Mar 2026 09:00:00 +0000
From: Ada <ada@example.org>
To: team@example.org
Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?= and the venue
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

The offsite is in the old caf=C3=A9 at the harbour, from nine o'cl=
ock on.
>From there we walk.

From bob@example.org Tue Mar  3 10:00:00 2026
Message-ID: <2@example.org>
Date: Tue, 3 Mar 2026 10:00:00 +0000
From: Bob <bob@example.org>
To: team@example.org
Subject: Invoice 4711
Content-Type: multipart/alternative; boundary="b"

--b
Content-Type: text/html

<p>paid</p>
--b
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: base64

${Buffer.from("The printer's invoice is paid.").toString("base64")}
--b--
`;

test("messages are found beside the notes, and read by their path", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "longhand-example-"));
  try {
    const file = path.join(folder, "inbox.mbox");
    await writeFile(file, mbox);
    await using memory = await openMemory({
      workspace: path.join(import.meta.dirname, "workspace"),
      stateDir: path.join(folder, "state"),
      sources: [createMboxSource(file)],
    });
    const { results } = await memory.search("where is the offsite?");
    const [hit] = results;
    assert.deepEqual(
      [hit?.source, hit?.path, hit?.date, hit?.headings[0]],
      ["mail", "mail/2026/1@example.org", "2026-03-02", "Grüße and the venue"],
    );
    const { text } = await memory.readFile({ relPath: hit!.path });
    assert.match(text, /the old café at the harbour, from nine o'clock on\.\nFrom there we walk\./);
    const paid = await memory.search("has the printer's invoice been paid?", { source: "mail" });
    assert.equal(paid.results[0]?.path, "mail/2026/2@example.org");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

sourceContract("an mbox file", {
  async create() {
    const folder = await mkdtemp(path.join(os.tmpdir(), "longhand-example-"));
    const file = path.join(folder, "inbox.mbox");
    const letters = new Map<string, string>();
    const save = async (): Promise<void> => {
      const written = [...letters].map(
        ([name, text]) =>
          `From x@example.org Mon Mar  2 09:00:00 2026\nMessage-ID: <${name}>\nSubject: ${name}\n\n${text}\n`,
      );
      await writeFile(file, written.join("\n"));
    };
    await save();
    return {
      open: async () => createMboxSource(file),
      async write(name, text) {
        letters.set(name, text);
        await save();
        return `undated/${name}`;
      },
      async remove(name) {
        letters.delete(name);
        await save();
      },
      [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
    };
  },
});
