"""The default of `similar`: chosen on one half of the topics, measured on the other.

The collections are those of Tbahriti et al. 2004's experiment; the peers are PubMed's pmra (Lin &
Wilbur 2007), BM25 and Lucene's "more like this".
"""
