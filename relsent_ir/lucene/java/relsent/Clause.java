package relsent;

import java.util.Arrays;

/** A term of a topic, read from its first document to its last. */
final class Clause {
  private static final int BLOCK = 512;
  private static final int MANY = 16; // documents that are read while one is looked up

  /** Those of one group, but 0, are rounded together. */
  final int group;

  /** Of a term of BM25 that many documents have; else null. */
  final Peaks peaks;

  private final Postings field;
  private final Scores scores;
  private final int[] documents;
  private final int[] counts;
  private final int start;
  private final int end;
  private final boolean kept; // all documents are in the heap
  private int next;
  private int size;
  private int at;

  Clause(Postings field, int term, Scores scores, int group, Peaks peaks) {
    this.field = field;
    this.scores = scores;
    this.group = group;
    this.peaks = peaks;
    start = field.starts[term];
    end = field.starts[term + 1];
    kept = peaks != null && peaks.documents != null;
    documents = kept ? peaks.documents : new int[BLOCK];
    counts = kept ? null : new int[BLOCK];
    size = kept ? end - start : 0;
    next = start + size;
  }

  /** What no document's part is above. */
  float most() {
    return ((Scores.Bm25) scores).part(peaks.divisor);
  }

  /** What the part of no document of a window is above. */
  float most(int window) {
    return ((Scores.Bm25) scores).part(peaks.divisors[window]);
  }

  /** Adds the parts of a window's documents, where no other window is read in their order. */
  void addWindow(double[] sums, int window) {
    int base = window * Peaks.WINDOW;
    int last = peaks.starts[window + 1];
    if (kept) {
      int from = peaks.starts[window] - start;
      ((Scores.Bm25) scores).add(sums, base, documents, peaks.each, from, last - start);
      return;
    }
    for (int from = peaks.starts[window]; from < last; from += BLOCK) {
      int many = Math.min(BLOCK, last - from);
      field.read(from, many, documents, counts);
      scores.add(sums, base, documents, counts, field.lengths, 0, many);
    }
  }

  /** Adds the parts of some of a window's documents, by their places in it, ascending. */
  void addSome(double[] sums, int window, int[] places, int many) {
    int from = peaks.starts[window];
    int last = peaks.starts[window + 1];
    if (last - from < (long) MANY * many) {
      addWindow(sums, window);
      return;
    }
    for (int i = 0; i < many && from < last; i++) {
      int document = window * Peaks.WINDOW + places[i];
      int low = from;
      int high = last;
      while (low < high) {
        int middle = low + high >>> 1;
        if (document(middle) < document) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      from = low;
      if (from < last && document(from) == document) {
        Scores.Bm25 bm25 = (Scores.Bm25) scores;
        sums[places[i]] +=
            kept
                ? bm25.part(peaks.each[from - start])
                : bm25.part(field.count(from), field.lengths[document]);
      }
    }
  }

  private int document(int entry) {
    return kept ? documents[entry - start] : field.documents.get(entry);
  }

  /** Adds the parts of documents below `limit` to the sums, and tells whether there are any. */
  boolean addTo(double[] sums, int base, int limit) {
    boolean any = false;
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
      if (kept) {
        ((Scores.Bm25) scores).add(sums, base, documents, peaks.each, at, stop);
      } else {
        scores.add(sums, base, documents, counts, field.lengths, at, stop);
      }
      any |= at < stop;
      at = stop;
      if (stop < size) {
        return any;
      }
    }
    return any;
  }
}
