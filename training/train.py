"""Trains a static embedding model on the records of extract.py, on one GPU.

    python3 train.py records.tsv.xz OUT [--eval eval.jsonl.xz] [--vocabulary 48000] [--dimensions 256] [--steps 7000] [--warm 3000]

Two stages over one table of vectors, one row per word piece:
 1. distributional: a word predicts the words around it, over all running text, so that words with similar contexts
    get similar vectors;
 2. contrastive: an anchor predicts its text among all texts of the batch (symmetric, in-batch negatives). Most batches
    are from one source, so that the subject alone does not give the answer away. Some steps of stage 1 are mixed in.
    Some steps use only the signs of a text's numbers, because that is what the index stores.
The last step writes int8 rows with one scale per row, and the tokenizer.
"""
import argparse, json, lzma, os, time, zlib
import numpy as np, torch, torch.nn.functional as F
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

started = time.time()
ANCHOR, TEXT = 40, 200  # word pieces kept of each side
dev = "cuda"
torch.backends.cuda.matmul.allow_tf32 = True

# Sampling weight of a source, relative to its size; "kind X" is for all sources of a kind that are not listed.
WEIGHTS = {"kind D": 4, "kind T": 0.3, "kind X": 0.9, "code": 8, "topical": 3, "persona": 3, "sgd": 2, "tldr": 2, "openstax-qa": 2,
           "books": 1, "synonyms": 3, "kinds": 2, "wordnet-swapped": 2, "intents": 3}


def log(*parts):
    print(f"[{time.time() - started:6.1f}]", *parts, flush=True)


def read_records(path):
    rows = [line.rstrip("\n").split("\t") for line in lzma.open(path, "rt", encoding="utf8")]
    return [row for row in rows if len(row) == 4]


def train_tokenizer(rows, size):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=40))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True, strip_accents=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=size, special_tokens=["[PAD]", "[UNK]"], min_frequency=6, limit_alphabet=6000, continuing_subword_prefix="##")
    def texts():
        for kind, _, anchor, text in rows:
            yield anchor
            yield text[:500]
    tokenizer.train_from_iterator(texts(), trainer, length=2 * len(rows))
    return tokenizer


def encode(tokenizer, texts, width):
    ids, lengths = np.zeros((len(texts), width), np.uint16), np.zeros(len(texts), np.int64)
    for i in range(0, len(texts), 50_000):
        for j, e in enumerate(tokenizer.encode_batch_fast(texts[i:i + 50_000], add_special_tokens=False)):
            x = e.ids[:width]
            ids[i + j, :len(x)] = x
            lengths[i + j] = len(x)
    return torch.from_numpy(ids.astype(np.int32)).to(dev), torch.from_numpy(lengths).to(dev)


class Corpus:
    def __init__(self, rows, tokenizer):
        self.anchors, self.anchor_lengths = encode(tokenizer, [r[2] for r in rows], ANCHOR)
        self.texts, self.text_lengths = encode(tokenizer, [r[3] for r in rows], TEXT)
        kinds, sources = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
        self.kind = kinds
        self.is_section = torch.from_numpy(np.isin(kinds, ["D", "T"])).to(dev)
        self.has_anchor = torch.from_numpy(kinds != "T").to(dev)
        self.running = np.where(np.isin(kinds, ["D", "T", "P"]) & (self.text_lengths.cpu().numpy() >= 8))[0]
        self.groups = {s: np.where(sources == s)[0] for s in np.unique(sources)}
        self.anchor_key = torch.tensor([zlib.crc32(r[2].lower().encode()) + 1 if r[2] else 0 for r in rows], device=dev)
        self.alone = {s for s, idx in self.groups.items() if kinds[idx[0]] != "M" and len(idx) >= 300}
        pieces = sorted(tokenizer.get_vocab().items(), key=lambda kv: kv[1])
        self.continues = torch.tensor([p.startswith("##") for p, _ in pieces], device=dev)
        self.vocabulary = len(pieces)
        counts = torch.bincount(self.texts.flatten().long(), minlength=self.vocabulary).float()
        counts[:2] = 0
        self.share = counts / counts.sum()
        self.rarity = (-self.share.clamp(min=1e-8).log() - 4.5).clamp(min=0.3, max=8)


