/** `node --import ./scripts/longhand-from-source.ts`: programs that import "longhand" get the sources instead of a build. */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

const { exports } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

registerHooks({
  resolve(specifier, context, next) {
    const isOurs = specifier === "longhand" || specifier.startsWith("longhand/");
    const built = isOurs ? exports[specifier.replace("longhand", ".")]?.default : undefined;
    if (built === undefined) return next(specifier, context);
    const source = built.replace("./dist/", "../src/").replace(/\.js$/, ".ts");
    return { url: new URL(source, import.meta.url).href, shortCircuit: true };
  },
});
