import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compareFacts, type FactLine, readLine } from "./compare-facts.ts";
import { readFacts } from "./read-fact.ts";

const compareLines = (older: FactLine, newer: FactLine) => compareFacts(readLine(older), readLine(newer));

test("a change names its subject and both values", () => {
  const relation = compareLines(
    { text: "- We ship on Fridays." },
    { text: "We ship on Tuesdays now.", date: "2026-09-14" },
  );
  assert.deepEqual(relation, { kind: "supersedes", about: "ship", before: "fridays", after: "tuesdays" });
});

test("a parsed line can be compared with many", () => {
  const news = readLine({ text: "We ship on Tuesdays now." });
  const known = ["We ship on Fridays.", "We ship on Tuesdays.", "We eat at noon."].map((text) =>
    readLine({ text }),
  );
  assert.deepEqual(
    known.map((line) => compareFacts(line, news).kind),
    ["supersedes", "near-duplicate", "unrelated"],
  );
  assert.equal(news.isNews, true);
  assert.equal(known[0]!.isNews, false);
});

test("a fact that has ended is superseded without a new value", () => {
  const relation = compareLines(
    { text: "We use Slack for team chat." },
    { text: "We don't use Slack for team chat any more." },
  );
  assert.deepEqual(relation, { kind: "supersedes", about: "use slack team chat" });
});

test("the same words under the headings of two customers are two facts", () => {
  const older = { text: "Invoices go to Anna.", headings: ["Customers", "Acme"] };
  const newer = { text: "Invoices go to Ben now.", headings: ["Customers", "Globex"] };
  assert.equal(compareLines(older, { ...newer, headings: ["Customers", "Acme"] }).kind, "supersedes");
  assert.equal(compareLines(older, newer).kind, "unrelated");
});

test("lines that differ in more than one value are about two things", () => {
  const pairs = [
    ["The lead of team red is Anna.", "The lead of team blue is Ben."],
    ["The lead of team red is Anna.", "The lead of team blue is Ben now."],
    ["Der Leiter von Team Rot ist Anna.", "Der Leiter von Team Blau ist jetzt Ben."],
    ["Anna lives in Berlin.", "Anna works in Berlin now."],
    ["Anna wohnt in Berlin.", "Anna arbeitet jetzt in Berlin."],
  ] as const;
  for (const [older, newer] of pairs) {
    assert.equal(compareLines({ text: older }, { text: newer }).kind, "unrelated", newer);
  }
  const changes = [
    ["The lead of team red is Anna.", "The lead of team red is Ben now."],
    ["Anna lives in Berlin.", "Anna lives in Hamburg now."],
  ] as const;
  for (const [older, newer] of changes) {
    assert.equal(compareLines({ text: older }, { text: newer }).kind, "supersedes", newer);
  }
});

test("two meetings on two days are two meetings", () => {
  const pairs = [
    ["Meeting with Ben at 10:00.", "Meeting with Ben at 11:00."],
    ["Termin bei Dr. Weber um 10:00.", "Termin bei Dr. Weber um 11:30."],
  ] as const;
  for (const [older, newer] of pairs) {
    const relation = compareLines({ text: older, date: "2026-10-01" }, { text: newer, date: "2026-11-02" });
    assert.equal(relation.kind, "unrelated", newer);
  }
  const [older, newer] = [10, 11].map((hour) => ({ text: `The meeting with Ben starts at ${hour}:00.` }));
  assert.equal(compareLines(older!, newer!).kind, "supersedes");
});

