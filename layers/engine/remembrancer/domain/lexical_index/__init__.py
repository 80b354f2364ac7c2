"""The lexical index: words to terms, terms to postings, postings to BM25 scores."""
