import { createMemoryPlugin } from "longhand/openclaw";
import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";

// biome-ignore lint/style/noDefaultExport: OpenClaw loads the default export.
export default definePluginEntry(createMemoryPlugin());
