import { type Cue, opening, words } from "./cue.ts";

const people =
  "(?:we|i|they|he|she|the team|team|the board|board|management|legal|marketing|security|everyone|everybody|the customer|the client|my \\p{L}+|our \\p{L}+)";
const lately = "(?: all| both| just| now| finally| already| also| then| eventually| unanimously)?";
/** Verbs for making a choice that holds from now on. */
const settle =
  "use|go with|switch|move|keep|drop|stick|ship|adopt|migrate|support|call|name|stay|only|take|rent|buy|hire|host|skip|wait|stop|start|replace|rename|split|merge|remove|cancel|postpone|delay|publish|release|fly|renew|pay|accept|reject|allow|require|deprecate|build|store|run|deploy|write|send|charge|focus|sell|sign|bring|meet|launch|retire|freeze|limit|ban|outsource|rewrite";
const settling =
  "going with|moving|switching|dropping|keeping|hiring|using|sticking|staying|replacing|migrating|renting|buying|taking|cancelling|canceling|splitting|merging|renaming|postponing|removing|not \\p{L}+ing|retiring|leaving|rewriting|standardi[sz]ing|pausing|outsourcing|closing|skipping|selling|phasing|limiting|adopting";

/** Decisions, and the rules that follow from them. */
export const decisionCues: readonly Cue[] = [
  {
    kind: "decision",
    weight: 5,
    language: "english",
    pattern: words(
      `${people}(?:'ve| have| has| had)?${lately} (?:decided|agreed|settled|chose|chosen|picked|concluded|opted|approved|committed|voted|ruled out|ruled|signed off|went with|gone with|landed on|made (?:up )?(?:my|our|their|his|her) minds?|made the call|gave the go-ahead|turned down|rejected|greenlit)`,
      "the \\p{L}+ (?:decided|agreed|chose|voted|approved|turned down|opted|signed off|vetoed)",
      "decision:?(?: is| was)?",
      "(?:it|that)(?: is| was|'s) (?:decided|settled|agreed|final|official|done then)",
      "agreed (?:to|on|that)",
      "decided (?:to|on|that|against)",
      "(?:we(?:'re| are)|i(?:'m| am)) going (?:with|for)|we(?:'ll| will) (?:go|stick|stay) with|let's (?:go|stick) with|from now on",
      "we have a (?:decision|winner|deal)",
    ),
  },
  {
    kind: "decision",
    weight: 3,
    language: "english",
    pattern: words(
      `we(?:'ll| will|'re going to| are going to|'re gonna| won't| will not|'re not going to|'ll not| shall)(?: be| now| not| never| also| then| just| only| always)? (?:${settle}|\\p{L}+ing)|we'll (?!see|look|check|try|talk|get|figure|need|know|find|come|think|continue|fix|debug|test|be|have a)\\p{L}+`,
      `(?:we(?:'re| are)|i(?:'m| am))(?: now| not| going to be)? (?:${settling})`,
      `i(?:'ll| will|'m going to| am going to| won't) (?:use|go with|switch|move|keep|drop|stick|adopt|stay|take|rent|buy|hire|skip|cancel|accept|call|name|sell|sign|quit)`,
      "let's (?:use|go with|go for|stick (?:with|to)|keep|drop|switch|call it|ship|do it|settle|not|make it|stay|take|skip|move to)",
      "(?:we(?:'re| are) )?going with|from now on|going forward|from (?:today|here) on|as of (?:today|now|next|this|monday|january)|starting (?:today|now|tomorrow|next|with|monday|in)|until further notice|from (?:the )?(?:next|this|second|coming|\\p{L}+day|january|february|march|april|june|july|august|september|october|november|december)(?: \\p{L}+)? on|until .{3,60} (?:nobody|no one|we|everyone)|no longer|any ?more",
      "the (?:plan|rule|policy|verdict|conclusion|decision|outcome|consensus|agreement|final (?:word|answer|call|version)) (?:is|was|from|stays)|that's (?:the rule|settled|final|decided|how we)|it's (?:official|final|settled|decided)|(?:minimum|maximum|max|min|limit|default|standard|baseline|quota|budget|price|rate|fee|salary|target|goal|scope)(?: \\p{L}+){0,3} (?:is|are|stays|will be)|(?:ships?|comes?) (?:as|with|without)|is binding|final (?:call|answer|decision|word)|change of plans?|in the end (?:we|i)|(?:we|i) .{1,60} in the end|after all we",
      "we (?:never|always|only|don't|do not|can't|cannot|can only|may only|may not|no longer|now)|(?:must|may|shall|should) (?:not|never|always|only)|policy is|rule:|we(?:'ve| have)? (?:switched|moved|migrated|changed|gone) (?:to|from|over|with)|i(?:'ve| have)? (?:switched|moved|migrated|changed) (?:from|to a|to the new)",
      "we (?:treat|count|consider) .{2,60} as|we (?:have to|must|need to) (?:support|use|stay|comply|avoid|keep|stick|run on|work with|store|encrypt|log)",
      "(?:is|are|gets?|will be|was|were|has been|have been|got)(?: now| being| also)? (?:postponed|cancell?ed|dropped|scrapped|shelved|abandoned|split|merged|renamed|replaced|approved|rejected|vetoed|retired|deprecated|phased out|shut down|discontinued|outsourced|rescheduled|pushed back|off the table|out of scope|in scope|on hold|final|mandatory|forbidden|banned|not allowed|not negotiable)",
      "(?:will|won't|will not) (?:not )?(?:have|be|support|ship|include|stay|remain|contain|cost|replace|become|happen)(?: no| only| not)?",
      "(?:the )?new (?:name|rule|plan|policy|default|process|version|provider|supplier|owner|price|budget) (?:of .{1,40} |for .{1,40} )?(?:is|will be)|gets? its own",
      "(?:stays?|remains?|goes|moves?) (?:on|with|at|green|as (?:it|they)|in place|the same|to (?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|stderr|stdout)|unchanged)",
    ),
  },
  {
    kind: "decision",
    weight: 3,
    language: "english",
    pattern: opening(
      "scrap|ditch|forget about the|(?:i'm |we're |i am |we are )?(?:not )?going to (?:rent|buy|take|use|move|hire|sell|switch|quit|keep|drop|skip)|change of plans?|verdict|conclusion|decision|final|update: we|result: we",
      "(?:nobody|no one|everyone|everybody) (?:may|can|must|should|has|gets|needs|is|\\p{L}+s)(?! (?:know|told|say|here|fine|happy))",
      "(?:all|each|every) (?!tests?|checks?|good|done|right|of|jobs?|builds?|set|clear|i |you )\\p{L}+(?: \\p{L}+)? (?:is|are|gets?|must|goes|go|has to|have to|needs?|should|come|comes|use|uses)",
      "\\p{L}+(?: \\p{L}+)? (?:moves|goes|switches|migrates|changes) to|no more \\p{L}+",
      "for (?:\\p{L}+ ){1,4}we (?:use|take|have|pay|go|rely|run|keep)|instead of .{2,60} we|rather than .{2,60} we",
      "[^,.:;]{2,30} it is(?=[.!]*$)",
    ),
  },
  { kind: "decision", weight: 3, language: "english", pattern: /, (?:so )?[^,.:;]{2,30} it is[.!]*$/u },
  {
    kind: "decision",
    weight: 2,
    language: "english",
    pattern: words(
      "(?:accepted|declined|turned down|quit|resigned|enrolled|told (?:them|him|her) (?:yes|no)|said (?:yes|no) to)",
      "\\p{L}+ gets? an? \\p{L}+|\\p{L}+s need an? \\p{L}+",
      "we (?:use|take|host|keep|store|run|support|deploy|ship|release|publish|sell|charge|pay|write|test|bill|meet|count|measure|target|treat|rely|have)",
      "(?:cancelled|canceled|replaced|renamed|ditched|booked|bought|hired|ordered|rented|signed)",
      "so we (?:take|use|go|keep|do|have|need|skip|wait|split|host|move)",
      "(?:has|have) to (?:approve|sign|be|go|wait|use|stay|pass|review|confirm|run|come|ask|agree)",
      "(?:stands|is fixed|is set|are set|is capped|are capped|are kept|is kept|run nightly|runs nightly|won|wins)",
    ),
  },
  {
    kind: "decision",
    weight: 1,
    language: "english",
    pattern: words(
      "instead of|rather than|over|not \\p{L}+ any ?more|only|because|for now|by|as|in pairs|the \\p{L}+er|for good|everywhere|without|this year|last week|in all cases|not the|by default|must|at most|at least|every|each|our \\p{L}+(?: \\p{L}+)? (?:is|are|have|use|has|go)",
    ),
  },

  // What a group says about itself usually holds for longer.
  {
    kind: "decision",
    weight: 2.5,
    language: "english",
    pattern: opening(
      "(?:we|our)(?= (?!should|could|might|may|need to|talked|discussed|spoke|said|were|was|saw|got|get|had|tried|ran|just|see|think|thought|already|still|have an?|have (?:to|no|some)|are (?:getting|seeing|at|in|here|almost|done|still|close|missing|back)|'re|tests?|build))",
    ),
  },
  // A contrast with an alternative.
  {
    kind: "decision",
    weight: 2,
    language: "english",
    pattern: /, (?:and )?(?:not|never|no) (?:the |an? |to the |in |on )?\p{L}{3,}/u,
  },

  {
    kind: "decision",
    weight: 5,
    language: "european",
    pattern: words(
      "c'est décidé|(?:haben|hat|wurde|ist)(?: uns| sich)?(?: \\S+){0,8} (?:entschieden|beschlossen|geeinigt|festgelegt|vereinbart|abgesagt|verschoben|gekündigt|abgeschafft|gewählt|ausgewählt|gewechselt|ersetzt|gestrichen)|(?:wir|ich) (?:haben|habe) (?:beschlossen|entschieden|vereinbart|uns)|entscheidung:?",
      "(?:hemos|he|han|se ha) (?:decidido|acordado|elegido|optado|aprobado|descartado)|decidimos|decidí|cancelamos|cambiamos|compramos|contratamos|mantenemos|dejamos|cerramos|aplazamos|acordamos|(?:nos )?quedamos (?:en|con)|elegimos|optamos por|descartamos|decisión:?",
      "(?:nous avons|on a|j'ai|ils ont|il a été)(?: \\p{L}+)? ?(?:décidé|choisi|convenu|opté|retenu|tranché|validé|abandonné|annulé)|décision:?",
    ),
  },
  {
    kind: "decision",
    weight: 3,
    language: "european",
    pattern: words(
      "ab (?:sofort|jetzt|heute|morgen|montag|januar|nächste[nrms]?)|künftig|in zukunft|von nun an|wir (?:bleiben|nehmen|verwenden|nutzen|wechseln|setzen|machen|verzichten|streichen|behalten|verschieben|kaufen|mieten|ziehen|stellen|lassen|veröffentlichen|liefern|arbeiten) (?:bei|jetzt|doch|nur|auf|kein\\p{L}*|die|den|das|auf|um|nicht|mit|ab|erst|\\p{L}+)|nicht mehr|doch (?:lieber|nicht)|(?:wird|werden) (?:verschoben|gestrichen|abgeschafft|ersetzt|umbenannt|eingestellt)|findet .{0,40}statt|es bleibt (?:bei|dabei)|(?:nutzen|verwenden|nehmen|machen) (?:jetzt|nun|künftig|nur noch)|dann (?:nehmen|machen) wir",
      "a partir de (?:ahora|hoy|enero|mañana|lunes)|de ahora en adelante|(?:no )?vamos a (?:usar|utilizar|quedarnos|cambiar|renovar|seguir|comprar|contratar|dejar|mantener|hacer|publicar|\\p{L}+[aei]r)|(?:usaremos|utilizaremos|seguiremos|dejaremos|mantendremos|cambiaremos|compraremos|publicaremos)|ya no|al final (?:nos|vamos|usamos|elegimos|cogemos|compramos|hacemos)|se (?:cancela|aplaza|pospone|elimina|sustituye|mantiene)",
      "désormais|dorénavant|à partir de (?:maintenant|lundi|janvier|demain|la semaine)|(?:finalement|du coup),? (?:on|nous)|(?:on|nous)(?: ne)? (?:garde|gardons|utilise|utilisons|passe|passons|reste|restons|va utiliser|allons utiliser|utiliserons|part sur|partons sur|prend|prenons|renouvelle|renouvelons|abandonne|abandonnons|change|changeons|arrête|arrêtons|livre|livrons|supprime|supprimons|garde|embauche)(?: pas| plus)?|(?:est|sont) (?:reporté|annulé|supprimé|remplacé|abandonné)\\p{L}*|on ne .{2,30} (?:plus|pas)",
    ),
  },
  {
    kind: "decision",
    weight: 1,
    language: "european",
    pattern: words("statt|anstatt|en lugar de|en vez de|au lieu de|plutôt que|nur noch|solo|seulement"),
  },

  {
    kind: "decision",
    weight: 4,
    language: "east-asian",
    pattern:
      /决定|決定|同意|商定|合意し|敲定|定下来|定了|说好了|說好了|一致同意|达成一致|选定|選定|選んだ|選びま|決めた|決めま|に決ま|決まりま|ことにし[またてよ]|ことにする|ことになりま|ことにな[るっ]|採用しま|にしましょう|中止になり|延期(?:になり|しま|です)/u,
  },
  {
    kind: "decision",
    weight: 3,
    language: "east-asian",
    pattern:
      /改用|改到|改成|改为|改在|换成|換成|就用|就选|采用|採用|以后都|以後都|以后不|以后只|从现在起|從現在起|今后|今後は|これからは|不再|选择了|選擇了|选了|選了|取消了|推迟到|を使うことに|に変更|に変わり|をやめ(?:ま|る|て)|はなしで/u,
  },
];
