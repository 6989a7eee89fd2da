import { type Cue, words } from "./cue.ts";

/** Names and locations of things. */
export const identifierCues: readonly Cue[] = [
  {
    kind: "identifier",
    weight: 3,
    language: "english",
    // Something that was given a name. "Name" alone also occurs in complaints about a name.
    pattern: words(
      "(?:code[- ]?name|working title|nickname|alias|callsign)s?(?: (?:of|for) [^,.;:]{1,60}?)? (?:is|are|will be|shall be|stays)",
      "(?:is|are|as) (?:the|our|its|their|an?) (?:internal |official |new )?(?:code[- ]?name|working title|alias) (?:of|for)",
    ),
  },
  {
    kind: "identifier",
    weight: 3,
    language: "european",
    pattern: words(
      "(?:codename|deckname|arbeitstitel|nombre en clave|nom de code)(?: [^,.;:]{1,60}?)? (?:ist|lautet|bleibt|es|será|est|sera)",
    ),
  },
  {
    kind: "identifier",
    weight: 2,
    language: "english",
    pattern: words(
      "(?:id|number|no\\.|ticket|order|invoice|account|port|host(?:name)?|server|box|url|link|address|repo(?:sitory)?|branch|project|bucket|phone|e-?mail|path|folder|directory|dashboard|customer|booking|reference|contract|cluster|database|db|domain|iban|bic|channel|endpoint|wi-?fi|network|ssid|printer|room|floor|table|column|queue|topic|model|flag|variable|env var|setting|region|package|module|namespace|registry|image|tag|plate|isbn|vat|licen[cs]e|serial|username|user name|login|handle|size|code|zip|postcode|extension|staging|prod|production|runbook|wiki|docs|handbook|config|spreadsheet|sheet|document|mailbox|inbox|calendar|subnet|vm|instance|gateway|proxy)",
    ),
  },
  {
    kind: "identifier",
    weight: 2,
    language: "european",
    pattern: words(
      "(?:port|url|server|id|code|código|pin|schlüssel|passwort|e-?mail|(?:kunden|konto|telefon|rechnungs|bestell|auftrags|vertrags|steuer|handy|haus|zimmer|artikel|serien|mitglieds|versicherungs)?nummer|telefon|adresse|konto|kunde\\p{L}*|vertrag|rechnung|bestellung|ordner|drucker|raum|wlan|iban|kennzeichen|tabelle|número|pedido|cuenta|factura|contrato|cliente|teléfono|correo|dirección|carpeta|servidor|sala|matrícula|tabla|referencia|numéro|commande|compte|facture|contrat|client|téléphone|dossier|serveur|salle|imprimante|référence|plaque)",
    ),
  },
  {
    kind: "identifier",
    weight: 2,
    language: "east-asian",
    pattern:
      /编号|編號|号码|號碼|单号|單號|订单号|电话|電話|邮箱|地址|账号|帳號|服务器|仓库|端口|番号|住所|メール|サーバー?|口座|リポジトリ|ポート/u,
  },
  {
    kind: "identifier",
    weight: 1.5,
    language: "any",
    isCased: true,
    // A long number, a host name, a path, an option, an identifier in code, a code of letters and digits.
    pattern:
      /\b[A-Z]-?\d{3,}\b|(?<![\p{sc=Latin}\d])\+?\d[\d .-]*\d|\bv\d+[\w.-]*|\b[a-z0-9]+(?:-[a-z0-9]+){2,}\b|\b[a-z][\w-]*(?:\.[a-z][\w-]*){1,3}\.[a-z]{2,}\b|\b[\w-]+\/[\w./-]+\.\w{2,5}\b|\b[\w-]+\.(?:xlsx?|docx?|pptx?|pdf|md|csv|txt|ya?ml|toml|json5?|sqlite|png|jpe?g|zip|key)\b|(?:^|\s)[~/][\w.-]+\/[\w./-]+|\b(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{5,}\b|\b\d{2,}-[A-Z]{1,4}\b|\b[A-Z]{1,3} \d{2,4} ?[A-Z]{0,3}\b|(?<![\w#])#[\w-]{2,}|(?<![\w-])--[a-z][\w-]+|\b[a-z]+_[a-z_]+\b|\b[A-Z]+_[A-Z_]+\b|"[^"]{2,60}"|`[^`]{2,60}`/u,
  },
  {
    kind: "identifier",
    weight: 2.5,
    language: "any",
    isCased: true,
    // A mail address, a street address, a ticket, a network address; and how a name is spelled.
    pattern:
      /[\w.+-]+@[\w-]+\.\w|https?:\/\/\S|\b[\w-]{2,}\.(?:com|org|net|io|dev|de|fr|es|app|ai|co|eu|uk|example)\b(?:\/\S)?|\b[A-Z]{2,10}-\d+(?:-\d+)*\b|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b(?:is|are) (?:spelled|spelt|written|called|named|abbreviated)\b/u,
  },
  {
    kind: "identifier",
    weight: 1,
    language: "english",
    pattern: words(
      "(?:is|are) (?:called|named|at|under|in|on|stored|kept|read from|reachable|hosted)|goes to|go to|send (?:it|them|that|everything|this) to|lives? (?:at|in|under|on)|runs? on|belongs? to|points? to|listens? on|stored in|found (?:at|in|under)|you(?:'ll)? (?:can )?find|my \\p{L}+(?: \\p{L}+)? (?:is|are)(?= \\p{L}*\\d)",
    ),
  },
  {
    kind: "identifier",
    weight: 0.5,
    language: "any",
    pattern: words(
      "is|are|=|for|lives|runs on|called|named|(?:gehen|geht)(?: \\p{L}+)? an|lautet|ist|heißt|liegt|steht|es|está|se llama|est|se trouve|s'appelle",
    ),
  },
  { kind: "identifier", weight: 0.5, language: "east-asian", pattern: /是|在|叫|は.+です/u },
];
