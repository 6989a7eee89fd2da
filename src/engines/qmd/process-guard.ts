import { spawn } from "node:child_process";

/**
 * A process between us and a program that we run. It exits when the program does, with the same status. If we die, it
 * kills the program and everything it has started: it leads their process group.
 */
function holdProgram([program, ...words]: readonly string[]): void {
  const child = spawn(program!, words, { stdio: ["ignore", "inherit", "inherit"], windowsHide: true });
  child.once("error", (error) => {
    process.stderr.write(error.message);
    process.exitCode = 127;
    process.disconnect();
  });
  child.once("exit", (code, signal) => {
    if (signal !== null) process.kill(process.pid, signal);
    else process.exit(code ?? 1);
  });
  process.once("disconnect", () => {
    if (child.pid === undefined) return;
    try {
      process.kill(-process.pid, "SIGKILL");
    } catch {
      // Windows has no process groups.
      child.kill("SIGKILL");
    }
  });
}

holdProgram(process.argv.slice(2));
