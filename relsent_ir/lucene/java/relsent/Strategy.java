package relsent;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.document.IntField;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.queries.spans.SpanNearQuery;
import org.apache.lucene.queries.spans.SpanQuery;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.QueryBuilder;
import org.apache.lucene.util.StringHelper;

/** The Lucene queries of search strategies, which come in postfix: operands, then what joins them. */
public final class Strategy {
  private Strategy() {}

  /**
   * Builds a query.
   *
   * @param kinds of each step: phrase, prefix, near, value, values (that begin so), title, years;
   *     or and, or, not, which join the queries before them
   * @param fields of each operand, parted by spaces: any of them will do
   * @param texts of each operand: of near, what is to be near each other, a line each
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
      case "prefix":
        return prefix(reader, analyzer, field, text);
      case "near":
        List<SpanQuery> near = new ArrayList<>();
        for (String part : text.split("\n")) {
          List<SpanQuery> words = new ArrayList<>();
          Find.walk(analyzer, part, word -> words.add(new SpanTermQuery(new Term(field, word))));
          near.add(words.size() == 1 ? words.get(0) : spans(words, 0, true));
        }
        return spans(near, number, false);
      default:
        Query phrase = new QueryBuilder(analyzer).createPhraseQuery(field, text);
        return phrase == null ? new MatchNoDocsQuery() : phrase;
    }
  }

  private static SpanQuery spans(List<SpanQuery> parts, int slop, boolean ordered) {
    return new SpanNearQuery(parts.toArray(new SpanQuery[0]), slop, ordered);
  }

  /** The words before the last one as a phrase, behind which a term stands that begins so. */
  private static Query prefix(IndexReader reader, Analyzer analyzer, String field, String text)
      throws IOException {
    int last = text.lastIndexOf(' ') + 1;
    String beginning = text.substring(last);
    MultiPhraseQuery.Builder phrase = new MultiPhraseQuery.Builder();
    int place = -1; // words that are left out leave their places empty, as in the index
    int words = 0;
    try (TokenStream stream = analyzer.tokenStream(field, text.substring(0, last))) {
      CharTermAttribute word = stream.addAttribute(CharTermAttribute.class);
      PositionIncrementAttribute step = stream.addAttribute(PositionIncrementAttribute.class);
      stream.reset();
      for (; stream.incrementToken(); words++) {
        place += step.getPositionIncrement();
        phrase.add(new Term[] {new Term(field, word.toString())}, place);
      }
      stream.end();
      place += step.getPositionIncrement();
    }
    if (words == 0) {
      return new PrefixQuery(new Term(field, beginning));
    }
    List<Term> ends = new ArrayList<>();
    for (BytesRef end : expanded(reader, field, beginning)) {
      ends.add(new Term(field, end));
    }
    if (ends.isEmpty()) {
      return new MatchNoDocsQuery();
    }
    return phrase.add(ends.toArray(new Term[0]), place + 1).build();
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

  private static Query joined(List<Query> parts, Occur occur) {
    if (parts.size() == 1) {
      return parts.get(0);
    }
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    parts.forEach(part -> builder.add(part, occur));
    return builder.build();
  }
}
