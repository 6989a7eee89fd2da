import assert from "node:assert/strict";
import { test } from "node:test";
import { findLinkedNote } from "./find-linked-note.ts";

const paths = ["a/gear.md", "b/gear.md", "b/trip.md", "gear/list.md"];
const find = (target: string, from = "b/trip.md") => findLinkedNote(target, { from, paths });

test("A wikilink means a path, or a name, the nearest first", () => {
  assert.equal(find("a/gear"), "a/gear.md");
  assert.equal(find("gear"), "b/gear.md");
  assert.equal(find("Gear.md", "a/x.md"), "a/gear.md");
  assert.equal(find("list"), "gear/list.md");
  assert.equal(find("nowhere"), null);
});
