package relsent;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;

/** What may take long at a writer, as static methods that need no lock of Python's. */
public final class Writing {
  private Writing() {}

  /** The first half of a commit: all is on disk, and nothing can be seen yet. */
  public static void prepare(IndexWriter writer, String[] keys, String[] values)
      throws IOException {
    Map<String, String> data = new HashMap<>();
    for (int i = 0; i < keys.length; i++) {
      data.put(keys[i], values[i]);
    }
    writer.setLiveCommitData(data.entrySet());
    writer.prepareCommit();
  }

  public static void commit(IndexWriter writer) throws IOException {
    writer.commit();
  }

  public static void merge(IndexWriter writer) throws IOException {
    writer.forceMerge(1);
  }

  public static void close(IndexWriter writer) throws IOException {
    writer.close();
  }

  /**
   * Reads all of an index, and compares its files with their checksums and with one another.
   *
   * @return what is wrong, or ""
   */
  public static String check(Directory directory) throws IOException {
    try (CheckIndex check = new CheckIndex(directory)) {
      CheckIndex.Status status = check.checkIndex();
      if (status.clean) {
        return "";
      }
      return status.numBadSegments == 0
          ? "the commit cannot be read"
          : status.numBadSegments + " damaged segments, of " + status.totLoseDocCount + " documents";
    }
  }
}
