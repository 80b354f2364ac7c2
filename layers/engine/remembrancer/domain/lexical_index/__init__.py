"""Words to terms, terms to postings, postings to BM25 scores."""
