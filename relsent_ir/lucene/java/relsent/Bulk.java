package relsent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermVectors;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.StringHelper;

/**
 * One crossing of the border for many answers: results leave as bytes that NumPy reads in place.
 *
 * <p>All numbers are little-endian; strings are UTF-8, each followed by a line feed.
 */
public final class Bulk {
  private static final String ID = "id";
  private static final int SPARE = 32;

  private Bulk() {}

  /**
   * Answers all queries, each on one of the threads.
   *
   * @return for each query: the number of hits n, the size of the ids in bytes, n scores (float),
   *     n ids; score descending, ties by id ascending, also at the cut-off
   */
  public static byte[] search(IndexSearcher given, Query[] queries, int k, int threads)
      throws Exception {
    IndexSearcher searcher = Limit.heeded(given);
    if (threads == 1 || queries.length == 1) {
      List<byte[]> parts = new ArrayList<>();
      for (Query query : queries) {
        parts.add(search(searcher, query, k));
      }
      return concatenate(parts);
    }
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<byte[]>> tasks = new ArrayList<>();
      for (Query query : queries) {
        tasks.add(() -> search(searcher, query, k));
      }
      List<byte[]> parts = new ArrayList<>();
      for (Future<byte[]> part : pool.invokeAll(tasks)) {
        parts.add(part.get());
      }
      return concatenate(parts);
    } catch (ExecutionException e) {
      throw IOUtils.rethrowAlways(e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private static byte[] search(IndexSearcher searcher, Query query, int k)
      throws IOException, TimeoutException {
    ScoreDoc[] hits = throughLastTie(searcher, query, k);
    Limit.check(searcher);
    BytesRef[] ids = ids(searcher.getIndexReader(), hits);
    Integer[] order = new Integer[hits.length];
    Arrays.setAll(order, i -> i);
    for (int start = 0, end; start < hits.length; start = end) {
      for (end = start + 1; end < hits.length && hits[end].score == hits[start].score; end++) {}
      if (end - start > 1) {
        Arrays.sort(order, start, end, (i, j) -> ids[i].compareTo(ids[j]));
      }
    }
    int n = Math.min(k, hits.length);
    int size = 0;
    for (int i = 0; i < n; i++) {
      size += ids[order[i]].length + 1;
    }
    ByteBuffer out = buffer(8 + 4 * n + size).putInt(n).putInt(size);
    for (int i = 0; i < n; i++) {
      out.putFloat(hits[order[i]].score);
    }
    for (int i = 0; i < n; i++) {
      BytesRef id = ids[order[i]];
      out.put(id.bytes, id.offset, id.length).put((byte) '\n');
    }
    return out.array();
  }

  /** The ids of hits, from doc values, which can only be read in the order of the documents. */
  private static BytesRef[] ids(IndexReader reader, ScoreDoc[] hits) throws IOException {
    long[] order = new long[hits.length];
    for (int i = 0; i < hits.length; i++) {
      order[i] = (long) hits[i].doc << 32 | i;
    }
    Arrays.sort(order);
    BytesRef[] ids = new BytesRef[hits.length];
    byte[] bytes = new byte[16 * hits.length];
    int used = 0;
    List<LeafReaderContext> leaves = reader.leaves();
    BinaryDocValues values = null;
    int base = 0;
    int end = 0;
    for (long packed : order) {
      int doc = (int) (packed >>> 32);
      if (doc >= end) {
        LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(doc, leaves));
        base = leaf.docBase;
        end = base + leaf.reader().maxDoc();
        values = DocValues.getBinary(leaf.reader(), ID);
      }
      values.advanceExact(doc - base);
      BytesRef id = values.binaryValue();
      if (used + id.length > bytes.length) {
        bytes = new byte[2 * bytes.length + id.length];
        used = 0;
      }
      System.arraycopy(id.bytes, id.offset, bytes, used, id.length);
      ids[(int) packed] = new BytesRef(bytes, used, id.length);
      used += id.length;
    }
    return ids;
  }

  /** The top k and all that tie with the last of them: ties at the cut-off are not Lucene's to break. */
  private static ScoreDoc[] throughLastTie(IndexSearcher searcher, Query query, int k)
      throws IOException {
    int all = Math.max(1, searcher.getIndexReader().maxDoc());
    for (long n = (long) k + SPARE; ; n *= 4) {
      ScoreDoc[] hits = searcher.search(query, (int) Math.min(n, all)).scoreDocs;
      if (hits.length < n || n >= all || hits[hits.length - 1].score < hits[k - 1].score) {
        return hits;
      }
    }
  }

  /** Lucene's number of each document, -1 where no live document has the id. */
  public static int[] documents(IndexReader reader, String[] ids) throws IOException {
    int[] documents = new int[ids.length];
    Arrays.fill(documents, -1);
    for (LeafReaderContext leaf : reader.leaves()) {
      Terms terms = leaf.reader().terms(ID);
      if (terms == null) {
        continue;
      }
      Bits live = leaf.reader().getLiveDocs();
      TermsEnum walk = terms.iterator();
      PostingsEnum postings = null;
      for (int i = 0; i < ids.length; i++) {
        if (documents[i] < 0 && walk.seekExact(new BytesRef(ids[i]))) {
          postings = walk.postings(postings, PostingsEnum.NONE);
          for (int d = postings.nextDoc(); d != DocIdSetIterator.NO_MORE_DOCS; d = postings.nextDoc()) {
            if (live == null || live.get(d)) {
              documents[i] = leaf.docBase + d;
            }
          }
        }
      }
    }
    return documents;
  }

  /** The ids of all live documents, in Lucene's order. */
  public static byte[] ids(IndexReader reader) throws IOException {
    GrowingBytes out = new GrowingBytes();
    for (LeafReaderContext leaf : reader.leaves()) {
      BinaryDocValues values = DocValues.getBinary(leaf.reader(), ID);
      Bits live = leaf.reader().getLiveDocs();
      for (int d = values.nextDoc(); d != DocIdSetIterator.NO_MORE_DOCS; d = values.nextDoc()) {
        if (live == null || live.get(d)) {
          out.line(values.binaryValue());
        }
      }
    }
    return out.toByteArray();
  }

  /** Names each segment, with what is deleted from it: another name when either changes. */
  public static String segments(IndexReader reader) {
    List<String> names = new ArrayList<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      byte[] id = ((SegmentReader) leaf.reader()).getSegmentInfo().getId();
      names.add(StringHelper.idToString(id));
    }
    return String.join(" ", names);
  }

