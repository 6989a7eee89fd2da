import { pageBytes } from "../../src/stores/sqlite/connection.ts";

export interface Damage {
  readonly what: string;
  readonly bytes: Buffer;
}

/** Damages a database in a random way. */
export function damageBytes(sound: Buffer, random: () => number): Damage {
  const bytes = Buffer.from(sound);
  const below = (limit: number): number => Math.floor(random() * limit);
  const page = below(sound.length / pageBytes) * pageBytes;
  switch (below(8)) {
    case 0:
    case 1:
    case 2: {
      const at = below(bytes.length);
      bytes[at]! ^= 1 << below(8);
      return { what: `bit flipped at ${at}`, bytes };
    }
    case 3: {
      for (let flips = 2 + below(200); flips > 0; flips--) bytes[below(bytes.length)]! ^= 1 << below(8);
      return { what: "many bits flipped", bytes };
    }
    case 4: {
      const length = below(sound.length);
      return { what: `cut to ${length} bytes`, bytes: bytes.subarray(0, length) };
    }
    case 5: {
      bytes.fill(0, page + below(4096), page + pageBytes);
      return { what: `zeroes in the page at ${page}`, bytes };
    }
    case 6: {
      const other = below(sound.length / pageBytes) * pageBytes;
      sound.copy(bytes, page, other, other + pageBytes);
      return { what: `page at ${page} replaced by that at ${other}`, bytes };
    }
    default: {
      const at = below(bytes.length);
      for (let i = at; i < Math.min(at + 512, bytes.length); i++) bytes[i] = below(256);
      return { what: `noise at ${at}`, bytes };
    }
  }
}
