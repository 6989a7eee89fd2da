/** Keyword search in every script, without a model or key: ask in the language the note was written in. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { openMemory } from "longhand";

const workspace = path.join(import.meta.dirname, "workspace");
const stateDir = await mkdtemp(path.join(os.tmpdir(), "longhand-example-"));

const questions = [
  ["de", "Welche Wellenhöhen sind für die Gästeliegeplätze wichtig?", "memory/hafen-sandhagen.md"],
  ["es", "¿Cómo se dividen las facturas entre cofradía y ayuntamiento?", "memory/puerto-de-vieiros.md"],
  ["fr", "Quand le contrat du port est-il renouvelé ?", "memory/port-de-kerlann.md"],
  ["pt", "Quando se renova o cartão de acesso?", "memory/lisboa.md"],
  ["ru", "Сколько знаков вмещают сообщения кириллицей?", "memory/russkie-gavani.md"],
  ["ar", "متى يفضل مدير الميناء الاتصال؟", "memory/marsa-al-sadaf.md"],
  ["zh", "合作协议什么时候签署？", "memory/zhoushan.md"],
  ["zh", "短信签名审核需要多久？", "memory/zhoushan.md"],
  ["zh", "试用期多长时间？", "memory/zhoushan.md"],
  ["ja", "台風の季節はいつですか", "memory/kobe.md"],
  ["ko", "조위계는 언제 설치하나요?", "memory/yeosu.md"],
] as const;

try {
  const config = { agents: { defaults: { memorySearch: { provider: "none" } } } } as const;
  await using memory = await openMemory({ workspace, stateDir, config });
  for (const [language, question, path] of questions) {
    const { results, mode } = await memory.search(question);
    assert.equal(mode, "keyword");
    console.log(`${language}  ${question}  →  ${results[0]?.path}`);
    assert.equal(results[0]?.path, path);
  }
} finally {
  await rm(stateDir, { recursive: true, force: true });
}
