import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, existsSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createPlainStream } from "./standard-streams.ts";

const refuse = (): never => assert.fail("is not needed here");

suite("A plain stream", () => {
  test("writes everything at once, in order", (t) => {
    const { dir: folder } = makeTemporaryFolder(t);
    const file = join(folder, "out");
    const descriptor = openSync(file, "w");
    const stream = createPlainStream(descriptor, refuse, refuse);
    stream.write("één\n");
    stream.write("x".repeat(300_000));
    assert.equal(readFileSync(file, "utf8"), `één\n${"x".repeat(300_000)}`);
    closeSync(descriptor);
  });

  test("hands over what a full pipe does not accept, and everything after it", {
    skip: process.platform === "win32" && "needs named pipes",
  }, (t) => {
    const { dir: folder } = makeTemporaryFolder(t);
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const descriptor = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const rest: (string | Uint8Array)[] = [];
    const stream = createPlainStream(descriptor, () => ({ write: (bytes) => rest.push(bytes) }), refuse);
    stream.write("é漢".repeat(100_000));
    stream.write("end");
    const room = Buffer.alloc(1_000_000);
    const taken = room.subarray(0, readSync(descriptor, room));
    const all = Buffer.concat([taken, ...rest.map((part) => Buffer.from(part as Uint8Array))]).toString();
    assert.equal(all, `${"é漢".repeat(100_000)}end`);
    assert.equal(rest.length, 2);
    closeSync(descriptor);
  });

  test("reports a failed write", (t) => {
    const { dir: folder } = makeTemporaryFolder(t);
    const file = join(folder, "in");
    writeFileSync(file, "");
    const descriptor = openSync(file, "r");
    const codes: (string | undefined)[] = [];
    createPlainStream(descriptor, refuse, ({ code }) => codes.push(code)).write("x");
    assert.deepEqual(codes, ["EBADF"]);
    closeSync(descriptor);
  });
});

suite("The command line", { skip: process.platform === "win32" && "needs a shell" }, () => {
  const command = `'${process.execPath}' '${join(import.meta.dirname, "bin.ts")}'`;
  const shell = (line: string, env: NodeJS.ProcessEnv = {}): string =>
    execFileSync("/bin/sh", ["-c", line], {
      encoding: "utf8",
      timeout: 60_000,
      env: { PATH: process.env["PATH"], ...env },
    });

  test("exits without an error when its reader closes the pipe", () => {
    assert.match(
      shell(`{ ${command} --help; echo "ended with $?" >&2; } 2>&1 >/dev/null | tail -1`),
      /with 0/,
    );
    assert.match(shell(`{ ${command} --help; echo "ended with $?" >&2; } 2>&1 1>&- | tail -1`), /ended with/);
    assert.match(
      shell(`{ ${command} --help; echo "ended with $?" >&2; } 2>/dev/null | true; echo done`),
      /done/,
    );
  });

  test("ends at once when a device has taken its output", () => {
    // Without that, this timer would keep the process.
    const env = { NODE_OPTIONS: "--import=data:text/javascript,setTimeout(Object,9e4)" };
    const line = `${command} --help >/dev/null 2>/dev/null; echo "ended with $?"`;
    assert.match(shell(line, env), /with 0/);
  });

  test("reports a device that is full", { skip: !existsSync("/dev/full") && "needs /dev/full" }, () => {
    assert.match(
      shell(`${command} --help 2>&1 >/dev/full; echo "ended with $?"`),
      /could not be written: ENOSPC.*\nended with 1/,
    );
  });

  test("colours the output of a pipe only on request", () => {
    assert.ok(!shell(`${command} --help`).includes("\u001b["));
    assert.ok(shell(`${command} --help`, { FORCE_COLOR: "1" }).includes("\u001b["));
    assert.ok(!shell(`${command} --help --no-color`, { FORCE_COLOR: "1" }).includes("\u001b["));
  });
});

/** Prints what it reads; exits with 3 if reading is abandoned after the first part. */
const program = `
  import { openPlainInput } from ${JSON.stringify(import.meta.resolve("./standard-streams.ts"))};
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
