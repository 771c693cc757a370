package relsent;

import org.apache.lucene.index.ConcurrentMergeScheduler;

/**
 * Merges in the background. A merge that fails closes its writer, and whoever calls that next gets
 * the reason, so the merging thread need not print it on stderr.
 */
public final class QuietMerges extends ConcurrentMergeScheduler {
  @Override
  protected void handleMergeException(Throwable problem) {}
}
