import { findProxy } from "../../config/proxy.ts";
import { resolveSettings } from "../../config/settings.ts";
import type { Patient } from "../../doctor/check.ts";
import { runDoctor } from "../../doctor/doctor.ts";
import { LonghandError } from "../../errors.ts";
import type { Memory } from "../../memory/memory.ts";
import { openConfiguredMemory } from "../../memory/open-memory.ts";
import { findUnadopted } from "../../memory/unadopted.ts";
import { readVersion } from "../../version.ts";
import type { CommandContext } from "../command.ts";
import { nodeVersionProblem } from "../node-version.ts";
import { renderDoctor } from "../render-doctor.ts";
import { setterOfProxy } from "../use-proxy.ts";
import { placeOf } from "../with-memory.ts";

/** Unlike all other commands it goes on where something cannot be opened: to say so is its work. */
export async function runDoctorCommand(context: CommandContext): Promise<void> {
  const { globals, output, currentDir } = context;
  const settings = await orError(() => resolveSettings(placeOf(globals)));
  const memory =
    settings instanceof LonghandError || settings.disabled
      ? undefined
      : await orError(() => openConfiguredMemory(settings));
  const unadopted = settings instanceof LonghandError ? null : findUnadopted(settings, currentDir);
  const { node, sqlite } = process.versions;
  const patient: Patient = {
    settings,
    version: readVersion(),
    ...lookAtProxy(),
    node: { version: node, sqlite: sqlite ?? "?", problem: nodeVersionProblem(node) },
    ...(memory === undefined ? {} : await lookInto(memory)),
    ...(unadopted && { unadopted }),
  };
  try {
    const report = await runDoctor(patient);
    output.show(report, (view) => renderDoctor(report, view));
    if (report.checks.some(({ ok }) => !ok)) context.markFailed();
  } finally {
    await patient.memory?.close();
  }
}

function lookAtProxy(): Pick<Patient, "proxy"> {
  const proxy = findProxy();
  if (proxy === null) return {};
  const isUsed = proxy.isUsedByNode || setterOfProxy() !== undefined;
  return { proxy: { variables: proxy.variables, isUsed } };
}

async function lookInto(memory: Memory | LonghandError): Promise<Pick<Patient, "memory" | "status">> {
  if (memory instanceof LonghandError) return { status: memory };
  return { memory, status: await orError(() => memory.status()) };
}

async function orError<T>(work: () => Promise<T>): Promise<T | LonghandError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LonghandError) return error;
    throw error;
  }
}
