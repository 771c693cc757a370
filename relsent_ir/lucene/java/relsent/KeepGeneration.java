package relsent;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexDeletionPolicy;

/**
 * Keeps the newest commit, and the newest of one generation besides: the last that both indexes of
 * a collection are known to have.
 */
public final class KeepGeneration extends IndexDeletionPolicy {
  private final String key;
  private volatile String kept;

  /**
   * @param key the entry of a commit's user data that holds its generation
   * @param kept the generation to keep
   */
  public KeepGeneration(String key, String kept) {
    this.key = key;
    this.kept = kept;
  }

  public void keep(String generation) {
    kept = generation;
  }

  @Override
  public void onInit(List<? extends IndexCommit> commits) {}

  @Override
  public void onCommit(List<? extends IndexCommit> commits) throws IOException {
    boolean found = false;
    for (int i = commits.size() - 1; i >= 0; i--) {
      IndexCommit commit = commits.get(i);
      boolean wanted = !found && kept.equals(commit.getUserData().get(key));
      found |= wanted;
      if (!wanted && i < commits.size() - 1) {
        commit.delete();
      }
    }
  }
}
