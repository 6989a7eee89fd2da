import { isAscii } from "../text/ascii.ts";
import { monthNumber } from "../text/months.ts";
import { once } from "../text/once.ts";
import { type TextPattern, textPattern } from "../text/text-pattern.ts";
import { weekdayNumber } from "./fact-values.ts";

/**
 * The words by which a sentence says that something is different now, is not so, is planned, is over or is one of
 * several. English, German, French, Spanish and Chinese, in one table: a line need not say which language it is in.
 * Latin words are folded (lower case, no diacritics). A word that is missing costs recall, never precision, because
 * only what is recognised makes a line supersede another.
 */

/** Besides months and the full names of weekdays. */
const namedMoments = once(
  () =>
    new Set(
      "mon tue tues wed thu thur thurs fri sat sun sonnabend now today then sofort jetzt heute maintenant aujourdhui aujourd'hui ahora hoy".split(
        " ",
      ),
    ),
);

function isMoment(word: string): boolean {
  const [named, single] = [namedMoments(), word.replace(/s$/, "")];
  return (
    monthNumber(word) !== undefined ||
    weekdayNumber(word) !== undefined ||
    named.has(word) ||
    named.has(single)
  );
}

/**
 * A point in time. Whether the name is one of a month or a weekday is looked up, not matched: V8 takes a tenth of a
 * second to compile a pattern with all names in all these places.
 */
const moment = String.raw`(?:(?:the|der|dem|den|le|la|el) )?(?:\d{1,2}(?:st|nd|rd|th|er|\.)? (?:(?:de|of) )?)?(?<name>\p{L}{3,11}(?:'hui)?)(?: (?:(?:de|of) )?\d{4})?|\d{4}(?:-\d{2}(?:-\d{2})?)?`;

function latin(...alternatives: string[]): TextPattern {
  return textPattern(`(?<![\\p{L}\\p{N}])(?:${alternatives.join("|")})(?![\\p{L}\\p{N}])`, "g");
}

