import { keepCompiledCode } from "../keep-compiled-code.ts";
import { limitHeap } from "../v8-flags.ts";

// Started by keep-resident.ts, with the place that it answers for.
keepCompiledCode();
limitHeap();
const { serveCallers } = await import("./serve-callers.ts");
const [stateDir = "", configPath = ""] = process.argv.slice(2);
await serveCallers({ stateDir, configPath });
process.send?.("ready");
