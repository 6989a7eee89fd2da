/** `node --import ./scripts/longhand-from-source.ts`: programs that import "longhand" get the sources, unbuilt. */
import { registerHooks } from "node:module";

const sources: Readonly<Record<string, string>> = {
  longhand: "../src/index.ts",
  "longhand/ai-sdk": "../src/tools/ai-sdk.ts",
  "longhand/openclaw": "../src/openclaw.ts",
  "longhand/parts": "../src/parts.ts",
};

registerHooks({
  resolve(specifier, context, next) {
    const source = sources[specifier];
    return source === undefined
      ? next(specifier, context)
      : { url: new URL(source, import.meta.url).href, shortCircuit: true };
  },
});
