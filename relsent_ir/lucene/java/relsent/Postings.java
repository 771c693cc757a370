package relsent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.IntBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/** The postings of a field in NumPy's files, mapped into memory. */
public final class Postings {
  /** Documents of all terms, one term's after the other's, ascending. */
  final IntBuffer documents;

  /** How often each has the term: 16 bits without sign, or 32 where `wide` is there. */
  final CharBuffer narrow;

  final IntBuffer wide;

  /** Where each term's documents begin. */
  final int[] starts;

  /** By document, Lucene's code of its length. */
  final byte[] lengths;

  /** By document, its id's place among all ids, -1 where it is deleted. */
  final int[] ranks;

  /** What Lucene knows of the field; null where no document has it. */
  final CollectionStatistics statistics;

  private final byte[] text;
  private final int[] ends;
  private final int[] slots;
  private final long[] totals;

  /**
   * Maps the files of a field.
   *
   * @param folder where the files are
   * @param offsets where the data begin in documents, counts, starts, lengths, terms,
   *     their ends, and ranks
   * @param isWide whether counts have 32 bits
   */
  public static Postings open(
      IndexReader reader, String field, String folder, int[] offsets, boolean isWide)
      throws IOException {
    CollectionStatistics known = new IndexSearcher(reader).collectionStatistics(field);
    return new Postings(known, Path.of(folder), offsets, isWide);
  }

  private Postings(CollectionStatistics statistics, Path path, int[] offsets, boolean isWide)
      throws IOException {
    this.statistics = statistics;
    documents = map(path.resolve("documents.npy"), offsets[0]).asIntBuffer();
    ByteBuffer counts = map(path.resolve("counts.npy"), offsets[1]);
    narrow = isWide ? null : counts.asCharBuffer();
    wide = isWide ? counts.asIntBuffer() : null;
    starts = integers(map(path.resolve("starts.npy"), offsets[2]));
    lengths = bytes(map(path.resolve("lengths.npy"), offsets[3]));
    text = bytes(map(path.resolve("terms.npy"), offsets[4]));
    ends = integers(map(path.resolve("term_ends.npy"), offsets[5]));
    ranks = integers(map(path.resolve("ranks.npy"), offsets[6]));
    int size = Integer.highestOneBit(Math.max(1, ends.length)) << 2;
    slots = new int[size];
    totals = new long[ends.length];
    for (int term = 0; term < ends.length; term++) {
      int slot = hash(text, start(term), ends[term]) & size - 1;
      while (slots[slot] != 0) {
        slot = slot + 1 & size - 1;
      }
      slots[slot] = term + 1;
    }
  }

  /** Copies `size` documents and their counts, from a place on. */
  void read(int from, int size, int[] into, int[] counted) {
    documents.duplicate().position(from).get(into, 0, size);
    if (wide != null) {
      wide.duplicate().position(from).get(counted, 0, size);
      return;
    }
    char[] some = new char[size];
    narrow.duplicate().position(from).get(some);
    for (int i = 0; i < size; i++) {
      counted[i] = some[i];
    }
  }

  int count(int entry) {
    return wide == null ? narrow.get(entry) : wide.get(entry);
  }

  /** The number of a term, -1 where no document has it. */
  int find(BytesRef term) {
    int from = term.offset;
    int to = from + term.length;
    int slot = hash(term.bytes, from, to) & slots.length - 1;
    for (; slots[slot] != 0; slot = slot + 1 & slots.length - 1) {
      int found = slots[slot] - 1;
      if (java.util.Arrays.equals(text, start(found), ends[found], term.bytes, from, to)) {
        return found;
      }
    }
    return -1;
  }

  /** What Lucene knows of a term: its documents, and how often they have it. */
  TermStatistics statistics(int term, BytesRef name) {
    if (totals[term] == 0) { // several threads would give it the same
      long total = 0;
      for (int i = starts[term]; i < starts[term + 1]; i++) {
        total += count(i);
      }
      totals[term] = total;
    }
    return new TermStatistics(name, starts[term + 1] - starts[term], totals[term]);
  }

  private int start(int term) {
    return term == 0 ? 0 : ends[term - 1];
  }

  private static int hash(byte[] bytes, int from, int to) {
    return StringHelper.murmurhash3_x86_32(bytes, from, to - from, 0);
  }

  private static ByteBuffer map(Path path, int offset) throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer all = file.map(FileChannel.MapMode.READ_ONLY, offset, file.size() - offset);
      return all.order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  private static int[] integers(ByteBuffer from) {
    int[] values = new int[from.remaining() / 4];
    from.asIntBuffer().get(values);
    return values;
  }

  private static byte[] bytes(ByteBuffer from) {
    byte[] values = new byte[from.remaining()];
    from.get(values);
    return values;
  }
}
