import { join } from "node:path";
import { hookPart } from "../hook-part.ts";
import type { HostPart, HostPlace, HostSetup } from "../host.ts";
import { type Fields, fieldsOf, jsonSettings } from "../json-settings.ts";
import { mcpCommand, serverPart } from "../server-part.ts";

export function setUpGemini(place: HostPlace): HostSetup {
  const isUser = place.scope === "user";
  const path = join(isUser ? place.hostHome : join(place.projectDir, ".gemini"), "settings.json");
  return {
    name: "gemini",
    title: "Gemini CLI",
    parts: [
      serverPart(path, "mcpServers", mcpCommand(place)),
      hookPart({
        path,
        place,
        unit: "ms",
        events: [
          ["SessionStart", "session-start"],
          ["BeforeAgent", "user-prompt"],
          ["PreCompress", "pre-compact"],
          ["SessionEnd", "session-end"],
        ],
      }),
      ...(place.allowsTools ? [trustPart(path)] : []),
    ],
    steps: isUser ? [] : ["Gemini CLI reads these settings only in a folder that you trust: /permissions"],
  };
}

/** Lets Gemini CLI run the tools without asking; headless, it offers the model no others. */
function trustPart(path: string): HostPart {
  const serverOf = (current: Fields) => fieldsOf(fieldsOf(current, "mcpServers"), "longhand");
  const withServer = (current: Fields, longhand: Fields): Fields => ({
    ...current,
    mcpServers: { ...fieldsOf(current, "mcpServers"), longhand },
  });
  return jsonSettings({
    path,
    purpose: "permissions",
    wanted: { mcpServers: { longhand: { trust: true } } },
    add: (current) => withServer(current, { ...serverOf(current), trust: true }),
    remove(current) {
      const { trust, ...server } = serverOf(current);
      return trust === undefined ? current : withServer(current, server);
    },
  });
}