/** Compiled on the first comparison, because most processes never compare. */
export const patterns = once(() => ({
  /** Labels before a fact. */
  label: textPattern(
    String.raw`^(?:(?:please )?(?:remember|note)(?: that)?|reminder|fyi|nb|important|info|bitte merken|merken|merke dir dass|notiz|hinweis|wichtig|a noter|noter que|rappel|recuerda(?: que)?|nota|recordatorio|importante|ojo|请?记住|注意|备注|提醒)\s*[:：,，-]?\s*`,
  ),
  /** Labels that announce news. */
  newsLabel: textPattern(
    String.raw`^(?:update|updated|correction|decision|new|change|korrektur|beschluss|entscheidung|neu|anderung|correction|nouveau|changement|correccion|nuevo|cambio|更新|更正|决定|变更)\s*[:：]\s*`,
  ),
  /** A reason is not part of the fact. */
  reason: textPattern(
    String.raw`(?:[,;，；(–—]\s*)?(?:(?<![\p{L}])(?:because|due to|so that|thanks to|weil|wegen|damit|parce que|a cause de|porque|debido a|gracias a)(?![\p{L}])|因为|由于).*$`,
  ),
  /** From when something holds: the introducing words and the point in time. */
  effective: [
    latin(
      `(?:as of|starting|effective|beginning|since|from|after) (?:next |this |last |early |mid |late )?(?:${moment})(?: on(?:wards?)?)?`,
    ),
    latin(`(?:ab|seit|zum) (?:nachste[nmr]? \\p{L}+|(?:anfang |mitte |ende )?(?:${moment}))(?: an)?`),
    latin(`(?:a partir d[eu]|a compter d[eu]|depuis|des|desde) (?:${moment})`),
    textPattern(
      String.raw`(?:从|自)?(?:今天|现在|今年|明年|下周|下个月|本月|[一二三四五六七八九十\d]{1,3}月(?:[一二三四五六七八九十\d]{1,3}[日号])?|周[一二三四五六日天])(?:起|开始|以后|之后)`,
      "g",
    ),
  ],
  /** No longer true. */
  ended: [
    latin(
      "no longer|not (?:.{0,80} )?any ?(?:more|longer)",
      "nicht mehr|kein(?:e|en|em|er)? (?:.{0,60} )?mehr",
      "ya no",
      "(?:ne |n['’ ])\\p{L}+ plus",
    ),
    textPattern("不再|已经不|已不", "g"),
  ],
  now: [
    latin(
      "now|nowadays|these days|from now on|going forward|henceforth|instead",
      "jetzt|nun|inzwischen|mittlerweile|ab sofort|kunftig|neuerdings|stattdessen|fortan|von nun an|nunmehr",
      "maintenant|desormais|dorenavant|a present|a la place",
      "ahora|de ahora en adelante|en su lugar",
    ),
    textPattern("现在|如今|从现在起|今后", "g"),
  ],
  /** The change itself. */
  changed: [
    latin(
      "(?:(?:has|have|had|was|were|been|got|is|are) )*(?:moved|switched|changed|migrated|renamed|replaced|raised|lowered|increased|reduced|extended|shortened|shifted|postponed|rescheduled|upgraded|downgraded|bumped|updated|transferred)(?: over)?",
      "(?:(?:has|have) )?(?:decided|agreed) (?:to|that|on)",
      "(?:(?:wurde|wurden|ist|sind|haben|hat|worden) )*(?:verschoben|umgestellt|umgestiegen|gewechselt|geandert|erhoht|gesenkt|umgezogen|umbenannt|ersetzt|verlegt|verlangert|verkurzt|angehoben|reduziert|aktualisiert|migriert|abgelost)",
      "(?:(?:a|ont|avons|est|sont|sommes|ai|ete) )+(?:deplacee?s?|passee?s?|changee?s?|remplacee?s?|augmentee?s?|reduite?s?|renommee?s?|migree?s?|reportee?s?|repoussee?s?|demenagee?s?|prolongee?s?|decide (?:de|que))",
      "se (?:movio|paso|cambio|subio|bajo|aumento|redujo|reemplazo|renombro|traslado|aplazo|retraso)|(?:(?:hemos|ha|han|fue|sido) )+(?:movid|pasad|cambiad|subid|bajad|aumentad|reducid|reemplazad|sustituid|renombrad|migrad|trasladad|aplazad|decidid|acordad)[oa]s?|(?:movimos|migramos|trasladamos)",
    ),
    textPattern(
      "(?:改|换|搬|调整|调|升级|提高|降低|降|涨|推迟|提前|迁移|替换|更名|变更|变)(?:到|成|为)了?|改用|换用",
      "g",
    ),
  ],
  /** Before the former value. */
  leaving: [
    latin(
      "from|instead of|rather than|away from|replacing",
      "von|vom|statt|anstatt|anstelle von",
      "de|du|d|au lieu de|plutot que",
      "de|del|en lugar de|en vez de",
    ),
    textPattern("从|而不是|取代", "g"),
  ],
  denied: [
    latin(
      "not|no|never|none|nobody|nothing|without|cannot",
      "nicht|kein|keine|keinen|keinem|keiner|nie|niemals|ohne",
      "pas|jamais|aucun|aucune|sans",
      "nunca|jamas|sin|ningun|ninguna|tampoco",
    ),
    textPattern("(?:不(?!同|但|仅|只|过|断|少|错)|没有?|未|无需|别)", "g"),
  ],
  added: [
    latin(
      "also|too|as well|another|additionally|in addition|besides|both",
      "auch|zusatzlich|ausserdem|weitere[rsnm]?|ebenfalls|ebenso",
      "aussi|egalement|en plus|en outre|un autre|une autre",
      "tambien|ademas|otro|otra",
    ),
    textPattern("(?:也|还(?!是)|另外|此外|同时)", "g"),
  ],
  /** Not true yet, or conditional. */
  planned: [
    latin(
      "will|won't|might|may be|maybe|perhaps|probably|should|could|would|shall|plan(?:s|ned|ning)?(?: to)|wants?(?: to)?|wanted|going to|considering|consider|thinking|propos(?:e|al|es|ed|ing)|suggest(?:s|ed|ion)?|idea|todo|draft|if|unless|hopefully|try(?:ing)? to|next (?:week|month|year|quarter)|tomorrow",
      "wollen|will|mochten?|konnten?|sollten?|sollen?|wurden? gerne|vielleicht|eventuell|planen|plant|geplant|uberlegen|vorschlag|idee|falls|wenn|ob|nachste[nrs]? (?:woche|monat|jahr)|demnachst",
      "voulons|veut|voudrait|pourrait|pourrions|devrait|devrions|peut-etre|allons|va|vont|prevoyons|prevoit|prevu|proposons|propose|proposition|idee|si|demain|semaine prochaine",
      "queremos|quiere|podria|podriamos|deberia|deberiamos|quizas?|tal vez|vamos a|va a|van a|planeamos|planea|propone|propuesta|idea|si|semana que viene",
    ),
    textPattern(
      "打算|计划|可能|也许|或许|应该|想要|希望|考虑|建议|如果|是否|准备|将要?|会议上?讨论|下周|明天|下个月",
      "g",
    ),
  ],
  /** A single past event. */
  happened: [
    latin(
      "was|were|had|did|took|went|got|made|met|said|told|sent|bought|found|saw|came|ran|lost|wrote|spent|broke|began|gave|held|kept|paid|spoke|ate|drank|drove|flew|read out|used to|yesterday|today|tonight|last (?:week|month|year|night|monday|tuesday|wednesday|thursday|friday)|this (?:morning|week|afternoon|evening)|ago",
      "(?<!(?:is|are|be|gets?|am) )(?:\\p{L}{2,}(?:[^e\\P{L}])ed|agreed|freed)",
      "war|waren|hatte|hatten|hat|haben|wurde|wurden|dauerte|kostete|ging|kam|lag|machte|sagte|rief|fand|gestern|heute|vorgestern|letzte[nrs]? (?:woche|monat|jahr|nacht)",
      "etait|etaient|avait|avaient|fut|hier|aujourd'?hui|semaine derniere|(?:suis|est|sommes|sont) (?:alle|venu|arrive|parti|reste|tombe)e?s?",
      "era|eran|fue|fueron|estaba|estaban|habia|tenia|ayer|hoy|anoche|semana pasada|(?:he|has|ha|hemos|han) \\p{L}+(?:ado|ido|cho|to)|\\p{L}+(?:aron|ieron)|tardo|llamo|hablo|llego|costo|duro|dijo|hizo|tuvo|estuvo|visitamos|hablamos|fuimos|vimos|hicimos|tuvimos",
    ),
    textPattern("(?:了|(?<![通经超])过(?!敏|期|程|滤|渡)|昨天|今天|上周|上个月|刚才|曾)", "g"),
  ],
  /** The same in French, where the accent marks a participle: lower case, with diacritics. */
  happenedFrench: textPattern(
    String.raw`(?<![\p{L}])(?:ai|as|a|avons|avez|ont) (?:\p{L}+ )?\p{L}+(?:ée?s?|is?|it|us?|ert)(?![\p{L}])`,
  ),
  /** Where a fact holds. Facts with different scopes are different facts. */
  scoped: [
    latin(
      "staging|production|prod|preprod|pre-production|dev|development|test|testing|qa|ci|local|locally|localhost|sandbox|demo|live|beta|windows|linux|macos|mac|ios|android|frontend|backend|desktop|mobile|internal|external|weekdays?|weekends?|summer|winter|mornings?|evenings?|afternoons?|nights?|free|basic|pro|premium|enterprise|personal|work|private|public|client|server|read|write|upload|download|minimum|maximum|min|max",
      "testumgebung|testsystem|produktion|produktiv|entwicklung|werktags|wochenende|sommer|winter|morgens|abends|mittags|nachts|privat|intern|extern",
      "preproduction|developpement|recette|ete|hiver|matin|soir|semaine|interne|externe",
      "preproduccion|produccion|desarrollo|pruebas|verano|invierno|manana|tarde|noche|interno|externo",
    ),
    textPattern(
      "测试环境|生产环境|开发环境|预发布|线上|线下|本地|工作日|周末|夏季|冬季|上午|下午|晚上|内部|外部|最大|最小",
      "g",
    ),
  ],
  limited: [
    latin(
      "or|only|except|unless|until|before|after|at least|at most|up to|over|under|above|below|between|about|roughly|almost|off|out|against|during|per|each",
      "oder|nur|ausser|bis|vor|nach|mindestens|hochstens|uber|unter|zwischen|etwa|fast|gegen|wahrend|pro|je",
      "ou|seulement|uniquement|sauf|jusqu|avant|apres|moins|plus|sous|sur|entre|environ|presque|contre|pendant|par",
      "o|solo|solamente|excepto|salvo|hasta|antes|despues|menos|mas|bajo|sobre|entre|casi|contra|durante|por",
    ),
    textPattern("(?:或|只|仅|除(?:外|了)?|直到|之前|之后|至少|最多|以上|以下|大约|每)", "g"),
  ],
}));

