import { type BlockId, blockId, isJsonObject, type Json, type JsonObject } from "@finality/tron/primitives";
import { chainParameters, type NodeVersion } from "../chain/parameters.ts";
import type { NetworkClient } from "./network-client.ts";

/** Fork point of a network: its newest block at that time, and its rules. Plain values. */
export interface ForkPoint {
  /** Base URL of the network. */
  readonly url: string;
  readonly block: { readonly number: number; readonly id: BlockId; readonly timestamp: number };
  /** Chain id of the network. */
  readonly chainId: number;
  readonly nodeVersion: NodeVersion;
  /** Chain parameters by their `getchainparameters` names. */
  readonly parameters: { readonly [name: string]: number };
  /** Chain time in ms, 0 if it is unknown. */
  readonly nextMaintenance: number;
  /** Whole coins that are staked on the network. */
  readonly weight: { readonly bandwidth: number; readonly energy: number };
  /** Sentences on what the network did not tell. */
  readonly unknown: readonly string[];
}

/** Parts of a network that a fork never reads, because it has its own. */
export const NOT_READ: readonly string[] = [
  "Witnesses, votes for them and rewards: the fork has its own witnesses.",
  "Proposals, exchanges, orders of the market, and names and ids of accounts.",
  "Delegations: an account has what others delegated to it, without their list.",
  "Blocks and transactions before the fork, except for block ids that code reads.",
];

/**
 * Reads the head and the rules of a network.
 *
 * @throws {Error} no node answers there
 */
export async function readForkPoint(network: NetworkClient): Promise<ForkPoint> {
  const block = positionOf(await network.ask("wallet/getnowblock", {}));
  const genesis = positionOf(await network.ask("wallet/getblockbynum", { num: 0 }));
  const all = parametersIn(await network.ask("wallet/getchainparameters", {}));
  const nodeVersion: NodeVersion = all.getProposalExpireTime === undefined ? "4.8.0" : "4.8.2";
  const unknown: string[] = [];
  /** Returns a value that the fork can do without; its absence is named. */
  const optional = async (what: string, read: () => Promise<number>): Promise<number> =>
    await read().catch((error: unknown) => {
      unknown.push(`${what}: ${error instanceof Error ? error.message : String(error)}.`);
      return 0;
    });
  const nextMaintenance = await optional("Time of the next maintenance", async () =>
    numberIn(await network.ask("wallet/getnextmaintenancetime", {}), "num"),
  );
  await optional("Storage of contracts, which needs JSON-RPC", async () =>
    Number(await network.call("eth_chainId", [])),
  );
  const weight = await readWeight(network, String(block.witness), optional);
  return {
    url: network.url,
    block: { number: block.number, id: block.id, timestamp: block.timestamp },
    chainId: Number.parseInt(genesis.id.slice(-8), 16),
    nodeVersion,
    parameters: knownParameters(all, nodeVersion, unknown),
    nextMaintenance,
    weight,
    unknown,
  };
}

/** Reads what all accounts have staked; any existing account gets it. */
async function readWeight(
  network: NetworkClient,
  account: string,
  optional: (what: string, read: () => Promise<number>) => Promise<number>,
): Promise<ForkPoint["weight"]> {
  let answer: JsonObject = {};
  await optional("Stakes of all accounts, by which a stake gives energy and bandwidth", async () => {
    answer = await network.ask("wallet/getaccountresource", { address: account });
    return 0;
  });
  return { bandwidth: Number(answer.TotalNetWeight ?? 0), energy: Number(answer.TotalEnergyWeight ?? 0) };
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns the base URL in the text of a flag. @throws {Error} no URL of a network */
export function baseUrlIn(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error(`--fork needs a URL, not "${text}".`);
  if (url.protocol !== "https:" && !LOOPBACK.test(url.hostname)) {
    throw new Error("--fork needs https, except for this computer: others could change what the network answers.");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "") {
    throw new Error("--fork needs a URL without credentials and parameters: other programs can read arguments.");
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

interface Position {
  readonly number: number;
  readonly id: BlockId;
  readonly timestamp: number;
  readonly witness: Json | undefined;
}

/** @throws {Error} no block */
function positionOf({ blockID, block_header }: JsonObject): Position {
  const raw = isJsonObject(block_header) && isJsonObject(block_header.raw_data) ? block_header.raw_data : {};
  const { number = 0, timestamp = 0, witness_address: witness } = raw;
  if (typeof blockID !== "string") throw new Error("the network answered without a block");
  return { id: blockId(blockID), number: Number(number), timestamp: Number(timestamp), witness };
}

function parametersIn({ chainParameter }: JsonObject): { readonly [name: string]: number } {
  if (!Array.isArray(chainParameter)) throw new Error("the network answered without chain parameters");
  const entries = chainParameter
    .filter(isJsonObject)
    .map(({ key, value = 0 }) => [String(key), Number(value)] as const);
  return Object.fromEntries(entries);
}

/** Returns the parameters of this chain with the values of the network. Those of only one of both are named. */
function knownParameters(
  all: { readonly [name: string]: number },
  version: NodeVersion,
  unknown: string[],
): { readonly [name: string]: number } {
  const own = chainParameters({}, version);
  const names = Object.keys(own);
  for (const [name, value] of Object.entries(all)) {
    if (value === 0 || names.includes(name)) continue;
    unknown.push(`Effect of the chain parameter ${name}, which this chain does not have.`);
  }
  for (const name of names.filter((it) => !(it in all))) {
    unknown.push(`Chain parameter ${name}: the network does not list it, so it is off or has its usual value.`);
  }
  return Object.fromEntries(
    Object.entries(own).map(([name, value]) => [name, all[name] ?? (name.startsWith("getAllow") ? 0 : value)]),
  );
}

function numberIn(json: JsonObject, name: string): number {
  const value = Number(json[name]);
  if (Number.isSafeInteger(value)) return value;
  throw new Error(`the network answered without ${name}`);
}
