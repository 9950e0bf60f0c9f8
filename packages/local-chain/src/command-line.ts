import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { defined, isJsonObject, parseJson, parseTxId, type TxId } from "@finality/tron/primitives";
import { NODE_VERSIONS, type NodeVersion } from "./chain/parameters.ts";
import type { NodeSettings } from "./node/simulated-node.ts";
import { MAX_LEASE_MS } from "./simulation/lifetime.ts";
import type { BlockInterval, LocalChainOptions, LogEntry } from "./simulation/simulation.ts";

export type CommandLine =
  | { readonly kind: "help"; readonly text: string }
  | ({ readonly kind: "record"; readonly url: string; readonly file: string } & NetworkFlags)
  | ({ readonly kind: "replay"; readonly file: string; readonly txId: TxId } & NetworkFlags)
  | ({ readonly kind: "start"; readonly options: LocalChainOptions } & ProcessFlags);

interface NetworkFlags {
  /** The parent process sends the requests to the network. */
  readonly isFromParent: boolean;
}

/** Flags of the process. */
interface ProcessFlags {
  readonly exitWithParent: boolean;
  /** The first line of standard input is the secret of the chain. */
  readonly readsProof: boolean;
}

const HELP = `Usage: local-chain [flags]
  --port N               port on 127.0.0.1; 0 takes a free one (default 0)
  --host ADDRESS         address to listen on (default 127.0.0.1); any other than loopback needs --allow-remote
  --allow-remote         whoever reaches that address controls the chain and reads its keys
  --block-time MS        real time between blocks (default 3000); 0 or "manual": only POST /local/mine makes blocks;
                         "instant": each transaction has a block at once, and those that solidify it
  --min-block-gap MS     least chain time between blocks (default 1000)
  --witnesses N          block producers that take turns (default 5)
  --accounts N           accounts with 10,000 coins (default 10)
  --tre                  imitate TronBox's runtime environment, for Hardhat and TronBox projects: port 9090, blocks at once,
                         one witness, accounts of public keys, and the values below
  --chain-id N           chain id, decimal or with 0x (with --tre 0xc845df2f)
  --energy-fee SUN       price of one energy (with --tre 100)
  --accounts-file FILE   JSON list of private keys in hex: the accounts of the chain
  --mnemonic WORDS       the accounts' keys come from these words, at m/44'/60'/0'/0
  --lenient-rpc          JSON-RPC takes what other development nodes take (on with --tre)
  --json-logs            a JSON line on standard output for each request
  --like-mainnet         a stake brings what it brings on Mainnet, and permissions name the same contract types
  --node-version V       version of java-tron, 4.8.0 or 4.8.2 (default 4.8.0, with --like-mainnet 4.8.2)
  --fork URL             start at the head of a network, and read its code, storage and accounts when they are needed
  --record-call FILE     with --fork: store what a call reads, and end; the first line of standard input is its raw_data (hex)
  --replay-call FILE     replay a failed transaction on a record, print the trace as JSON, and end; with --transaction TXID
  --network-from-parent  with these two: the parent process sends the requests to the network, over an IPC channel
  --seed TEXT            same seed and same requests, same chain
  --data FOLDER          keep the chain in this folder, and go on with the one that is there
  --parameters FILE      JSON object of chain parameters by their getchainparameters names
  --api-key KEY          requests need this key  (--api-key-header NAME, default CHAIN-PRO-API-KEY)
  --jwt-public-key FILE  requests need a token; with --jwt-kid ID and --audience AUD
  --no-estimate-energy   estimateenergy is off
  --no-constant-calls    triggerconstantcontract and estimateenergy are off
  --no-peers             broadcasts are refused, as by a node without connections
  --transaction-cache    the node remembers txIDs before it checks anything
  --max-pending N        with more transactions than this in the pool, broadcasts are refused (default 2000)
  --max-unsolidified N   with this many blocks above the solidified one, broadcasts are refused; 0 for never (default 0)
  --lease MS             end this long after the last POST /local/lease; 0 for never (default 0)
  --proof-from-input     the first line of standard input is the secret of the ready line (32 bytes in hex)
  --exit-with-parent     end when standard input closes
`;

const flags = {
  port: { type: "string" },
  host: { type: "string" },
  "allow-remote": { type: "boolean" },
  "block-time": { type: "string" },
  "min-block-gap": { type: "string" },
  tre: { type: "boolean" },
  "chain-id": { type: "string" },
  "energy-fee": { type: "string" },
  "accounts-file": { type: "string" },
  mnemonic: { type: "string" },
  "lenient-rpc": { type: "boolean" },
  "json-logs": { type: "boolean" },
  witnesses: { type: "string" },
  accounts: { type: "string" },
  "like-mainnet": { type: "boolean" },
  "node-version": { type: "string" },
  fork: { type: "string" },
  "record-call": { type: "string" },
  "replay-call": { type: "string" },
  transaction: { type: "string" },
  "network-from-parent": { type: "boolean" },
  seed: { type: "string" },
  data: { type: "string" },
  parameters: { type: "string" },
  "api-key": { type: "string" },
  "api-key-header": { type: "string" },
  "jwt-public-key": { type: "string" },
  "jwt-kid": { type: "string" },
  audience: { type: "string" },
  "no-estimate-energy": { type: "boolean" },
  "no-constant-calls": { type: "boolean" },
  "no-peers": { type: "boolean" },
  "transaction-cache": { type: "boolean" },
  "max-pending": { type: "string" },
  "max-unsolidified": { type: "string" },
  lease: { type: "string" },
  "proof-from-input": { type: "boolean" },
  "exit-with-parent": { type: "boolean" },
  help: { type: "boolean" },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof flags }>>["values"];

