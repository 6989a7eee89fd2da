import { buildPage } from "./page-bundle.ts";

const outDir = process.argv[2];
const { scripts } = await buildPage(outDir === undefined ? {} : { outDir });
// On stderr: `npm pack --silent` builds as well, and its output is to be the name of the file alone.
for (const { name, gzipBytes } of scripts) console.error(`${String(gzipBytes).padStart(7)}  ${name}`);
console.error(`${String(scripts.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0)).padStart(7)}  all, gzip`);