test("another attribute, a wider place and another appointment are not a change", () => {
  const pairs = [
    ["Anna works at Acme.", "Anna works in Berlin now."],
    ["Anna arbeitet bei Acme.", "Anna arbeitet jetzt in Berlin."],
    ["Anna travaille chez Acme.", "Anna travaille maintenant à Berlin."],
    ["Log entry 12", "Log entry 13"],
    ["- This is log line 1.", "- This is log line 2."],
    ["The deploy log has line 1", "The deploy log has line 2"],
    ["Wir sind bei Schritt 4.", "Wir sind bei Schritt 5."],
    ["Ana trabaja en Acme.", "Ana trabaja en Berlín."],
    ["Ana trabaja en la búsqueda.", "Ana trabaja en la facturación."],
    ["Anna works at Acme.", "Anna works on billing now."],
    ["Anna arbeitet bei Acme.", "Anna arbeitet jetzt an der Suche."],
    ["Anna reports to Ben.", "Anna reports on sales now."],
    ["The server is hosted on AWS.", "The server is hosted in Frankfurt now."],
    ["Anna lives in Germany.", "Anna lives in Berlin."],
    ["Anna lives in Berlin.", "Anna lives in Germany."],
    ["Anna wohnt in Österreich.", "Anna wohnt jetzt in Wien."],
    ["Ana vive en España.", "Ana vive en Madrid."],
    ["安娜住在中国。", "安娜住在上海。"],
    ["Customers live in the United States.", "Customers live in Boston."],
    ["Dentist appointment is on Tuesday.", "Dentist appointment is on Monday."],
    ["The flight is on 2026-10-06.", "The flight is on 2026-11-09."],
    ["Der Zahnarzttermin ist am Dienstag.", "Der Zahnarzttermin ist am Montag."],
    ["El vuelo es el martes.", "El vuelo es el lunes."],
  ] as const;
  for (const [older, newer] of pairs) {
    assert.equal(compareLines({ text: older }, { text: newer }).kind, "unrelated", newer);
  }
  const changes = [
    ["Anna works at Acme.", "Anna works at Globex now."],
    ["Anna works for Acme.", "Anna works at Globex now."],
    ["Ana trabaja para Acme.", "Ana trabaja ahora para Globex."],
    ["Anna works as an engineer.", "Anna works as a designer now."],
    ["Anna rides a bike to work.", "Anna rides an e-scooter to work now."],
    ["Anna works in Berlin.", "Anna works in Hamburg now."],
    ["Anna lives in Germany.", "Anna lives in France."],
    ["Anna lives in Berlin.", "Anna lives in Hamburg."],
    ["The keys are in the drawer.", "The keys are on the shelf now."],
    ["The dentist appointment is on Tuesday.", "The dentist appointment is on Monday now."],
    ["The dentist appointment slot is Tuesday.", "The dentist appointment slot is Monday."],
    ["The weekly meeting is on Tuesday.", "The weekly meeting is on Monday."],
    ["Trash day is Tuesday.", "Trash day is Wednesday."],
  ] as const;
  for (const [older, newer] of changes) {
    assert.equal(compareLines({ text: older }, { text: newer }).kind, "supersedes", newer);
  }
});

test("the day after a promoted line is its date, not part of its text", () => {
  const promoted = { text: "- We ship on Tuesdays now. (2026-10-19)" };
  const later = { date: "2026-11-16" };
  assert.equal(compareLines(promoted, { text: "We ship on Mondays now.", ...later }).kind, "supersedes");
  assert.equal(compareLines(promoted, { text: "We ship on Tuesdays.", ...later }).kind, "near-duplicate");
  const [january, march] = ["01", "03"].map((month) => ({ text: `Anna weighs 60 kg (2026-${month}-02)` }));
  assert.equal(compareLines(january!, march!).kind, "unrelated");
  assert.equal(compareLines(january!, january!).kind, "same");
});

test("a scope in a heading keeps facts apart", () => {
  const older = { text: "The service listens on port 8080.", headings: ["Staging"] };
  const newer = { text: "The service listens on port 9090 now.", headings: ["Production"] };
  assert.equal(compareLines(older, newer).kind, "unrelated");
});

test("an event on two days happened twice", () => {
  const line = { text: "- Deployed to the cluster without problems." };
  assert.equal(compareLines({ ...line, date: "2026-01-02" }, { ...line, date: "2026-01-02" }).kind, "same");
  assert.equal(
    compareLines({ ...line, date: "2026-01-02" }, { ...line, date: "2026-02-02" }).kind,
    "unrelated",
  );
});

test("a letter that names something is a word", () => {
  for (const [left, right] of ["ac", "bc", "ad", "ln", "as"]) {
    const [older, newer] = [left, right].map((letter) => ({ text: `Fact of ${letter!} number 7.` }));
    assert.equal(compareLines(older!, newer!).kind, "unrelated", `${left} ${right}`);
  }
});

test("names, acronyms and places are not confused", () => {
  const pairs = [
    ["Simon leads the platform.", "Simone leads the platform."],
    ["Customers in the US pay in advance.", "Customers pay in advance."],
    ["The keys are in the drawer.", "The keys are on the drawer."],
    ["The token lasts 30 s.", "The token lasts 30 m."],
    ["Julian is allergic to nuts.", "Julia is allergic to nuts."],
  ] as const;
  for (const [older, newer] of pairs) {
    assert.notEqual(compareLines({ text: older }, { text: newer }).kind, "near-duplicate", newer);
  }
});

test("headings, quotations, tables and tasks state nothing", () => {
  for (const text of [
    "# We ship on Fridays",
    "> We ship on Fridays",
    "| We ship | Fridays |",
    "- [ ] We ship on Fridays",
  ]) {
    assert.equal(compareLines({ text }, { text: "We ship on Tuesdays now." }).kind, "unrelated", text);
    assert.equal(compareLines({ text }, { text }).kind, "unrelated", text);
  }
});

