package relsent;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.DelegatingAnalyzerWrapper;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.util.CharTokenizer;

/** Analyses fields of words as they are written, whose names end in .words, and others as given. */
public final class WordsBeside extends DelegatingAnalyzerWrapper {
  static final String SUFFIX = ".words";

  /** Runs of letters, digits and underscores, in lower case; nothing is left out. */
  static final Analyzer WORDS =
      new Analyzer() {
        @Override
        protected TokenStreamComponents createComponents(String field) {
          Tokenizer source =
              CharTokenizer.fromTokenCharPredicate(c -> Character.isLetterOrDigit(c) || c == '_');
          return new TokenStreamComponents(source, new LowerCaseFilter(source));
        }

        @Override
        public int getPositionIncrementGap(String field) {
          return 1000; // no phrase is of two values
        }
      };

  private final Analyzer others;

  public WordsBeside(Analyzer others) {
    super(PER_FIELD_REUSE_STRATEGY);
    this.others = others;
  }

  @Override
  protected Analyzer getWrappedAnalyzer(String field) {
    return field.endsWith(SUFFIX) ? WORDS : others;
  }
}
