import { hash } from "node:crypto";

/** SHA-256 of the text as UTF-8 (or of the bytes), in hex. */
export function sha256(content: string | Uint8Array): string {
  return hash("sha256", content, "hex");
}
