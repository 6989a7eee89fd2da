import assert from "node:assert/strict";

/** The lines of a text for a model that are outside of fences. Fails if a fence is not closed, or could be imitated. */
export function outsideFences(text: string): { outside: string[]; fences: string[][] } {
  const outside: string[] = [];
  const fences: string[][] = [];
  let bar = "";
  for (const line of text.split("\n")) {
    const opening = /^(`{3,})text$/.exec(line)?.[1];
    if (bar === "" && opening !== undefined) {
      bar = opening;
      fences.push([]);
    } else if (bar !== "" && line === bar) bar = "";
    else if (bar === "") outside.push(line);
    else {
      assert.ok(!line.includes(bar), `a line in a fence has its bar in it: ${line}`);
      fences.at(-1)!.push(line);
    }
  }
  assert.equal(bar, "", `a fence is not closed:\n${text}`);
  return { outside: outside.filter((line) => line !== ""), fences };
}
