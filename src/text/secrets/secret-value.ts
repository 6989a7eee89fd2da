import type { NameLevel } from "./secret-names.ts";
import {
  isEmail,
  isExpression,
  isFiller,
  isMixed,
  isNumber,
  isOrdinaryWord,
  isPasswordLike,
  isPath,
  isPlaceholder,
  isProse,
  isRandom,
  isReference,
  isScattered,
  isStrongPassword,
  isTechnicalWord,
  isUrl,
  isUuid,
  isWordyIdentifier,
  maxLooked,
} from "./values.ts";

/** The surroundings of a value. */
export interface ValueContext {
  readonly level: NameLevel;
  readonly name: string;
  /** `=`, `:`, … or `value` if the name is itself the value of a field. */
  readonly sign: string;
  readonly isQuoted: boolean;
  /** Nothing between name, sign and value: `NAME=value`. */
  readonly isTight: boolean;
  /** Only punctuation follows on the line. */
  readonly isAlone: boolean;
  /** The line is a label and its value. */
  readonly isLabel: boolean;
  readonly isUpper: boolean;
  /** `if (token == …)` */
  readonly isCompared: boolean;
  /** The text before the name on its line. */
  readonly before: string;
  /** The character after the value. */
  readonly next: string;
}

/** A bare value after a label, alone on its line. */
export const labelledValue: ValueContext = {
  level: "secret",
  name: "",
  sign: ":",
  isQuoted: false,
  isTight: false,
  isAlone: true,
  isLabel: true,
  isUpper: false,
  isCompared: false,
  before: "",
  next: "",
};

/** Whether the value of a secret's name is a secret, and not a word, a reference or code. */
export function isSecretValue(whole: string, context: ValueContext): boolean {
  const text = whole.slice(0, maxLooked);
  if (text.length < 4 || isPlaceholder(text) || isReference(text) || isUrl(text) || isEmail(text))
    return false;
  if (context.isCompared && !context.isQuoted) return false;
  switch (context.level) {
    case "password":
      return isPasswordValue(text, context);
    case "secret":
      return isMachineValue(text, context);
    case "query":
      return isRandom(text, 20) && !isUuid(text) && !isWordyIdentifier(text);
    case "pair": {
      const password = /^[\w.@+-]{1,64}:(\S{6,})$/.exec(text)?.[1];
      return password === undefined ? isWeakValue(text, context) : isPasswordLike(password);
    }
    default:
      return isWeakValue(text, context);
  }
}

function isPasswordValue(text: string, context: ValueContext): boolean {
  const { isQuoted, isTight, isUpper, isAlone, isLabel, next } = context;
  if (isOrdinaryWord(text) || isTypeOrSchema(text)) return false;
  if (context.sign === "(") return isPasswordLike(text) && !/\s/.test(text);
  if (/\s/.test(text)) return isQuoted && isPassphrase(text);
  if (isPath(text)) return false;
  if (isQuoted) return !isNameInCode(text, context) && !isLettersOfOtherScript(text);
  if (next === "(" || isExpression(text)) return false;
  if (isNumber(text))
    return (
      /^\d{4,}$/.test(text) && ((isTight && context.sign === "=") || (isLabel && !/\d{4}-\d\d/.test(text)))
    );
  if (isNameInCode(text, context)) return false;
  if (isPasswordLike(text)) return !isCode(text) && (isTight || isLabel || !isWordyIdentifier(text));
  if (isUpper && isTight) return true;
  if (isTight && context.sign === "=") return /^[a-z]{6,}$/i.test(text) || /[^\w.,;:)]/.test(text);
  if (/^(?:self|this|cls)\./.test(context.name)) return false;
  return isLabel && isAlone && /^[A-Za-z][a-z]{5,}(?:[-.][A-Za-z][a-z]{2,}){0,6}$/.test(text);
}

/** Several words that make no sentence, or that begin with something that does not look like a word. */
function isPassphrase(text: string): boolean {
  if (text.length > 128 || /[<>{}]/.test(text)) return false;
  if (isPasswordLike(/^\S*/.exec(text)![0])) return true;
  if (!isProse(text) && text.split(/\s+/).some(isStrongPassword)) return true;
  const joined = text.replaceAll(/\s/g, "");
  if (!isProse(text) && /\d/.test(joined) && isRandom(joined, 10) && isScattered(joined)) return true;
  return !isProse(text) && !/[.!?:]$|^[A-Z][a-z]+ [a-z]/.test(text);
}

