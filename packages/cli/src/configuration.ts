import type { NetworkProfile } from "@finality/client/gateway";
import { parseNetworks } from "@finality/client/gateway";
import { isChainError } from "@finality/tron/errors";
import { type Address, addressIn, parseJson } from "@finality/tron/primitives";
import { listOf, object, ReadError, record, text } from "@finality/tron/read";
import { CliError } from "./cli-error.ts";
import type { Invocation } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** Content of `finality.config.json`. It has no credentials. */
export interface Configuration {
  readonly networks: readonly NetworkProfile[];
  /** Name of the network to use without `--network`. */
  readonly network?: string;
  /** Names of the networks whose coins are worth nothing. */
  readonly testNetworks: readonly string[];
  /** Addresses by the names that call files use. */
  readonly addresses: ReadonlyMap<string, Address>;
  /** Folder of the journal. */
  readonly journal?: string;
}

export const CONFIG_FILE = "finality.config.json";

const unchecked = (value: unknown): unknown => value;
const optional = {
  networks: unchecked,
  network: text,
  testNetworks: listOf(text),
  addresses: record,
  journal: text,
};
const configuration = object({}, optional);
const FIELDS = ["$schema", ...Object.keys(optional)];

/**
 * Reads the file of `--config`, or `finality.config.json` of the current folder if it exists.
 *
 * @throws {CliError} `CONFIG_MALFORMED`, `INPUT_UNREADABLE`
 */
export async function readConfiguration(invocation: Invocation, terminal: Terminal): Promise<Configuration> {
  const named = invocation.text("config");
  const file = named ?? CONFIG_FILE;
  const content = named === undefined ? await terminal.readIfPresent(file) : await terminal.read(named);
  if (content === undefined) return { networks: [], testNetworks: [], addresses: new Map() };
  return parseConfiguration(content, file);
}

function parseConfiguration(content: string, file: string): Configuration {
  const malformed = (reason: string): CliError => new CliError("CONFIG_MALFORMED", { cause: `${file}: ${reason}` });
  try {
    const json = parseJson(content);
    const unknown = Object.keys(Object(json)).find((it) => !FIELDS.includes(it));
    if (unknown !== undefined) throw malformed(`there is no field ${unknown}. Credentials are never stored there.`);
    const { networks, testNetworks = [], addresses = {}, ...rest } = configuration(json);
    const { profiles, problems } = parseNetworks(networks);
    const [problem] = problems;
    if (isChainError(problem) && problem.code === "SETTING_MALFORMED") throw malformed(fieldProblem(problem.details));
    const named = Object.entries(addresses).map(([name, value]) => {
      const address = typeof value === "string" ? addressIn(value) : undefined;
      if (address === undefined) throw malformed(`addresses.${name}: it is not an address.`);
      return [name, address] as const;
    });
    return { ...rest, networks: profiles, testNetworks, addresses: new Map(named) };
  } catch (error) {
    if (error instanceof ReadError) throw malformed(`${error.path} must be ${error.expected}.`);
    if (error instanceof SyntaxError) throw malformed(`it is not JSON (${error.message}).`);
    throw error;
  }
}

/** The parser of networks names the setting of the editor; here they are a field of the file. */
function fieldProblem({ setting, reason }: { readonly setting: string; readonly reason: string }): string {
  return `${setting.replace(/^finality\./, "")}: ${reason}.`;
}