  /** A stored field of each document, as lines (our stored fields hold no line feed). */
  public static byte[] stored(IndexReader reader, int[] documents, String field)
      throws IOException {
    GrowingBytes out = new GrowingBytes();
    StoredFields stored = reader.storedFields();
    for (int document : documents) {
      String value = stored.document(document, java.util.Set.of(field)).get(field);
      out.line(new BytesRef(value == null ? "" : value));
    }
    return out.toByteArray();
  }

  /**
   * The term vectors of documents as a sparse matrix of counts.
   *
   * @return the number of entries e, n + 1 row starts, e columns, e counts, then the columns' terms
   *     in order of first appearance
   */
  public static byte[] vectors(IndexReader reader, int[] documents, String field)
      throws IOException {
    TermVectors vectors = reader.termVectors();
    Map<BytesRef, Integer> columns = new HashMap<>();
    GrowingBytes terms = new GrowingBytes();
    GrowingBytes entries = new GrowingBytes();
    GrowingBytes counts = new GrowingBytes();
    int[] starts = new int[documents.length + 1];
    for (int row = 0; row < documents.length; row++) {
      starts[row + 1] = starts[row];
      Terms vector = vectors.get(documents[row], field);
      if (vector == null) {
        continue;
      }
      TermsEnum walk = vector.iterator();
      for (BytesRef term = walk.next(); term != null; term = walk.next()) {
        Integer column = columns.get(term);
        if (column == null) {
          column = columns.size();
          columns.put(BytesRef.deepCopyOf(term), column);
          terms.line(term);
        }
        entries.integer(column);
        counts.integer((int) walk.totalTermFreq());
        starts[row + 1]++;
      }
    }
    GrowingBytes out = new GrowingBytes();
    out.integer(starts[documents.length]);
    for (int start : starts) {
      out.integer(start);
    }
    return concatenate(
        List.of(out.toByteArray(), entries.toByteArray(), counts.toByteArray(), terms.toByteArray()));
  }

  /** In how many documents each term is, deleted ones included, as Lucene counts. */
  public static int[] frequencies(IndexReader reader, String field, String[] terms)
      throws IOException {
    int[] frequencies = new int[terms.length];
    for (int i = 0; i < terms.length; i++) {
      frequencies[i] = reader.docFreq(new Term(field, terms[i]));
    }
    return frequencies;
  }

  /**
   * Queries that are sums of weighted terms.
   *
   * @param ends where each query's terms end, among all terms
   */
  public static Query[] weighted(String field, String[] terms, float[] weights, int[] ends) {
    Query[] queries = new Query[ends.length];
    for (int i = 0, start = 0; i < ends.length; start = ends[i++]) {
      BooleanQuery.Builder builder = new BooleanQuery.Builder();
      for (int j = start; j < ends[i]; j++) {
        Query term = new TermQuery(new Term(field, terms[j]));
        builder.add(new BoostQuery(term, weights[j]), BooleanClause.Occur.SHOULD);
      }
      queries[i] = builder.build();
    }
    return queries;
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] concatenate(List<byte[]> parts) {
    ByteBuffer out = buffer(parts.stream().mapToInt(part -> part.length).sum());
    parts.forEach(out::put);
    return out.array();
  }

  private static final class GrowingBytes extends java.io.ByteArrayOutputStream {
    void line(BytesRef text) {
      write(text.bytes, text.offset, text.length);
      write('\n');
    }

    void integer(int value) {
      write(value);
      write(value >> 8);
      write(value >> 16);
      write(value >> 24);
    }
  }
}