const hintLetters = 5;
const hintsOf = (words: string): ReadonlySet<string> =>
  new Set(words.split(" ").map((word) => word.slice(0, hintLetters)));

/** The first letters of the words that announce news, in scripts with spaces. */
const hints = once(() => ({
  label: hintsOf(
    "update correction decision new change korrektur beschluss entscheidung neu anderung nouveau correccion nuevo cambio",
  ),
  start: hintsOf(
    "as starting effective beginning since from after ab seit zum partir compter depuis des desde",
  ),
  other: hintsOf(
    "longer any anymore anylonger mehr ya plus now nowadays these forward henceforth instead jetzt nun inzwischen mittlerweile sofort kunftig neuerdings stattdessen fortan nunmehr maintenant desormais dorenavant present place ahora lugar moved switched changed migrated renamed replaced raised lowered increased reduced extended shortened shifted postponed rescheduled upgraded downgraded bumped updated transferred decided agreed verschoben umgestellt umgestiegen gewechselt geandert erhoht gesenkt umgezogen umbenannt ersetzt verlegt verlangert verkurzt angehoben reduziert aktualisiert migriert abgelost deplacee passe passee changee remplacee augmentee reduite reduit renommee migre migree reportee repoussee demenagee prolongee decide movio paso cambio subio bajo aumento redujo reemplazo renombro traslado aplazo retraso movido pasado pasada cambiado subido subida bajado bajada sustituido acordado movimos migramos trasladamos",
  ),
}));

