/** What makes a sentence worth keeping. */
export type MemoryKind = "decision" | "preference" | "identity" | "deadline" | "identifier";

export interface Cue {
  readonly kind: MemoryKind;
  /** 3 is enough on its own; less needs company. */
  readonly weight: number;
  readonly pattern: RegExp;
}

/** A word of Latin script, whole: `\b` does not know letters with accents. */
function words(source: string, flags = "iu"): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])`, flags);
}

const month =
  "jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|oktober|nov(?:ember)?|dec(?:ember)?|dezember|" +
  "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|" +
  "janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre";
const weekday =
  "mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|" +
  "lunes|martes|miércoles|jueves|viernes|sábado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche";
const relativeDay =
  "tomorrow|next (?:week|month|quarter|year)|(?:the )?end of (?:the )?(?:day|week|month|quarter|year)|morgen|nächste[nrs]? \\p{L}+|ende (?:der|des) \\p{L}+|" +
  "mañana|la próxima semana|el próximo \\p{L}+|demain|la semaine prochaine|fin (?:du|de) \\p{L}+|q[1-4]";
const day = `\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[./]\\d{1,2}\\.?(?:\\d{2,4})?|(?:${month})\\.? \\d{1,2}|\\d{1,2}(?:st|nd|rd|th|er)?\\.? (?:de |of )?(?:${month})|(?:the )?\\d{1,2}(?:st|nd|rd|th)|${weekday}|${relativeDay}`;
const article = "(?:the |el |la |le |den |dem |du |l')?";

/** A day or time, in words or figures. */
const latinDay = words(`(?:${day})`);
const eastAsianDay =
  /\d+\s*[月号號日]|[下本这這来來]?[周週](?:[一二三四五六日末])|星期|[月火水木金土日]曜|明[天日]|来週|今週|下周|下月|来月|月底|月末|年底/u;

/**
 * Phrases by which people say what is settled, liked, who they are, when something is due, and what a thing is called.
 * English first; then German, Spanish, French, Chinese and Japanese. Each pattern is one pass without nested
 * repetition, so that no text makes it slow.
 */
export const cues: readonly Cue[] = [
  // Decisions, and rules that follow from them.
  {
    kind: "decision",
    weight: 5,
    pattern: words(
      "(?:we|i|they|the team|team|board)(?:'ve| have| has| had)?(?: all| just| now| finally| already)? (?:decided|agreed|settled|chose|chosen|picked|concluded|opted|approved|committed)|decision:?(?: is| was)?|(?:it|that)(?: is| was|'s) (?:decided|settled|agreed)|c'est décidé|agreed (?:to|on|that)|decided (?:to|on|that|against)|" +
        "(?:haben|hat|wurde|ist)(?: uns| sich)?(?: \\S+){0,8} (?:entschieden|beschlossen|geeinigt|festgelegt|vereinbart)|(?:wir|ich) (?:haben|habe) (?:beschlossen|entschieden|vereinbart|uns)|entscheidung:?|" +
        "(?:hemos|he|han|se ha) (?:decidido|acordado|elegido|optado)|decidimos|decidí|acordamos|(?:nos )?quedamos (?:en|con)|elegimos|optamos por|decisión:?|" +
        "(?:nous avons|on a|j'ai|ils ont|il a été)(?: \\p{L}+)? ?(?:décidé|choisi|convenu|opté|retenu|tranché)|décision:?",
    ),
  },
  {
    kind: "decision",
    weight: 4,
    pattern:
      /决定|決定|同意|商定|合意し|敲定|定下来|说好了|說好了|一致同意|达成一致|选定|選定|決めま|に決ま|決まりま|ことにしま|ことにする|ことになりま|ことにな[るっ]|採用しま|にしましょう/u,
  },
  {
    kind: "decision",
    weight: 3,
    pattern: words(
      "(?:we|i)(?:'ll| will|'re going to| are going to) (?:use|go with|switch|move|keep|drop|stick|ship|adopt|migrate|support|call|name|stay|only)|let(?:'|’)?s (?:use|go with|stick (?:with|to)|keep|drop|switch|call it|ship|do it|settle)|(?:we(?:'re| are) )?going with|from now on|going forward|the plan is|as of (?:today|now)|no longer|" +
        "we (?:never|always|only|don't|do not|won't)|(?:must|may) (?:not|never|always|only)|policy is|rule:|" +
        "ab (?:sofort|jetzt|heute|morgen)|künftig|in zukunft|wir (?:bleiben bei|nehmen|verwenden|nutzen|wechseln|setzen auf|machen)|nicht mehr|" +
        "a partir de ahora|de ahora en adelante|vamos a (?:usar|utilizar|quedarnos|cambiar)|(?:usaremos|utilizaremos|seguiremos)|ya no|" +
        "désormais|dorénavant|à partir de maintenant|(?:on|nous) (?:garde|gardons|utilise|utilisons|passe|passons|reste|restons|va utiliser|allons utiliser|utiliserons)",
    ),
  },
  {
    kind: "decision",
    weight: 3,
    pattern:
      /改用|就用|采用|採用|以后都|以後都|从现在起|從現在起|今后|今後は|これからは|不再|选择了|選擇了|を使うことに/u,
  },
  {
    kind: "decision",
    weight: 1,
    pattern: words(
      "instead of|rather than|not \\p{L}+ anymore|statt|anstatt|en lugar de|en vez de|au lieu de|plutôt que",
    ),
  },

  // Preferences and standing wishes.
  {
    kind: "preference",
    weight: 3,
    pattern: words(
      "i(?:'d| would)?(?: really| much| strongly| always| usually| generally)? (?:prefer|rather|like to be|like it when|love|hate|dislike|can't stand|cannot stand)|i (?:really )?(?:don't|do not) like|my (?:favou?rite|preferred|preference)|i(?:'m| am) (?:allergic|vegan|vegetarian|intolerant|afraid)|i get \\p{L}+sick|" +
        "please(?: do)? (?:always|never|don't|do not|avoid|stop|only|keep|call me|answer|reply|write)|(?:always|never) (?:use|write|call|ask|commit|push|run|send|add|put|reply|answer|deploy|delete|touch|format)|" +
        "ich (?:bevorzuge|mag|hasse|liebe|möchte (?:immer|nie|niemals|kein|keine|keinen|lieber)|will (?:immer|nie|kein|keine|keinen)|arbeite lieber|esse kein)|(?:mir|ich \\p{L}+) (?:ist|wäre)? ?(?:es )?lieber|bitte(?: \\p{L}+){0,3} (?:immer|nie|niemals|kein|keine|keinen|nur|ohne|nicht)|mein(?:e)? lieblings\\p{L}+|bin (?:allergisch|vegetarier\\p{L}*|veganer\\p{L}*)|" +
        "prefiero|preferimos|(?:no )?me gusta(?:n|ría)?|odio|me encanta|por favor,? (?:siempre|nunca|no|usa|evita|responde)|(?:siempre|nunca) (?:uses|usa|escribas|respondas|responde|hagas|pongas)|mi \\p{L}+ favorit[oa]|soy (?:alérgic[oa]|vegetarian[oa]|vegan[oa])|" +
        "je préfère|j'aime(?:rais)?|je n'aime pas|je déteste|j'adore|je suis (?:allergique|végétarien(?:ne)?|végan)|(?:n'|ne )\\p{L}+ jamais|mon \\p{L}+ préféré|ma \\p{L}+ préférée|toujours (?:en|utiliser|répondre)",
    ),
  },
  {
    kind: "preference",
    weight: 3,
    pattern:
      /喜欢|喜歡|讨厌|討厭|偏好|更愿意|更願意|请(?:总是|一直|务必|不要|别)|請(?:總是|務必|不要|別)|过敏|過敏|吃素|不要用|最爱|好き|嫌い|苦手|アレルギー|方がいい|方が良い|ないでください|使わないで|でお願いします|いつも.{1,20}ください/u,
  },
  {
    kind: "preference",
    weight: 3,
    pattern: /^(?:always|never) \p{L}{2,}/iu,
  },
  {
    kind: "preference",
    weight: 3,
    // An order without a subject, and what not to take.
    pattern:
      /^(?:use|write|prefer|avoid|call|keep) [^.?!]{2,80}(?:,? (?:not|never|instead of|only|always) )/i,
  },
  {
    kind: "preference",
    weight: 3,
    pattern: words(
      "i (?:don't|do not|never) (?:want|eat|drink|use|work|need)|i can only|am liebsten|(?:mir|uns) (?:ist|sind|wäre|wären) \\p{L}+(?: \\p{L}+)? (?:lieber|wichtig)|me va mejor|ça me convient",
    ),
  },
  {
    kind: "preference",
    weight: 3,
    pattern:
      /^(?:avoid|prefer|vermeide|verwende (?:immer|nie|kein)|nutze (?:immer|nie|kein)|evita|evite|utiliza siempre|usa siempre|évite|évitez|préfère|utilise toujours)\s/iu,
  },
  { kind: "preference", weight: 2, pattern: /^(?:no|keine?|sin|pas de) \p{L}{3,}/iu },
  {
    kind: "preference",
    weight: 1,
    pattern: words("i (?:want|need|like)|please|always|never|bitte|immer|nie|siempre|nunca|toujours|jamais"),
  },

  // Who people are.
  {
    kind: "identity",
    weight: 3,
    pattern: words(
      "my name is|i(?:'m| am) called|call (?:me|him|her|them)|i work (?:at|for|as|with)|i live in|i(?:'m| am) (?:the|your|their|responsible|in charge|based)|i(?:'m| am) an? (?!bit\\b|little\\b|lot\\b|few\\b|hour\\b|fan\\b)\\p{L}+(?: \\p{L}+)? (?:at|in|from|for|by)|" +
        "my (?:\\p{L}+ )?(?:wife|husband|partner|daughter|son|mother|father|brother|sister|boss|manager|colleague|team|company|dog|cat|birthday|address|e-?mail|phone|doctor|landlord)(?:'s)?(?: \\p{L}+){0,3} (?:is|are|lives|works|owns|was born)|" +
        "(?:is|are) (?:our|my|the|their) (?:new )?(?:cto|ceo|cfo|manager|lead|owner|contact|maintainer|customer|landlord|accountant|lawyer|architect|designer|reviewer)|(?:contact|owner|responsible)(?: person)? (?:is|for)|owns the|is (?:responsible|in charge)|maintains the|" +
        "ich heiße|mein name ist|nenn(?:t|en sie)? mich|ich (?:arbeite|wohne|lebe) (?:bei|als|für|in)|ich (?:bin|leite)(?: \\p{L}+)? (?:der|die|das|leiter\\p{L}*|\\p{L}+leiter\\p{L}*|zuständig|verantwortlich)|ich leite|mein(?:e)? (?:frau|mann|tochter|sohn|mutter|vater|chef|chefin|kollege|kollegin|bruder|schwester|firma|hund) (?:\\p{L}+ )?(?:heißt|ist|wohnt|arbeitet)|(?:ansprechpartner(?:in)?|zuständig|verantwortlich)(?: \\p{L}+){0,3} ist|ist (?:zuständig|verantwortlich)|ist unser(?:e|er)?|" +
        "me llamo|mi nombre es|trabajo (?:en|como|para|con)|vivo en|soy (?:el|la|un|una) \\p{L}+|mi (?:esposa|mujer|marido|hija|hijo|madre|padre|jefe|jefa|hermano|hermana|empresa|equipo|perro) (?:\\p{L}+ )?(?:es|se llama|vive|trabaja)|(?:la|el) (?:responsable|encargad[oa])(?: \\p{L}+){0,3} es|" +
        "je m'appelle|mon nom est|je travaille (?:chez|pour|comme|à|dans)|j'habite|je suis (?:le|la) \\p{L}+|m(?:on|a) (?:femme|mari|fille|fils|mère|père|chef|patron(?:ne)?|frère|sœur|équipe|chien) (?:\\p{L}+ )?(?:s'appelle|est|habite|travaille)|(?:le|la) responsable(?: \\p{L}+){0,3} est",
    ),
  },
  {
    kind: "identity",
    weight: 3,
    pattern:
      /我叫|我的名字|我姓|我住在|我在.{1,12}工作|(?:老婆|妻子|丈夫|老公|女儿|女兒|儿子|兒子|老板|同事|哥哥|姐姐|弟弟|妹妹)(?:叫|是|名)|负责|負責|联系人|聯絡人|名前は|と申します|といいます|(?:妻|夫|娘|息子|上司|同僚|兄|姉|弟|妹)の?(?:名前)?は|に住んで|で働いて|担当|連絡先/u,
  },

  {
    kind: "identity",
    weight: 3,
    // A person of ours by name, or somebody and what is theirs to do. Letter case tells a name.
    pattern:
      /(?<!\p{L})(?:[Mm]y|[Oo]ur|[Mm]i|[Nn]uestr[oa]|[Mm]on|[Mm]a|[Nn]otre) \p{Ll}{3,} (?:(?:is|are|es|est) (?:called )?)?\p{Lu}\p{Ll}|(?<!\p{L})(?:[Mm]eine?|[Uu]nsere?) \p{Lu}\p{Ll}+ \p{Lu}\p{Ll}|^\p{Lu}\p{Ll}+(?: (?:from|in) \p{L}+)? (?:will |also )?(?:reviews?|approves?|signs? off|handles?|manages?|maintains?|leads?|owns?|covers?|decides|übernimmt|prüft|leitet|betreut|revisa|gestiona|dirige|gère|relit|valide)(?!\p{L})/u,
  },

  // When something is due.
  {
    kind: "deadline",
    weight: 2,
    pattern: words(
      `deadline|due (?:on|by|date)|(?:is|are) due|no later than|expires?|code freeze|(?:die |der |)(?:frist|abgabe(?:termin)?|stichtag)|fällig|läuft ab|fecha límite|plazo|vence|date limite|échéance|expire`,
    ),
  },
  { kind: "deadline", weight: 2, pattern: /截止|到期|期限|締め?切|期日|納期/u },
  {
    kind: "deadline",
    weight: 3,
    pattern: words(
      `(?:by|until|till|before|bis(?: zum| zur)?|spätestens(?: am)?|antes (?:del?|de)|hasta|avant|d'ici(?: au| le)?|jusqu'au) ${article}(?:${day})`,
    ),
  },
  {
    kind: "deadline",
    weight: 3,
    pattern: /(?:[月号號日周週]|星期|曜日?|明天|月底|年底)[一二三四五六日末]?(?:之前|以前|前|までに|まで)/u,
  },
  {
    kind: "deadline",
    weight: 1,
    pattern: words(
      "each|every|weekly|monthly|appointments?|delivery|deliver|resets?|lieferung|entrega|livraison|launch(?:es)?|release|booked|reserved|rescheduled|postponed|session|submission|submit|finish|targets?|ready|visit|training|workshop|call with|go(?:es)? live|meeting|appointment|flights?|flying|demo|exam|review|audit|freeze|renewal|birthday|wedding|conference|interview|moved|scheduled|starts?|ends?|begins|kick-?off|termin|besprechung|abflug|prüfung|geburtstag|umzug|beginnt|endet|reunión|cita|vuelo|examen|cumpleaños|empieza|termina|réunion|rendez-vous|vol|anniversaire|commence|finit|rendu|livr\\p{L}+",
    ),
  },
  {
    kind: "deadline",
    weight: 1,
    pattern: /会议|會議|开会|生日|航班|考试|发布|上线|誕生日|会議|打ち合わせ|出発|試験|提出|交/u,
  },
  { kind: "deadline", weight: 2, pattern: latinDay },
  { kind: "deadline", weight: 1.5, pattern: eastAsianDay },

  // What a thing is called, and where it is.
  {
    kind: "identifier",
    weight: 2,
    pattern: words(
      "(?:id|number|no\\.|ticket|order|invoice|account|port|host(?:name)?|server|url|address|repo(?:sitory)?|branch|project|bucket|phone|e-?mail|path|folder|dashboard|customer|booking|reference|contract|cluster|database|domain|iban|channel|endpoint|" +
        "\\p{L}*nummer|telefon|adresse|konto|kunde\\p{L}*|vertrag|rechnung|bestellung|número|pedido|cuenta|factura|contrato|cliente|teléfono|correo|dirección|carpeta|servidor|numéro|commande|compte|facture|contrat|client|téléphone|dossier|serveur|adresse)",
    ),
  },
  {
    kind: "identifier",
    weight: 2,
    pattern:
      /编号|編號|号码|號碼|单号|單號|电话|電話|邮箱|地址|账号|帳號|服务器|仓库|端口|番号|住所|メール|サーバー?|口座|リポジトリ|ポート/u,
  },
  {
    kind: "identifier",
    weight: 1.5,
    // Long number, host of several parts, path, code with letters and digits.
    pattern:
      /\b[A-Z]-?\d{3,}\b|(?<![\p{L}\d])\+?\d{4,}[\d -]*|\b[a-z0-9]+(?:-[a-z0-9]+){2,}\b|\b[a-z][\w-]*(?:\.[a-z][\w-]*){1,3}\.[a-z]{2,}\b|(?:^|\s)[~/][\w.-]+\/[\w./-]+|\b(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{6,}\b|#\d{2,}/u,
  },
  {
    kind: "identifier",
    weight: 2.5,
    // Mail, address, ticket, network address; and how a name is written.
    pattern:
      /[\w.+-]+@[\w-]+\.\w|https?:\/\/\S|\b[A-Z]{2,10}-\d+(?:-\d+)*\b|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b(?:is|are) (?:spelled|spelt|written|called|named|abbreviated)\b/u,
  },
  {
    kind: "identifier",
    weight: 0.5,
    pattern: words(
      "is|are|goes to|(?:gehen|geht)(?: \\p{L}+)? an|=|lives|runs on|called|named|lautet|ist|heißt|liegt|es|está|se llama|est|se trouve|s'appelle",
    ),
  },
  { kind: "identifier", weight: 0.5, pattern: /是|在|叫|は.+です/u },
];

/** Lowers a sentence: what is only thought about, asked, or part of doing the work. */
export const doubts: readonly {
  readonly weight: number;
  /** Of this kind only. */
  readonly kind?: MemoryKind;
  readonly by?: "assistant";
  readonly pattern: RegExp;
}[] = [
  {
    weight: 3,
    kind: "decision",
    pattern: words(
      "maybe|perhaps|might|possibly|not sure|what if|if (?:we|i|you|they)|should (?:we|i)|could (?:we|you|i)|would (?:it|you|that)|at some point|i wonder|i think we could|vielleicht|eventuell|mal sehen|falls|wenn wir|sollen wir|quizás?|tal vez|a lo mejor|si (?:decidimos|usamos)|peut-être|si (?:on|nous)|on pourrait|plus tard",
    ),
  },
  { weight: 3, kind: "decision", pattern: /也许|也許|可能|说不定|如果|要不要|かもしれ|もし|たら.*どう/u },
  {
    weight: 4,
    by: "assistant",
    pattern: words(
      "i(?:'ll| will|'ve| have|'d| would|'m going to| can| could|'m now| am now| ran| fixed| added| moved| found| updated| changed| see| couldn't| won't)|let me|let's|here(?:'s| is| are)|would you|do you want|feel free|you (?:can|could|may|might)|it looks like|looks like|i'd suggest|the (?:report|build|suite|test|tests|deploy) (?:is|are|has|was|now|failed|passed)|ich (?:habe|werde|sehe|melde|kann)|soll ich|he \\p{L}+ado|puedo|voy a|quieres|je (?:regarde|vais|peux|relance|continue)|veux-tu",
    ),
  },
  // Of what an assistant states much is repeated: from files, from tools, from what the user has just said.
  { weight: 1.5, by: "assistant", pattern: /^/ },
  { weight: 2, by: "assistant", pattern: words("your|you|deine?|ihre?|tus?|votre|vos|tes") },
];