def pool(table, ids):
    mask = (ids > 1).float()
    return F.normalize((F.embedding(ids.long(), table) * mask[..., None]).sum(1), dim=-1, eps=1e-6)


def window(ids, lengths, n):
    start = (torch.rand(len(ids), device=dev) * (lengths - n + 1).clamp(min=1)).long()
    at = start[:, None] + torch.arange(n, device=dev)[None]
    return ids.gather(1, at.clamp(max=ids.shape[1] - 1)) * (at < lengths[:, None])


def context_batch(c, rng, size, width=20):
    """A whole word of a window, and the window without it. Frequent words are sampled less often."""
    idx = torch.from_numpy(rng.choice(c.running, size)).to(dev)
    around = window(c.texts[idx], c.text_lengths[idx], width)
    heads = (around > 1) & ~c.continues[around.long()]
    rarity = (1e-4 / c.share[around.long()].clamp(min=1e-9)).sqrt().clamp(max=1.0) * heads
    rarity[:, 0] += 1e-9
    at = torch.multinomial(rarity, 1)
    word = torch.zeros(size, 4, dtype=around.dtype, device=dev)
    inside = torch.zeros_like(around, dtype=torch.bool)
    alive = torch.ones(size, 1, dtype=torch.bool, device=dev)
    for k in range(4):
        p = (at + k).clamp(max=width - 1)
        piece = around.gather(1, p)
        alive = alive & (at + k < width) & ((k == 0) | (c.continues[piece.long()] & (piece > 1)))
        word[:, k] = torch.where(alive, piece, 0).squeeze(1)
        inside.scatter_(1, p, inside.gather(1, p) | alive)
    return word, around.masked_fill(inside, 0)


def context_loss(table, c, rng, size, scale):
    word, around = context_batch(c, rng, size)
    sim = pool(table, word) @ pool(table, around).T * scale
    key = (word.long() * torch.tensor([1, 70_003, 2_147_483_647, 1_000_000_007], device=dev)).sum(1)
    same = (key[:, None] == key[None, :]) & ~torch.eye(size, dtype=torch.bool, device=dev)
    sim = sim.masked_fill(same, -1e4)  # another context of the same word is no wrong answer
    label = torch.arange(size, device=dev)
    return (F.cross_entropy(sim, label) + F.cross_entropy(sim.T, label)) / 2


def words_of(c, table, ids, most):
    """Unit vectors of whole words, and their weights: the rarer, the higher; 0 for padding."""
    starts = (ids > 1) & ~c.continues[ids.long()]
    at = (starts.cumsum(1) - 1).clamp(min=0)
    inside = (ids > 1) & (at < most)
    at = at.clamp(max=most - 1)
    rows = F.embedding(ids.long(), table) * inside[..., None]
    sums = torch.zeros(len(ids), most, table.shape[1], device=dev, dtype=rows.dtype).scatter_add(1, at[..., None].expand_as(rows), rows)
    rarity = c.rarity[ids.long()] * inside
    weight = torch.zeros(len(ids), most, device=dev).scatter_reduce(1, at, rarity, "amax")
    return F.normalize(sums, dim=-1, eps=1e-6), weight


def align(c, table, x, y):
    """Alignment of all x with all y: the weighted mean, over the words of x, of the best cosine with a word of y."""
    xs, weight = words_of(c, table, x, 16)
    ys, present = words_of(c, table, y, 40)
    with torch.autocast("cuda", torch.bfloat16):
        sim = xs.flatten(0, 1) @ ys.flatten(0, 1).T
    best = sim.view(len(x) * 16, len(y), 40).masked_fill((present == 0)[None], -1).amax(2).float().view(len(x), 16, len(y))
    return torch.einsum("ij,ijk->ik", weight / weight.sum(1, keepdim=True).clamp(min=1e-6), best)