test("comparing any line takes bounded time, and a line equals itself or states nothing", () => {
  const line = fc.oneof(fc.string({ unit: "grapheme", maxLength: 300 }), fc.lorem({ maxCount: 30 }));
  fc.assert(
    fc.property(line, line, (left, right) => {
      const relation = compareLines({ text: left, date: "2026-01-02" }, { text: left, date: "2026-01-02" });
      assert.ok(relation.kind === "same" || relation.kind === "unrelated");
      compareLines({ text: left }, { text: right });
    }),
    { numRuns: 300 },
  );
});

test("hostile lines are cheap to compare", () => {
  const lines = [
    "a ".repeat(300),
    "not any ".repeat(75),
    "[[".repeat(300),
    "1:".repeat(300),
    "不".repeat(600),
    "from to ".repeat(75),
  ];
  const startedMs = performance.now();
  for (const left of lines) for (const right of lines) compareLines({ text: left }, { text: right });
  assert.ok(performance.now() - startedMs < 5_000);
});

test("a line that differs in something a reader would miss is no duplicate", () => {
  const pairs = [
    ["We need C++ for the driver.", "We need C for the driver."],
    ["The variable is userId.", "The variable is userID."],
    ["The password is hunter2.", "The password is Hunter2."],
    ["Docs: https://example.com/ABC", "Docs: https://example.com/abc"],
    ["See [the plan](a.md).", "See [the plan](b.md)."],
    ["See [[a|the plan]].", "See [[b|the plan]]."],
    ["Run `npm test -a` first.", "Run `npm test -A` first."],
    ["Use `a && b` there.", "Use `a || b` there."],
    ["Read the file .env first.", "Read the file env first."],
    ["The path is ./data", "The path is ../data"],
    ["The type is string[]", "The type is string"],
    ["We use ~~Slack~~ Zulip.", "We use Slack ~~Zulip~~."],
    ["Mood today: 😀", "Mood today: 😢"],
    ["Login works ✅", "Login works ❌"],
    ["Width a ≤ b holds", "Width a ≥ b holds"],
    ["The temperature is −5", "The temperature is 5"],
    ["The fee is ₹500", "The fee is ₩500"],
    ["We ship on Fridays?", "We ship on Fridays."],
    ["The call is at 12 am.", "The call is at 12 pm."],
    ["The job starts at 9:00:15.", "The job starts at 9:00:45."],
    ["2026-01-02: Anna weighs 60 kg", "2026-03-04: Anna weighs 60 kg"],
    ["10:15 - Took the pill", "18:15 - Took the pill"],
    ["We support X and Y.", "We support X."],
    ["Take vitamin A daily.", "Take vitamin daily."],
    ["Ben an Anna: 5€", "Anna an Ben: 5€"],
    ["He told her.", "She told him."],
    ["Er ist krank.", "Sie ist krank."],
    ["Il est malade.", "Elle est malade."],
    ["The employer pays.", "The employee pays."],
    ["The university is big.", "The universe is big."],
    ["Er ist schon da.", "Er ist schön da."],
    ["Anna has been in Paris.", "Anna is in Paris."],
    ["We ship on Friday.", "We ship on Fridays."],
    ["Wir liefern am Freitag.", "Wir liefern freitags."],
    ["Cerramos el viernes.", "Cerramos los viernes."],
    ["We use this library for parsing.", "We use that library for parsing."],
    ["These rules apply to billing.", "Those rules apply to billing."],
    ["我们用这个库。", "我们用那个库。"],
  ] as const;
  for (const [left, right] of pairs) {
    for (const [older, newer] of [
      [left, right],
      [right, left],
    ] as const) {
      const { kind } = compareLines({ text: older }, { text: newer });
      assert.ok(kind !== "same" && kind !== "near-duplicate", `${older} | ${newer}: ${kind}`);
    }
  }
});

test("punctuation of prose and a lack of capitals make no difference", () => {
  const pairs = [
    ["- **VPN** access runs over WireGuard.", "vpn access runs over wireguard"],
    ["The port is 8080", "The port is ８０８０."],
    ["We ship on Fridays only.", "We only ship on Fridays"],
    ["The limit is 1,000 rows.", "The limit is 1000 rows"],
  ] as const;
  for (const [older, newer] of pairs) {
    const { kind } = compareLines({ text: older }, { text: newer });
    assert.ok(kind === "same" || kind === "near-duplicate", `${older} | ${newer}: ${kind}`);
  }
});

