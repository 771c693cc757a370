package relsent;

import java.util.Arrays;

/** A term of a topic, read from its first document to its last. */
final class Clause {
  private static final int BLOCK = 512;

  /** Those of one group, but 0, are rounded together. */
  final int group;

  private final Postings field;
  private final Scores scores;
  private final int[] documents = new int[BLOCK];
  private final int[] counts = new int[BLOCK];
  private final int end;
  private int next;
  private int size;
  private int at;

  Clause(Postings field, int term, Scores scores, int group) {
    this.field = field;
    this.scores = scores;
    this.group = group;
    next = field.starts[term];
    end = field.starts[term + 1];
  }

  /** Adds the parts of documents below `limit` to the sums, which begin with `base`. */
  void addTo(double[] sums, int base, int limit) {
    while (at < size || next < end) {
      if (at == size) {
        at = 0;
        size = Math.min(BLOCK, end - next);
        field.read(next, size, documents, counts);
        next += size;
      }
      int stop = size;
      if (documents[size - 1] >= limit) {
        stop = Arrays.binarySearch(documents, at, size, limit);
        stop = stop < 0 ? -1 - stop : stop;
      }
      scores.add(sums, base, documents, counts, field.lengths, at, stop);
      at = stop;
      if (stop < size) {
        return;
      }
    }
  }
}
