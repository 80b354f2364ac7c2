"""`remembrancer eval --conversations`: plays them in a temporary stack, and prints figures and transcripts."""

from argparse import Namespace
from collections import Counter
from collections.abc import Sequence

from local.cli import scratch
from local.cli.command import CommandError
from local.cli.conversation_tables import show_conversations, transcript
from local.cli.terminal import Terminal
from local.evaluation import conversations, outcomes, playing
from local.evaluation.conversations import Conversation
from local.evaluation.dataset import DatasetError
from local.evaluation.examinee import ExaminationError
from local.evaluation.ways import CAPTURED

ALL = "all"
"""The name for `--show` that prints every conversation."""


async def converse(arguments: Namespace, terminal: Terminal) -> bool:
    """Plays the conversations of the files, and prints what the service understood; True when all were played."""
    if arguments.keep or arguments.running or arguments.url or arguments.capture or arguments.answers:
        raise CommandError("--conversations has a scratch stack of its own: leave out --keep, --running, --capture, …")
    try:
        every = conversations.read(arguments.files)
    except DatasetError as error:
        raise CommandError(str(error)) from error
    if unknown := set(arguments.show) - {one.name for one in every} - {ALL}:
        raise CommandError(f"--show: there is no conversation {min(unknown)}")
    try:
        played = await _played(arguments, every, terminal)
    except ExaminationError as error:
        raise CommandError(str(error)) from error
    found = [outcome for one in played for outcome in outcomes.judge(one)]
    wrong = [other for one in played for other in outcomes.wrongs(one)]
    turns: Counter[str] = Counter()
    for conversation in every:
        turns[conversation.half] += conversation.spoken
    result = outcomes.summary(found, wrong, turns)
    terminal.result(result)
    if not terminal.as_json:
        for one in played:
            if {one.conversation.name, ALL} & set(arguments.show):
                text = transcript(one, outcomes.judge(one), outcomes.wrongs(one))
                terminal.console.print(text, highlight=False, markup=False, soft_wrap=True)
        show_conversations(terminal, result)
    return True


async def _played(arguments: Namespace, every: Sequence[Conversation], terminal: Terminal) -> list[playing.Played]:
    # Usage is counted here, as in the product: each conversation has memories of its own.
    with scratch.folder(None) as folder:
        async with scratch.scratch(arguments, folder, terminal, ways=[CAPTURED], idle=frozenset()) as own:
            with terminal.progress() as bar:
                task = bar.add_task("Playing turns", total=sum(one.spoken for one in every))
                return await playing.play(
                    own.examinees[CAPTURED],
                    every,
                    own.drain,
                    done=lambda count: bar.advance(task, count),
                )
