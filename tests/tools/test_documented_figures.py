"""Figures that a page gives are those of the code. Who changes one is led here to the sentence that says it."""

import re
from datetime import UTC, datetime

import pytest

from local import log_files
from local.servers.aws import BACKGROUND
from remembrancer.adapters.identity import jwks
from remembrancer.adapters.models import tiktoken_counter
from remembrancer.adapters.models.model_catalogue import UNKNOWN_WINDOW
from remembrancer.adapters.postgres.memories import consolidation, embedding_store
from remembrancer.adapters.postgres.search import lexical_index, lexical_search, searchable_memories
from remembrancer.adapters.redis import agent_cache, identity_cache, query_cache
from remembrancer.bootstrap import models
from remembrancer.domain.context import assembly, budget, chat_messages, excerpts, formatter, packer
from remembrancer.domain.context.nonce import NONCE_DIGITS
from remembrancer.domain.identity import key_request
from remembrancer.domain.lexical_index import bm25, postings
from remembrancer.domain.memories import clusters, write_request
from remembrancer.domain.memories.memory import CATEGORIES
from remembrancer.domain.ranking import assembly_score, hybrid_ranking, score_boosts, silence
from remembrancer.domain.retrieval import hot_score, hypotheses, intents, query, session_history, usage_profile
from remembrancer.runtime.endpoints import assembly_api, memories_api, records_api
from remembrancer.runtime.http import messages
from remembrancer.runtime.queues import sqs
from remembrancer.runtime.tasks import maintenance_task
from remembrancer.settings import Bounds
from remembrancer.usecases.assembly import assemble
from remembrancer.usecases.erasure import erase
from remembrancer.usecases.query import plan
from remembrancer.usecases.retrieval import memory_maps, query_embedding, relations
from remembrancer.usecases.upkeep import maintenance
from tests.unit.documents import ROOT, template, whole

BOUNDS, RUN = Bounds(), maintenance.RunLimits()
LOW, MEDIUM = intents.SLA_TARGET_MS["low"], intents.SLA_TARGET_MS["medium"]


def before(target_ms: float) -> float:
    """How long before its target a query's searches end."""
    return plan.COMPOSE_RESERVE_MS + min(plan.FOLLOWING_RESERVE_MS, target_ms / 10)


