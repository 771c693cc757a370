package relsent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.ReaderSlice;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/** All postings of a field, deleted documents' too, handed out piece by piece. */
public final class PostingsWalk {
  private final TermsEnum walk;
  private PostingsEnum postings;
  private BytesRef term;

  private PostingsWalk(TermsEnum walk) throws IOException {
    this.walk = walk;
    term = walk.next();
  }

  /** Stands before the first term of the segments from a number on. */
  public static PostingsWalk open(IndexReader reader, String field, int from) throws IOException {
    List<Terms> terms = new ArrayList<>();
    List<ReaderSlice> slices = new ArrayList<>();
    for (LeafReaderContext leaf : reader.leaves().subList(from, reader.leaves().size())) {
      Terms some = leaf.reader().terms(field);
      if (some != null) {
        slices.add(new ReaderSlice(leaf.docBase, leaf.reader().maxDoc(), terms.size()));
        terms.add(some);
      }
    }
    if (terms.isEmpty()) {
      return new PostingsWalk(TermsEnum.EMPTY);
    }
    Terms all = new MultiTerms(terms.toArray(new Terms[0]), slices.toArray(new ReaderSlice[0]));
    return new PostingsWalk(all.iterator());
  }

  /** The names of the segments, whatever is deleted from them. */
  public static String segments(IndexReader reader) {
    List<String> names = new ArrayList<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      byte[] id = ((SegmentReader) leaf.reader()).getSegmentInfo().info.getId();
      names.add(StringHelper.idToString(id));
    }
    return String.join("\n", names);
  }

  /** The number of postings of the segments from a number on. */
  public static long size(IndexReader reader, String field, int from) throws IOException {
    long size = 0;
    for (LeafReaderContext leaf : reader.leaves().subList(from, reader.leaves().size())) {
      Terms terms = leaf.reader().terms(field);
      size += terms == null ? 0 : terms.getSumDocFreq();
    }
    return size;
  }

  /**
   * The next terms, in the order of their bytes, until there are at least so many postings.
   *
   * @return number of terms t and of postings p; t sizes of terms in bytes; t numbers of postings;
   *     p documents; p counts; the terms end to end. Nothing is left where t is 0.
   */
  public static byte[] next(PostingsWalk walk, int least) throws IOException {
    return walk.next(least);
  }

  private byte[] next(int least) throws IOException {
    int[] sizes = new int[256];
    int[] frequencies = new int[256];
    int[] documents = new int[least];
    int[] counts = new int[least];
    byte[] text = new byte[4096];
    int terms = 0;
    int entries = 0;
    int used = 0;
    for (; term != null && entries < least; term = walk.next()) {
      if (terms == sizes.length) {
        sizes = Arrays.copyOf(sizes, 2 * terms);
        frequencies = Arrays.copyOf(frequencies, 2 * terms);
      }
      while (used + term.length > text.length) {
        text = Arrays.copyOf(text, 2 * text.length);
      }
      System.arraycopy(term.bytes, term.offset, text, used, term.length);
      used += term.length;
      sizes[terms] = term.length;
      int first = entries;
      postings = walk.postings(postings, PostingsEnum.FREQS);
      for (int d = postings.nextDoc(); d != DocIdSetIterator.NO_MORE_DOCS; d = postings.nextDoc()) {
        if (entries == documents.length) {
          documents = Arrays.copyOf(documents, 2 * entries);
          counts = Arrays.copyOf(counts, 2 * entries);
        }
        documents[entries] = d;
        counts[entries++] = postings.freq();
      }
      frequencies[terms++] = entries - first;
    }
    ByteBuffer out = ByteBuffer.allocate(8 + 8 * terms + 8 * entries + used);
    out.order(ByteOrder.LITTLE_ENDIAN).putInt(terms).putInt(entries);
    out.asIntBuffer()
        .put(sizes, 0, terms)
        .put(frequencies, 0, terms)
        .put(documents, 0, entries)
        .put(counts, 0, entries);
    out.position(8 + 8 * terms + 8 * entries);
    return out.put(text, 0, used).array();
  }

  /** The length of each document's field, by the code of one byte that Lucene stores. */
  public static byte[] lengths(IndexReader reader, String field) throws IOException {
    byte[] lengths = new byte[reader.maxDoc()];
    for (LeafReaderContext leaf : reader.leaves()) {
      NumericDocValues norms = leaf.reader().getNormValues(field);
      if (norms != null) {
        for (int d = norms.nextDoc(); d != DocIdSetIterator.NO_MORE_DOCS; d = norms.nextDoc()) {
          lengths[leaf.docBase + d] = (byte) norms.longValue();
        }
      }
    }
    return lengths;
  }

  /** For each document 1, or 0 if it is deleted. */
  public static byte[] live(IndexReader reader) {
    byte[] live = new byte[reader.maxDoc()];
    for (LeafReaderContext leaf : reader.leaves()) {
      Bits bits = leaf.reader().getLiveDocs();
      for (int d = 0; d < leaf.reader().maxDoc(); d++) {
        live[leaf.docBase + d] = (byte) (bits == null || bits.get(d) ? 1 : 0);
      }
    }
    return live;
  }
}
