import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { residentSocketIn } from "../../src/config/resident-socket.ts";
import { until } from "./hang-limit.ts";
import { isBuilt } from "./programs.ts";
import { type CliFixture, type CliSetting, openCliFixture } from "./run-cli.ts";

/** Only the built package has residents. */
export const skip =
  process.platform !== "linux" ? "only Linux has them" : isBuilt ? false : "needs the built package";

export interface ResidentFixture extends CliFixture {
  readonly server: ReturnType<CliFixture["start"]>;
  readonly folder: string;
  readonly socket: string;
  /** Runs with `--debug` until the resident answers: it is started on demand, and leaves work to others when busy. */
  askResident(
    setting: Partial<CliSetting>,
    ...argv: string[]
  ): Promise<{ code: number | null; stdout: string; pid: number }>;
  connect(): Promise<Socket>;
}

/** A command line with a server beside it. */
export function openResidentFixture(t: TestContext, serverArguments: readonly string[]): ResidentFixture {
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "# Deploy\n\nWe deploy on Fridays with the blue script.\n");
  fixture.write("../state/longhand.json5", "{}");
  const server = fixture.start({ keepInputOpen: true }, ...serverArguments);
  server.stdout?.resume();
  server.stderr?.resume();
  const { folder, socket } = residentSocketIn(fixture.stateDir);
  return {
    ...fixture,
    server,
    folder,
    socket,
    async askResident(setting, ...argv) {
      let answer = { code: null as number | null, stdout: "", pid: 0 };
      await until(
        async () => {
          const { code, stdout, stderr } = await fixture.runWith(setting, ...argv, "--debug");
          answer = { code, stdout, pid: answeredBy(stderr) ?? 0 };
          return answer.pid !== 0;
        },
        `an answer of the resident to ${argv.join(" ")}`,
      );
      return answer;
    },
    async connect() {
      const connection = connect(socket).on("error", () => {});
      await once(connection, "connect");
      return connection;
    },
  };
}

/** The process that answered a command line with `--debug`; null if it was its own. */
export function answeredBy(stderr: string): number | null {
  const [, pid] = /^answered by process (\d+)/m.exec(stderr) ?? [];
  return pid === undefined ? null : Number(pid);
}
