import { once } from "../once.ts";

/** How many characters of a value are examined. */
export const maxLooked = 96;

/** Repeated characters, words only, or letters of one case only: a filled-in form. */
export function isFiller(text: string): boolean {
  const head = text.slice(0, maxLooked);
  if (
    /x{4}|\*{3}|\.{3}|…|(?:your|example|placeholder|replace|insert|changeme|redacted)[-_. ]|[-_]here\b/i.test(
      head,
    )
  )
    return true;
  const run = /(.)\1{5,}/s.exec(head);
  if (run !== null && run[0].length * 3 >= head.length) return true;
  return !/\d/.test(head) && !(/[a-z]/.test(head) && /[A-Z]/.test(head));
}

/** Variables, templates and calls that stand for a value: `$VAR`, `${VAR}`, `<your-key>`, `%ENV%`, `process.env.X`. */
export function isReference(text: string): boolean {
  return (
    /^(?:\$[A-Z_][A-Z0-9_]*|\$[a-z_]+(?:[A-Z][a-z]+)*\d?|\$[A-Z][a-z]+(?:[A-Z][a-z]+)*)[,;)]?$/.test(text) ||
    /^(?:\$\{|\$\(|\$\[|\{\{|\{%|#\{|@\{|<%|%\(|\$\{\{|\\\()/.test(text) ||
    (text.length < 40 && /\{[\w.]{1,60}\}|%(?:\(\w{1,40}\)|-?\d{0,3})[sdv](?:\W|$)|\{\}/.test(text)) ||
    /^\$(?:env|Env|ENV|[a-z_]\w*(?:\[|->|\.)|[a-z_]\w*::)/.test(text) ||
    /^\$\w+(?:\[['"]?\w+['"]?\]|->\w+|\.\w+)/.test(text) ||
    /^<[/!]?[A-Za-z][\w .:/'’|-]{0,80}>?[,;.)]?$/.test(text) ||
    /^<[\w -]{1,30}>[/:]/.test(text) ||
    /^%[A-Za-z_][\w:]{0,60}%?$/.test(text) ||
    /^\[[\w .:'’-]{1,60}\]$/.test(text) ||
    /^(?:process\.env|import\.meta|os\.(?:environ|getenv)|env[.:[(]|ENV\[|System\.getenv|getenv|secrets?\.|vars?\.|var\.|config\.|self\.|this\.|settings\.|local\.|data\.|module\.|args\.|options\.|props\.|ctx\.|req\.|request\.|arn:|op:\/\/|vault:|ref\+|awssm|ssm:|projects\/|sm:\/\/|keyring:|file:|env:|![A-Za-z_$.:?-]*(?:[([;,)\s].*)?$|(?:\w{1,128}\/)?\d{8}\/[\w-]{1,40}\/\w{1,40}\/aws4_request|@Microsoft\.KeyVault|gcp:\/\/|kms:)/.test(
      text,
    )
  );
}

/** `xxxx`, `****`, `changeme`, `your-api-key`, `sk-...`: placeholders. */
export function isPlaceholder(text: string): boolean {
  return (
    text.includes("[redacted") ||
    /^(?:x{3,}|X{3,}|\W?\*{2,}|•{2,}|\.{2,}|…|-{2,}|_{2,}|0{4,}|#{2,}|\?(?:$|\?|[A-Za-z]*[,;)]?$|\d+[,;)]?$))/.test(
      text,
    ) ||
    /(?:\.{3}|…)[`'")\],;]{0,3}$/.test(text) ||
    /^(?:(?:your|my|the|an?|some|any|insert|enter|put|add|paste|replace|change|set|use|fill|new|old|current|example|sample|dummy|fake|test|demo|foo|bar|baz)[-_ ]?)*(?:(?:super|very|db|api|auth|access|user|admin|root|client|app|db|secret|strong|secure|random|long|real|actual|own|personal|service|bot|github|gitlab|openai|azure|aws|google|stripe|slack|database|smtp|mail)[-_ ]?)*(?:password|passwort|passwd|passphrase|pass|pwd|secret|secrets|token|tokens|key|keys|apikey|credentials?|value|string|here|me|this|it|placeholder|changeit|changeme|todo|tbd|example|sample|dummy|redacted|hidden|masked|removed|omitted|jwt|bearer)(?:[-_ ]?(?:here|goes[-_ ]here|value|string|key|token|id|secret|password|name|example))*[.,;)]?$/i.test(
      text,
    ) ||
    /^(?:your|insert|replace|<your)[-_ ]/i.test(text) ||
    /^(?:token|secret|key|abc|xyz|foo|foobar|bar|test|sometoken|mytoken)[-_]?(?:\d{1,3}|abc|xyz)?$/i.test(
      text,
    ) ||
    /^[\w-]{0,12}(?:x{4,}|X{4,}|\*{3,})[\w-]{0,8}$/.test(text) ||
    /(?:[-_]here|_goes_here|-goes-here|[-_]placeholder)$/i.test(text)
  );
}

export function isPath(text: string): boolean {
  return (
    /^(?:~|\.{1,2})?\/(?:[A-Za-z][\w.-]{1,40}\/)+[\w.*-]{0,60}[,;)]?$/.test(text) ||
    /^(?:~|\.{1,2})\/[\w.*-]{1,60}[,;)]?$/.test(text) ||
    /^\/(?:[a-z][a-z0-9_.-]{1,40})(?:\/[a-z0-9_.*:{}-]{0,40})*[,;)]?$/.test(text) ||
    /^[A-Z]:\\[\w\\. -]{1,200}$/.test(text) ||
    /^[\w-]{1,60}(?:\/[\w.-]{1,60}){0,8}\.[a-z][a-z0-9]{1,4}(?::\d{1,6})?[,;)]?$/.test(text)
  );
}

export function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(text) || /^(?:mailto|data|tel):/i.test(text);
}

export function isEmail(text: string): boolean {
  return /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63}){1,4}[,;.)]?$/.test(text);
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

export function isNumber(text: string): boolean {
  return /^[-+]?[\d.,_:/ -]+(?:%|[a-z]{1,3})?[;)]?$/i.test(text) && !/^\d{1,3}[a-z]\d/i.test(text);
}

/** `readToken(`, `user.token`, `a[0]`, `await x`, `new X`, `T | null`, `Foo<Bar>`: code, not a value. */
export function isExpression(text: string): boolean {
  return (
    (/^!?[A-Za-z_][\w]{0,60}(?:(?:\??\.|::|->)[A-Za-z_][\w]{0,60}){0,8}(?:\(|\[(?!\d{3}))/.test(text) &&
      !/[)\]](?:[A-Za-z0-9]|[!@#$%^&*]\w)/.test(text)) ||
    (/^(?:[A-Za-z_$][\w$]{0,60}\??(?:\.|::|->)){1,8}[A-Za-z_$][\w$]{0,60}[,;:)\]}]{0,3}$/.test(text) &&
      !/^[A-Z][a-z]+\.[A-Z][a-z]+\d{2,}$/.test(text) &&
      !hasDigitsForLetters(text)) ||
    /^(?:await|new|typeof|function|async|lambda|return|null|undefined|None|nil|NULL|true|false|True|False)\b/.test(
      text,
    ) ||
    /^[A-Z]\w{1,40}<(?:[\w, |[\]<>]{1,60}>(?![\w!])|[A-Z&][\w,]*$)/.test(text) ||
    /^[&*][a-z_]\w{0,40}[,;)]?$/.test(text) ||
    /^(?:string|number|boolean|str|int|bool|bytes|object|any|unknown|never|void|char|varchar|text|String|Integer|Boolean|Object|Option|Optional|SecretStr)\b[\s[\](){}|&?=,;<>.]*$/.test(
      text,
    )
  );
}

/** `Pa55.w0rt.Kaffee`: a digit where a letter belongs, in words with a capital. Identifiers have it in few words. */
function hasDigitsForLetters(text: string): boolean {
  const words = text.split(".").filter((word) => !/^(?:[a-z]\d{1,2}[a-z]|\w*64\w*|[Uu]tf\w*)$/.test(word));
  return words.some((word) => /^[A-Za-z]+\d[a-z]+$/.test(word)) && /(?:^|\.)[A-Z][a-z\d]+(?:\.|$)/.test(text);
}

/** Segments that are words, short numbers or words followed by a number: `my-app-v2`, `user_id_1`, `auth0`. */
function isWordy(text: string): boolean {
  return /^(?:[A-Za-z]+\d{0,2}|[a-z]+(?:[A-Z][a-z]+)+\d?|\d{1,4}|v\d{1,3}|[A-Z]{2,})(?:[-_./:#@~+ ](?:[A-Za-z]+\d{0,2}|\d{1,4}|v\d{1,3})){0,12}$/.test(
    text,
  );
}

/** Words joined by hyphens and the like, followed by a number at most. */
export function isWordyIdentifier(text: string): boolean {
  return isWordy(text) && /[-_./:]/.test(text) && !/[A-Z].*\d|\d.*[A-Z]/.test(text);
}

/** Has letters of both cases, and digits. */
export function isMixed(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
}

/** Letters mixed with digits, or capitals mixed with lower case: not a word, an identifier or a path. */
export function isRandom(text: string, minLength: number): boolean {
  const head = text.slice(0, maxLooked).replace(/[>;,)]+$/, "");
  if (head.length < minLength || isFiller(head) || isPath(head)) return false;
  if (isIdentifier(head) || (isWordy(head) && !/^[A-Za-z0-9]{16,}$/.test(head))) return false;
  const hasLetter = /[A-Za-z]/.test(head);
  if (/\d/.test(head) && hasLetter) return true;
  return hasLetter && head.length >= 16 && countTurns(head) * 6 >= head.length;
}

/** `CancellationToken`, `read_user_token`: the words of an identifier are longer than random ones. */
function isIdentifier(text: string, minHump = 3.5): boolean {
  if (!/^[A-Za-z_$][\w$]*$/.test(text) || !/[a-z]{3}/.test(text)) return false;
  if (/^[A-Z][a-z]+_[A-Z][a-z]+\d{2,}$/.test(text)) return false;
  if ((text.match(/\d/g)?.length ?? 0) * 4 > text.length) return false;
  const humps = text.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g)?.length ?? 1;
  return text.length >= humps * minHump;
}

/** Both cases and digits mixed throughout, or nothing but hex. */
export function isScattered(text: string): boolean {
  return (
    countTurns(text.slice(0, maxLooked)) * 4 >= Math.min(text.length, maxLooked) ||
    /^[0-9a-f]{16,}$/i.test(text)
  );
}

/** How often the case or kind of character changes: often in machine-generated text. */
function countTurns(text: string): number {
  let turns = 0;
  let last = "";
  for (const character of text) {
    const kind = /[a-z]/.test(character)
      ? "a"
      : /[A-Z]/.test(character)
        ? "A"
        : /\d/.test(character)
          ? "0"
          : "-";
    if (last !== "" && kind !== last) turns++;
    last = kind;
  }
  return turns;
}

/** A password that a person made up: letters with digits or punctuation, and no technical word. */
export function isPasswordLike(text: string): boolean {
  if (text.length < 6 || isTechnicalWord(text)) return false;
  const [hasLetter, hasDigit] = [/\p{L}/u.test(text), /\d/.test(text)];
  if (hasLetter && (hasDigit || isRandomLetters(text))) return true;
  const signs = text.match(/[^\p{L}\d\s.,;:'"()[\]{}/_-]/gu)?.length ?? 0;
  if (hasLetter && signs > 0) return !/^[\w ]+[!?]$/.test(text);
  return false;
}

/** One in twenty random strings of sixteen letters and digits has no digit. */
function isRandomLetters(text: string): boolean {
  return /^[A-Za-z]{16,64}$/.test(text) && isRandom(text, 16) && isScattered(text);
}

/** Letters of both cases with digits or punctuation: no name, path or version looks like it. */
export function isStrongPassword(text: string): boolean {
  if (!isPasswordLike(text) || isPlaceholder(text) || isReference(text) || isPath(text) || isEmail(text))
    return false;
  if (isUrl(text) || isIdentifier(text, 3) || isExpression(text)) return false;
  return isMixed(text) || /\d.*[!@#$%^&*+?]|[!@#$%^&*+?].*\d/.test(text);
}

/** Words that contain letters and digits. */
export function isTechnicalWord(text: string): boolean {
  return (
    /^(?:\d+(?:st|nd|rd|th|h|hr|hrs|s|sec|m|min|ms|d|w|x|k|kb|mb|gb|b|px|pt|em|rem|%|°|€)?|sha-?\d+|md[45]|hs\d+|rs\d+|es\d+|ed\d+|aes-?\d+(?:-\w+)*|rsa-?\d+|base-?\d+(?:url)?(?:-[a-z]+)?|utf-?\d+|latin1|ascii|oauth-?\d?(?:\.\d)?|openid|saml\d?(?:\.\d)?|[12]password|[23]fa|mfa|totp|x\.?509|argon2(?:id?|d)?|bcrypt\d?|pbkdf2|scrypt|ntlmv?\d?|tls(?:v?\d(?:\.\d)?)?|ssl(?:v?\d)?|ipv[46]|http\/?\d?(?:\.\d)?|https?|ec2|s3|k8s|i18n|l10n|a11y|auth0|web3|p12|pkcs#?\d+|v?\d+(?:\.[\dx]+)+(?:[-+]\w[\w.]*)?|v\d+\w?|h\d|q[1-4]|win\d+|log4j|es\d+|c\+\+|c#|node\d+|python[23]|py\d+|gpt-?\d[\w.-]*|llama-?\d[\w.-]*|claude-?\d?[\w.-]*|cl100k_base|o200k_base|#\d+|\d{4}-\d{2}(?:-\d{2})?(?:t[\d:.]+z?)?|\d{1,2}[:.]\d{2}(?:[:.]\d{2,4})?|\d+[-–]\w+|\w+-\d{1,3}|\w{1,3}\d|[a-z]{3,}\d{1,2}(?=$)|(?:[a-z]{2,}_)+[a-z]*\d{0,2}|rfc-?\d+|cve-[\d-]+|issue-?\d+|pr-?\d+|[A-Z]{2,6}-\d+)[.,;:)]?$/i.test(
      text,
    ) &&
    !/^[a-z]{5,}\d{1,3}$/i.test(text) &&
    !/^(?=.*[a-z])(?=.*\d)(?:[A-Z][a-z]+[_-]){1,4}[A-Z]?[a-z]*\d{2,}[.,;:)]?$/.test(text)
  );
}

/** Ordinary words after a label: `Password: required`, `token: expired`. */
export function isOrdinaryWord(text: string): boolean {
  return ordinary().has(text.toLowerCase().replace(/[.,;:!?)]+$/, ""));
}

const ordinary = once(
  () =>
    new Set(
      `string number boolean null none nil undefined true false yes no on off required optional mandatory unknown
      invalid valid incorrect correct wrong expired revoked missing empty blank reset resets changed unchanged rotated
      stored hashed encrypted plaintext cleartext hidden masked redacted removed omitted disabled enabled default
      defaults private public protected readonly internal external input output text textarea field form label value
      values type types name names user users username login logon email account accounts admin administrator server
      client database vault keychain keyring bitwarden lastpass dashlane keepass keepassxc onepassword passbolt secure
      secret secrets token tokens key keys password passwords passwort passwords credentials credential bearer basic
      digest oauth oidc saml jwt opaque session sessions cookie cookies header headers body query path see ask contact
      check use using used via from with without in at to for by as is are was were be been has have had must should
      can could may might will would not never always only also and or but if when while then else please note todo
      tbd pending done open closed failed failure success successful error errors accepted rejected denied granted
      forbidden unauthorized authentication authorization auth authenticated config configuration settings environment
      env variable variables file files generated generate random same different various several multiple single
      static dynamic temporary permanent shared common special regular normal standard custom managed provided given
      needed necessary available unavailable supported unsupported deprecated recommended allowed lowercase uppercase
      alphanumeric characters character length minimum maximum policy policies strength weak strong rotation management
      manager store storage binary bytes base64 hex ascii unicode json yaml toml xml html object array list map dict
      integer float double date datetime timestamp uuid char varchar blob bool int str any void self this other others
      above below here there everything nothing something anything someone unset set get put post patch delete create
      update read write list show hide request response prompt confirm confirmation verify verification verified
      validate validation change forgot forgotten recover recovery refresh access identity anonymous guest nobody
      localhost example sample test tests testing production staging development prod dev local remote global
      erforderlich optional unbekannt abgelaufen geändert verschlüsselt gespeichert vergessen ungültig falsch leer
      requis obligatoire inconnu expiré stocké chiffré oublié invalide vide requerido obligatorio desconocido caducado
      guardado cifrado olvidado inválido vacío richiesto obbligatorio sconosciuto scaduto salvato dimenticato obrigatório
      desconhecido expirado guardado esquecido verplicht onbekend verlopen opgeslagen vergeten wymagane nieznane wygasło
      kenntwort kennwort passwort wachtwoord contraseña senha hasło parola пароль şifre passphrase passcode pin`
        .split(/\s+/)
        .filter(Boolean),
    ),
);

/** Function words: a value of several words with one of them is prose. */
export function isProse(text: string): boolean {
  return /(?:^|[\s(])(?:the|a|an|is|are|was|be|been|must|should|can|cannot|could|may|will|would|not|no|your|you|our|my|their|its|it|this|that|these|of|to|for|from|with|without|in|on|at|by|as|and|or|if|when|please|enter|see|use|ask|has|have|do|does|don't|than|least|more|only|via|per|der|die|das|den|dem|ein|eine|ist|sind|muss|mit|von|für|und|oder|nicht|im|auf|bei|zu|siehe|bitte|le|la|les|un|une|est|sont|doit|avec|pour|et|ou|pas|dans|sur|du|des|voir|el|los|las|es|son|debe|con|para|por|y|o|no|en|del|de|ver|il|lo|gli|sono|deve|per|non|nel|della|o|os|um|uma|são|não|em|ao|het|een|zijn|moet|met|voor|niet|op|zie|jest|są|musi|dla|nie|w|na|z|i|lub|это|и|не|в|на|с|для|из|см|bir|ve|ile|için|değil)(?=$|[\s,.;:!?)])/iu.test(
    text,
  );
}
