import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

/**
 * `npm test [-- FILE…]`. Node leaves one core free, which on a machine with two leaves half of it idle: most tests wait
 * for processes and files, so that two at a time is the least.
 */
const everything = ["src/**/*.test.ts", "test/**/*.test.ts", "quality/**/*.test.ts", "bench/**/*.test.ts"];
const asked = process.argv.slice(2);
const concurrency = Math.max(2, availableParallelism() - 1);
const files = asked.some((argument) => !argument.startsWith("-")) ? [] : everything;
const tests = spawn(process.execPath, ["--test", `--test-concurrency=${concurrency}`, ...asked, ...files], {
  stdio: "inherit",
});
tests.on("exit", (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 1;
});