test("the quick check for news has no false negatives", () => {
  const news = [
    "Update: the standup is at 10:15.",
    "As of next Monday we ship on Tuesdays.",
    "We don't use Slack anymore.",
    "The team moved to Zulip.",
    "We agreed to use tabs.",
    "Ab sofort liefern wir dienstags.",
    "Das Büro wurde verlegt nach Köln.",
    "Nous avons changé de banque.",
    "A partir de mañana no: desde hoy usamos Zulip.",
    "会议改到周三。",
    "我们不再使用 Slack。",
    "It's fine. Now we use pnpm — not npm.",
  ];
  for (const text of news) {
    assert.equal(
      readLine({ text }).isNews,
      readFacts(text).some(({ isNews }) => isNews),
      text,
    );
    assert.equal(readLine({ text }).isNews, true, text);
  }
  assert.equal(readLine({ text: "We ship on Fridays." }).isNews, false);
});

test("lines below headings of the same name are about different things if the headings above differ", () => {
  const line = (text: string, ...headings: string[]) => ({ text, headings });
  const [old, now] = ["The port is 8080.", "The port is now 9090."];
  assert.equal(compareLines(line(old, "App", "Ports"), line(now, "App", "Ports")).kind, "supersedes");
  assert.equal(compareLines(line(old, "Ports"), line(now, "App", "Ports")).kind, "supersedes");
  assert.equal(compareLines(line(old, "Billing", "Ports"), line(now, "App", "Ports")).kind, "unrelated");
  const updated = ["Updated dependencies: utils 4.0.1", "Updated dependencies: utils 4.0.2"] as const;
  for (const [a, b] of [
    ["2.0.15", "2.0.16"],
    ["v1.2", "v1.3"],
    ["[2.0.0-beta.67]", "[2.0.0-beta.68]"],
  ] as const) {
    const [older, newer] = [line(updated[0], a, "Patch changes"), line(updated[1], b, "Patch changes")];
    assert.equal(compareLines(older, newer).kind, "unrelated", a);
  }
  assert.equal(compareLines(line(old, "02.03.2026"), line(now, "14.09.2026")).kind, "supersedes");
});

test("lines of notes about different things are about different things, unless one names the other", () => {
  const line = (path: string, text: string, ...headings: string[]) => ({ path, text, headings });
  const anna = line("people/Anna.md", "Lives in Oslo.");
  assert.equal(compareLines(anna, line("people/Anna.md", "Lives in Oslo")).kind, "same");
  assert.equal(compareLines(anna, line("people/Bo.md", "Lives in Oslo.")).kind, "unrelated");
  assert.equal(compareLines(anna, line("people/Bo.md", "Lives in Bergen now.")).kind, "unrelated");
  assert.equal(compareLines(anna, line("MEMORY.md", "Lives in Oslo.")).kind, "unrelated");
  assert.equal(compareLines(anna, line("memory/2026-03-02.md", "Lives in Oslo.", "Anna")).kind, "same");
  assert.equal(
    compareLines(line("people/bo.md", "Lives in Oslo."), line("MEMORY.md", "About: lives in Oslo.")).kind,
    "unrelated",
  );
  assert.equal(
    compareLines(line("people/bo.md", "Lives in Oslo."), line("MEMORY.md", "Lives in Oslo.", "About Bo"))
      .kind,
    "same",
  );
  const deploy = line("memory/deploy.md", "We deploy on Fridays.");
  assert.equal(compareLines(deploy, line("MEMORY.md", "We deploy on Fridays.")).kind, "same");
  assert.equal(
    compareLines(deploy, line("memory/2026-03-02.md", "We deploy on Mondays now.")).kind,
    "supersedes",
  );
  for (const [one, other] of [
    ["memory/2026-03-02.md", "MEMORY.md"],
    ["notes/session_12.md", "notes/session_13.md"],
    ["README.md", "inbox.md"],
  ] as const) {
    const text = "Invoices go to the finance folder.";
    assert.equal(compareLines(line(one, text), line(other, text)).kind, "same", one);
  }
});

test("the time at which a line was written is not a value", () => {
  const at = (time: string, rest: string) => ({ text: `- ${time} ${rest}`, date: "2026-03-02" });
  for (const [early, late] of [
    ["12:15", "16:15"],
    ["[12:15]", "[16:15]"],
    ["12:15 –", "16:15 –"],
  ] as const) {
    const moved = "Moved staging to the new cluster.";
    assert.equal(compareLines(at(early, moved), at(late, moved)).kind, "unrelated", early);
    const change = compareLines(
      at(early, "Staging runs on Hetzner."),
      at(late, "Staging moved from Hetzner to AWS."),
    );
    assert.equal(change.kind, "supersedes", early);
  }
});