def without_common(x, y, share, rng_share):
    """Removes from some anchors the pieces that their text also has: equal pieces teach nothing about similarity."""
    common = (x[:, :, None] == y[:, None, :]).any(2) & (torch.rand(len(x), 1, device=dev) < rng_share)
    return x.masked_fill(common & (torch.rand(x.shape, device=dev) < share), 0)


def pair_batch(c, rng, names, chances, everything, size, homogeneous, drop, width):
    if rng.random() < homogeneous:
        group = c.groups[names[rng.choice(len(names), p=chances)]]
        idx = rng.choice(group, min(size, len(group)), replace=False)
    else:
        idx = rng.choice(everything, size, replace=False)
    idx = torch.from_numpy(idx).to(dev)
    text, lengths = c.texts[idx], c.text_lengths[idx]
    y = window(text, lengths, width if rng.random() < 0.7 else 96)
    swap = c.is_section[idx] & ((torch.rand(len(idx), device=dev) < 0.45) | ~c.has_anchor[idx])  # a passage asks for another passage of its section
    x = torch.where(swap[:, None], F.pad(window(text, lengths, 24), (0, ANCHOR - 24)), c.anchors[idx])
    key = c.anchor_key[idx].masked_fill(swap, 0)
    same = (key[:, None] == key[None, :]) & (key[:, None] != 0) & ~torch.eye(len(idx), dtype=torch.bool, device=dev)
    return x.masked_fill(torch.rand(x.shape, device=dev) < drop, 0), y.masked_fill(torch.rand(y.shape, device=dev) < drop, 0), same


def contrast(sim, same):
    """Symmetric cross-entropy of rows and columns; another text of the same anchor does not count as a negative."""
    label = torch.arange(len(sim), device=dev)
    sim = sim.masked_fill(same, -1e4)
    return (F.cross_entropy(sim, label) + F.cross_entropy(sim.T, label)) / 2


def train(c, dimensions=256, steps=7000, warm=3000, batch=8192, rate=0.01, drop=0.25, homogeneous=0.8, alpha=0.6,
          keep_context=0.25, keep_align=0.0, align_batch=1536, width=32, signs=0.3, seed=3, weights=WEIGHTS, table=None):
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    table = torch.nn.Parameter(torch.randn(c.vocabulary, dimensions, device=dev) * 0.1 if table is None else table.clone())
    heat = torch.nn.Parameter(torch.tensor(3.0, device=dev))
    heat_context = torch.nn.Parameter(torch.tensor(2.3, device=dev))
    heat_align = torch.nn.Parameter(torch.tensor(3.0, device=dev))
    optimiser = torch.optim.Adam([{"params": [table], "lr": rate}, {"params": [heat, heat_context, heat_align], "lr": 1e-3}])
    for step in range(warm):
        loss = context_loss(table, c, rng, batch, heat_context.exp().clamp(max=40))
        optimiser.param_groups[0]["lr"] = rate * min(1, (step + 1) / 100) * max(0.3, 1 - step / warm)
        optimiser.zero_grad(); loss.backward(); optimiser.step()
        if step % 1000 == 0:
            log(f"context {step} loss {loss.item():.3f}")
    names = sorted(c.alone)
    chances = np.array([len(c.groups[n]) ** alpha * weights.get(n, weights.get(f"kind {c.kind[c.groups[n][0]]}", 1)) for n in names])
    chances /= chances.sum()
    everything = np.concatenate(list(c.groups.values()))
    for step in range(steps):
        kind = rng.random()
        if kind < keep_context:
            loss = context_loss(table, c, rng, batch, heat_context.exp().clamp(max=40))
        elif kind < keep_context + keep_align:
            x, y, same = pair_batch(c, rng, names, chances, everything, align_batch, homogeneous, drop, width)
            x = without_common(x, y, 0.7, 0.5)
            loss = contrast(align(c, table, x, y) * heat_align.exp().clamp(max=60), same)
        else:
            x, y, same = pair_batch(c, rng, names, chances, everything, batch, homogeneous, drop, width)
            texts = pool(table, y)
            if rng.random() < signs:
                texts = texts + (texts.sign() / dimensions ** 0.5 - texts).detach()  # the gradient passes as if nothing was rounded
            loss = contrast(pool(table, x) @ texts.T * heat.exp().clamp(max=60), same)
        optimiser.param_groups[0]["lr"] = rate * min(1, (step + 1) / 100) * max(0.02, 1 - step / steps)
        optimiser.zero_grad(); loss.backward(); optimiser.step()
        if step % 1000 == 0:
            log(f"pairs {step} loss {loss.item():.3f} heat {heat.exp().item():.1f} {heat_align.exp().item():.1f}")
    return table.detach()


