import { buildPage } from "./page-bundle.ts";

const outDir = process.argv[2];
const { scripts } = await buildPage(outDir === undefined ? {} : { outDir });
for (const { name, gzipBytes } of scripts) console.log(`${String(gzipBytes).padStart(7)}  ${name}`);
console.log(`${String(scripts.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0)).padStart(7)}  all, gzip`);
