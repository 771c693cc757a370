package relsent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.IntField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostAttribute;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.FuzzyTermsEnum;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;

/**
 * From topics to hits, and all that is asked of an index besides, without a Java object that Python
 * would have to call: static methods that give bytes, strings and numbers may be called from any
 * number of Python's threads at once.
 */
public final class Find {
  private static final String CONTENTS = "contents";

  private Find() {}

  /**
   * Answers topics as Bulk.search does.
   *
   * @param fields the fields to search, with their weights; none for the contents
   * @param filter what must match besides, or null
   * @param texts a text for each topic, a bag of words; "" where it is of weighted terms
   * @param terms the terms of all topics, of the contents, each with its weight
   * @param ends where each topic's terms end, among all terms
   */
  public static byte[] search(
      IndexSearcher searcher,
      Analyzer analyzer,
      String[] fields,
      float[] boosts,
      Query filter,
      String[] texts,
      String[] terms,
      float[] weights,
      int[] ends,
      int k,
      int threads)
      throws Exception {
    Query[] queries = Bulk.weighted(CONTENTS, terms, weights, ends);
    for (int i = 0; i < texts.length; i++) {
      if (!texts[i].isEmpty()) {
        queries[i] = query(analyzer, fields, boosts, texts[i]);
      }
      queries[i] = filtered(queries[i], filter);
    }
    return Bulk.search(searcher, queries, k, threads);
  }

  /**
   * The query for a text, a bag of words: Anserini's BagOfWordsQueryGenerator (whose class files
   * are of a later Java than ours), clauses in its order.
   */
  public static Query query(Analyzer analyzer, String[] fields, float[] boosts, String text)
      throws IOException {
    Map<String, Long> counts = new HashMap<>();
    walk(analyzer, text, term -> counts.merge(term, 1L, Long::sum));
    if (fields.length == 0) {
      return bag(CONTENTS, counts);
    }
    Map<String, Float> weighted = new HashMap<>();
    for (int i = 0; i < fields.length; i++) {
      weighted.put(fields[i], boosts[i]);
    }
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    weighted.forEach(
        (field, boost) ->
            all.add(new BoostQuery(bag(field, counts), boost), BooleanClause.Occur.SHOULD));
    return all.build();
  }

