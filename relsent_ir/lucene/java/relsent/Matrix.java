package relsent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
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
import org.apache.lucene.search.TermStatistics;
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
  private static final int WINDOW = Peaks.WINDOW;
  private static final double SLACK = 1 + 1e-12; // more than sums in double precision are off
  private static final int FEW = 100; // hits; of more, the least is low
  private static final double UNTOUCHED = -0.0; // adding 0 makes it +0: a hit whose score is 0

  private final Similarity similarity;
  private final Postings[] fields;
  private final float[] weights;
  private final int[] ranks;
  private final FixedBitSet passing;
  private final Scores.Norms[] norms;
  private final Peaks[] peaks; // of the first field's terms that were asked for

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
    this.fields = fields;
    norms = new Scores.Norms[fields.length];
    for (int i = 0; i < fields.length; i++) {
      norms[i] = Scores.Norms.of(similarity, fields[i].statistics);
    }
    this.weights = weights;
    peaks = new Peaks[fields[0].starts.length - 1];
    ranks = fields[0].ranks;
    passing = filter == null ? null : matching(searcher, filter);
  }

  static FixedBitSet matching(IndexSearcher searcher, Query filter) throws IOException {
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
        topics.length, k, threads, (work, i) -> work.search(matrix.text(analyzer, topics[i])));
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
        k,
        threads,
        (work, i) -> {
          List<Clause> clauses = new ArrayList<>();
          for (int j = i == 0 ? 0 : ends[i - 1]; j < ends[i]; j++) {
            matrix.add(clauses, 0, names[j], boosts[j], 0);
          }
          return work.search(clauses);
        });
  }

  private interface Answer {
    byte[] to(Work work, int topic) throws IOException;
  }

  private byte[] all(int topics, int k, int threads, Answer answer) throws Exception {
    int workers = Math.max(1, Math.min(threads, topics));
    byte[][] parts = new byte[topics][];
    if (workers == 1) {
      some(parts, k, 0, 1, answer);
      return joined(parts);
    }
    ExecutorService pool = Executors.newFixedThreadPool(workers);
    try {
      List<Callable<Object>> tasks = new ArrayList<>();
      for (int w = 0; w < workers; w++) {
        int first = w;
        tasks.add(() -> some(parts, k, first, workers, answer));
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

  private Object some(byte[][] parts, int k, int first, int step, Answer answer)
      throws IOException {
    Work work = new Work(k);
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
      int field = f;
      float weight = weights[f];
      int group = weight == 1 || bag.size() == 1 ? 0 : f + 1;
      bag.forEach((term, count) -> add(clauses, field, term, weight * count, group));
    }
    return clauses;
  }

  private void add(List<Clause> clauses, int number, String term, float boost, int group) {
    Postings field = fields[number];
    BytesRef name = new BytesRef(term);
    int found = field.find(name);
    if (found < 0) {
      return;
    }
    int size = field.starts[found + 1] - field.starts[found];
    if (norms[number] == null) {
      TermStatistics known = field.statistics(found, name);
      Similarity.SimScorer scorer = similarity.scorer(boost, field.statistics, known);
      clauses.add(new Clause(field, found, new Scores.Any(scorer, size), group, null));
      return;
    }
    TermStatistics known = new TermStatistics(name, size, size); // BM25 counts documents alone
    float weight = Scores.weight((BM25Similarity) similarity, boost, field.statistics, known);
    Scores scores = new Scores.Bm25(weight, norms[number]);
    clauses.add(new Clause(field, found, scores, group, number == 0 ? peaks(found) : null));
  }

  private Peaks peaks(int term) {
    if (peaks[term] == null) {
      peaks[term] = Peaks.of(fields[0], term, norms[0]); // the same, whichever thread it is of
    }
    return peaks[term];
  }

  /** What one thread needs: sums of a window of documents, and the best hits so far. */
  private final class Work {
    private final double[] sums = new double[WINDOW];
    private final double[] part = new double[WINDOW];
    private final int[] found = new int[WINDOW];
    private final int k;
    private final Best best;

    Work(int k) {
      this.k = k;
      best = new Best(k, ranks.length);
      Arrays.fill(part, UNTOUCHED);
    }

    byte[] search(List<Clause> clauses) {
      best.clear();
      Arrays.fill(sums, UNTOUCHED);
      Clause[] many = ofMany(clauses);
      for (int base = 0; base < ranks.length; base += WINDOW) {
        int limit = Math.min(ranks.length, base + WINDOW);
        if (many.length > 0 && best.least > 0) {
          bounded(clauses, many, base, limit);
          continue;
        }
        int group = 0;
        for (Clause clause : clauses) {
          if (clause.group != group) {
            fold(group, limit - base);
            group = clause.group;
          }
          clause.addTo(group == 0 ? sums : part, base, limit);
        }
        fold(group, limit - base);
        collect(base, limit - base);
      }
      return packed();
    }

    /** Finds the terms that many documents have, the least telling first. */
    private Clause[] ofMany(List<Clause> clauses) {
      boolean plain = k <= FEW && clauses.stream().allMatch(clause -> clause.group == 0);
      return clauses.stream()
          .filter(clause -> plain && clause.peaks != null)
          .sorted(Comparator.comparing(Clause::most))
          .toArray(Clause[]::new);
    }

    /**
     * Collects a window, and passes over what cannot be among the best (MaxScore, Turtle and Flood
     * 1995, by the bounds of blocks, Ding and Suel 2011): documents that only have terms whose
     * bounds together are under the least score are not read; of others, those terms are looked up.
     */
    private void bounded(List<Clause> clauses, Clause[] many, int base, int limit) {
      int window = base / WINDOW;
      double least = Math.nextDown(best.least);
      double[] below = new double[many.length + 1]; // the bound of all terms before each
      int first = 0;
      for (; first < many.length; first++) {
        below[first + 1] = below[first] + many[first].most(window) * SLACK;
        if (below[first + 1] >= least) {
          break;
        }
      }
      boolean any = false;
      for (Clause clause : clauses) {
        if (clause.peaks == null) {
          any |= clause.addTo(sums, base, limit);
        }
      }
      for (int i = first; i < many.length; i++) {
        many[i].addWindow(sums, window);
        any = true;
      }
      if (!any) {
        return;
      }
      int left = reaching(0, limit - base, least - below[first]);
      for (int i = first - 1; i >= 0 && left > 0; i--) {
        many[i].addSome(sums, window, found, left);
        int all = left;
        left = 0;
        for (int j = 0; j < all; j++) {
          found[left] = found[j];
          left += sums[found[j]] >= least - below[i] ? 1 : 0;
        }
      }
      for (int i = 0; i < left; i++) {
        add(base + found[i], (float) sums[found[i]]);
      }
      Arrays.fill(sums, 0, limit - base, 0);
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

    private void collect(int base, int size) {
      int at = 0;
      for (; at < size && best.least == 0; at++) {
        if (Double.doubleToRawLongBits(sums[at]) != Long.MIN_VALUE) {
          add(base + at, (float) sums[at]);
        }
      }
      if (at < size) {
        int many = reaching(at, size, Math.nextDown(best.least));
        for (int i = 0; i < many; i++) {
          add(base + found[i], (float) sums[found[i]]);
        }
      }
      // above 0, nobody asks any more whether a document was touched
      Arrays.fill(sums, 0, size, best.least == 0 ? UNTOUCHED : 0);
    }

    /** Finds the sums that are not under one above 0: so few that no branch foresees. */
    private int reaching(int from, int to, double least) {
      long below = Double.doubleToRawLongBits(least) - 1;
      int many = 0;
      for (int i = from; i < to; i++) {
        found[many] = i;
        many += (int) (below - Double.doubleToRawLongBits(sums[i]) >>> 63);
      }
      return many;
    }

    private void add(int document, float score) {
      if (score >= best.least && (passing == null || passing.get(document))) {
        int rank = ranks[document];
        if (rank >= 0) {
          best.add(score, rank);
        }
      }
    }

    private byte[] packed() {
      int count = best.finish();
      ByteBuffer out = ByteBuffer.allocate(4 + 8 * count).order(ByteOrder.LITTLE_ENDIAN);
      out.putInt(count);
      for (int i = 0; i < count; i++) {
        out.putInt(4 + 4 * i, best.score(i)).putInt(4 + 4 * (count + i), best.rank(i));
      }
      return out.array();
    }
  }
}
