import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";

/*
 * The promises of README, SECURITY.md and docs/safety.md, each with the test that fails if it is broken. A promise without
 * a proof fails here, and so does a proof whose promise or test is gone, so changing a sentence means checking its test.
 */

const root = join(import.meta.dirname, "..");
const read = (name: string) => readFileSync(join(root, name), "utf8");

/** A file, and a text in it: the title of a test, or a part of it. */
type Proof = readonly [file: string, words: string];

/** By how the promise begins. */
type Proofs = Readonly<Record<string, readonly Proof[]>>;

const consent: Proof = ["test/e2e/consent.test.ts", "With every key in the environment and no choice made"];
const tenants: Proof = ["src/stores/postgres/hostile-tenant.test.ts", "changes nothing of others"];
const masking: Proof = ["src/text/redact.test.ts", "nothing is left of a secret"];
const quoting: Proof = [
  "src/tools/quote-notes.test.ts",
  "only fixed words and numbers are outside the fences",
];
const trust: Proof = ["src/memory/workspace-trust.test.ts", "is trusted once the user says so"];
const roots: Proof = ["test/promises.test.ts", "8. Nothing outside the allowed roots"];
const guarded: Proof = [
  "src/web/guard-matrix.test.ts",
  "Every route admits only requests with our own address",
];
const tokens: Proof = ["test/e2e/http-tokens.test.ts", "opens that agent and no other"];
const closed: Proof = ["test/e2e/private-files.test.ts", "everything in the state folder is closed"];
const fuzzing: Proof = ["test/fuzz/fuzz.test.ts", "cases, 0"];
const forgetting: Proof = ["test/forget.test.ts", "Forgotten text is in no byte of the index"];
const scripts: Proof = ["scripts/check-package.ts", "the package itself has a script"];

const pages: Readonly<Record<string, { promises: (text: string) => string[]; proofs: Proofs }>> = {
  "SECURITY.md": {
    /** The sentences of the paragraph that sums up. */
    promises: (text) => sentencesOf(/^In short: (.*)$/m.exec(text)?.[1] ?? ""),
    proofs: {
      "nothing leaves the machine": [consent],
      "Known secrets are masked": [
        masking,
        ["src/embedders/batch-jobs/batch-jobs.test.ts", "mask likely secrets"],
      ],
      "Through tools and hooks, notes reach an agent": [quoting, trust],
      "There is no telemetry": [consent],
      "The package has no install scripts": [scripts],
      "Servers listen on this machine alone": [guarded, tokens],
      "Tenants of one PostgreSQL database": [tenants],
      "The state folder is closed": [closed],
    },
  },
  "docs/safety.md": {
    /** The threats: the first column of the first table. */
    promises: (text) =>
      text
        .slice(0, text.indexOf("\n## "))
        .split("\n")
        .filter((line) => line.startsWith("| "))
        .slice(1)
        .map((line) => line.split(" | ")[0]!.slice(2)),
    proofs: {
      "A path leads out of the memory": [roots, fuzzing],
      "A FIFO or a device": [["src/notes/open-note.test.ts", "a FIFO and a socket are refused at once"]],
      "A hard link gives": [["test/promises.test.ts", "nor does a hard link make private notes public"]],
      "A question holds full-text syntax": [fuzzing],
      "Text from the web becomes a memory": [quoting],
      "A cloned repository": [trust],
      "The host settings": [["test/e2e/doctor-hosts.test.ts", "starts no program from the project itself"]],
      "A file name with line breaks": [["test/e2e/hostile-names.test.ts", "prints no forged line"]],
      "A note swallows others": [
        ["src/notes/plan-entry.test.ts", "an unclosed code fence is closed before the entry"],
      ],
      "Text changes on its way": [["src/notes/entry-text.test.ts", "control characters is refused"]],
      "Private notes are shown in a group": [
        ["src/text/session-key.test.ts", "with a part `group`, `channel` or `thread` are never private"],
      ],
      '"Forgotten" text stays': [forgetting],
      "A large or hostile file": [fuzzing],
      "A regular expression hangs": [fuzzing],
      "A broken configuration": [fuzzing],
      "An edit is cut off": [
        ["src/notes/append.test.ts", "a write that the disk takes only in part is undone"],
        ["src/notes/edit-file.test.ts", "a full disk leaves the note as it was"],
      ],
      "A note or a transcript contains a secret": [masking],
      "Any web page calls the server": [guarded],
      "Script in a note": [["test/page/page.test.ts", "safety-flows"]],
      "Keys leak": [["test/e2e/canaries.test.ts", "No key is seen in any output"]],
      "Notes are sent to a service": [consent],
      "A key, a password or text is read on the way": [
        ["src/embedders/providers.test.ts", "A key is not sent unencrypted to another machine"],
        ["src/config/postgres-address.test.ts", "Nothing says whether to encrypt"],
      ],
      "An agent reads the memory of another": [tokens],
      "Another tenant of the same PostgreSQL": [tenants],
      "Another user's process answers": [
        ["test/e2e/resident-attacks.test.ts", "if the folder or the socket belongs to another user"],
        ["test/e2e/resident.test.ts", "is left to a new process if anything about it is different"],
      ],
      "Other users of the machine": [closed, ["test/e2e/private-files.test.ts", "doctor says when a key"]],
    },
  },
  "README.md": {
    promises: (text) => {
      const start = text.indexOf("## Why trust it");
      const section = text.slice(start, text.indexOf("\n## ", start + 1));
      return section
        .split("\n")
        .filter((line) => line.startsWith("- "))
        .map((line) => line.slice(2));
    },
    proofs: {
      "**Plain files.**": [roots],
      "**Nothing is lost.**": [["test/promises.test.ts", "2. A note that add acknowledged survives"]],
      "**Nothing leaves the machine**": [consent, masking, scripts],
      "**Nothing outside the memory": [roots, quoting],
      "**Hits you can check.**": [["src/search/why-not.test.ts", "says that other chunks matched better"]],
      "**Speed and forgetting you can check.**": [["bench/bars.ts", "export const bars"], forgetting],
      "**Questions, not query syntax.**": [
        ["test/promises.test.ts", "6. A question in plain words gets hits"],
      ],
    },
  },
};

for (const [page, { promises, proofs }] of Object.entries(pages)) {
  suite(`What ${page} promises`, () => {
    const found = promises(read(page));

    test("has a proof each", () => {
      assert.ok(found.length > 5);
      const begins = Object.keys(proofs);
      for (const promise of found) {
        const count = begins.filter((begin) => promise.startsWith(begin)).length;
        assert.equal(count, 1, `${page} says "${promise.slice(0, 60)}…"; name the test that proves it here`);
      }
      for (const begin of begins) {
        assert.ok(
          found.some((promise) => promise.startsWith(begin)),
          `${page} does not say "${begin}…" any more; take its proof away`,
        );
      }
    });

    test("is covered by tests that exist", () => {
      for (const [begin, each] of Object.entries(proofs)) {
        for (const [file, words] of each) {
          assert.ok(existsSync(join(root, file)), `${begin}: there is no ${file}`);
          assert.ok(read(file).includes(words), `${begin}: ${file} has no test "${words}"`);
        }
      }
    });
  });
}

function sentencesOf(paragraph: string): string[] {
  return paragraph.split(/(?<=\.) (?=[A-Z])/);
}
