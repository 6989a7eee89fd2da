import assert from "node:assert/strict";
import { test } from "node:test";
import { tellsOtherwise } from "./tells-otherwise.ts";

test("the same fact in other words tells nothing otherwise", () => {
  const same: readonly (readonly [string, string])[] = [
    ["The dog of the user is called Rex.", "The user's dog is called Rex."],
    ["The user prefers tea over coffee.", "Prefers tea over coffee."],
    ["Vim is the favourite editor.", "The favourite editor is Vim, since 2019."],
  ];
  for (const [text, entry] of same) assert.equal(tellsOtherwise(text, entry), false, text);
});

test("another name, number, direction or the opposite tells otherwise, and so does anything more", () => {
  const other: readonly (readonly [string, string])[] = [
    ["Prefers coffee over tea.", "Prefers tea over coffee."],
    ["The dog is called Max.", "The dog is called Rex."],
    ["The meeting is at 15:00.", "The meeting is at 14:00."],
    ["Does not like tea.", "Does like tea."],
    ["Moved from Oslo to Bergen.", "Moved from Bergen to Oslo."],
    ["Lives in Oslo with Ana.", "Lives in Oslo."],
    ["It was 5 degrees.", "It was -5 degrees."],
    ["The rent is 900 €.", "The rent is 900 $."],
    ["Writes C++.", "Writes C#."],
    ["Goes with plan A.", "Goes with plan B."],
    ["Signs with 🎉.", "Signs with 😀."],
    ["😀", "🎉"],
  ];
  for (const [text, entry] of other) assert.equal(tellsOtherwise(text, entry), true, text);
});