def quantise(table):
    scale = (table.abs().max(1).values / 127).clamp(min=1e-8)
    return (table / scale[:, None]).round().clamp(-127, 127).to(torch.int8), scale


def save(table, tokenizer, folder):
    from safetensors.torch import save_file
    rows, scale = quantise(table)
    save_file({"embeddings": rows.cpu().contiguous(), "weights": scale.cpu().float().contiguous()}, f"{folder}/embeddings.safetensors")
    tokenizer.save(f"{folder}/tokenizer.json")
    return rows.float() * scale[:, None]


def read_eval(path, tokenizer):
    """Sets of {set, chunks, queries: [{q, gold: [[chunk, …], …], keyword: [chunk, …]}]}, from question sets outside the training data."""
    sets = [json.loads(line) for line in lzma.open(path, "rt")]
    for s in sets:
        ids, lengths = encode(tokenizer, s["chunks"], 460)
        parts, owner = [], []
        for i, n in enumerate(lengths.tolist()):
            for at in range(0, max(1, n - 20), 20):
                w = ids[i, at:at + 40]
                parts.append(F.pad(w, (0, 40 - len(w))))
                owner.append(i)
        s["windows"], s["owner"] = torch.stack(parts), torch.tensor(owner, device=dev)
        s["questions"], _ = encode(tokenizer, [q["q"] for q in s["queries"]], 64)
        s["texts"] = ids
    return sets


def ndcg(order, gold):
    place = {chunk: i + 1 for i, chunk in reversed(list(enumerate(order[:10])))}
    ranks = [min((place[c] for c in g if c in place), default=None) for g in gold]
    best = sum(1 / np.log2(1 + k) for k in range(1, min(10, len(gold)) + 1))
    return min(1.0, sum(1 / np.log2(1 + r) for r in ranks if r) / best)


def align_all(c, table, questions, texts):
    """`align` over whole chunks, each word by its best match; words that are rarer in the chunks of the set weigh more."""
    xs, _ = words_of(c, table, questions, 40)
    seen = torch.zeros(len(texts), c.vocabulary, dtype=torch.bool, device=dev).scatter_(1, texts.long(), True).sum(0)
    idf = torch.log((len(texts) + 1) / (seen.float() + 0.5)).clamp(min=0.1)
    starts = (questions > 1) & ~c.continues[questions.long()]
    at = (starts.cumsum(1) - 1).clamp(min=0, max=39)
    weight = torch.zeros(len(questions), 40, device=dev).scatter_reduce(1, at, idf[questions.long()] * (questions > 1), "amax")
    weight = weight / weight.sum(1, keepdim=True).clamp(min=1e-6)
    parts = []
    for i in range(0, len(texts), 64):
        ys, present = words_of(c, table, texts[i:i + 64], 400)
        best = torch.einsum("qtd,nwd->qtnw", xs.bfloat16(), ys.bfloat16()).amax(3).float() if len(xs) <= 200 else torch.cat([torch.einsum("qtd,nwd->qtnw", xs[j:j + 100].bfloat16(), ys.bfloat16()).amax(3).float() for j in range(0, len(xs), 100)])
        parts.append(torch.einsum("qt,qtn->qn", weight, best.clamp(min=0)))
    return torch.cat(parts, 1).cpu().numpy()


