import { LonghandError } from "../errors.ts";

export function invalidSet(message: string, hint: string, cause?: unknown): LonghandError {
  return new LonghandError("eval-invalid", message, { hint, cause });
}
