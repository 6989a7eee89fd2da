/** `node --import ./scripts/longhand-from-source.ts`: programs that import "longhand" get the sources, unbuilt. */
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    return specifier === "longhand"
      ? { url: new URL("../src/index.ts", import.meta.url).href, shortCircuit: true }
      : next(specifier, context);
  },
});
