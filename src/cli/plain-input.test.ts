import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { suite, test } from "node:test";

/** Prints what it reads; exits with 3 if reading is abandoned after the first part. */
const program = `
  import { openPlainInput } from ${JSON.stringify(import.meta.resolve("./plain-input.ts"))};
  const input = openPlainInput(() => process.stdin);
  try {
    for await (const part of input) {
      process.stdout.write(part);
      // By then it waits for more input.
      if (process.argv[1] === "stop") setImmediate(() => input.destroy());
    }
    process.stdout.write("|end");
  } catch (error) {
    process.stdout.write("|" + error.message);
    process.exit(3);
  }
`;

function start(...argv: string[]) {
  const child = spawn(process.execPath, ["--no-warnings", "--input-type=module", "--eval", program, ...argv]);
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  return { child, ended: once(child, "close").then(([code]) => ({ code: code as number | null, text })) };
}

const skip = process.platform === "win32" && "it is not used there";

suite("Standard input without Node's stream", { skip }, () => {
  test("is read to its end", async () => {
    const { child, ended } = start();
    const long = "é".repeat(100_000);
    child.stdin.write("one ");
    child.stdin.end(long);
    assert.deepEqual(await ended, { code: 0, text: `one ${long}|end` });
  });

  test("can be abandoned while the writer keeps its end open", async () => {
    const { child, ended } = start("stop");
    child.stdin.write("half");
    assert.deepEqual(await ended, { code: 3, text: "half|Standard input was closed." });
  });
});
