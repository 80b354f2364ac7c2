"""Builds the context assembly function from the settings of its environment."""

from uuid import uuid4

from remembrancer.adapters.postgres.search.ranking_data import PostgresRecall
from remembrancer.adapters.protobuf import ContextMessages
from remembrancer.bootstrap.instance import Instance
from remembrancer.runtime.endpoints.assembly_api import AssemblyApi
from remembrancer.runtime.http.connect import Connect
from remembrancer.runtime.telemetry import count, emit
from remembrancer.usecases.assembly.admission import Admission
from remembrancer.usecases.assembly.assemble import DEFAULT_MODEL, Assembler
from remembrancer.usecases.assembly.compose import Composer
from remembrancer.usecases.assembly.retriever import Retriever
from remembrancer.usecases.capture.assembled import AssembledTurns


def assembly_api(instance: Instance) -> AssemblyApi:
    """The endpoint, warmed: model, vocabulary, database and cache connections are ready before the first request."""
    settings, authenticator = instance.settings, instance.authenticator
    instance.redis.watch()
    retriever = Retriever(
        retrieval=instance.retrieval(instance.assembly_embedding(instance.directory)),
        store=PostgresRecall(instance.database, instance.vector_tables),
        enabled=settings.memory_enabled,
    )
    assembler = Assembler(
        retriever=retriever,
        directory=instance.directory,
        usage=instance.usage,
        composer=Composer(instance.directory, instance.key_ring, instance.counter),
        turns=AssembledTurns(lambda: instance.conversation_intake, note=lambda name: emit(count(name))),
        catalogue=instance.catalogue,
        bounds=settings.bounds,
        clock=instance.clock,
        new_id=uuid4,
        admission=Admission(instance.clock, lambda: instance.loop.idle_seconds),
    )
    instance.warm(lambda: _warm_counter(instance), assembler.warm)
    return AssemblyApi(assembler, authenticator, instance.clock, settings.bounds.assembly_ms)


def connect(instance: Instance) -> Connect:
    """Context assembly as a Connect call; protobuf is loaded after the first response, or in advance when the
    instance starts early.
    """
    messages = ContextMessages()
    if instance.started_ahead:
        instance.loop.run(messages.warm())
    else:
        instance.after_response.once("protobuf", messages.warm)
    return Connect(messages)


async def _warm_counter(instance: Instance) -> None:
    """Loads vocabularies, which takes a second and holds the interpreter; now only where no request waits.

    An instance started for a request counts from the vocabulary files until its first response was sent.
    """
    counter = instance.counter
    if instance.started_ahead:
        await counter.warm()
        return
    await counter.open([instance.catalogue.lookup(DEFAULT_MODEL).tokenizer_family])
    instance.after_response.once("vocabularies", counter.warm)
