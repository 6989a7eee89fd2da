import { isAscii } from "./ascii.ts";
import { pathInLayer } from "./layer-path.ts";
import { isVisible } from "./visible.ts";

/**
 * Text that seems to give an agent orders: ignore earlier instructions, hide something from the user, play another
 * role, call a tool, run something from the web. Notes may quote such text for good reasons, so it is marked for the
 * reader and never filtered; and since it can be evaded, it is no protection either.
 *
 * All gaps are bounded, so each expression runs in linear time.
 */
export function looksLikeInstruction(text: string): boolean {
  const plain = isAscii(text) ? text : dropInvisible(text.normalize("NFKC"));
  const small = plain.toLowerCase();
  return shapes.some(
    ({ shape, words }) =>
      words.every((some) => some.some((word) => small.includes(word))) && shape.test(plain),
  );
}

/** The words in a name: one with hyphens can read like a sentence. */
export function wordsOfName(name: string): string {
  return pathInLayer(name).replace(/[-_./#]+/g, " ");
}

function dropInvisible(text: string): string {
  return isVisible(text) ? text : text.replace(/\p{Default_Ignorable_Code_Point}/gu, "");
}

const earlier = "(?:previous|prior|earlier|above|preceding|other|existing|your|all|any|system|former)";
const rules = "(?:instructions?|rules?|prompts?|guidelines?|directions?|guardrails|safety|commands|context)";

interface Shape {
  readonly shape: RegExp;
  /**
   * A text of this shape contains a word of each group, in lower case. Most texts contain none, and searching for words
   * is much faster than the expression, which takes long to compile.
   */
  readonly words: readonly (readonly string[])[];
}

const shapes: readonly Shape[] = [
  {
    words: [
      ["ignore", "disregard", "forget", "override", "bypass", "discard"],
      [
        "instruction",
        "rule",
        "prompt",
        "guideline",
        "direction",
        "guardrails",
        "safety",
        "commands",
        "context",
      ],
    ],
    shape: new RegExp(
      `\\b(?:ignore|disregard|forget|override|bypass|discard)\\b[^.\\n]{0,30}\\b${earlier}\\b[^.\\n]{0,30}\\b${rules}\\b`,
      "i",
    ),
  },
  {
    words: [["you are now", "from now on", "act as ", "pretend ", "new instruction"]],
    shape:
      /\b(?:you are now|from now on,? you|act as (?:an?|the|if)|pretend (?:to be|that you)|new instructions?:)/i,
  },
  {
    words: [
      ["do not ", "don't ", "never ", "without "],
      ["tell", "inform", "mention", "alert", "show", "reveal"],
      ["the user", "the human", "anyone", "anybody", "them"],
    ],
    shape:
      /\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|mention|mentioning|alert|alerting|show|reveal)\w*\b[^.\n]{0,30}\b(?:the user|the human|anyone|anybody|them)\b/i,
  },
  {
    words: [
      ["reveal", "print", "show", "repeat", "leak", "send", "output", "forward"],
      [" prompt", "your instructions", "api key", "credentials", "password", "secret"],
    ],
    shape:
      /\b(?:reveal|print|show|repeat|leak|send|output|forward)\b[^.\n]{0,30}\b(?:system prompt|hidden prompt|your instructions|api keys?|credentials|passwords?|secrets?)\b/i,
  },
  {
    words: [["<", "[inst]", "[/inst]"]],
    shape:
      /<\/?(?:system|assistant|tool_call|instructions?|im_start|im_end)\b[^>\n]{0,40}>|<\|[a-z_]{2,30}\|>|\[\/?INST\]/i,
  },
  {
    words: [["system", "assistant", "developer"], [":"]],
    shape:
      /^\s{0,3}(?:[-*>#]+\s{0,3})?(?:system|assistant|developer)\s{0,2}(?:prompt|message|note)?\s{0,2}:/im,
  },
  {
    words: [
      ["ai", "assistant", "agent", "model", "llm", "bot"],
      ["must", "should", "shall", " to"],
      [
        ..."call run execute send delete post upload download fetch visit open ignore obey reply write".split(
          " ",
        ),
      ],
    ],
    shape:
      /\b(?:AI|assistants?|agents?|models?|LLMs?|bots?)\b[^.\n]{0,20}\b(?:must|should|shall|has to|have to|need to|are required to|is required to)\b[^.\n]{0,40}\b(?:call|run|execute|send|delete|post|upload|download|fetch|visit|open|ignore|obey|reply|write)\b/i,
  },
  {
    words: [
      ["call", "use", "invoke", "run", "execute"],
      ["memory_", "tool", "function", "following "],
    ],
    shape:
      /\b(?:call|use|invoke|run|execute)\b[^.\n]{0,30}\b(?:memory_(?:forget|add|store)|tool|function|following (?:command|code|script|tool))\b/i,
  },
  {
    // Phrases of our own tools: a note that contains them may try to look like a tool result.
    words: [["score ", "fenced text"]],
    shape:
      /\bHit \d{1,3} · score \d|· score \d\.\d\d|(?:^|\n)score \d\.\d\d\s*(?:\n|$)|The fenced text is quoted from notes/,
  },
  {
    words: [["curl", "wget", "iwr", "invoke-webrequest"], ["|"]],
    shape: /\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n|]{0,200}\|\s{0,3}(?:sudo\s{1,3})?(?:ba|z|da)?sh\b/i,
  },
  {
    words: [["important"]],
    shape: /\bIMPORTANT\b[^.\n]{0,40}\b(?:you must|instruction|override|do not|always)\b/,
  },
  {
    words: [["ignor", "vergiss", "missachte", "oublie", "olvida"]],
    shape:
      /\b(?:ignoriere|vergiss|missachte)\b[^.\n]{0,30}\b(?:anweisungen|regeln|vorgaben)\b|\b(?:ignorez?|oubliez?)\b[^.\n]{0,30}\b(?:instructions|consignes|règles)\b|\b(?:ignora|olvida)\b[^.\n]{0,30}\b(?:instrucciones|reglas)\b/i,
  },
  {
    words: [["忽略", "无视", "忘记", "を無視", "を忘れ"]],
    shape: /(?:忽略|无视|忘记)[^。\n]{0,10}(?:指令|指示|规则|提示)|(?:指示|命令|ルール)を(?:無視|忘れ)/,
  },
];

/** By the expressions alone, which are authoritative. */
export function hasInstructionShape(plain: string): boolean {
  return shapes.some(({ shape }) => shape.test(plain));
}
