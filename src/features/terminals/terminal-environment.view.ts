import type { NetworkProfile } from "@finality/client/gateway";
import { type Address, toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** An account by the name that the user gave it. */
interface NamedAddress {
  readonly label: string;
  readonly address: Address;
}

/** Upper bound, because some systems limit the size of an environment. */
const MOST_ADDRESSES = 100;

/**
 * Returns the environment variables of a terminal or a test run: URL and name of a network, and addresses of accounts.
 * There is no key, token or password in it. `CHAIN_URL` is the local chain only, so that tests never reach another
 * network by it.
 */
export function chainEnvironment(
  { name, baseUrl, local }: Pick<NetworkProfile, "name" | "baseUrl" | "local">,
  accounts: readonly NamedAddress[],
): Readonly<Record<string, string>> {
  const variables: Record<string, string> = { FINALITY_NETWORK: name, FINALITY_URL: baseUrl };
  if (local) Object.assign(variables, { FINALITY_LOCAL_URL: baseUrl, CHAIN_URL: baseUrl });
  for (const [index, { label, address }] of accounts.slice(0, MOST_ADDRESSES).entries()) {
    const word = label
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, "_")
      .replace(/^_+|_+$/g, "");
    const variable = `FINALITY_ADDRESS_${word}`;
    variables[word === "" || variable in variables ? `FINALITY_ADDRESS_${index + 1}` : variable] = toBase58(address);
  }
  return variables;
}

/** Returns the first line of the terminal: the network, and the names of the variables. */
export function terminalMessage(variables: Readonly<Record<string, string>>): string {
  const { FINALITY_NETWORK = "", FINALITY_URL = "" } = variables;
  return visibleLine(
    t`${FINALITY_NETWORK}, ${FINALITY_URL}. Variables: ${Object.keys(variables).join(", ")}`,
    LONGEST_MESSAGE,
  );
}

const LONGEST_MESSAGE = 2_000;
