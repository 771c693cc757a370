package relsent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;

/** Counts the values that the documents of a set have, from doc values. */
public final class Facets {
  private static final String PREFIX = "facet.";

  private Facets() {}

  static Field field(String name, String value) {
    return new SortedSetDocValuesField(PREFIX + name, new BytesRef(value));
  }

  /**
   * Counts the documents that match a query, and of them those that have each value of fields;
   * deleted ones are left out.
   *
   * @param numbers the fields of numbers
   * @param names the other fields
   * @return a line with the number of documents; then lines of a field, a count and a value, parted
   *     by tabs
   */
  public static byte[] matching(
      IndexSearcher searcher, Query query, String[] numbers, String[] names) throws IOException {
    FixedBitSet set = Matrix.matching(searcher, query);
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      Bits live = leaf.reader().getLiveDocs();
      int end = leaf.docBase + leaf.reader().maxDoc();
      for (int d = next(set, leaf.docBase, end); live != null && d < end; d = next(set, d + 1, end)) {
        if (!live.get(d - leaf.docBase)) {
          set.clear(d);
        }
      }
    }
    return counted(searcher, set, numbers, names);
  }

  /** Counts the same of documents by their numbers. */
  public static byte[] of(
      IndexSearcher searcher, int[] documents, String[] numbers, String[] names)
      throws IOException {
    FixedBitSet set = new FixedBitSet(Math.max(1, searcher.getIndexReader().maxDoc()));
    for (int document : documents) {
      set.set(document);
    }
    return counted(searcher, set, numbers, names);
  }

  private static byte[] counted(
      IndexSearcher searcher, FixedBitSet set, String[] numbers, String[] names)
      throws IOException {
    StringBuilder out = new StringBuilder();
    out.append(set.cardinality()).append('\n');
    for (String name : numbers) {
      Map<Long, Integer> counts = new TreeMap<>();
      for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
        SortedNumericDocValues values = DocValues.getSortedNumeric(leaf.reader(), name);
        int end = leaf.docBase + leaf.reader().maxDoc();
        for (int d = next(set, leaf.docBase, end); d < end; d = next(set, d + 1, end)) {
          if (values.advanceExact(d - leaf.docBase)) {
            counts.merge(values.nextValue(), 1, Integer::sum);
          }
        }
      }
      counts.forEach((value, count) -> line(out, name, count, value.toString()));
    }
    for (String name : names) {
      Map<String, Integer> counts = new HashMap<>();
      for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
        SortedSetDocValues values = DocValues.getSortedSet(leaf.reader(), PREFIX + name);
        int[] here = new int[(int) values.getValueCount()];
        int end = leaf.docBase + leaf.reader().maxDoc();
        for (int d = next(set, leaf.docBase, end); d < end; d = next(set, d + 1, end)) {
          if (values.advanceExact(d - leaf.docBase)) {
            for (int i = values.docValueCount(); i > 0; i--) {
              here[(int) values.nextOrd()]++;
            }
          }
        }
        for (int ord = 0; ord < here.length; ord++) {
          if (here[ord] > 0) {
            counts.merge(values.lookupOrd(ord).utf8ToString(), here[ord], Integer::sum);
          }
        }
      }
      counts.forEach((value, count) -> line(out, name, count, value));
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static int next(FixedBitSet set, int from, int end) {
    return from >= end ? end : set.nextSetBit(from);
  }

  private static void line(StringBuilder out, String name, int count, String value) {
    out.append(name).append('\t').append(count).append('\t').append(value).append('\n');
  }
}
