import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.bootstrap.BootstrapInfo;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/**
 * A node of OpenSearch on 127.0.0.1, from the jars of Maven Central: what bin/opensearch starts,
 * but for the security manager and the checks of a production machine.
 *
 * <p>Arguments: the home folder, then settings as {@code http.port=9200}. Prints {@code started}
 * when it answers, and ends with its standard input.
 */
public final class Launcher extends Node {
  private Launcher(Settings settings, Path home) {
    super(
        InternalSettingsPreparer.prepareEnvironment(
            settings, Map.of(), home.resolve("config"), () -> settings.get("node.name")),
        List.of(Netty4Plugin.class, CommonAnalysisPlugin.class),
        false);
  }

  public static void main(String[] arguments) throws Exception {
    Path home = Path.of(arguments[0]).toAbsolutePath();
    Settings.Builder settings =
        Settings.builder().put("path.home", home).put("network.host", "127.0.0.1");
    for (int i = 1; i < arguments.length; i++) {
      String[] setting = arguments[i].split("=", 2);
      settings.put(setting[0], setting[1]);
    }
    LogConfigurator.registerErrorListener();
    BootstrapInfo.init();
    Node node = new Launcher(settings.build(), home);
    node.start();
    System.out.println("started");
    while (System.in.read() >= 0) {} // until who started it is gone
    node.close();
    System.exit(0);
  }
}
