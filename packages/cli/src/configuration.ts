import type { NetworkProfile } from "@finality/client/gateway";
import { isChainError } from "@finality/tron/errors";
import { parseJson } from "@finality/tron/primitives";
import { listOf, object, ReadError, text } from "@finality/tron/read";
import { parseNetworks } from "../../../src/host/networks/network-settings.ts";
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
  /** Folder of the journal. */
  readonly journal?: string;
}

export const CONFIG_FILE = "finality.config.json";

const unchecked = (value: unknown): unknown => value;
const configuration = object({}, { networks: unchecked, network: text, testNetworks: listOf(text), journal: text });
const FIELDS = ["$schema", "networks", "network", "testNetworks", "journal"];

/**
 * Reads the file of `--config`, or `finality.config.json` of the current folder if it exists.
 *
 * @throws {CliError} `CONFIG_MALFORMED`, `INPUT_UNREADABLE`
 */
export async function readConfiguration(invocation: Invocation, terminal: Terminal): Promise<Configuration> {
  const named = invocation.text("config");
  const file = named ?? CONFIG_FILE;
  const content = named === undefined ? await terminal.readIfPresent(file) : await terminal.read(named);
  if (content === undefined) return { networks: [], testNetworks: [] };
  return parseConfiguration(content, file);
}

function parseConfiguration(content: string, file: string): Configuration {
  const malformed = (reason: string): CliError => new CliError("CONFIG_MALFORMED", { cause: `${file}: ${reason}` });
  try {
    const json = parseJson(content);
    const unknown = Object.keys(Object(json)).find((it) => !FIELDS.includes(it));
    if (unknown !== undefined) throw malformed(`there is no field ${unknown}. Credentials are never stored there.`);
    const { networks, testNetworks = [], ...rest } = configuration(json);
    const { profiles, problems } = parseNetworks(networks);
    const [problem] = problems;
    if (isChainError(problem) && problem.code === "SETTING_MALFORMED") throw malformed(fieldProblem(problem.details));
    return { ...rest, networks: profiles, testNetworks };
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
