import type { Scan } from "./scan.ts";

/** Words that a seed of one-time passwords stands behind. */
export const seedWords = ["totp", "otp", "2fa", "mfa", "two-factor", "authenticator", "setup key"];

const upper = "[A-Z2-7]";
const lower = "[a-z2-7]";
const seed = new RegExp(
  `[\\w ()/-]{0,32}?["'\`*)]{0,3}[ \\t]{0,3}(?:[:=→—–-]|\\bis\\b)?["'\`* \\t]{0,5}(?<![\\w/-])` +
    `(${upper}{16,128}={0,6}|(?:${upper}{4}[ -]){3,31}${upper}{1,4}|(?:${lower}{4}[ -]){3,31}${lower}{4})(?![\\w/-])`,
  "y",
);
/** Base32 of so many whole bytes as seeds have. */
const lengths = new Set([16, 20, 24, 26, 32, 40, 52, 56, 64, 103]);

/** `TOTP seed: JBSW Y3DP …`, `2FA secret …`: base32 in one piece or in groups of four. */
export function findSeed(scan: Scan, end: number): void {
  seed.lastIndex = end;
  const value = seed.exec(scan.text)?.[1];
  if (value === undefined) return;
  const bare = value.replaceAll(/[ =-]/g, "");
  const isGrouped = bare.length !== value.replace(/=+$/, "").length;
  if (isGrouped ? !/\d/.test(bare) && bare.length % 4 !== 0 : !/\d/.test(bare) && !lengths.has(bare.length))
    return;
  if (/[a-z]/.test(bare) && !/\d/.test(bare)) return;
  scan.add("totp-seed", seed.lastIndex - value.length, seed.lastIndex);
}