# Page, a sentence with `#` where it gives a figure, the figures.
FIGURES: list[tuple[str, str, tuple[float, ...]]] = [
    ("README.md", "It answers within # ms", (BOUNDS.assembly_ms,)),
    ("README.md", "At # ms at the latest, sources that have not answered are cancelled", (BOUNDS.retrieval_ms,)),
    ("docs/glossary.md", "an agent's # best memories", (hot_score.CAPACITY,)),
    ("docs/adr/0003-lexical-search.md", "BM25 (k1 #, b #;", (bm25.K1, bm25.B)),
    ("docs/adr/0003-lexical-search.md", "a row a word, owner and # documents", (postings.BLOCK,)),
    ("docs/adr/0003-lexical-search.md", "up to # tail documents", (lexical_index.AT_ONCE,)),
    ("docs/adr/0003-lexical-search.md", "merges at # waiting documents", (lexical_index.TAIL,)),
    ("docs/adr/0003-lexical-search.md", "a write itself beyond #,", (searchable_memories.LONGEST_TAIL,)),
    ("docs/adr/0003-lexical-search.md", "at most # postings are read", (lexical_search.MOST_POSTINGS,)),
    ("docs/adr/0004-fusion.md", "joins a cluster from a cosine of **#**", (clusters.THRESHOLD,)),
    ("docs/adr/0004-fusion.md", "gives **at least # candidates**", (plan.FEWEST_CANDIDATES,)),
    ("docs/adr/0004-fusion.md", "and # in all, as terms of the same word", (bm25.MOST_KINDS,)),
    ("docs/adr/0014-near-duplicates-and-clusters.md", "At # clusters of a category", (clusters.MOST,)),
    ("docs/api.md", "A body has at most # MiB and # levels", (messages.BODY_BYTES / 2**20, messages.NESTING)),
    ("docs/api.md", "list of 1 to #, required | each with `role`", (chat_messages.MOST_MESSAGES,)),
    ("docs/api.md", "above 0, counted up to #:", (assembly_api.LONGEST_MS,)),
    ("docs/api.md", "The answer comes # ms before that", (assembly_api.CALLER_MARGIN_MS,)),
    ("docs/api.md", "cut at # characters", (query.QUERY_CHARACTERS,)),
    ("docs/api.md", "clamped to 0..#: the first message", (query.MOST_MESSAGES,)),
    ("docs/api.md", "string, 1 to # characters, required | | | `summary`", (write_request.CONTENT_CHARACTERS,)),
    (
        "docs/api.md",
        "object: ≤ # keys, ≤ # levels, ≤ # KiB",
        (
            write_request.METADATA_KEYS,
            write_request.METADATA_DEPTH,
            write_request.METADATA_BYTES / 1024,
        ),
    ),
    ("docs/api.md", '`{"memories": [ … ]}`, 1 to # objects', (write_request.BATCH,)),
    (
        "docs/api.md",
        "string, at most # characters, required; empty: no directive, only a place for memories | | | `injection_mode`",
        (write_request.DIRECTIVE_CHARACTERS,),
    ),
    ("docs/api.md", "| `limit` | 1 to #, default # |", (memories_api.LONGEST_PAGE, memories_api.PAGE)),
    ("docs/api.md", "| `limit` | 1 to # memories, default #;", (records_api.LONGEST_PAGE, records_api.PAGE)),
    (
        "docs/api.md",
        "≤ # names, or prefixes",
        (key_request.MOST_END_USERS,),
    ),
    ("docs/architecture.md", "cosine over #, and the same words", (consolidation.NEAR,)),
    (
        "docs/architecture.md",
        "from a cosine of # on, else a new cluster; # of each at most",
        (clusters.THRESHOLD, clusters.MOST),
    ),
    ("docs/architecture.md", "sorted set of at most # ids", (hot_score.CAPACITY,)),
    ("docs/architecture.md", "a word in # documents, those of one owner", (postings.BLOCK,)),
    ("docs/architecture.md", "the newest # memories with their times", (session_history.MOST_RETURNED,)),
    (
        "docs/architecture.md",
        "half as much after each # days; the # largest of each kind",
        (usage_profile.HALF_LIFE_DAYS, usage_profile.MOST_NAMES),
    ),
    (
        "docs/architecture.md",
        "kept in the instance for # s; organizations only in the instance, for # s",
        (
            identity_cache.INSTANCE_SECONDS,
            identity_cache.ORGANIZATION_SECONDS,
        ),
    ),
    ("docs/architecture.md", "in rounds of at most # messages", (RUN.queued,)),
    (
        "docs/architecture.md",
        "They end after # s, and the next run goes on. Then erasures have # s,",
        (RUN.seconds, maintenance_task.ERASURE_SECONDS),
    ),
    (
        "docs/architecture.md",
        "# s, and encryption and key rotation # s, all within # s",
        (maintenance_task.REINDEXING_SECONDS, maintenance_task.ENCRYPTION_SECONDS, maintenance_task.TOGETHER_SECONDS),
    ),
    ("docs/architecture.md", "the age of its row counts, not its `created_at` | # |", (RUN.cooled,)),
    ("docs/architecture.md", "Searches have not returned them since they expired | # |", (RUN.expired,)),
    ("docs/architecture.md", "after their last turn | # of each |", (RUN.forgotten,)),
    (
        "docs/architecture.md",
        "`{org_id}:turn:KEY:{{agent_id}}` | ids and evidence of a turn's memories, for a query its vectors too; "
        "no text | # min | after a complete assembly or query; # queries in 10 min at most",
        (agent_cache.TURN_SECONDS / 60, agent_cache.LARGE_TURNS_AT_A_TIME),
    ),
    (
        "docs/architecture.md",
        "`{org_id}:hot_memories:{{agent_id}}` | sorted set of at most 50 ids by hot score | # min",
        (agent_cache.HOT_SECONDS / 60,),
    ),
    (
        "docs/architecture.md",
        "an older version never replaces a newer one | # h",
        (agent_cache.DIRECTIVE_SECONDS / 3600,),
    ),
    (
        "docs/architecture.md",
        "model and text, keyed with the organization's term key | # h",
        (query_cache.TEXT_SECONDS / 3600,),
    ),
    ("docs/architecture.md", "ids, scores and reasons, no text | # min", (query_cache.RESULT_SECONDS / 60,)),
    (
        "docs/embedders.md",
        "# for the packaged model, # to # for others",
        (models.DIMENSIONS, models.FEWEST_DIMENSIONS, models.MOST_DIMENSIONS),
    ),
    ("docs/embedders.md", "At most # % of the memories may have failed", (embedding_store.FAILED_SHARE * 100,)),
    ("docs/assembly.md", "cut to # characters", (assembly.QUERY_CHARACTERS,)),
    ("docs/assembly.md", "an agent of up to # memories in arrays", (memory_maps.MOST_MEMORIES,)),
    ("docs/assembly.md", "read them during the embedding,<br/>at most #", (memory_maps.MOST_ADDITIONS,)),
    ("docs/assembly.md", "the map without them, for # s at most", (memory_maps.STALE_SECONDS,)),
    ("docs/assembly.md", "in slices of # ms", (memory_maps.SLICE_MS,)),
    ("docs/assembly.md", "take # MB at most", (memory_maps.MOST_BYTES / 10**6,)),
    ("docs/assembly.md", "Below the relevance floor (#)", (assembly_score.RELEVANCE_FLOOR,)),
    ("docs/assembly.md", "is at least #, half of the floor counts", (silence.SURE_FROM,)),
    ("docs/assembly.md", "A memory of more than # tokens takes", (excerpts.LONG_TOKENS,)),
    ("docs/assembly.md", "about # tokens and a tenth of the whole", (excerpts.KEPT_TOKENS,)),
    (
        "docs/assembly.md",
        "messages = # + Σ (# + tokens of role, content and further fields; # for an image)",
        (
            budget.MESSAGES_OVERHEAD,
            budget.MESSAGE_OVERHEAD,
            budget.IMAGE_TOKENS,
        ),
    ),
    ("docs/assembly.md", "`constrained` says that `memory` is under #", (budget.CONSTRAINED_BELOW,)),
    (
        "docs/assembly.md",
        "tokens / # more than #, and # at most; the search by words # at most",
        (budget.TOKENS_PER_ROW, budget.FEWEST_ROWS, budget.MOST_ROWS, budget.LEXICAL_ROWS),
    ),
    ("docs/assembly.md", "the messages at # characters a token", (budget.MOST_CHARACTERS_PER_TOKEN,)),
    ("docs/assembly.md", "an unknown model gets # tokens", (UNKNOWN_WINDOW,)),
    ("docs/assembly.md", "a cosine above # only chooses", (packer.DUPLICATE_COSINE,)),
    ("docs/assembly.md", "up to # cells", (packer.MOST_CELLS,)),
    ("docs/deadlines.md", "assembly bound becomes the caller's less #", (assembly_api.CALLER_MARGIN_MS,)),
    ("docs/deadlines.md", "so it is made within #", (BOUNDS.assembly_ms - assemble.ANSWER_RESERVE_MS,)),
    ("docs/deadlines.md", "It waits until # ms before the deadline", (assembly_api.GUARD_MS,)),
    (
        "docs/deadlines.md",
        "Their searches end # ms before it (# ms in the low tier), and the following steps # ms before it",
        (
            before(MEDIUM),
            before(LOW),
            plan.COMPOSE_RESERVE_MS,
        ),
    ),
    ("docs/deadlines.md", "the search in maps of over # memories", (memory_maps.INLINE_ROWS,)),
    ("docs/evaluation.md", "FEWEST_CANDIDATES` at 50 or #", (plan.FEWEST_CANDIDATES,)),
    ("docs/local.md", "up to # for each function", (4,)),
    ("docs/local.md", "run with a niceness of #", (BACKGROUND,)),
    ("docs/local.md", "A log that has more than # MB", (log_files.MAXIMUM_BYTES / 10**6,)),
    (
        "docs/models.md",
        "one window of # characters in each #,",
        (tiktoken_counter.SAMPLE_CHARACTERS, tiktoken_counter.SAMPLE_STRETCH),
    ),
    ("docs/operations.md", "batches of #, each a transaction", (erase.MEMORIES,)),
    (
        "docs/operations.md",
        "A request works for up to # s; `maintain` does the rest, # s each minute",
        (
            records_api.ERASE_SECONDS,
            maintenance_task.ERASURE_SECONDS,
        ),
    ),
    ("docs/query.md", "up to `max(#, #·k)` candidates", (plan.FEWEST_CANDIDATES, plan.CANDIDATES_PER_RESULT)),
    ("docs/query.md", "searches end # ms before it", (before(MEDIUM),)),
    ("docs/query.md", "for # % of the tier's target and # ms at least", (plan.NAMES_SHARE * 100, plan.NAMES_MS)),
    ("docs/query.md", "over the batch is under #, hybrid scores", (hybrid_ranking.VARIANCE_FLOOR,)),
    ("docs/query.md", "for the # edges with the highest confidence. Cycles end", (relations.EDGES_EACH_DEPTH,)),
    ("docs/query.md", "the sum is capped at ±#", (score_boosts.MOST_RELATION,)),
    ("docs/query.md", "**Personalisation**, up to #:", (score_boosts.PERSONALISATION,)),
    ("docs/query.md", "**Session**, #:", (score_boosts.SESSION,)),
    ("docs/query.md", "the last # characters", (hypotheses.WINDOW_CHARACTERS,)),
    ("docs/query.md", "in # % of the time that is left", (query_embedding.SHARE_OF_EMBEDDER * 100,)),
    ("docs/query.md", "A kind counts # of what it would count", (bm25.KIND_WEIGHT,)),
    ("docs/query.md", "no more than # in a query", (bm25.MOST_KINDS,)),
    ("docs/query.md", "| `low` | # ms |", (LOW,)),
    ("docs/query.md", "| `medium` | # ms |", (MEDIUM,)),
    (
        "docs/query.md",
        "`preference` and `factual` # h, others # h",
        (
            intents.HALF_LIFE_HOURS["factual"],
            intents.DEFAULT_HALF_LIFE_HOURS,
        ),
    ),
    ("docs/security.md", "RSA of at least # bits", (jwks._RSA_BITS,)),
]
HALF_LIVES = "factual #, procedural #, preference #, behavioral #, episodic # days"


