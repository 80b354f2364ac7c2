"""Rows of conversations, as they are stored."""

from datetime import datetime
from hashlib import sha256
from uuid import UUID, uuid4

from tests.builders import NOW
from tests.integration.engine.tenant import Tenant


async def converse(
    tenant: Tenant, *texts: str, user_id: str | None = None, session_id: str = "session", state: str = "pending"
) -> UUID:
    """A conversation in which the user and the assistant say these texts in turn, in clear."""
    conversation_id = uuid4()
    await tenant.insert(
        "conversations",
        conversation_id=conversation_id,
        project_id=tenant.principal.project_id,
        environment=tenant.principal.environment,
        agent_id=tenant.agent_id,
        user_id=user_id,
        session_id=session_id,
        turns=len(texts),
        pending=len(texts) if state == "pending" else 0,
    )
    for number, text in enumerate(texts, 1):
        await tenant.insert(
            "conversation_turns",
            conversation_id=conversation_id,
            number=number,
            memory_id=uuid4(),
            role="user" if number % 2 else "assistant",
            content=text,
            speaker=user_id,
            fingerprint=sha256(text.encode()).digest(),
            client_ref=f"reference of {user_id}",
            observed_at=NOW,
            state=state,
        )
    return conversation_id


async def stored_at(tenant: Tenant, conversation_id: UUID, at: datetime) -> None:
    """Makes the conversation and all its turns as old as this."""
    async with tenant.database.transaction(tenant.org_id) as transaction:
        for table, column in (("conversations", "updated_at"), ("conversation_turns", "stored_at")):
            await transaction.execute(
                f"UPDATE {table} SET {column} = %s WHERE conversation_id = %s",
                (at, conversation_id),
            )
