package relsent;

import java.util.Arrays;

/** The k best of the hits that come: by score, descending, then by the rank of the id. */
final class Best {
  private static final int LEAST = 64;
  private static final int DIGITS = 11;
  private static final int MASK = (1 << DIGITS) - 1;

  /** Hits with lower scores are none of them. */
  float least;

  private final int k;
  private final int[] places = new int[1 << DIGITS];
  private long[] keys;
  private long[] spare;
  private long floor = Long.MIN_VALUE;
  private int count;

  /** Of so many documents. */
  Best(int k, int documents) {
    this.k = k;
    keys = new long[(int) Math.min(documents, Math.max(LEAST, 2L * k))];
    spare = new long[keys.length];
  }

  void clear() {
    least = 0;
    floor = Long.MIN_VALUE;
    count = 0;
  }

  void add(float score, int rank) {
    // positive floats are in the order of their bits; of equal ones, the smaller rank is better
    long key = (long) Float.floatToRawIntBits(score) << 32 | Integer.MAX_VALUE - rank;
    if (key >= floor) {
      if (count == keys.length) {
        drop();
      }
      keys[count++] = key;
    }
  }

  int score(int place) {
    return (int) (keys[count - 1 - place] >>> 32);
  }

  int rank(int place) {
    return Integer.MAX_VALUE - (int) keys[count - 1 - place];
  }

  /** Puts the best into their order; gives how many there are. */
  int finish() {
    if (count > k) {
      drop();
    }
    int low = Integer.MAX_VALUE;
    int high = 0;
    for (int i = 0; i < count; i++) {
      low = Math.min(low, (int) (keys[i] >>> 32));
      high = Math.max(high, (int) (keys[i] >>> 32));
    }
    for (int shift = 0; shift < 32 && high - low >> shift > 0; shift += DIGITS) {
      distribute(low, shift);
    }
    for (int start = 0, end; start < count; start = end) {
      for (end = start + 1; end < count && keys[end] >>> 32 == keys[start] >>> 32; end++) {}
      if (end - start > 1) {
        Arrays.sort(keys, start, end);
      }
    }
    return Math.min(count, k);
  }

  /** A step of a radix sort by the scores. */
  private void distribute(int low, int shift) {
    Arrays.fill(places, 0);
    for (int i = 0; i < count; i++) {
      places[(int) (keys[i] >>> 32) - low >> shift & MASK]++;
    }
    int sum = 0;
    for (int i = 0; i <= MASK; i++) {
      int many = places[i];
      places[i] = sum;
      sum += many;
    }
    for (int i = 0; i < count; i++) {
      spare[places[(int) (keys[i] >>> 32) - low >> shift & MASK]++] = keys[i];
    }
    long[] sorted = spare;
    spare = keys;
    keys = sorted;
  }

  /** Drops what cannot be among the best, by a histogram of scores, or of many ties exactly. */
  private void drop() {
    int low = Integer.MAX_VALUE;
    int high = 0;
    for (int i = 0; i < count; i++) {
      low = Math.min(low, (int) (keys[i] >>> 32));
      high = Math.max(high, (int) (keys[i] >>> 32));
    }
    int shift = Math.max(0, 32 - Integer.numberOfLeadingZeros(high - low) - DIGITS);
    Arrays.fill(places, 0);
    for (int i = 0; i < count; i++) {
      places[(int) (keys[i] >>> 32) - low >> shift]++;
    }
    int bucket = places.length;
    for (int above = 0; above < k; ) {
      above += places[--bucket];
    }
    floor = Math.max(floor, (long) (low + (bucket << shift)) << 32);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      keys[kept] = keys[i];
      kept += (int) (floor - 1 - keys[i] >>> 63); // which no processor has to guess
    }
    count = kept;
    if (count > k + (keys.length - k) / 2) {
      select(count - k);
      System.arraycopy(keys, count - k, keys, 0, k);
      count = k;
      floor = keys[0];
    }
    least = Float.intBitsToFloat((int) (floor >>> 32));
  }

  /** Puts the value of a place in order where it belongs, smaller ones before it (quickselect). */
  private void select(int place) {
    int low = 0;
    int high = count - 1;
    while (low < high) {
      long a = keys[low];
      long b = keys[low + high >>> 1];
      long c = keys[high];
      long pivot = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
      int i = low;
      int j = high;
      while (i <= j) {
        while (keys[i] < pivot) {
          i++;
        }
        while (keys[j] > pivot) {
          j--;
        }
        if (i <= j) {
          long swapped = keys[i];
          keys[i++] = keys[j];
          keys[j--] = swapped;
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