/** @throws {Error} an unknown flag, or a value that does not fit */
export async function readCommandLine(args: readonly string[]): Promise<CommandLine> {
  const { values } = parseArgs({ args: [...args], options: flags, strict: true });
  if (values.help === true) return { kind: "help", text: HELP };
  const { fork, transaction, "record-call": record, "replay-call": replay } = values;
  const isFromParent = values["network-from-parent"] === true;
  if (record !== undefined) {
    if (fork === undefined) throw new Error("--record-call needs --fork URL.");
    return { kind: "record", url: fork, file: record, isFromParent };
  }
  if (replay !== undefined) {
    const txId = parseTxId(transaction ?? "");
    if (txId === undefined) throw new Error("--replay-call needs --transaction TXID.");
    return { kind: "replay", file: replay, txId, isFromParent };
  }
  return {
    kind: "start",
    options: await toOptions(values),
    exitWithParent: values["exit-with-parent"] === true,
    readsProof: values["proof-from-input"] === true,
  };
}

async function toOptions(values: Values): Promise<LocalChainOptions> {
  const jwt = await readJwt(values);
  return {
    ...defined({
      port: integer("port", values.port, [0, 65_535]),
      host: values.host,
      allowRemote: values["allow-remote"],
      blockTimeMs: readBlockInterval(values["block-time"]),
      minBlockGapMs: integer("min-block-gap", values["min-block-gap"], [1, 86_400_000]),
      tre: values.tre,
      chainId: integer("chain-id", values["chain-id"], [0, 0xffff_ffff]),
      energyFee: integer("energy-fee", values["energy-fee"], [0, 1_000_000]),
      privateKeys: await readKeys(values["accounts-file"]),
      mnemonic: values.mnemonic,
      lenientRpc: values["lenient-rpc"],
      log: values["json-logs"] === true ? printEntry : undefined,
      witnesses: integer("witnesses", values.witnesses, [1, 127]),
      accounts: integer("accounts", values.accounts, [0, 10_000]),
      likeMainnet: values["like-mainnet"],
      nodeVersion: readNodeVersion(values["node-version"]),
      fork: values.fork,
      seed: values.seed,
      data: values.data,
      leaseMs: integer("lease", values.lease, [0, MAX_LEASE_MS]),
      parameters: await readParameters(values.parameters),
      apiKey: values["api-key"],
      apiKeyHeader: values["api-key-header"],
      jwt,
    }),
    node: readNode(values),
  };
}

function readNodeVersion(text: string | undefined): NodeVersion | undefined {
  const version = NODE_VERSIONS.find((it) => it === text);
  if (version === undefined && text !== undefined) {
    throw new Error(`--node-version has to be ${NODE_VERSIONS.join(" or ")}, not "${text}".`);
  }
  return version;
}

function readBlockInterval(text: string | undefined): BlockInterval | undefined {
  if (text === "instant") return text;
  return integer("block-time", text === "manual" ? "0" : text, [0, 86_400_000]);
}

function integer(flag: string, text: string | undefined, [min, max]: readonly [number, number]): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`--${flag} has to be an integer from ${min} to ${max}, not "${text}".`);
}

const MOST = 1_000_000;

function readNode(values: Values): Partial<NodeSettings> {
  return {
    ...(values["no-estimate-energy"] === true && { estimateEnergy: false }),
    ...(values["no-constant-calls"] === true && { constantCalls: false }),
    ...(values["no-peers"] === true && { peers: false }),
    ...(values["transaction-cache"] === true && { transactionCache: true }),
    ...defined({
      maxPending: integer("max-pending", values["max-pending"], [0, MOST]),
      maxUnsolidified: integer("max-unsolidified", values["max-unsolidified"], [0, MOST]),
    }),
  };
}

async function readParameters(file: string | undefined): Promise<{ [name: string]: unknown } | undefined> {
  if (file === undefined) return undefined;
  const json = parseJson(await readFile(file, "utf8"));
  if (!isJsonObject(json)) throw new Error(`${file} has to hold a JSON object of chain parameters.`);
  return { ...json };
}

async function readKeys(file: string | undefined): Promise<readonly string[] | undefined> {
  if (file === undefined) return undefined;
  const keys = parseJson(await readFile(file, "utf8"));
  if (!Array.isArray(keys)) throw new Error(`${file} has to hold a JSON list of private keys.`);
  return keys.map(String);
}

function printEntry(entry: LogEntry): void {
  process.stdout.write(`${JSON.stringify(entry)}\n`);
}

async function readJwt(values: Values): Promise<LocalChainOptions["jwt"]> {
  const file = values["jwt-public-key"];
  if (file === undefined) return undefined;
  const { "jwt-kid": kid, audience } = values;
  if (kid === undefined || audience === undefined) throw new Error("--jwt-public-key needs --jwt-kid and --audience.");
  return { publicKey: await readFile(file, "utf8"), kid, audience };
}
