import assert from "node:assert/strict";
import { type DocumentState, hasVectors, type Store, type VectorStore } from "../store.ts";
import type { MissingText } from "../store-vectors.ts";
import { type Check, document, named, one, search, vectorOf } from "./fixture.ts";

/** A store that several writers may use at once. */
type SharedStore = Store & Required<Pick<Store, "documentState">>;

export function hasState(store: Store): store is SharedStore {
  return store.documentState !== undefined;
}

/**
 * Writers that read a file and store what they read, with their steps in every order. The index only moves forward: it
 * never shows an older content after a newer one, and ends with the newest that any writer has read.
 */
export function checkWriters(check: Check<SharedStore>): void {
  check("refuses a writer that read the file before the stored version was written", async (store) => {
    const early = await store.documentState();
    assert.deepEqual(await put(store, "a.md", "2", early), []);
    assert.deepEqual(await put(store, "a.md", "1", early), [{ source: "memory", path: "a.md" }]);
    assert.deepEqual(await store.touch("memory", new Map([["a.md", "1"]]), { asOf: early }), ["a.md"]);
    assert.deepEqual(await store.remove("memory", ["a.md"], { asOf: early }), ["a.md"]);
    assert.equal(await storedVersion(store, "a.md"), "2");
    const later = await store.documentState();
    assert.deepEqual(await store.touch("memory", new Map([["a.md", "3"]]), { asOf: later }), []);
    assert.deepEqual(await store.remove("memory", ["a.md"], { asOf: later }), ["a.md"]);
    const last = await store.documentState();
    assert.deepEqual(await store.remove("memory", ["a.md", "never.md"], { asOf: last }), []);
    // It is absent, as it was at first; but in between it was added and removed.
    assert.deepEqual(await put(store, "a.md", "4", early), [{ source: "memory", path: "a.md" }]);
    assert.deepEqual(await store.touch("memory", new Map([["a.md", "5"]]), { asOf: last }), ["a.md"]);
    assert.equal((await store.versions("memory")).size, 0);
    assert.deepEqual(await put(store, "a.md", "6", await store.documentState()), []);
  });

  check("refuses a writer that saw a document absent before it was removed again", async (store) => {
    const early = await store.documentState();
    assert.deepEqual(await store.remove("memory", ["a.md"]), []);
    assert.deepEqual(await put(store, "a.md", "1", early), [{ source: "memory", path: "a.md" }]);
    assert.deepEqual(await put(store, "a.md", "2", await store.documentState()), []);
  });

  check("refuses some documents of a write and stores the others", async (store) => {
    const early = await store.documentState();
    await put(store, "a.md", "2", early);
    const refused = await store.put(
      [document("a.md", ["old"], { version: "1" }), document("b.md", ["fresh"], { version: "1" })],
      "cut-1",
      { asOf: early },
    );
    assert.deepEqual(refused, [{ source: "memory", path: "a.md" }]);
    assert.deepEqual(await search(store, ["old"]), []);
    assert.deepEqual(await search(store, ["fresh"]), ["fresh"]);
    assert.deepEqual(await store.remove("memory", ["a.md", "b.md", "c.md"], { asOf: early }), [
      "a.md",
      "b.md",
    ]);
  });

  check("returns the versions of only some documents", async (store) => {
    await store.put([document("a.md", ["alpha"]), document("b.md", ["beta"], { version: "7" })], "cut-1");
    const some = await store.versions("memory", { paths: ["b.md", "c.md"] });
    assert.deepEqual([...some], [["b.md", (await store.versions("memory")).get("b.md")!]]);
    assert.deepEqual(await store.versions("sessions", { paths: ["b.md"] }), new Map());
    assert.deepEqual(await store.versions("memory", { paths: [] }), new Map());
  });

  for (const changes of [["edit"], ["delete"], ["delete", "edit"]] as const) {
    const title = `two writers of a note, and somebody who does ${changes.join(", then ")}, in every order`;
    check(title, async (store, fixture) => {
      await using other = await fixture.open();
      const orders = interleave({ a: 3, b: 3, x: changes.length });
      for (const order of differentOrders(orders)) await runOrder(order, changes, [store, other]);
    });
  }

  check("skips vectors that arrive after their text was removed, in every order", async (store) => {
    if (!hasVectors(store) || store.exportVectors === undefined) return;
    for (const order of interleave({ e: 2, f: 1 })) {
      const [path, word] = [`${order}.md`, `word${order}`];
      await store.put([document(path, [word, `stays${order}`])], "cut-1");
      let missing: readonly MissingText[] = [];
      const embedder = [
        async () => {
          missing = await store.missingVectors("single", 99);
        },
        async () => {
          const entries = missing.map(({ hash, text }) => ({ hash, vectors: [vectorOf(text)] }));
          await store.putVectors(named("single"), entries, one);
        },
      ];
      const editor = [
        async () => {
          await store.put([document(path, [`stays${order}`])], "cut-1");
        },
      ];
      for (const name of order) await (name === "e" ? embedder : editor).shift()!();
      const known = await knownVectors(store);
      assert.ok(known.has(`hash of stays${order}`), order);
      // A vector made while the text was there is kept until it is purged.
      assert.equal(known.has(`hash of ${word}`), order === "eef", order);
    }
  });
}

