package relsent;

/** Of a term that many documents have, what no part of a score is above, window by window. */
final class Peaks {
  /** Documents of a window. */
  static final int WINDOW = 1 << 12; // sums that the nearest cache holds

  private static final int MANY = 32; // documents of a window, in the mean
  private static final int SHARE = 8; // of the heap is what postings may take that are kept in it

  /** Where each window's documents begin among all postings; last, where they end. */
  final int[] starts;

  /** By window, BM25's largest divisor, 1 where no document has the term. */
  final float[] divisors;

  /** The largest of all. */
  final float divisor;

  /** All documents of the term, and the divisor of each; null where they are too many. */
  final int[] documents;

  final float[] each;

  private Peaks(Postings field, int term, Scores.Norms norms) {
    int windows = windows(field);
    starts = new int[windows + 1];
    divisors = new float[windows];
    int first = field.starts[term];
    int size = field.starts[term + 1] - first;
    int[] read = new int[size];
    int[] counts = new int[size];
    float[] parts = new float[size];
    field.read(first, size, read, counts);
    boolean kept = 8L * field.documents.limit() <= Runtime.getRuntime().maxMemory() / SHARE;
    documents = kept ? read : null;
    each = kept ? parts : null;
    int at = 0;
    float largest = 1;
    for (int window = 0; window < windows; window++) {
      starts[window] = first + at;
      float peak = 1;
      int limit = (int) Math.min(Integer.MAX_VALUE, (window + 1L) * WINDOW);
      for (; at < size && read[at] < limit; at++) {
        parts[at] = norms.divisor(counts[at], field.lengths[read[at]] & 255);
        peak = parts[at] > peak ? parts[at] : peak;
      }
      divisors[window] = peak;
      largest = Math.max(largest, peak);
    }
    starts[windows] = first + at;
    divisor = largest;
  }

  /** Null of a term that is read as fast as it is looked up. */
  static Peaks of(Postings field, int term, Scores.Norms norms) {
    long size = field.starts[term + 1] - field.starts[term];
    return size < (long) MANY * windows(field) ? null : new Peaks(field, term, norms);
  }

  private static int windows(Postings field) {
    return (field.lengths.length + WINDOW - 1) / WINDOW;
  }
}