function isMachineValue(text: string, context: ValueContext): boolean {
  const { isQuoted, isTight, isUpper, isLabel, next } = context;
  if (isOrdinaryWord(text) || isTypeOrSchema(text) || isPath(text)) return false;
  if (/\s/.test(text))
    return isQuoted && text.split(/\s+/).every((part) => isRandom(part, 16) && isScattered(part));
  if (!isQuoted && (next === "(" || isExpression(text) || isCode(text))) return false;
  if (isNumber(text) || isTechnicalWord(text) || /\\[wdsWDS]/.test(text)) return false;
  if (isUuid(text)) return isUpper || isQuoted || isLabel || isTight;
  if (isUpper && isTight)
    return text.length >= 6 && !isNameInCode(text, context) && (isQuoted || !isCode(text));
  if (isRandom(text, isTight || isQuoted ? 8 : 10)) return !isWordyIdentifier(text);
  if (isTight && context.sign === "=" && /^[a-z]{6,}$/i.test(text)) return !isNameInCode(text, context);
  // Characters that no name has.
  return (
    isPasswordLike(text) &&
    /[^\w./:@-]/.test(text.replace(/[>;,)]+$/, "")) &&
    text.length >= 8 &&
    !isFiller(text)
  );
}

/** A cache key, a session or a signature: only a long machine-generated value. */
function isWeakValue(
  text: string,
  { isQuoted, isTight, isUpper, next, isLabel, name }: ValueContext,
): boolean {
  if (/\s/.test(text) || (!isQuoted && (next === "(" || isExpression(text)))) return false;
  if (isUuid(text) || isNumber(text) || isPath(text) || isWordyIdentifier(text) || isCode(text)) return false;
  if (/^[0-9a-f]+$/i.test(text)) return isUpper && text.length >= 32;
  const minLength = isUpper && isTight ? 16 : 20;
  const isOneRun = /^[\w+/=.~%-]+$/.test(text) && !/[a-z]{4,}[-_./:][a-z]{4,}/.test(text);
  if (/signature$/i.test(name)) return false;
  if (/code|seed|session$/i.test(name) && !isMixed(text)) return false;
  return (
    isRandom(text, minLength) &&
    isScattered(text) &&
    isOneRun &&
    (isMixed(text) || isUpper) &&
    (isTight || isQuoted || isLabel)
  );
}

/** The name itself, or a name for the same thing: `password=password`, `token: authToken`. */
function isNameInCode(text: string, { name }: ValueContext): boolean {
  const bare = text.toLowerCase().replaceAll(/[^a-z]/g, "");
  if (/[!@#$%^&*+?]/.test(text)) return false;
  if (/\d{2,}/.test(text)) return false;
  const own = name.toLowerCase().replaceAll(/[^a-z]/g, "");
  if (bare === own) return true;
  return /pass(?:word|wd|wort|phrase)|secret|token|credential|apikey|kennwort|contrase|senha/.test(bare);
}

/** Braces, arrows, operators and calls. */
function isCode(text: string): boolean {
  // A password may begin with a word in brackets.
  if (/^(?:\(\w+\)|\[\w+\]|\{\w+\})[\w!@#$%^&*]*\d[\w!@#$%^&*]*$/.test(text)) return false;
  return /^[[({)}\]]|=>|\(\)|\$\{|;$|^\/\^|^\\[bdsw]|\]\)|^[A-Za-z_.]+\([^)]*(?:\)(?=$|[;,.)\]])|$)|^[-+*/|]$/.test(
    text,
  );
}

function isTypeOrSchema(text: string): boolean {
  return (
    /^(?:z|t|yup|joi|Joi|v|schema|Schema|types?|S|Type|fields?|models?|sa|db|Column|graphene|serializers|forms|pydantic|prop-?types)\.\w/i.test(
      text,
    ) ||
    (/^[A-Z][A-Za-z]+[?!]?[,;)]?$/.test(text) &&
      /^(?:String|Text|Char|Secret|Password|Input|Field|Token|Hash|Buffer|Uint8Array|Promise|Record|Partial|Array|Optional|Maybe|Nullable)/.test(
        text,
      ))
  );
}

function isLettersOfOtherScript(text: string): boolean {
  return /^[\p{L}\s:：]+$/u.test(text) && /[^\u0000-\u024f]/.test(text);
}
