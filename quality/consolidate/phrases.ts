/** What the generated notes of one language are made of. `{x}` is filled in; `|` separates ways to say the same. */
export interface Phrases {
  readonly language: string;
  /** Facts that last: what is filled in makes each another fact. */
  readonly lasting: readonly string[];
  /** A fact and what replaces it later: `{v}` is the value. */
  readonly changing: readonly {
    readonly before: string;
    readonly after: string;
    readonly values: readonly string[];
  }[];
  /** A sentence with a relative date, and how many days it is away. */
  readonly relative: readonly { readonly text: string; readonly word: string; readonly days: number }[];
  /** What happened, and is over. */
  readonly events: readonly string[];
  /** What looks like more than it is. */
  readonly traps: readonly string[];
  readonly things: readonly string[];
  readonly tools: readonly string[];
  readonly people: readonly string[];
}

const people = ["Ines", "Marek", "Tobias", "Linnea", "Haruki", "Wen", "Odile", "Bartek", "Tamsin", "Ximena"];
const tools = [
  "Postgres",
  "Redis",
  "Kafka",
  "Grafana",
  "Terraform",
  "Nomad",
  "Vault",
  "Zulip",
  "Forgejo",
  "Sentry",
];

export const phrases: readonly Phrases[] = [
  {
    language: "en",
    people,
    tools,
    things: ["ledger", "newsletter", "warehouse", "payroll", "checkout", "archive", "scanner", "intranet"],
    lasting: [
      "We decided to use {tool} for the {thing}.|we decided to use {tool} for the {thing}",
      "Decided to host the {thing} on {tool} from now on.|Decided to host the {thing} on {tool} from now on",
      "We agreed that {person} approves every change of the {thing}.",
      "{person} is responsible for the {thing}.|{person} is responsible for the {thing}",
      "My manager {person} prefers short reports.",
      "I prefer dark themes in {tool}.|I prefer dark themes in {tool}",
      "The team decided against {tool} for the {thing}.",
      "{person} is our contact for the {thing} contract.",
    ],
    changing: [
      {
        before: "The {thing} runs on port {v}.",
        after: "The {thing} runs on port {v} now.",
        values: ["8080", "9090", "7443", "5000"],
      },
      {
        before: "The {thing} meeting is on {v}.",
        after: "The {thing} meeting is on {v} now.",
        values: ["Mondays", "Tuesdays", "Thursdays", "Fridays"],
      },
      {
        before: "Backups of the {thing} are kept for {v} days.",
        after: "Backups of the {thing} are kept for {v} days now.",
        values: ["7", "14", "30", "90"],
      },
    ],
    relative: [
      { text: "Talked to {person} about the {thing} {rel}.", word: "yesterday", days: -1 },
      { text: "The auditors visit the {thing} {rel}.", word: "tomorrow", days: 1 },
      { text: "{person} sent the {thing} figures {rel}.", word: "3 days ago", days: -3 },
      { text: "No release of the {thing} {rel}, {person} wants to wait.", word: "today", days: 0 },
    ],
    events: [
      "Merged #{n}, a small fix in the {thing}.",
      "Lunch with {person}, talked about holidays.",
      "The build of the {thing} was red for an hour, a flaky test.",
      "Reviewed the pull request of {person} for the {thing}.",
      "Restarted {tool} after the update, all fine.",
      "Spent the afternoon on the {thing} report.",
      "{n} tickets closed, most of them about the {thing}.",
      "Paired with {person} on the {thing} importer.",
      "Wrote the release notes of version 4.{n}.",
      "Coffee machine descaled.",
    ],
    traps: [
      "Should we move the {thing} to {tool}?",
      "Maybe we use {tool} for the {thing} some day.",
      "- [ ] ask {person} about the {thing}",
      "The nightly job loads the figures of yesterday every morning.",
      'The ticket says "done yesterday", {person} disagrees.',
      "Run `report --day yesterday` for the {thing}.",
      "Waiting for {person}, the {thing} is blocked.",
      "{person} is away until next week of the fair.",
      "Deployed the {thing}.",
      "Standup was short.",
    ],
  },
  {
    language: "de",
    people,
    tools,
    things: ["Lager", "Buchhaltung", "Rundbrief", "Kasse", "Archiv", "Intranet", "Werkstatt", "Versand"],
    lasting: [
      "Wir haben beschlossen, {tool} für {thing} zu nehmen.|wir haben beschlossen, {tool} für {thing} zu nehmen",
      "Ab sofort nutzen wir {tool} für {thing}.|Ab sofort nutzen wir {tool} für {thing}",
      "{person} ist für {thing} zuständig.|{person} ist für {thing} zuständig",
      "Entscheidung: {thing} bleibt bei {tool}.",
      "Ich bevorzuge kurze Berichte zu {thing}.",
    ],
    changing: [
      {
        before: "{thing} läuft auf Port {v}.",
        after: "{thing} läuft jetzt auf Port {v}.",
        values: ["8080", "9090", "7443", "5000"],
      },
      {
        before: "Das Treffen zu {thing} ist am {v}.",
        after: "Das Treffen zu {thing} ist jetzt am {v}.",
        values: ["Montag", "Dienstag", "Donnerstag", "Freitag"],
      },
    ],
    relative: [
      { text: "Mit {person} {rel} über {thing} gesprochen.", word: "gestern", days: -1 },
      { text: "Die Prüfer kommen {rel} wegen {thing}.", word: "übermorgen", days: 2 },
      { text: "Der Bericht zu {thing} wurde {rel} verschickt.", word: "vor 3 Tagen", days: -3 },
      { text: "Für {thing} gibt es {rel} kein Update.", word: "heute", days: 0 },
    ],
    events: [
      "#{n} gemergt, kleine Korrektur in {thing}.",
      "Mittagessen mit {person}.",
      "Der Build war eine Stunde rot.",
      "Den Entwurf von {person} gelesen.",
      "{n} Tickets geschlossen.",
      "Am Nachmittag am Bericht über {thing} gearbeitet.",
    ],
    traps: [
      "Sollen wir {thing} auf {tool} umstellen?",
      "Vielleicht nehmen wir {tool} für {thing}.",
      "Das Büro ist hier im zweiten Stock, guten Morgen {person}.",
      "Jeden Tag werden die Zahlen von gestern geladen.",
      "- [ ] {person} nach {thing} fragen",
      "{person} ist krank.",
    ],
  },
  {
    language: "fr",
    people,
    tools,
    things: ["entrepôt", "paie", "bulletin", "caisse", "archives", "intranet", "atelier", "guichet"],
    lasting: [
      "Nous avons décidé d'utiliser {tool} pour {thing}.|nous avons décidé d'utiliser {tool} pour {thing}",
      "À partir de maintenant, on utilise {tool} pour {thing}.",
      "Je préfère les rapports courts sur {thing}.|je préfère les rapports courts sur {thing}",
      "On a décidé de garder {tool} pour {thing}.",
    ],
    changing: [
      {
        before: "Le service {thing} tourne sur le port {v}.",
        after: "Le service {thing} tourne maintenant sur le port {v}.",
        values: ["8080", "9090", "7443", "5000"],
      },
      {
        before: "La réunion {thing} est le {v}.",
        after: "La réunion {thing} est maintenant le {v}.",
        values: ["lundi", "mardi", "jeudi", "vendredi"],
      },
    ],
    relative: [
      { text: "On a parlé de {thing} avec {person} {rel}.", word: "hier", days: -1 },
      { text: "Les auditeurs viennent {rel} pour {thing}.", word: "demain", days: 1 },
      { text: "{person} a envoyé les chiffres de {thing} {rel}.", word: "il y a 3 jours", days: -3 },
    ],
    events: [
      "#{n} fusionné, petite correction.",
      "Déjeuner avec {person}.",
      "Relu la proposition de {person} sur {thing}.",
      "{n} tickets fermés.",
      "Redémarré {tool} après la mise à jour.",
    ],
    traps: [
      "Est-ce que {thing} passe à {tool} ?",
      "Peut-être {tool} pour {thing}.",
      "Chaque matin on charge les chiffres d'hier.",
      "- [ ] demander à {person}",
      "{person} est malade.",
    ],
  },
  {
    language: "es",
    people,
    tools,
    things: ["almacén", "nómina", "boletín", "caja", "archivo", "intranet", "taller", "portal"],
    lasting: [
      "Hemos decidido usar {tool} para {thing}.|hemos decidido usar {tool} para {thing}",
      "A partir de ahora usamos {tool} para {thing}.",
      "Decidimos mantener {tool} en {thing}.|decidimos mantener {tool} en {thing}",
      "Prefiero los informes cortos sobre {thing}.",
    ],
    changing: [
      {
        before: "El servicio {thing} usa el puerto {v}.",
        after: "El servicio {thing} usa ahora el puerto {v}.",
        values: ["8080", "9090", "7443", "5000"],
      },
      {
        before: "La reunión de {thing} es el {v}.",
        after: "La reunión de {thing} es ahora el {v}.",
        values: ["lunes", "martes", "jueves", "viernes"],
      },
    ],
    relative: [
      { text: "{rel} hablamos con {person} sobre {thing}.", word: "Ayer", days: -1 },
      { text: "La visita a {thing} es {rel} con {person}.", word: "mañana", days: 1 },
      { text: "{person} mandó las cifras de {thing} {rel}.", word: "hace 3 días", days: -3 },
    ],
    events: [
      "#{n} fusionado, un arreglo pequeño.",
      "Comida con {person}.",
      "Revisé la propuesta de {person} sobre {thing}.",
      "{n} tickets cerrados.",
      "Reinicié {tool} después de la actualización.",
    ],
    traps: [
      "¿Pasamos {thing} a {tool}?",
      "Quizás usamos {tool} para {thing}.",
      "Por la mañana llueve y por la tarde también.",
      "Cada día se cargan los datos de ayer.",
      "- [ ] preguntar a {person}",
    ],
  },
  {
    language: "zh",
    people: ["王芳", "李雷", "张敏", "陈强", "刘洋"],
    tools: ["Postgres", "Redis", "Kafka", "Grafana", "Vault"],
    things: ["仓库系统", "工资系统", "结账系统", "内网", "归档服务"],
    lasting: [
      "我们决定用{tool}做{thing}。|我们决定用{tool}做{thing}",
      "从现在起{thing}都用{tool}。",
      "{person}负责{thing}。|{person}负责{thing}",
    ],
    changing: [
      {
        before: "{thing}的端口是{v}。",
        after: "{thing}的端口现在是{v}。",
        values: ["8080", "9090", "7443", "5000"],
      },
      {
        before: "{thing}例会在{v}。",
        after: "{thing}例会现在改到{v}。",
        values: ["周一", "周二", "周四", "周五"],
      },
    ],
    relative: [
      { text: "{rel}和{person}谈了{thing}。", word: "昨天", days: -1 },
      { text: "{rel}{person}来看{thing}。", word: "明天", days: 1 },
      { text: "{rel}{thing}没有更新。", word: "今天", days: 0 },
    ],
    events: [
      "合并了#{n}。",
      "和{person}吃午饭。",
      "看了{person}的方案。",
      "关闭了{n}个工单。",
      "重启了{tool}。",
    ],
    traps: [
      "要不要把{thing}换成{tool}？",
      "也许用{tool}做{thing}。",
      "每天早上导入昨天的数据。",
      "{person}请假。",
    ],
  },
];
