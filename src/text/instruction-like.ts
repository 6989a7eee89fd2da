import { isAscii } from "./ascii.ts";

/**
 * Text that seems to tell an agent what to do: set aside what it was told, hide something from the user, play another
 * role, call a tool, run something from the net. Notes may quote such text for good reasons, so this is a mark for the
 * reader and never a filter; and one who wants to avoid it can, so it is no guard either.
 *
 * All gaps are bounded, so that each expression takes time in proportion to the text.
 */
export function looksLikeInstruction(text: string): boolean {
  const plain = isAscii(text) ? text : dropInvisible(text.normalize("NFKC"));
  return shapes.some((shape) => shape.test(plain));
}

function dropInvisible(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, "");
}

const earlier = "(?:previous|prior|earlier|above|preceding|other|existing|your|all|any|system|former)";
const rules = "(?:instructions?|rules?|prompts?|guidelines?|directions?|guardrails|safety|commands|context)";

const shapes: readonly RegExp[] = [
  new RegExp(
    `\\b(?:ignore|disregard|forget|override|bypass|discard)\\b[^.\\n]{0,30}\\b${earlier}\\b[^.\\n]{0,30}\\b${rules}\\b`,
    "i",
  ),
  /\b(?:you are now|from now on,? you|act as (?:an?|the|if)|pretend (?:to be|that you)|new instructions?:)/i,
  /\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|mention|mentioning|alert|alerting|show|reveal)\w*\b[^.\n]{0,30}\b(?:the user|the human|anyone|anybody|them)\b/i,
  /\b(?:reveal|print|show|repeat|leak|send|output|forward)\b[^.\n]{0,30}\b(?:system prompt|hidden prompt|your instructions|api keys?|credentials|passwords?|secrets?)\b/i,
  /<\/?(?:system|assistant|tool_call|instructions?|im_start|im_end)\b[^>\n]{0,40}>|<\|[a-z_]{2,30}\|>|\[\/?INST\]/i,
  /^\s{0,3}(?:[-*>#]+\s{0,3})?(?:system|assistant|developer)\s{0,2}(?:prompt|message|note)?\s{0,2}:/im,
  /\b(?:AI|assistants?|agents?|models?|LLMs?|bots?)\b[^.\n]{0,20}\b(?:must|should|shall|has to|have to|need to|are required to|is required to)\b[^.\n]{0,40}\b(?:call|run|execute|send|delete|post|upload|download|fetch|visit|open|ignore|obey|reply|write)\b/i,
  /\b(?:call|use|invoke|run|execute)\b[^.\n]{0,30}\b(?:memory_(?:forget|add|store)|tool|function|following (?:command|code|script|tool))\b/i,
  /\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n|]{0,200}\|\s{0,3}(?:sudo\s{1,3})?(?:ba|z|da)?sh\b/i,
  /\bIMPORTANT\b[^.\n]{0,40}\b(?:you must|instruction|override|do not|always)\b/,
  /\b(?:ignoriere|vergiss|missachte)\b[^.\n]{0,30}\b(?:anweisungen|regeln|vorgaben)\b|\b(?:ignorez?|oubliez?)\b[^.\n]{0,30}\b(?:instructions|consignes|règles)\b|\b(?:ignora|olvida)\b[^.\n]{0,30}\b(?:instrucciones|reglas)\b/i,
  /(?:忽略|无视|忘记)[^。\n]{0,10}(?:指令|指示|规则|提示)|(?:指示|命令|ルール)を(?:無視|忘れ)/,
];
