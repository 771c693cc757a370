package relsent;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.en.EnglishMinimalStemFilter;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;

/** Anserini's English chain with Harman's S-stemmer in the place of Porter's. */
public final class SStemAnalyzer extends Analyzer {
  private final CharArraySet stopWords;

  public SStemAnalyzer(CharArraySet stopWords) {
    this.stopWords = stopWords;
  }

  @Override
  protected TokenStreamComponents createComponents(String field) {
    Tokenizer source = new StandardTokenizer();
    TokenStream stream = new LowerCaseFilter(new EnglishPossessiveFilter(source));
    return new TokenStreamComponents(
        source, new EnglishMinimalStemFilter(new StopFilter(stream, stopWords)));
  }
}
