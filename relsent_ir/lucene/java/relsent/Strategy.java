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
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.QueryBuilder;
import org.apache.lucene.util.StringHelper;

/** The Lucene queries of search strategies, which come in postfix: operands, then what joins them. */
public final class Strategy {
  private Strategy() {}

  /**
   * Builds a query.
   *
   * @param kinds of each step: terms (as the contents are analysed), words (as written, a star
   *     behind those that are cut), near, value, values (that begin so), years; or and, or, not,
   *     which join the queries before them
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
      Term term = new Term(field, beginning(word));
      parts.add(
          isCut(word)
              ? new SpanMultiTermQueryWrapper<>(new PrefixQuery(term))
              : new SpanTermQuery(term));
    }
    return spans(parts, 0, true);
  }

  /** Words as they are written, in this order; each that is cut stands for all that begin so. */
  private static Query words(IndexReader reader, String field, String text) throws IOException {
    List<String> words = split(text);
    if (words.size() == 1) {
      Term term = new Term(field, beginning(words.get(0)));
      return isCut(words.get(0)) ? new PrefixQuery(term) : new TermQuery(term);
    }
    MultiPhraseQuery.Builder phrase = new MultiPhraseQuery.Builder();
    for (String word : words) {
      List<Term> terms = new ArrayList<>();
      if (isCut(word)) {
        for (BytesRef end : expanded(reader, field, beginning(word))) {
          terms.add(new Term(field, end));
        }
      } else {
        terms.add(new Term(field, word));
      }
      if (terms.isEmpty()) {
        return new MatchNoDocsQuery();
      }
      phrase.add(terms.toArray(new Term[0]));
    }
    return phrase.build();
  }

  /** The words of a text as they are indexed, a star behind those that are cut. */
  private static List<String> split(String text) throws IOException {
    List<String> words = new ArrayList<>();
    for (String part : text.split(" ")) {
      int before = words.size();
      Find.walk(WordsBeside.WORDS, part, words::add);
      if (isCut(part) && words.size() > before) {
        words.add(words.remove(words.size() - 1) + "*");
      }
    }
    return words;
  }

  private static boolean isCut(String word) {
    return word.endsWith("*");
  }

  private static String beginning(String word) {
    return isCut(word) ? word.substring(0, word.length() - 1) : word;
  }

  /** How many terms of a field begin so. */
  public static int expansions(IndexReader reader, String field, String beginning)
      throws IOException {
    return expanded(reader, field, beginning).size();
  }

  private static List<BytesRef> expanded(IndexReader reader, String field, String beginning)
      throws IOException {
    List<BytesRef> found = new ArrayList<>();
    Terms terms = MultiTerms.getTerms(reader, field);
    if (terms != null) {
      TermsEnum walk = terms.iterator();
      BytesRef wanted = new BytesRef(beginning);
      if (walk.seekCeil(wanted) != TermsEnum.SeekStatus.END) {
        BytesRef term = walk.term();
        while (term != null && StringHelper.startsWith(term, wanted)) {
          found.add(BytesRef.deepCopyOf(term));
          term = walk.next();
        }
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
