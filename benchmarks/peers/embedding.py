"""The packaged int8 model for programs that wait for their embedder: the same code, without our thread."""

from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder


class WaitingEmbedder(OnnxEmbedder):
    """Computes on the caller's thread; its methods have the names that mem0, LangChain and LlamaIndex call."""

    def vector(self, text: str) -> list[float]:
        """The unit vector of a text."""
        vector: list[float] = self._embed_one(text).tolist()
        return vector

    def vectors(self, texts: list[str]) -> list[list[float]]:
        """The unit vectors of texts, in their order."""
        return [self.vector(text) for text in texts]
