"""A language model on Amazon Bedrock, by its Converse API, which is the same for every model."""

from remembrancer.adapters.models.bedrock import BedrockRuntime
from remembrancer.errors import StoreUnavailable


class BedrockLanguageModel:
    """Serves the LanguageModel port for a model or inference profile id."""

    def __init__(self, runtime: BedrockRuntime, model: str) -> None:
        self._runtime = runtime
        self._model = model

    @property
    def name(self) -> str:
        return self._model

    async def complete(self, instruction: str, prompt: str, *, most_tokens: int) -> str:
        """Returns the text blocks of the answer; empty when there are none."""
        answer = await self._runtime.call(
            "converse",
            modelId=self._model,
            system=[{"text": instruction}],
            messages=[{"role": "user", "content": [{"text": prompt}]}],
            inferenceConfig={"maxTokens": most_tokens, "temperature": 0.7},
        )
        try:
            blocks = answer["output"]["message"]["content"]
        except LookupError as error:
            raise StoreUnavailable("The answer is not a message", cause="NoMessage") from error
        return "\n".join(block["text"] for block in blocks if "text" in block)
