package relsent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.IOUtils;

/**
 * Answers bags of words from postings in memory, with the scores that Lucene gives.
 *
 * <p>A term's part of a score is what Lucene's own Similarity says; parts are added up in double
 * precision and rounded once, as Lucene's scorers do. The fields of a topic are queries of their
 * own, each rounded before they are added, where Lucene does not merge them into one: it does for
 * weight 1, and for a single term.
 */
public final class Matrix {
  private static final int WINDOW = 1 << 13;
  private static final int BLOCK = 512;
  private static final int COUNTS = 8;
  private static final int MEMO = 4096;
  private static final int LEAST = 4096;
  private static final double UNTOUCHED = -0.0; // adding 0 makes it +0: a hit whose score is 0

  private final Similarity similarity;
  private final Postings[] fields;
  private final float[] weights;
  private final int[] ranks;
  private final FixedBitSet passing;
  private final boolean remembers;

  /**
   * Opens postings for searching.
   *
   * @param fields what topics are searched in, each with its weight
   * @param filter what hits must match, or null
   */
  public static Matrix open(
      IndexSearcher searcher, Postings[] fields, float[] weights, Query filter)
      throws IOException {
    return new Matrix(searcher, fields, weights, filter);
  }

  private Matrix(IndexSearcher searcher, Postings[] fields, float[] weights, Query filter)
      throws IOException {
    similarity = searcher.getSimilarity();
    remembers = !(similarity instanceof BM25Similarity);
    this.fields = fields;
    this.weights = weights;
    ranks = fields[0].ranks;
    passing = filter == null ? null : matching(searcher, filter);
  }