/**
 * One of each group of orders that a store cannot tell apart. A writer's second step touches only the file and the
 * others only the store, so what matters is the order of the store steps and which change each writer has read. Writers
 * are interchangeable.
 */
function differentOrders(orders: Iterable<string>): Iterable<string> {
  const chosen = new Map<string, string>();
  for (const order of orders) {
    const [key = ""] = [whatMatters(order), whatMatters(swapWriters(order))].sort();
    if (!chosen.has(key)) chosen.set(key, order);
  }
  return chosen.values();
}

function whatMatters(order: string): string {
  const taken = { a: 0, b: 0, x: 0 };
  const changesRead = { a: 0, b: 0 };
  let onStore = "";
  for (const name of order as Iterable<"a" | "b" | "x">) {
    taken[name]++;
    if (name === "x") continue;
    if (taken[name] === 2) changesRead[name] = taken.x;
    else onStore += name;
  }
  return `${onStore} ${changesRead.a} ${changesRead.b}`;
}

function swapWriters(order: string): string {
  return order.replaceAll(/[ab]/g, (name) => (name === "a" ? "b" : "a"));
}

type Change = "edit" | "delete";

/** The file on disk; every change has a number. */
interface NoteFile {
  readonly path: string;
  number: number;
  isThere: boolean;
}

/** Each order on its own note: `a` and `b` are steps of writers, `x` changes the file. */
async function runOrder(
  order: string,
  changes: readonly Change[],
  [first, second]: readonly [SharedStore, SharedStore],
): Promise<void> {
  const file: NoteFile = { path: `${order}-${changes.join("-")}.md`, number: 1, isThere: true };
  const left = [...changes];
  // The index holds the note's first version.
  let stored = { number: 0, isThere: true };
  await put(first, file.path, "0", await first.documentState());
  const onStored = (read: Readonly<NoteFile>): void => {
    assert.ok(read.number >= stored.number, `${order}: ${read.number} after ${stored.number}`);
    stored = read;
  };
  const writers = {
    a: createWriter(first, file, onStored),
    b: createWriter(second, file, onStored),
  };
  for (const name of order) {
    if (name === "a" || name === "b") await writers[name].step();
    else Object.assign(file, { number: file.number + 1, isThere: left.shift() === "edit" });
  }
  for (const writer of Object.values(writers)) {
    for (let steps = 0; !writer.isDone(); steps++) {
      assert.ok(steps < 9, `${order}: who is refused gets on at the next attempt`);
      await writer.step();
    }
  }
  const newest = Math.max(writers.a.read(), writers.b.read());
  assert.equal(stored.number, newest, `${order}: the newest that was read is stored`);
  const known = (await second.versions("memory")).get(file.path);
  assert.equal(known?.version, stored.isThere ? `${newest}` : undefined, order);
}

/** Reads the stored state, reads the file, stores what it read; starts over if that is refused. */
function createWriter(store: SharedStore, file: NoteFile, onStored: (read: Readonly<NoteFile>) => void) {
  let [next, isDone]: [number, boolean] = [0, false];
  let asOf: DocumentState = "";
  let read: Readonly<NoteFile> = file;
  const steps = [
    async () => {
      asOf = await store.documentState();
    },
    async () => {
      read = { ...file };
    },
    async () => {
      const refused = read.isThere
        ? await put(store, file.path, `${read.number}`, asOf)
        : await store.remove("memory", [file.path], { asOf });
      isDone = refused.length === 0;
      if (isDone) onStored(read);
    },
  ];
  return {
    isDone: () => isDone,
    /** The number of the change it read last. */
    read: () => read.number,
    async step(): Promise<void> {
      await steps[next]!();
      next = (next + 1) % steps.length;
    },
  };
}

async function put(store: Store, path: string, version: string, asOf: DocumentState) {
  return await store.put([document(path, [`content ${version}`], { version })], "cut-1", { asOf });
}

async function storedVersion(store: Store, path: string): Promise<string | undefined> {
  return (await store.versions("memory")).get(path)?.version;
}

/** The hashes of texts whose exact vectors are kept. */
async function knownVectors(store: VectorStore): Promise<Set<string>> {
  const hashes = new Set<string>();
  for await (const entries of store.exportVectors?.(named("single")) ?? []) {
    for (const { hash } of entries) hashes.add(hash);
  }
  return hashes;
}

/** Every interleaving of the actors' steps, each actor's steps in order: `{a: 2, b: 1}` gives aab, aba and baa. */
function* interleave(steps: Readonly<Record<string, number>>): Generator<string> {
  const left = Object.entries(steps).filter(([, count]) => count > 0);
  if (left.length === 0) yield "";
  for (const [name, count] of left) {
    for (const rest of interleave({ ...steps, [name]: count - 1 })) yield name + rest;
  }
}
