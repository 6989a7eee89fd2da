import { buildPage } from "./page-bundle.ts";

const outDir = process.argv[2];
const { scripts } = await buildPage(outDir === undefined ? {} : { outDir });
// On stderr: `npm pack --silent` builds as well, and its output is to be the name of the file alone.
if (process.env["npm_config_loglevel"] !== "silent") {
  for (const { name, gzipBytes } of scripts) console.error(`${String(gzipBytes).padStart(7)}  ${name}`);
  const sum = scripts.reduce((total, { gzipBytes }) => total + gzipBytes, 0);
  console.error(`${String(sum).padStart(7)}  all, gzip`);
}
