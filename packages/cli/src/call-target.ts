import type { HttpGateway, NetworkProfile } from "@finality/client/gateway";
import { startLocalChain } from "@finality/local-chain";
import { ACCOUNT_NAMES } from "@finality/node/account-names";
import { UnsignedChain } from "@finality/node/setup-chain";
import { type Address, parseAddress, sun } from "@finality/tron/primitives";
import { addressNamed, type CallFileContent } from "./call-context.ts";
import { CliError } from "./cli-error.ts";
import type { Invocation } from "./command.ts";
import { readConfiguration } from "./configuration.ts";
import { chooseNetwork, connect, embeddedNetwork, isNetworkNamed } from "./network.ts";
import type { Terminal } from "./terminal.ts";

/** Chain on which the calls of files are simulated. */
export interface CallTarget {
  readonly profile: NetworkProfile;
  readonly gateway: HttpGateway;
  /** Executes the setup of call files; undefined for a network, where none is executed. */
  readonly embedded: UnsignedChain | undefined;
  /** Accounts of the embedded chain by their names. */
  readonly accounts: ReadonlyMap<string, Address>;
  close(): Promise<void>;
}

/**
 * Opens the network of `--network`, `--local`, the environment, the first call or the configuration. Without any of
 * them, or with `--embedded`, starts an embedded chain in this process, which is the same at each start.
 *
 * @throws {CliError} as `chooseNetwork`
 */
export async function openTarget(
  invocation: Invocation,
  terminal: Terminal,
  contents: readonly CallFileContent[],
): Promise<CallTarget> {
  const preferred = contents.flatMap(({ calls }) => calls)[0]?.site.network;
  const configuration = await readConfiguration(invocation, terminal);
  if (invocation.isOn("embedded") && (invocation.isOn("local") || invocation.text("network") !== undefined))
    throw new CliError("USAGE", { cause: "Use only one of --network, --local and --embedded." });
  if (invocation.isOn("embedded") || !isNetworkNamed(invocation, terminal, configuration, preferred))
    return await startEmbedded();
  const { profile, gateway, close } = connect(await chooseNetwork(invocation, terminal, preferred));
  return { profile, gateway, embedded: undefined, accounts: new Map(), close };
}

async function startEmbedded(): Promise<CallTarget> {
  const options = { seed: "finality", blockTimeMs: 0, accounts: ACCOUNT_NAMES.length, witnesses: 1 };
  const chain = await startLocalChain({ ...options, likeMainnet: true });
  const { profile, gateway, close } = connect(embeddedNetwork(chain.baseUrl));
  const accounts = chain.ready.accounts.map((it, index) => [ACCOUNT_NAMES[index] ?? "", parseAddress(it.hex)] as const);
  return {
    profile,
    gateway,
    embedded: new UnsignedChain(chain.baseUrl, gateway),
    accounts: new Map(accounts),
    close: async () => {
      await close();
      await chain.close();
    },
  };
}

/** Coins that each address of the configuration gets on the embedded chain. */
const BALANCE = sun(10_000_000_000n);

/** Names of the accounts in the calls of a folder, and the account that calls if a call names none. */
export interface CallAccounts {
  readonly addresses: ReadonlyMap<string, Address>;
  readonly caller: Address | undefined;
}

/**
 * Returns the accounts of the configuration, and those of the embedded chain. The former get coins there.
 *
 * @throws {CliError} `USAGE` for an unknown `--caller`
 */
export async function accountsOn(
  { embedded, accounts }: CallTarget,
  invocation: Invocation,
  terminal: Terminal,
): Promise<CallAccounts> {
  const { addresses: configured } = await readConfiguration(invocation, terminal);
  const addresses = new Map([...accounts, ...configured]);
  for (const address of configured.values()) await embedded?.fund(address, BALANCE);
  const named = invocation.text("caller");
  const [first] = accounts.values();
  return { addresses, caller: named === undefined ? first : addressNamed(named, addresses) };
}