def normalised(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize(
    ("page", "sentence", "figures"), FIGURES, ids=[f"{page}: {sentence[:60]}" for page, sentence, _ in FIGURES]
)
def test_a_figure_is_that_of_the_code(page: str, sentence: str, figures: tuple[float, ...]) -> None:
    pattern = re.escape(normalised(sentence)).replace(r"\#", "#").replace("#", r"([\d.,]*\d)")

    found = re.search(pattern, normalised(whole(ROOT / page)), re.IGNORECASE)

    assert found, f"{page} does not say so any more: change the sentence here, or take it out"
    assert [float(figure.replace(",", "")) for figure in found.groups()] == pytest.approx(list(figures))


def test_the_half_lives_of_memories_are_those_of_the_code() -> None:
    text = normalised(whole(ROOT / "docs" / "assembly.md"))
    pattern = re.escape(HALF_LIVES).replace(r"\#", "#").replace("#", r"(\d+)")

    found = re.search(pattern, text)

    assert found
    named = ("factual", "procedural", "preference", "behavioral", "episodic")
    assert dict(zip(named, map(float, found.groups()), strict=True)) == dict(assembly_score.HALF_LIFE_DAYS)
    assert set(named) == set(CATEGORIES)


def test_the_queues_are_those_of_the_template() -> None:
    page = normalised(whole(ROOT / "docs" / "architecture.md"))
    resources = template()["Resources"]
    rows = dict(re.findall(r"\| `(\w+Queue)` \| `[^|]+` \| ([^|]+) \|", page))
    times = re.search(r"Visibility timeout (\d+) s, six times the functions' (\d+) s", page)
    after = re.search(r"\| queue \| message \| batch \| after (\d+) receives", page)

    for name in ("Embed", "Capture", "SideEffects"):
        queue, function = f"{name}Queue", f"{name}Function"
        events = resources[function]["Properties"]["Events"].values()
        [batch] = [event["Properties"] for event in events if event["Type"] == "SQS"]
        told = [int(figure) for figure in re.findall(r"\d+", rows[queue])]
        assert told == [one for one in (batch["BatchSize"], batch.get("MaximumBatchingWindowInSeconds")) if one]
        properties = resources[queue]["Properties"]
        assert times
        assert after
        assert [int(one) for one in times.groups()] == [
            properties["VisibilityTimeout"],
            resources[function]["Properties"]["Timeout"],
        ]
        assert int(after[1]) == properties["RedrivePolicy"]["maxReceiveCount"] == sqs.MOST_RECEIVES


def test_the_boosts_of_relations_are_those_of_the_code() -> None:
    table = whole(ROOT / "docs" / "query.md").partition("## Boosts")[2].partition("\n## ")[0]

    shown = {name: float(value.replace("−", "-")) for name, value in re.findall(r"`(\w+)` \| (−?[\d.]+)", table)}

    assert shown == dict(score_boosts.RELATION_BOOSTS)


def test_the_tiers_of_an_assembly_are_those_of_the_code() -> None:
    folder = ROOT / "layers/engine/remembrancer/usecases/retrieval"
    code = "".join((folder / name).read_text(encoding="utf-8") for name in ("search.py", "searcher.py"))
    used = set(re.findall(r'tier(?:: str)? ?= ?"(\w+)"(?: if \w+ else "(\w+)")?', code))
    tiers = {tier for pair in used for tier in pair if tier}
    row = re.findall(r"^\| `tier` \| (the answering source.*) \|$", whole(ROOT / "docs" / "api.md"), re.MULTILINE)

    assert tiers == {"map", "postgres", "turn_cache", "none"}
    assert set(re.findall(r"`(\w+)`", row[0])) == tiers


def test_the_injected_text_looks_as_the_documents_show_it() -> None:
    day, line = formatter.dated_line("text", datetime(2026, 3, 2, tzinfo=UTC), replaces=False).splitlines()
    updated = formatter.line("text", replaces=True).strip()
    decision = normalised(whole(ROOT / "docs" / "adr" / "0009-injected-format.md"))
    page = whole(ROOT / "docs" / "assembly.md")

    assert f"`{line}`" in decision
    assert f"`{day}`" in decision
    assert f"`{updated.removeprefix('- text ')}`" in decision
    assert "nonce of nine digits" in decision
    assert NONCE_DIGITS == 9
    assert formatter.PREAMBLE in page
    assert all(len(nonce) == NONCE_DIGITS for nonce in re.findall(r"<(?:directive|memories)-(\w+)>", page))


def test_words_of_content_and_context_count_as_the_decision_says() -> None:
    decision = normalised(whole(ROOT / "docs" / "adr" / "0003-lexical-search.md"))

    assert ("content and context together, their words counting alike," in decision) is (bm25.CONTEXT_WEIGHT == 1.0)


def test_the_size_of_the_word_index_is_what_was_measured() -> None:
    measured = re.search(
        r"in ([\d,]+) memories of one agent: ([\d,]+) postings in (\d+) MB of blocks and (\d+) MB of documents",
        whole(ROOT / "docs" / "benchmarks.md"),
    )
    told = re.search(
        r"Words are (\d+) postings, ([\d.]+) KB with their blocks, and ([\d.]+) KB for the document",
        normalised(whole(ROOT / "docs" / "capacity.md")),
    )
    sum_ = re.search(r"`0\.9 \+ 0\.9 \+ ([\d.]+) \+ 0\.8 = ([\d.]+) KB`", whole(ROOT / "docs" / "capacity.md"))

    assert measured
    assert told
    assert sum_
    memories, postings_, blocks, documents = (int(figure.replace(",", "")) for figure in measured.groups())
    kilobytes = [float(figure) for figure in told.groups()]
    assert kilobytes == [
        round(postings_ / memories),
        round(blocks * 1000 / memories, 1),
        round(documents * 1000 / memories, 1),
    ]
    assert float(sum_[1]) == pytest.approx(kilobytes[1] + kilobytes[2])
    assert float(sum_[2]) == pytest.approx(0.9 + 0.9 + float(sum_[1]) + 0.8)


@pytest.mark.parametrize("page", ["README.md", "docs/local.md"])
def test_what_is_needed_names_the_operating_systems(page: str) -> None:
    text = whole(ROOT / page)
    needed = text[text.index("need") if page == "README.md" else text.index("Needed:") :][:1500]

    assert "Linux" in needed
    assert "x86-64" in needed
    assert "arm64" in needed