function hintsIn(text: string): string[] {
  return (text.match(/[a-z]+/g) ?? []).map((word) => word.slice(0, hintLetters));
}

/**
 * Whether a folded text may be news. V8 needs milliseconds to compile the deciding patterns, and most lines have no
 * word that begins like one of theirs.
 */
export function mayHaveNewsWords(text: string): boolean {
  if (/[\u2e80-\uffff]/.test(text)) return true;
  const { label, start, other } = hints();
  const isLabelled = text.includes(":");
  let mayStart = false;
  for (const hint of hintsIn(text)) {
    if (other.has(hint) || (isLabelled && label.has(hint))) return true;
    mayStart ||= start.has(hint);
  }
  return mayStart && stripEffective(text).count > 0;
}

/** Whether a word of a text in lower case, not yet folded, begins like one of those. */
export function hasNewsHint(text: string): boolean {
  const { label, start, other } = hints();
  return hintsIn(text).some((hint) => other.has(hint) || label.has(hint) || start.has(hint));
}

/** Whether the patterns have to be compiled: the text has a word that introduces a point in time, and a point in time. */
function mayBeEffective(text: string): boolean {
  if (!isAscii(text)) return true;
  const { start } = hints();
  if (!hintsIn(text).some((hint) => start.has(hint))) return false;
  return /\d{4}|nachste/.test(text) || text.match(/[a-z']+/g)!.some(isMoment);
}

/** Removes the words that say from when something holds, counts them, and adds them to `found`. */
export function stripEffective(text: string, found?: string[]): { text: string; count: number } {
  let count = 0;
  let rest = text;
  for (const pattern of mayBeEffective(text) ? patterns().effective : []) {
    rest = rest.replace(pattern(rest), (match, ...captured) => {
      const name = (captured.at(-1) as { name?: string }).name;
      if (name !== undefined && !isMoment(name)) return match;
      count++;
      found?.push(match.trim());
      return " ";
    });
  }
  return { text: rest, count };
}

/** Predicates with one value at a time, in either direction: a team has one lead, a person one home. */
export const singleValued = textPattern(
  [
    "(?<![\\p{L}])(?:leads?|owns?|maintains?|manages?|heads?|responsible|in charge|lead of|owner|prefers?|favou?rite|lives? in|lives? at|works? (?:at|for)|reports? to|(?:is|are) (?:called|named|hosted|based|located|managed|maintained|owned|led|due)|hosted (?:on|by|at|in)|belongs? to|defaults? to|requires?|costs?|birthday|deadline)(?![\\p{L}])",
    "(?<![\\p{L}])(?:leitet|besitzt|verantwortet|verantwortlich|zustandig|betreut|bevorzugt|lieblings\\p{L}+|wohnt|arbeitet bei|heisst|gehort|gehostet|kostet|geburtstag|frist)(?![\\p{L}])",
    "(?<![\\p{L}])(?:dirige|possede|responsable|gere|prefere|habite|travaille chez|s ?appelle|appartient|heberge\\p{L}*|coute|anniversaire|exige)(?![\\p{L}])",
    "(?<![\\p{L}])(?:lidera|encargad[oa]|gestiona|prefiere|vive|trabaja para|se llama|pertenece|alojad[oa]|cuesta|cumpleanos|requiere)(?![\\p{L}])",
    "负责|领导|管理|主管|更喜欢|偏好|住在|工作于|叫做|属于|托管|生日|截止|需要",
  ].join("|"),
);

/** Predicates whose subject may change. */
export const rolePredicates = textPattern(
  String.raw`(?<![\p{L}])(?:leads?|owns?|maintains?|manages?|heads?|responsible|in charge|leitet|verantwortet|verantwortlich|zustandig|betreut|dirige|responsable|gere|lidera|encargad[oa]|gestiona|dirige)(?![\p{L}])|负责|领导|管理|主管`,
);
