/** A program that keeps swapping a folder for a symlink to another one, as an attacker would: `FOLDER OTHER`. */
export const swapperSource = `
  import { renameSync, symlinkSync, unlinkSync, writeSync } from "node:fs";
  const [folder, other] = process.argv.slice(1);
  writeSync(1, "ready");
  for (;;) {
    renameSync(folder, folder + "-aside");
    symlinkSync(other, folder);
    unlinkSync(folder);
    renameSync(folder + "-aside", folder);
  }`;
