package relsent;

import java.util.concurrent.TimeoutException;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.IndexSearcher;

/** How long the searches of a thread may take; Lucene asks while it collects. */
public final class Limit implements QueryTimeout {
  private static final ThreadLocal<Limit> CURRENT = new ThreadLocal<>();

  private final long end;

  private Limit(long end) {
    this.end = end;
  }

  /** Gives the calling thread so many milliseconds for all its searches; -1 lifts the limit. */
  public static void set(long milliseconds) {
    CURRENT.set(milliseconds < 0 ? null : new Limit(System.nanoTime() + milliseconds * 1_000_000));
  }

  /** Returns a searcher that heeds the thread's limit; the same one if there is none. */
  static IndexSearcher heeded(IndexSearcher searcher) {
    Limit limit = CURRENT.get();
    if (limit == null) {
      return searcher;
    }
    IndexSearcher limited = new IndexSearcher(searcher.getIndexReader());
    limited.setSimilarity(searcher.getSimilarity());
    limited.setTimeout(limit);
    return limited;
  }

  /** Refuses hits that are not all. */
  static void check(IndexSearcher searcher) throws TimeoutException {
    if (searcher.timedOut()) {
      throw new TimeoutException("not in time");
    }
  }

  @Override
  public boolean shouldExit() {
    return System.nanoTime() - end > 0;
  }
}
