import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { CliFixture } from "../support/run-cli.ts";
import { talk } from "../support/transcript-lines.ts";

/** Text that would be noticed if any of it were treated as more than text. */
export const attacks = [
  `<script>window.__pwned = 1</script>`,
  `<img src=x onerror="window.__pwned = 1">`,
  `<svg onload="window.__pwned = 1"><style>*{display:none}</style></svg>`,
  `<iframe srcdoc="<script>parent.__pwned = 1</script>"></iframe>`,
  `[click](javascript:window.__pwned=1) [data](data:text/html,<script>window.__pwned=1</script>)`,
  `![remote](https://example.org/pixel.png) <https://example.org/a"onmouseover="window.__pwned=1>`,
  `</textarea></code></pre><img src=y onerror=window.__pwned=1>`,
  `<math><mtext></mtext><mglyph><style><img src=x onerror=window.__pwned=1></style></mglyph></math>`,
  `<a href="vbscript:x" style="position:fixed;inset:0" onclick="window.__pwned=1">cover</a>`,
] as const;

/** A small team's memory: daily notes, topics, a conversation, and a note from an attacker. */
export function fillMemory(fixture: CliFixture): void {
  fixture.write(
    "MEMORY.md",
    "# Facts\n\n- The launch code word is kingfisher.\n- Releases need two people.\n",
  );
  fixture.write(
    "memory/2026-03-02.md",
    "# Monday\n\n- We ship on Fridays only.\n- Rollbacks need two people.\n- Staging moved to the new cluster.\n",
  );
  fixture.write("memory/2026-03-05.md", "# Thursday\n\nThe gauge in the harbour was calibrated.\n");
  fixture.write("memory/2026-02-27-retro.md", "# Retro\n\nShipping on Monday went wrong twice.\n");
  fixture.write("memory/2026-02-20.md", "# Friday\n\n- We met the harbour master yesterday. #harbour\n");
  fixture.write("memory/on-call.md", onCall);
  fixture.write(
    "memory/huge.md",
    Array.from({ length: 21_000 }, (_, index) => `- line ${index + 1} of many\n`).join(""),
  );
  fixture.write(
    "memory/unshown.md",
    "# Unshown\n\nSee [the rota].\n\n[the rota]: https://example.org/rota\n",
  );
  fixture.write(
    "memory/vault.md",
    "---\ntitle: Vault\n---\n# Vault\n\nSee [[on-call]], [[2026-03-02|Monday]] and [[nowhere]].\n\n- [ ] Order a pelican\n" +
      "- [x] Feed the **pelican** %% fish, not bread %%\n\n> [!warning] Wet paint\n> Do not touch the ==gate==.\n",
  );
  fixture.write(
    "memory/ferry.md",
    "# Ferry\n\n<<<<<<< HEAD\n- The ferry leaves at six.\n=======\n- The ferry leaves at seven.\n>>>>>>> main\n",
  );
  fixture.write("memory/editing.md", "# Editing\n\none\ntwo\nthree\n");
  fixture.write(
    "memory/forgetting.md",
    "# Forgetting\n\nkeep this\nsecret recipe of the canteen\nkeep that\n",
  );
  fixture.write(
    "memory/hostile.md",
    `# Hostile ${attacks[1]}\n\n${attacks.join("\n\n")}\n\n\u202eedisni\u202c \u200bzero\n`,
  );
  fixture.write(`memory/<img src=x onerror=window.__pwned=1>.md`, `# Name\n\nA hostile name of a file.\n`);
  fixture.write("memory/binary.md", new Uint8Array([0, 1, 2, 3, 0, 255]));
  symlinkSync("/etc/hostname", path.join(fixture.project, "memory", "linked.md"));
  configure(
    fixture,
    `sources: ["memory", "sessions"], experimental: { sessionMemory: true }, sync: { watchDebounceMs: 100 }`,
  );
  const sessions = path.join(fixture.stateDir, "agents", "main", "sessions");
  mkdirSync(sessions, { recursive: true });
  const said = [
    "Which harbour raised the alarm?",
    "Sandhagen raised the alarm during the gale.",
    `What did they reply? ${attacks.join(" ")}`,
    "The password is hunter2-staging: export API_TOKEN=abcd1234efgh5678ijkl",
    "Who calibrates the albatross sensor?",
    "Linnea calibrates the albatross sensor in spring.",
  ];
  writeFileSync(path.join(sessions, "harbour.jsonl"), talk(said));
}

/** Long enough that its middle has to be scrolled to. */
const onCall = [
  "---",
  "title: On call",
  "---",
  "",
  "# On call",
  "",
  ...Array.from({ length: 60 }, (_, index) => `- Step ${index + 1} of the rota.`),
  "",
  "## Escalation",
  "",
  "First the pager,",
  "then the *duty",
  "manager* by phone.",
  "",
  "| who | when |",
  "|---|--:|",
  "| Wen | nights |",
  "",
  "```sh",
  "pager ring --now",
  "```",
  "",
].join("\n");

export function fillManyNotes(fixture: CliFixture): void {
  configure(fixture, `provider: "none"`);
  for (let number = 0; number < 10_000; number++) {
    const month = String((number % 12) + 1).padStart(2, "0");
    const day = String((number % 28) + 1).padStart(2, "0");
    fixture.write(
      `memory/${2000 + Math.floor(number / 400)}-${month}-${day}-n${number}.md`,
      `# Note ${number}\n`,
    );
  }
}

function configure({ stateDir }: CliFixture, memorySearch: string): void {
  mkdirSync(stateDir, { recursive: true });
  writeFileSync(
    path.join(stateDir, "longhand.json5"),
    `{ agents: { defaults: { memorySearch: { ${memorySearch} } } } }`,
  );
}