  private static Query bag(String field, Map<String, Long> counts) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    counts.forEach(
        (term, count) -> {
          Query query = new TermQuery(new Term(field, term));
          builder.add(new BoostQuery(query, (float) count), BooleanClause.Occur.SHOULD);
        });
    return builder.build();
  }

  /** Lucene's account of a document's score for a text. */
  public static String explain(
      IndexSearcher searcher,
      Analyzer analyzer,
      String[] fields,
      float[] boosts,
      Query filter,
      String text,
      int document)
      throws IOException {
    Query query = filtered(query(analyzer, fields, boosts, text), filter);
    return searcher.explain(query, document).toString();
  }

  /** Lets only what a filter wants pass; scores stay as they are. */
  private static Query filtered(Query query, Query filter) {
    if (filter == null) {
      return query;
    }
    return new BooleanQuery.Builder()
        .add(query, BooleanClause.Occur.MUST)
        .add(filter, BooleanClause.Occur.FILTER)
        .build();
  }

  /**
   * What documents must have to pass.
   *
   * @param years the first and the last year of publication, or none
   * @param fields of each term; of the terms of one field any one will do
   */
  public static Query filter(int[] years, String[] fields, String[] terms) {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    if (years.length > 0) {
      all.add(IntField.newRangeQuery("year", years[0], years[1]), BooleanClause.Occur.FILTER);
    }
    for (int start = 0, end; start < terms.length; start = end) {
      BooleanQuery.Builder any = new BooleanQuery.Builder();
      for (end = start; end < terms.length && fields[end].equals(fields[start]); end++) {
        any.add(value(fields[end], terms[end]), BooleanClause.Occur.SHOULD);
      }
      all.add(any.build(), BooleanClause.Occur.FILTER);
    }
    return all.build();
  }

  /** A value of a field; of an author the family name, with the first of the initials or without. */
  static Query value(String field, String text) {
    Query same = new TermQuery(new Term(field, text));
    if (!field.endsWith("author")) {
      return same;
    }
    String beginning = text.indexOf(' ') < 0 ? text + " " : text;
    return new BooleanQuery.Builder()
        .add(same, BooleanClause.Occur.SHOULD)
        .add(new PrefixQuery(new Term(field, beginning)), BooleanClause.Occur.SHOULD)
        .build();
  }

  /** Tells of each document, by its number, whether it passes a filter. */
  public static byte[] passing(IndexReader reader, Query filter) throws IOException {
    FixedBitSet matching = Matrix.matching(new IndexSearcher(reader), filter);
    byte[] passing = new byte[reader.maxDoc()];
    for (int d = 0; d < passing.length; d++) {
      passing[d] = (byte) (matching.get(d) ? 1 : 0);
    }
    return passing;
  }

  /**
   * What analyses texts: Anserini's chain, whose class files are of a later Java than ours, or with
   * the S-stemmer.
   */
  public static Analyzer analyzer(String stemmer, String[] stopwords)
      throws ReflectiveOperationException {
    CharArraySet stops = new CharArraySet(Arrays.asList(stopwords), false);
    if (stemmer.equals("s")) {
      return new SStemAnalyzer(stops);
    }
    Class<?> english = Class.forName("io.anserini.analysis.DefaultEnglishAnalyzer");
    Class<?> words = CharArraySet.class;
    Object analyzer =
        stemmer.equals("none")
            ? english.getMethod("newNonStemmingInstance", words).invoke(null, stops)
            : english
                .getMethod("newStemmingInstance", String.class, words)
                .invoke(null, stemmer, stops);
    return (Analyzer) analyzer;
  }

  /** The terms of a text, in order, as UTF-8 lines. */
  public static byte[] terms(Analyzer analyzer, String text) throws IOException {
    StringBuilder out = new StringBuilder();
    walk(analyzer, text, term -> out.append(term).append('\n'));
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  static void walk(Analyzer analyzer, String text, Consumer<String> each)
      throws IOException {
    try (TokenStream stream = analyzer.tokenStream(CONTENTS, text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) {
        each.accept(term.toString());
      }
      stream.end();
    }
  }

  /** The names of the fields that can be searched, as UTF-8 lines. */
  public static byte[] fields(IndexReader reader) {
    StringBuilder out = new StringBuilder();
    FieldInfos.getIndexedFields(reader).forEach(name -> out.append(name).append('\n'));
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Numbers of the contents: live documents, all documents, segments, documents with terms,
   * postings, tokens.
   */
  public static long[] statistics(IndexReader reader) throws IOException {
    return new long[] {
      reader.numDocs(),
      reader.maxDoc(),
      reader.leaves().size(),
      reader.getDocCount(CONTENTS),
      reader.getSumDocFreq(CONTENTS),
      reader.getSumTotalTermFreq(CONTENTS)
    };
  }

  /** The number of different terms of the contents, also over several segments. */
  public static long differentTerms(IndexReader reader) throws IOException {
    Terms terms = MultiTerms.getTerms(reader, CONTENTS);
    long count = 0;
    if (terms != null) {
      for (TermsEnum walk = terms.iterator(); walk.next() != null; ) {
        count++;
      }
    }
    return count;
  }

  /**
   * The terms of the contents that have a letter, and anything but small letters without accents
   * and digits, a line each.
   */
  public static byte[] unusual(IndexReader reader) throws IOException {
    StringBuilder out = new StringBuilder();
    Terms terms = MultiTerms.getTerms(reader, CONTENTS);
    if (terms != null) {
      TermsEnum walk = terms.iterator();
      for (BytesRef term = walk.next(); term != null; term = walk.next()) {
        String text = term.utf8ToString();
        if (text.chars().anyMatch(Character::isLetter)
            && !text.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) {
          out.append(text).append('\n');
        }
      }
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The terms of the contents that at most two changes make of a word, the first letter aside, a
   * line each: those with the fewest changes first, then the most frequent.
   */
  public static byte[] near(IndexReader reader, String word) throws IOException {
    List<Object[]> found = new ArrayList<>();
    Terms terms = MultiTerms.getTerms(reader, CONTENTS);
    if (terms != null) {
      TermsEnum walk = new FuzzyTermsEnum(terms, new Term(CONTENTS, word), 2, 1, true);
      BoostAttribute likeness = walk.attributes().addAttribute(BoostAttribute.class);
      for (BytesRef term = walk.next(); term != null; term = walk.next()) {
        found.add(new Object[] {term.utf8ToString(), likeness.getBoost(), walk.docFreq()});
      }
    }
    found.sort(
        Comparator.comparing((Object[] one) -> -(Float) one[1])
            .thenComparing(one -> -(Integer) one[2]));
    StringBuilder out = new StringBuilder();
    found.forEach(one -> out.append(one[0]).append('\n'));
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** How many documents have a field. */
  public static int having(IndexReader reader, String field) throws IOException {
    return new IndexSearcher(reader).count(new FieldExistsQuery(field));
  }

  /** The commits of the index in a folder, the newest last. */
  public static IndexCommit[] commits(String folder) throws IOException {
    List<IndexCommit> commits = DirectoryReader.listCommits(FSDirectory.open(Path.of(folder)));
    return commits.toArray(new IndexCommit[0]);
  }

  /** What a commit has under a key, or null. */
  public static String said(IndexCommit commit, String key) throws IOException {
    return commit.getUserData().get(key);
  }

  public static IndexReader open(IndexCommit commit) throws IOException {
    return DirectoryReader.open(commit);
  }

  /** Several indexes as one, which are closed with it. */
  public static IndexReader joined(IndexReader[] readers) throws IOException {
    return new MultiReader(readers, true);
  }

  public static void close(IndexReader reader) throws IOException {
    reader.close();
  }
}
