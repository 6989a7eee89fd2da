/** SHA-256 of the text as UTF-8 (or of the bytes), in hex. */
export function sha256(content: string | Uint8Array): string {
  return nodeCrypto().hash("sha256", content, "hex");
}

/** The same of many texts as if they were one. */
export function sha256Of(parts: readonly string[]): string {
  const hash = nodeCrypto().createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** Short, and another for every text in which one character differs: it tells a text from a damaged one, no more. */
export function checksum(text: string): string {
  let sum = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, "0");
}

/** SHA-1 of the content. */
export function sha1(content: string | Uint8Array): Buffer {
  return nodeCrypto().hash("sha1", content, "buffer");
}

/** Loading it takes milliseconds, and most searches hash nothing. */
function nodeCrypto() {
  return process.getBuiltinModule("node:crypto");
}