  private static FixedBitSet matching(IndexSearcher searcher, Query filter) throws IOException {
    FixedBitSet found = new FixedBitSet(Math.max(1, searcher.getIndexReader().maxDoc()));
    ScoreMode plain = ScoreMode.COMPLETE_NO_SCORES;
    Weight weight = searcher.createWeight(searcher.rewrite(filter), plain, 1);
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      Scorer scorer = weight.scorer(leaf);
      if (scorer != null) {
        DocIdSetIterator walk = scorer.iterator();
        for (int d = walk.nextDoc(); d != DocIdSetIterator.NO_MORE_DOCS; d = walk.nextDoc()) {
          found.set(leaf.docBase + d);
        }
      }
    }
    return found;
  }

  /**
   * Answers topics that are texts.
   *
   * @return for each: the number of hits n, n scores (float), n ranks of ids; score descending,
   *     ties by id ascending, also at the cut-off
   */
  public static byte[] texts(
      Matrix matrix, Analyzer analyzer, String[] topics, int k, int threads) throws Exception {
    return matrix.all(
        topics.length, threads, (work, i) -> work.search(matrix.text(analyzer, topics[i]), k));
  }

  /**
   * Answers topics that are weighted terms of the first field.
   *
   * @param terms of all topics, with a NUL after each
   * @param ends where each topic's terms end, among all
   * @return as above
   */
  public static byte[] weighted(
      Matrix matrix, String terms, float[] boosts, int[] ends, int k, int threads)
      throws Exception {
    String[] names = terms.split("\0");
    return matrix.all(
        ends.length,
        threads,
        (work, i) -> {
          List<Clause> clauses = new ArrayList<>();
          for (int j = i == 0 ? 0 : ends[i - 1]; j < ends[i]; j++) {
            matrix.add(clauses, matrix.fields[0], names[j], boosts[j], 0);
          }
          return work.search(clauses, k);
        });
  }

  private interface Answer {
    byte[] to(Work work, int topic) throws IOException;
  }

  private byte[] all(int topics, int threads, Answer answer) throws Exception {
    int workers = Math.max(1, Math.min(threads, topics));
    byte[][] parts = new byte[topics][];
    if (workers == 1) {
      some(parts, 0, 1, answer);
      return joined(parts);
    }
    ExecutorService pool = Executors.newFixedThreadPool(workers);
    try {
      List<Callable<Object>> tasks = new ArrayList<>();
      for (int w = 0; w < workers; w++) {
        int first = w;
        tasks.add(() -> some(parts, first, workers, answer));
      }
      for (Future<Object> done : pool.invokeAll(tasks)) {
        done.get();
      }
    } catch (ExecutionException e) {
      throw IOUtils.rethrowAlways(e.getCause());
    } finally {
      pool.shutdownNow();
    }
    return joined(parts);
  }

  private Object some(byte[][] parts, int first, int step, Answer answer) throws IOException {
    Work work = new Work();
    for (int i = first; i < parts.length; i += step) {
      parts[i] = answer.to(work, i);
    }
    return null;
  }

  private static byte[] joined(byte[][] parts) {
    ByteBuffer out = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(part -> part.length).sum());
    for (byte[] part : parts) {
      out.put(part);
    }
    return out.array();
  }

  private List<Clause> text(Analyzer analyzer, String topic) throws IOException {
    Map<String, Integer> bag = new HashMap<>();
    Find.walk(analyzer, topic, term -> bag.merge(term, 1, Integer::sum));
    List<Clause> clauses = new ArrayList<>();
    for (int f = 0; f < fields.length; f++) {
      Postings field = fields[f];
      float weight = weights[f];
      int group = weight == 1 || bag.size() == 1 ? 0 : f + 1;
      bag.forEach((term, count) -> add(clauses, field, term, weight * count, group));
    }
    return clauses;
  }

  private void add(List<Clause> clauses, Postings field, String term, float boost, int group) {
    BytesRef name = new BytesRef(term);
    int found = field.find(name);
    if (found >= 0) {
      Similarity.SimScorer scorer =
          similarity.scorer(boost, field.statistics, field.statistics(found, name));
      clauses.add(new Clause(field, found, scorer, group, remembers));
    }
  }

  /** A term of a topic, read as far as `at`; those of one group, but 0, are rounded together. */
  private static final class Clause {
    final Postings field;
    final Similarity.SimScorer scorer;
    final int group;
    final int end;
    final float[] memo; // the scores of small counts by length, where logarithms make them dear
    int at;

    Clause(
        Postings field, int term, Similarity.SimScorer scorer, int group, boolean remembers) {
      this.field = field;
      this.scorer = scorer;
      this.group = group;
      at = field.starts[term];
      end = field.starts[term + 1];
      memo = remembers && end - at >= MEMO ? new float[COUNTS << 8] : null;
      if (memo != null) {
        Arrays.fill(memo, -1);
      }
    }

    /** Adds the parts of documents below `limit`; `read` and `counts` are room for a block. */
    void addTo(double[] sums, int base, int limit, int[] read, int[] counts) {
      byte[] lengths = field.lengths;
      while (at < end) {
        int size = Math.min(read.length, end - at);
        field.read(at, size, read, counts);
        int stop = size;
        if (read[size - 1] >= limit) {
          stop = Arrays.binarySearch(read, 0, size, limit);
          stop = stop < 0 ? -1 - stop : stop;
        }
        if (memo == null) {
          for (int i = 0; i < stop; i++) {
            sums[read[i] - base] += scorer.score(counts[i], lengths[read[i]]);
          }
        } else {
          for (int i = 0; i < stop; i++) {
            sums[read[i] - base] += remembered(counts[i], lengths[read[i]]);
          }
        }
        at += stop;
        if (stop < size) {
          return;
        }
      }
    }

    private float remembered(int count, byte length) {
      if (count >= COUNTS) {
        return scorer.score(count, length);
      }
      int place = count << 8 | length & 255;
      if (memo[place] < 0) {
        memo[place] = scorer.score(count, length);
      }
      return memo[place];
    }
  }

  /** What one thread needs: sums of a window of documents, and the best hits so far. */
  private final class Work {
    private final double[] sums = new double[WINDOW];
    private final double[] part = new double[WINDOW];
    private final int[] documents = new int[BLOCK];
    private final int[] counts = new int[BLOCK];
    private long[] best;
    private int count;
    private long floor;
    private float least;

    Work() {
      Arrays.fill(sums, UNTOUCHED);
      Arrays.fill(part, UNTOUCHED);
    }

    byte[] search(List<Clause> clauses, int k) {
      int size = (int) Math.min(ranks.length, Math.max(LEAST, 2L * k));
      if (best == null || best.length < size) {
        best = new long[size];
      }
      count = 0;
      floor = Long.MIN_VALUE;
      least = 0;
      for (int base = 0; base < ranks.length; base += WINDOW) {
        int limit = Math.min(ranks.length, base + WINDOW);
        int group = 0;
        for (Clause clause : clauses) {
          if (clause.group != group) {
            fold(group, limit - base);
            group = clause.group;
          }
          clause.addTo(group == 0 ? sums : part, base, limit, documents, counts);
        }
        fold(group, limit - base);
        collect(base, limit - base, k);
      }
      return packed(k);
    }

    private void fold(int group, int size) {
      if (group == 0) {
        return;
      }
      for (int i = 0; i < size; i++) {
        if (Double.doubleToRawLongBits(part[i]) != Long.MIN_VALUE) {
          sums[i] += (float) part[i];
          part[i] = UNTOUCHED;
        }
      }
    }

    private void collect(int base, int size, int k) {
      for (int i = 0; i < size; i++) {
        float score = (float) sums[i];
        if (score >= least && Double.doubleToRawLongBits(sums[i]) != Long.MIN_VALUE) {
          add(base + i, score, k);
        }
      }
      Arrays.fill(sums, 0, size, UNTOUCHED);
    }

    private void add(int document, float score, int k) {
      // positive floats are in the order of their bits; of equal ones, the smaller rank is better
      int rank = ranks[document];
      long key = (long) Float.floatToRawIntBits(score) << 32 | Integer.MAX_VALUE - rank;
      if (rank >= 0 && key >= floor && (passing == null || passing.get(document))) {
        if (count == best.length) {
          keep(k);
        }
        best[count++] = key;
      }
    }

    private void keep(int k) {
      if (count > k) {
        select(best, count, count - k);
        System.arraycopy(best, count - k, best, 0, k);
        count = k;
        floor = best[0];
        least = Float.intBitsToFloat((int) (floor >>> 32));
      }
    }

    private byte[] packed(int k) {
      keep(k);
      Arrays.sort(best, 0, count);
      ByteBuffer out = ByteBuffer.allocate(4 + 8 * count).order(ByteOrder.LITTLE_ENDIAN);
      out.putInt(count);
      for (int i = count - 1; i >= 0; i--) {
        out.putInt((int) (best[i] >>> 32));
      }
      for (int i = count - 1; i >= 0; i--) {
        out.putInt(Integer.MAX_VALUE - (int) best[i]);
      }
      return out.array();
    }
  }

  /** Puts the value of a place in order where it belongs, smaller ones before it (quickselect). */
  private static void select(long[] values, int size, int place) {
    int low = 0;
    int high = size - 1;
    while (low < high) {
      long a = values[low];
      long b = values[low + high >>> 1];
      long c = values[high];
      long pivot = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
      int i = low;
      int j = high;
      while (i <= j) {
        while (values[i] < pivot) {
          i++;
        }
        while (values[j] > pivot) {
          j--;
        }
        if (i <= j) {
          long swapped = values[i];
          values[i++] = values[j];
          values[j--] = swapped;
        }
      }
      if (place <= j) {
        high = j;
      } else if (place >= i) {
        low = i;
      } else {
        return;
      }
    }
  }
}
