import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";
// `longhand init --openclaw` copies the code of longhand there.
import { createMemoryPlugin } from "./dist/openclaw.js";

// biome-ignore lint/style/noDefaultExport: OpenClaw loads the default export.
export default definePluginEntry(createMemoryPlugin());
