import type { HookAnswer } from "./answers.ts";
import { finishFlushes } from "./finish-flushes.ts";

export const answerSessionEnd: HookAnswer = async (request) => {
  const { memory, signal, warn } = request;
  await finishFlushes(request, { detectsCompactions: true });
  const { failed } = await memory.sync({ signal });
  for (const { path, message } of failed) warn(`${path}: ${message}`);
  return "";
};
