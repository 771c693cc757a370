package relsent;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.IntField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.util.BytesRef;

/**
 * Writes batches of documents on a thread of its own, in the order in which they come.
 *
 * <p>A batch is a JSON array of [key, [document, ...], [values, ...]]: the documents replace those
 * that have the key, as one block; with no documents they are deleted. A document is an array of its
 * fields' values; what comes after it are the values that all documents of the block have, an array
 * for each of the shared fields.
 */
public final class Feed {
  private static final byte[] END = new byte[0];

  private static final FieldType VECTORS = new FieldType(TextField.TYPE_NOT_STORED);

  private static final FieldType WORDS = new FieldType();

  static {
    WORDS.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS);
    WORDS.setOmitNorms(true);
    WORDS.freeze();
    VECTORS.setStoreTermVectors(true);
    VECTORS.setStoreTermVectorPositions(true);
    VECTORS.freeze();
  }

  private final IndexWriter writer;
  private final String key;
  private final String[] names;
  private final String[] kinds;
  private final String[] shared;
  private final String[] sharedKinds;
  private final ObjectMapper mapper = new ObjectMapper();
  private final BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(8);
  private final Thread thread = new Thread(this::work, "feed");
  private volatile Throwable failure;
  private int pending;

  /**
   * @param key the field that documents are replaced by
   * @param names the fields of a document, in order
   * @param kinds their kinds: id (also as doc values), string, value (a string that is counted),
   *     text, vectors (text with term vectors), stored, words (as written, a value a line), or json,
   *     which takes no value: the fields before it as a stored object; behind text and vectors,
   *     +words adds a field of the words
   * @param shared the fields of which the documents of a block have the same values, any number
   * @param sharedKinds their kinds: term, number (a point and doc values), words, or facet: a term
   *     and, after a tab, what is counted
   */
  public Feed(
      IndexWriter writer,
      String key,
      String[] names,
      String[] kinds,
      String[] shared,
      String[] sharedKinds) {
    this.writer = writer;
    this.key = key;
    this.names = names;
    this.kinds = kinds;
    this.shared = shared;
    this.sharedKinds = sharedKinds;
    thread.setDaemon(true);
    thread.start();
  }

  /** Takes a batch; waits while too many are under way; throws what an earlier batch met. */
  public static void add(Feed feed, byte[] batch) throws Throwable {
    feed.check();
    synchronized (feed) {
      feed.pending++;
    }
    feed.queue.put(batch);
  }

  /** Waits until all batches are in the writer. */
  public static void drain(Feed feed) throws Throwable {
    synchronized (feed) {
      while (feed.pending > 0) {
        feed.wait();
      }
    }
    feed.check();
  }

  /** Ends the thread, after the batches that it was given. */
  public static void close(Feed feed) throws InterruptedException {
    feed.queue.put(END);
    feed.thread.join();
  }

  private void check() throws Throwable {
    if (failure != null) {
      throw failure;
    }
  }

  private void work() {
    try {
      for (byte[] batch = queue.take(); batch != END; batch = queue.take()) {
        if (failure == null) {
          write(batch);
        }
        done();
      }
    } catch (InterruptedException e) {
      failure = e;
    }
  }

  private synchronized void done() {
    pending--;
    notifyAll();
  }

  /** After a failure the batches that follow are passed over: the caller rolls back. */
  private void write(byte[] batch) {
    try {
      for (Object entry : mapper.readValue(batch, List.class)) {
        List<?> block = (List<?>) entry;
        Term term = new Term(key, (String) block.get(0));
        List<Document> documents = new ArrayList<>();
        for (Object values : (List<?>) block.get(1)) {
          documents.add(document((List<?>) values));
        }
        for (Field field : shared((List<?>) block.get(2))) {
          documents.forEach(document -> document.add(field));
        }
        if (documents.isEmpty()) {
          writer.deleteDocuments(term);
        } else {
          writer.updateDocuments(term, documents);
        }
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  private List<Field> shared(List<?> values) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      for (Object value : (List<?>) values.get(i)) {
        if (sharedKinds[i].equals("number")) {
          fields.add(new IntField(shared[i], Integer.parseInt((String) value), Field.Store.NO));
        } else if (sharedKinds[i].equals("facet")) {
          String[] both = ((String) value).split("\t", 2);
          fields.add(new StringField(shared[i], both[0], Field.Store.NO));
          if (!both[1].isEmpty()) {
            fields.add(Facets.field(shared[i], both[1]));
          }
        } else if (sharedKinds[i].equals("words")) {
          fields.add(new Field(shared[i] + WordsBeside.SUFFIX, (String) value, WORDS));
        } else {
          fields.add(new StringField(shared[i], (String) value, Field.Store.NO));
        }
      }
    }
    return fields;
  }

  private Document document(List<?> values) {
    Document document = new Document();
    ObjectNode json = mapper.createObjectNode();
    Iterator<?> next = values.iterator();
    for (int i = 0; i < names.length; i++) {
      if (kinds[i].equals("json")) {
        document.add(new StoredField(names[i], json.toString()));
        continue;
      }
      String value = (String) next.next();
      json.put(names[i], value);
      String[] both = kinds[i].split("\\+");
      if (both[both.length - 1].equals("words")) {
        for (String line : value.split("\n")) {
          document.add(new Field(names[i] + WordsBeside.SUFFIX, line, WORDS));
        }
      }
      switch (both[0]) {
        case "id":
          document.add(new StringField(names[i], value, Field.Store.YES));
          document.add(new BinaryDocValuesField(names[i], new BytesRef(value)));
          break;
        case "string":
          document.add(new StringField(names[i], value, Field.Store.YES));
          break;
        case "value":
          document.add(new StringField(names[i], value, Field.Store.YES));
          if (!value.isEmpty()) {
            document.add(Facets.field(names[i], value));
          }
          break;
        case "stored":
          document.add(new StoredField(names[i], value));
          break;
        case "vectors":
          document.add(new Field(names[i], value, VECTORS));
          break;
        case "text":
          document.add(new TextField(names[i], value, Field.Store.NO));
          break;
        case "words":
          break;
        default:
          throw new IllegalArgumentException("unknown kind of field: " + kinds[i]);
      }
    }
    return document;
  }
}
