package relsent;

import java.util.Arrays;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.SmallFloat;

/** What a term adds to the scores of documents. */
abstract class Scores {
  private static final int COUNTS = 8; // smaller ones have tables

  /** Adds the parts of documents `from` to `to` to their sums, which begin with `base`. */
  abstract void add(
      double[] sums, int base, int[] documents, int[] counts, byte[] lengths, int from, int to);

  /** Whatever Lucene's Similarity says, asked once for a small count and a length. */
  static final class Any extends Scores {
    private static final int MANY = 4096;

    private final Similarity.SimScorer scorer;
    private final float[] known;

    /** For so many documents. */
    Any(Similarity.SimScorer scorer, int documents) {
      this.scorer = scorer;
      known = new float[documents < MANY ? 0 : COUNTS << 8];
      Arrays.fill(known, -1);
    }

    @Override
    void add(
        double[] sums, int base, int[] documents, int[] counts, byte[] lengths, int from, int to) {
      for (int i = from; i < to; i++) {
        sums[documents[i] - base] += score(counts[i], lengths[documents[i]]);
      }
    }

    private float score(int count, byte length) {
      int place = count << 8 | length & 255;
      if (count >= COUNTS || place >= known.length) {
        return scorer.score(count, length);
      }
      if (known[place] < 0) {
        known[place] = scorer.score(count, length);
      }
      return known[place];
    }
  }

  /** BM25 in Lucene's arithmetic: w - w / (1 + count / norm), all in single precision. */
  static final class Bm25 extends Scores {
    private final float weight;
    private final Norms norms;

    Bm25(float weight, Norms norms) {
      this.weight = weight;
      this.norms = norms;
    }

    @Override
    void add(
        double[] sums, int base, int[] documents, int[] counts, byte[] lengths, int from, int to) {
      float w = weight;
      for (int i = from; i < to; i++) {
        int document = documents[i];
        sums[document - base] += w - w / norms.divisor(counts[i], lengths[document] & 255);
      }
    }

    /** Adds the parts of documents by their divisors. */
    void add(double[] sums, int base, int[] documents, float[] divisors, int from, int to) {
      float w = weight;
      for (int i = from; i < to; i++) {
        sums[documents[i] - base] += w - w / divisors[i];
      }
    }

    /** The part of a document by its divisor; the larger that is, the larger the part. */
    float part(float divisor) {
      return weight - weight / divisor;
    }

    float part(int count, byte length) {
      return part(norms.divisor(count, length & 255));
    }
  }

  /** What BM25 makes of the lengths of a field's documents, the same for all terms. */
  static final class Norms {
    private final float[] inverse = new float[256];
    private final float[] divisors = new float[COUNTS << 8];

    private Norms(BM25Similarity bm25, CollectionStatistics field) {
      float mean = (float) (field.sumTotalTermFreq() / (double) field.docCount());
      for (int code = 0; code < 256; code++) {
        float length = SmallFloat.byte4ToInt((byte) code);
        inverse[code] = 1f / (bm25.getK1() * ((1 - bm25.getB()) + bm25.getB() * length / mean));
        for (int count = 0; count < COUNTS; count++) {
          divisors[count << 8 | code] = 1f + count * inverse[code];
        }
      }
    }

    float divisor(int count, int length) {
      return count < COUNTS ? divisors[count << 8 | length] : 1f + count * inverse[length];
    }

    /** Null where Lucene's Similarity is another one, or does not agree in all bits. */
    static Norms of(Similarity similarity, CollectionStatistics field) {
      if (similarity.getClass() != BM25Similarity.class || field == null) {
        return null;
      }
      BM25Similarity bm25 = (BM25Similarity) similarity;
      Norms norms = new Norms(bm25, field);
      TermStatistics term = new TermStatistics(new BytesRef("a"), 1, 1);
      Similarity.SimScorer lucenes = bm25.scorer(1.7f, field, term);
      Scores ours = new Bm25(weight(bm25, 1.7f, field, term), norms);
      double[] sum = new double[1];
      for (int count = 1; count < 2 * COUNTS; count++) {
        for (int code = 0; code < 256; code++) {
          sum[0] = 0;
          ours.add(sum, 0, new int[1], new int[] {count}, new byte[] {(byte) code}, 0, 1);
          if (sum[0] != lucenes.score(count, code)) {
            return null;
          }
        }
      }
      return norms;
    }
  }

  static float weight(
      BM25Similarity bm25, float boost, CollectionStatistics field, TermStatistics term) {
    return boost * bm25.idfExplain(field, term).getValue().floatValue();
  }
}
