import { readToolConfiguration, type ToolConfiguration } from "@finality/client/call-sites";
import { t } from "@vscode/l10n";

/** Frameworks whose tests appear in the Test Explorer. */
export type Framework = "hardhat" | "tronbox" | "foundry";

interface FrameworkRow {
  readonly name: string;
  /** Glob of its configuration. */
  readonly configuration: string;
  /** Glob of its test files, below the folder of the configuration. */
  readonly tests: string;
}

export const FRAMEWORKS: { readonly [F in Framework]: FrameworkRow } = {
  hardhat: {
    name: "Hardhat",
    configuration: "hardhat.config.{js,cjs,mjs,ts,cts,mts}",
    tests: "test/**/*.{js,cjs,mjs,ts,cts,mts}",
  },
  tronbox: { name: "TronBox", configuration: "tronbox{,-config}.js", tests: "test/**/*.{js,ts}" },
  foundry: { name: "Foundry", configuration: "foundry.toml", tests: "test/**/*.t.sol" },
};

/** Command that runs one test file. */
export interface RunnerCommand {
  /** Program in `node_modules/.bin` or in the path. */
  readonly program: "hardhat" | "tronbox" | "forge";
  readonly arguments: readonly string[];
  /** Port of the chain that the tests use; 0 if the configuration reads its URL from `CHAIN_URL`. */
  readonly port: number;
}

/** Network of this computer in a configuration. */
interface TestNetwork {
  readonly name: string;
  readonly port: number;
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];
/** Names of networks with a computed URL that are not used for a public network. */
const LOCAL_NAME = /^(?:finality|tre|dev|development|local(?:host|net|chain)?)$/i;

/** Returns the network that tests may use: one of this computer. */
function testNetworkIn({ networks, computed }: ToolConfiguration): TestNetwork | undefined {
  for (const { name, url } of networks) {
    const port = URL.canParse(url) ? localPort(new URL(url)) : undefined;
    if (port !== undefined) return { name, port };
  }
  const name = computed.find((it) => LOCAL_NAME.test(it));
  return name === undefined ? undefined : { name, port: 0 };
}

function localPort({ hostname, port, protocol }: URL): number | undefined {
  if (!LOOPBACK.includes(hostname) || protocol !== "http:") return undefined;
  return port === "" ? 80 : Number(port);
}

/**
 * Returns the command that runs a test file, or the reason why there is none: tests run against a chain of this
 * computer only. The configuration is read as text and never run.
 *
 * @param file - path below the folder of the configuration, with slashes
 */
export function runnerCommand(
  framework: Framework,
  file: string,
  configuration: { readonly name: string; readonly text: string },
): RunnerCommand | string {
  if (framework === "foundry")
    return { program: "forge", arguments: ["test", "--json", "--match-path", file], port: 0 };
  const network = testNetworkIn(readToolConfiguration(configuration.name, configuration.text));
  if (network === undefined)
    return t`${configuration.name} has no network of this computer. Add one named finality with the URL process.env.CHAIN_URL`;
  return { program: framework, arguments: ["test", file, "--network", network.name], port: network.port };
}

/** Returns the command as a line that a user can copy. */
export function commandText({ program, arguments: words }: RunnerCommand): string {
  return [program, ...words].map((word) => (/^[\w./:=@-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");
}

/** Returns the offset of a test in its file, by its title or the name of its function. */
export function offsetOfTest(framework: Framework, text: string, title: string): number | undefined {
  const name = title.replace(/\(.*$/, "");
  const forms = framework === "foundry" ? [`function ${name}(`] : [JSON.stringify(title), `'${title}'`, `\`${title}\``];
  const offsets = forms.map((form) => text.indexOf(form)).filter((offset) => offset >= 0);
  return offsets.length === 0 ? undefined : Math.min(...offsets);
}
