package relsent;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.IntField;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.queries.spans.SpanMultiTermQueryWrapper;
import org.apache.lucene.queries.spans.SpanNearQuery;
import org.apache.lucene.queries.spans.SpanOrQuery;
import org.apache.lucene.queries.spans.SpanQuery;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.QueryBuilder;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.apache.lucene.util.automaton.RegExp;

/** The Lucene queries of search strategies, which come in postfix: operands, then what joins them. */
public final class Strategy {
  private Strategy() {}

  /**
   * Builds a query.
   *
   * @param kinds of each step: terms (as the contents are analysed), words (as written, where a
   *     star stands for any letters and ? for one or none), near, value, values (that begin so),
   *     years; or and, or, not, which join the queries before them
   * @param fields of each operand, parted by spaces: any of them will do
   * @param texts of each operand: of near, what is to be near each other, a line each, with tabs
   *     between words of which any will do
   * @param numbers of near the distance, of years the first; of and, or how many are joined
   * @param others of years the last
   */
  public static Query build(
      IndexReader reader,
      Analyzer analyzer,
      String[] kinds,
      String[] fields,
      String[] texts,
      int[] numbers,
      int[] others)
      throws IOException {
    Deque<Query> built = new ArrayDeque<>();
    for (int i = 0; i < kinds.length; i++) {
      switch (kinds[i]) {
        case "and":
        case "or":
          Occur occur = kinds[i].equals("and") ? Occur.FILTER : Occur.SHOULD;
          List<Query> parts = new ArrayList<>();
          for (int n = 0; n < numbers[i]; n++) {
            parts.add(0, built.pop());
          }
          built.push(joined(parts, occur));
          break;
        case "not":
          Query without = built.pop();
          built.push(
              new BooleanQuery.Builder()
                  .add(built.pop(), Occur.FILTER)
                  .add(without, Occur.MUST_NOT)
                  .build());
          break;
        case "years":
          built.push(IntField.newRangeQuery(fields[i], numbers[i], others[i]));
          break;
        default:
          List<Query> any = new ArrayList<>();
          for (String field : fields[i].split(" ")) {
            any.add(operand(reader, analyzer, kinds[i], field, texts[i], numbers[i]));
          }
          built.push(joined(any, Occur.SHOULD));
      }
    }
    return built.pop();
  }

  private static Query operand(
      IndexReader reader, Analyzer analyzer, String kind, String field, String text, int number)
      throws IOException {
    switch (kind) {
      case "value":
        return Find.value(field, text);
      case "values":
        return new PrefixQuery(new Term(field, text));
      case "words":
        return words(reader, field, text);
      case "near":
        List<SpanQuery> near = new ArrayList<>();
        for (String part : text.split("\n")) {
          List<SpanQuery> any = new ArrayList<>();
          for (String one : part.split("\t")) {
            any.add(span(field, one));
          }
          near.add(any.size() == 1 ? any.get(0) : new SpanOrQuery(any.toArray(new SpanQuery[0])));
        }
        return spans(near, number, false);
      default:
        Query phrase = new QueryBuilder(analyzer).createPhraseQuery(field, text);
        return phrase == null ? new MatchNoDocsQuery() : phrase;
    }
  }

  private static SpanQuery spans(List<SpanQuery> parts, int slop, boolean ordered) {
    return parts.size() == 1
        ? parts.get(0)
        : new SpanNearQuery(parts.toArray(new SpanQuery[0]), slop, ordered);
  }

  private static SpanQuery span(String field, String text) throws IOException {
    List<SpanQuery> parts = new ArrayList<>();
    for (String word : split(text)) {
      parts.add(
          isPattern(word)
              ? new SpanMultiTermQueryWrapper<>(pattern(field, word))
              : new SpanTermQuery(new Term(field, word)));
    }
    return spans(parts, 0, true);
  }

  /** Words as they are written, in this order; a pattern stands for all words that match it. */
  private static Query words(IndexReader reader, String field, String text) throws IOException {
    List<String> words = split(text);
    if (words.size() == 1) {
      String word = words.get(0);
      return isPattern(word) ? pattern(field, word) : new TermQuery(new Term(field, word));
    }
    MultiPhraseQuery.Builder phrase = new MultiPhraseQuery.Builder();
    for (String word : words) {
      List<Term> terms =
          isPattern(word) ? expanded(reader, field, word) : List.of(new Term(field, word));
      if (terms.isEmpty()) {
        return new MatchNoDocsQuery();
      }
      phrase.add(terms.toArray(new Term[0]));
    }
    return phrase.build();
  }

  /** The words of a text as they are indexed, with the stars and ? that follow their letters. */
  private static List<String> split(String text) throws IOException {
    List<String> words = new ArrayList<>();
    for (String part : text.split(" ")) {
      int before = words.size();
      String open = "";
      for (String piece : part.split("(?<=[?*])|(?=[?*])")) {
        if (!isPattern(piece)) {
          int first = words.size();
          Find.walk(WordsBeside.WORDS, piece, words::add);
          if (!open.isEmpty() && words.size() > first) {
            words.set(first, open + words.get(first));
            open = "";
          }
        } else if (!open.isEmpty() || words.size() > before) {
          open = (open.isEmpty() ? words.remove(words.size() - 1) : open) + piece;
        }
      }
      if (!open.isEmpty()) {
        words.add(open);
      }
    }
    return words;
  }

  private static boolean isPattern(String word) {
    return word.contains("*") || word.contains("?");
  }

  /** The words of a field that match; words hold none of the letters that mean something here. */
  private static RegexpQuery pattern(String field, String word) {
    String expression = word.replace("?", ".?").replace("*", ".*");
    return new RegexpQuery(new Term(field, expression), RegExp.NONE);
  }

  /** How many terms of a field match a word with a star or ?. */
  public static int expansions(IndexReader reader, String field, String word) throws IOException {
    return expanded(reader, field, word).size();
  }

  private static List<Term> expanded(IndexReader reader, String field, String word)
      throws IOException {
    List<Term> found = new ArrayList<>();
    Terms terms = MultiTerms.getTerms(reader, field);
    if (terms != null) {
      TermsEnum walk =
          new CompiledAutomaton(pattern(field, word).getAutomaton()).getTermsEnum(terms);
      while (walk.next() != null) {
        found.add(new Term(field, BytesRef.deepCopyOf(walk.term())));
      }
    }
    return found;
  }

  /** Lets pass what two filters let pass. */
  public static Query both(Query first, Query second) {
    return joined(List.of(first, second), Occur.FILTER);
  }

  /** Lets pass what a filter lets pass, all without one, but for what has a value of a field. */
  public static Query without(Query filter, String field, String value) {
    return new BooleanQuery.Builder()
        .add(filter == null ? new MatchAllDocsQuery() : filter, Occur.FILTER)
        .add(Find.value(field, value), Occur.MUST_NOT)
        .build();
  }

  private static Query joined(List<Query> parts, Occur occur) {
    if (parts.size() == 1) {
      return parts.get(0);
    }
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    parts.forEach(part -> builder.add(part, occur));
    return builder.build();
  }
}
