import { buildPage } from "./page-bundle.ts";

const outDir = process.argv[2];
const { scripts } = await buildPage(outDir === undefined ? {} : { outDir });
// On stderr: `npm pack --silent` builds, too, and must print only the file name.
if (process.env["npm_config_loglevel"] !== "silent") {
  for (const { name, gzipBytes } of scripts) console.error(`${String(gzipBytes).padStart(7)}  ${name}`);
  const sum = scripts.reduce((total, { gzipBytes }) => total + gzipBytes, 0);
  console.error(`${String(sum).padStart(7)}  all, gzip`);
}
