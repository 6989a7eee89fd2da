/** SHA-256 of the text as UTF-8 (or of the bytes), in hex. */
export function sha256(content: string | Uint8Array): string {
  return nodeCrypto().hash("sha256", content, "hex");
}

/** The same for many texts as if they were one. */
export function sha256Of(parts: readonly string[]): string {
  const hash = nodeCrypto().createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** A short checksum that changes with every single character: it detects damage, nothing more. */
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

/**
 * SHA-256 of a short text in hex, like `sha256` but without `node:crypto`, which takes too long to load for a few
 * names. Slow for contents.
 */
export function sha256OfShort(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = firstBits(primes.slice(0, 8), Math.sqrt);
  const factors = firstBits(primes, Math.cbrt);
  const words = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [early, late] = [words[i - 15]!, words[i - 2]!];
      const mixed = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
      words[i] = words[i - 16]! + mixed + words[i - 7]! + (turn(late, 17) ^ turn(late, 19) ^ (late >>> 10));
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let i = 0; i < 64; i++) {
      const chosen = (e & f) ^ (~e & g);
      const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + chosen + factors[i]! + words[i]!) | 0;
      const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      // One by one: as arrays, this would take most of the time in code that runs once.
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = state[i]! + value;
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

const primes = [
  2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103,
  107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223,
  227, 229, 233, 239, 241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307, 311,
];

/** The first 32 fractional bits of roots of primes: the constants of the algorithm. */
function firstBits(numbers: readonly number[], rootOf: (prime: number) => number): Uint32Array {
  return Uint32Array.from(numbers, (prime) => (rootOf(prime) % 1) * 2 ** 32);
}