def evaluate(c, table, sets, name=""):
    """nDCG@10 by vectors, by aligned words, by keywords, and by all (sum of rank scores), and the top-five rate of aligned words."""
    rows_of = {}
    for s in sets:
        with torch.no_grad():
            chunks = torch.cat([pool(table, s["windows"][i:i + 8192]) for i in range(0, len(s["windows"]), 8192)])
            sims = pool(table, s["questions"]) @ chunks.T
            best = torch.full((len(s["queries"]), len(s["chunks"])), -1.0, device=dev).scatter_reduce(1, s["owner"][None].expand(len(sims), -1), sims, "amax").cpu().numpy()
            aligned = align_all(c, table, s["questions"], s["texts"])
        rows = rows_of.setdefault(s["set"], {"dense": [], "align": [], "keyword": [], "both": [], "top5": []})  # a set may have several workspaces
        for q, similarity, alike in zip(s["queries"], best, aligned):
            top = np.argsort(-similarity)[:100].tolist()
            low, high = np.median(similarity), similarity.max()
            keyword = {c: 1 / (1 + 0.35 * i) for i, c in enumerate(q["keyword"])}
            nearest = np.argsort(-alike)[:100].tolist()
            low2, high2 = np.median(alike), alike.max()
            both = {k: keyword.get(k, 0) + 0.3 * max(0, (similarity[k] - low) / (high - low + 1e-6)) ** 2 + 0.5 * max(0, (alike[k] - low2) / (high2 - low2 + 1e-6)) ** 2 for k in set(keyword) | set(top)}
            rows["dense"].append(ndcg(top, q["gold"]))
            rows["align"].append(ndcg(nearest, q["gold"]))
            rows["keyword"].append(ndcg(q["keyword"], q["gold"]))
            rows["both"].append(ndcg(sorted(both, key=lambda c: -both[c]), q["gold"]))
            rows["top5"].append(float(any(k in nearest[:5] for g in q["gold"] for k in g)))
    means = {name: {k: float(np.mean(v)) for k, v in rows.items()} for name, rows in rows_of.items()}
    print(name)
    for set_name, row in means.items():
        print(f"  {set_name:14}", *[f"{k} {v:.3f}" for k, v in row.items()], flush=True)
    english = [means[n] for n in ("locomo", "beam", "cranfield", "xquad-en", "aws-docs", "cosqa", "needles-a") if n in means]
    if english:
        print("  English macro ", *[f"{k} {np.mean([m[k] for m in english]):.4f}" for k in english[0]], flush=True)
    return means


def main():
    options = argparse.ArgumentParser()
    options.add_argument("records"), options.add_argument("out"), options.add_argument("--eval")
    for name, value in [("vocabulary", 48_000), ("dimensions", 256), ("steps", 7000), ("warm", 3000), ("seed", 3)]:
        options.add_argument(f"--{name}", type=int, default=value)
    o = options.parse_args()
    os.makedirs(o.out, exist_ok=True)
    rows = read_records(o.records)
    tokenizer = train_tokenizer(rows, o.vocabulary)
    log("records", len(rows), "pieces", tokenizer.get_vocab_size())
    corpus = Corpus(rows, tokenizer)
    table = train(corpus, o.dimensions, o.steps, o.warm, seed=o.seed)
    table = save(table, tokenizer, o.out)
    if o.eval:
        evaluate(corpus, table, read_eval(o.eval, tokenizer))


if __name__ == "__main__":
    main()
