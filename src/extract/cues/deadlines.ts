import { type Cue, words } from "./cue.ts";

const month =
  "jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|oktober|nov(?:ember)?|dec(?:ember)?|dezember|" +
  "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|" +
  "janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre";
/** Months that are also ordinary words count only beside a number. */
const clearMonth = month.replace("|may|", "|").replace("|mar(?:ch)?|", "|march|").replace("|mars|", "|");
const weekday =
  "mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|" +
  "lunes|martes|miércoles|jueves|viernes|sábado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche";
const relativeDay =
  "tomorrow|next (?:week|month|quarter|year|mon|tue|wed|thu|fri)|(?:the )?end of (?:the )?(?:day|week|month|quarter|year)|morgen|nächste[nrs]? \\p{L}+|ende (?:der|des) \\p{L}+|" +
  "mañana|la próxima semana|el próximo \\p{L}+|demain|la semaine prochaine|fin (?:du|de) \\p{L}+|q[1-4]|this (?:summer|winter|spring|autumn|weekend)|(?:summer|winter|spring|autumn) \\d{4}|christmas|easter|new year";
const season = `(?:(?:the )?(?:start|beginning|middle|end) of|early|late|mid-?|ende|anfang|mitte|finales de|principios de|fin|début|mi-) ?(?:in )?(?:${clearMonth}|may|spring|summer|autumn|fall|winter)`;
const inMonth = `(?:in|until|by|before|for|from|im|bis|ab|en|hasta|desde|jusqu'en|dès) (?:${clearMonth}|may(?= \\d|[.,;!]|$)|${season})(?: \\d{4})?`;
const day = `\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[./]\\d{1,2}\\.?(?:\\d{2,4})?|(?:${month})\\.? \\d{1,2}|\\d{1,2}(?:st|nd|rd|th|er)?\\.? (?:de |of )?(?:${month})|(?:the )?\\d{1,2}(?:st|nd|rd|th)|(?:the )?first of|${weekday}|${relativeDay}|${season}|(?:${clearMonth}) \\d{4}`;
const article = "(?:the |el |la |le |den |dem |du |l')?";
const span =
  "(?:\\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a few|a couple of|ein|eine|einer|zwei|drei|vier|dos|tres|deux|trois) (?:days?|weeks?|months?|years?|hours?|tage?n?|wochen?|monate?n?|jahre?n?|días|semanas|meses|jours|semaines|mois)";

/** When something is due or takes place. */
export const deadlineCues: readonly Cue[] = [
  {
    kind: "deadline",
    weight: 2,
    language: "any",
    pattern: words(
      "deadline|due (?:on|by|date|in|within)|(?:is|are|comes) due|no later than|at the latest|expires?|runs out|code freeze|feature freeze|(?:die |der |)(?:frist|abgabe(?:termin)?|stichtag)|fällig|läuft .{0,30}(?:ab|aus)|spätestens|fecha límite|plazo|vence|caduca|a más tardar|date limite|échéance|expire|au plus tard",
    ),
  },
  {
    kind: "deadline",
    weight: 3,
    language: "any",
    pattern: words(
      `(?:by|until|till|before|no later than|bis(?: zum| zur)?|spätestens(?: am)?|antes (?:del?|de)|hasta|avant|d'ici(?: au| le)?|jusqu'au) ${article}(?:${day}|${clearMonth})`,
      `(?:from|von|vom|desde|del?|du) ${article}(?:${day}) (?:to|until|till|bis(?: zum)?|hasta|al?|au) ${article}(?:${day})`,
    ),
  },
  {
    kind: "deadline",
    weight: 1,
    language: "english",
    pattern: words(
      "each|every|weekly|monthly|appointments?|delivery|deliver|resets?|launch(?:es)?|release|booked|reserved|set for|fixed for|due|rescheduled|postponed|session|submission|submit|finish|targets?|ready|visits?|training|workshop|call with|go(?:es)? live|meeting|flights?|fl(?:y|ying|ies)|demo|exam|review|audit|freeze|renewal|birthday|wedding|conference|interview|moved|scheduled|planned|starts?|ends?|begins?|kick-?off|opens?|closes?|arrives?|leaves?|departs?|lands?|returns?|stays|comes|lasts|inspection|dentist|doctor|holidays?|vacation|party|dinner|lunch|party|train|ferry|lease|rent|contract|invoice|tax(?:es)?|certificate|licen[cs]e|warranty|trial|passport|visa|shut down|switched off|retired|planned|surgery|concert|funeral|graduation|semester|school|shift|retro|standup|sprint|thesis|elections?|presentation|slides|report|offer|proposal|application|payment|paid|move|moving|pick up|drop off|talk|support|valid|hand over|publish|present|vote|pay",
      "has to|have to|must|needs?|want(?:s|ed)?|at \\d{1,2}(?::\\d{2})?|\\d{1,2}:\\d{2}|noon|midnight|evening|morning|afternoon|o'clock|\\d ?(?:am|pm)",
    ),
  },
  {
    kind: "deadline",
    weight: 1,
    language: "european",
    pattern: words(
      "lieferung|termin|besprechung|abflug|flug|prüfung|geburtstag|umzug|beginnt|endet|muss|müssen|vertrag|urlaub|kommt|um \\d{1,2}|uhr|entrega|reunión|cita|vuelo|examen|cumpleaños|empieza|termina|sale|llega|hay que|tiene que|a las|contrato|boda|livraison|réunion|rendez-vous|vol|anniversaire|commence|finit|(?:se )?termine|rendu|rendre|livr\\p{L}+|faut|doit|bail|part|arrive|mariage|à \\d{1,2} ?h",
    ),
  },
  { kind: "deadline", weight: 2, language: "any", pattern: words(day, inMonth) },
  {
    kind: "deadline",
    weight: 0.5,
    language: "english",
    pattern: words(`(?:on|from|this|next) ${article}(?:${day})`),
  },
  {
    kind: "deadline",
    weight: 2,
    language: "any",
    pattern: words(
      `(?:within|in|innerhalb von|binnen|en|dentro de|sous|dans) ${span}|${span} (?:from (?:today|now)|before|notice|at the latest|vorher|antes|avant)`,
    ),
  },
  {
    kind: "deadline",
    weight: 0.5,
    language: "english",
    pattern: words("is|are|'s|will|has|i have|we have|gets|until|away|off"),
  },
  { kind: "deadline", weight: 2, language: "east-asian", pattern: /截止|到期|期限|締め?切|期日|納期/u },
  {
    kind: "deadline",
    weight: 3,
    language: "east-asian",
    pattern:
      /(?:[月号號日周週]|星期|曜日?|明天|月底|年底|月末|年末)[一二三四五六日末]?(?:之前|以前|前|までに|まで)/u,
  },
  {
    kind: "deadline",
    weight: 1,
    language: "east-asian",
    pattern:
      /会议|會議|开会|生日|航班|考试|发布|上线|出发|到达|要交|誕生日|会議|打ち合わせ|出発|試験|提出|交|到着|結婚式|飛行機|です/u,
  },
  {
    kind: "deadline",
    weight: 2,
    language: "east-asian",
    pattern:
      /\d+\s*[月号號日]|[下本这這来來]?[周週](?:[一二三四五六日末])|星期|[月火水木金土日]曜|明[天日]|来週|今週|下周|下月|来月|月底|月末|年底/u,
  },
];
