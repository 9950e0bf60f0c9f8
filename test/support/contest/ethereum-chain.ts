import { arch, platform } from "node:os";
import { join } from "node:path";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { request as askAlone } from "undici";
import { DEVELOPMENT_MNEMONIC, keysOfMnemonic } from "../../../packages/local-chain/src/simulation/development-keys.ts";
import { bytesToHex, hexToBytes } from "../../../packages/tron/src/primitives/bytes.ts";
import { generatePrivateKey } from "../../../packages/tron/src/transaction/signature.ts";
import {
  balanceData,
  ChainProcess,
  type ChainProgram,
  type Contestant,
  deal,
  type Kind,
  SENDERS,
  type Sender,
  sendSideBySide,
  tokenBytecode,
  transferData,
} from "./contestant.ts";

const peers = join(import.meta.dirname, "../../../scripts/peers");
const GAS_PRICE = 100_000_000_000n;
const SUPPLY = 10n ** 15n;
const question = { path: "/", body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}' };

/** Program of a peer with funded keys, which makes a block for each transaction, as all peers do by default. */
type PeerProgram = (keys: readonly string[]) => ChainProgram & {
  /** Method that answers when the transaction is in a block; `eth_sendRawTransaction` by default. */
  readonly send?: string;
};

export const ganache: PeerProgram = (keys) => ({
  args: (port) => [
    "node_modules/ganache/dist/node/cli.js",
    "--port",
    String(port),
    "--logging.quiet",
    ...keys.flatMap((key) => ["--wallet.accounts", `${key},0x${(10n ** 22n).toString(16)}`]),
  ],
  cwd: peers,
  question,
});

export const hardhat: PeerProgram = (keys) => ({
  args: (port) => ["node_modules/hardhat/dist/src/cli.js", "node", "--hostname", "127.0.0.1", "--port", String(port)],
  cwd: peers,
  env: { BENCH_KEYS: keys.join(",") },
  question,
});

/** The native binary of this machine. It funds the accounts of the development mnemonic by itself. */
export const anvil: PeerProgram = () => ({
  program: `node_modules/@foundry-rs/anvil-${platform()}-${arch() === "x64" ? "amd64" : arch()}/bin/anvil`,
  args: (port) => ["--port", String(port), "--silent"],
  cwd: peers,
  question,
  // It answers the usual method before there is a block.
  send: "eth_sendRawTransactionSync",
});

/** Starts a peer and puts the token on it. */
export async function startPeer(name: string, program: PeerProgram): Promise<Contestant> {
  const keys = keysOfMnemonic(DEVELOPMENT_MNEMONIC, SENDERS);
  const { send = "eth_sendRawTransaction", ...command } = program(keys.map((key) => `0x${bytesToHex(key)}`));
  const peer = new EthereumChain(name, await ChainProcess.start(command), keys, send);
  await peer.prepare();
  return peer;
}

class EthereumChain implements Contestant {
  readonly name: string;
  readonly #chain: ChainProcess;
  readonly #keys: readonly Uint8Array[];
  readonly #nonces = new Map<number, bigint>();
  readonly #receiver = bytesToHex(ethereumAddress(generatePrivateKey()));
  readonly #send: string;
  #chainId = 0n;
  #token: Uint8Array = new Uint8Array();

  constructor(name: string, chain: ChainProcess, keys: readonly Uint8Array[], send: string) {
    this.name = name;
    this.#chain = chain;
    this.#keys = keys;
    this.#send = send;
  }

  get firstAnswerMs(): number {
    return this.#chain.firstAnswerMs;
  }

  get memory(): number {
    return this.#chain.memory;
  }

  get cpuMs(): number {
    return this.#chain.cpuMs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chain[Symbol.asyncDispose]();
  }

  async prepare(): Promise<void> {
    this.#chainId = BigInt(await this.#ask("eth_chainId"));
    const creation = this.#signed(0, new Uint8Array(), tokenBytecode(SUPPLY));
    const hash = keccak_256(hexToBytes(creation.slice(2)));
    await this.#ask(this.#send, creation);
    const { contractAddress } = await this.#ask<{ contractAddress: string }>(
      "eth_getTransactionReceipt",
      `0x${bytesToHex(hash)}`,
    );
    this.#token = hexToBytes(contractAddress.slice(2));
    for (const holder of [this.#receiver, ...this.#keys.slice(1).map((key) => bytesToHex(ethereumAddress(key)))]) {
      const share = SUPPLY / BigInt(2 * SENDERS);
      await this.#ask(this.#send, this.#signed(0, this.#token, hexToBytes(transferData(holder, share))));
    }
    await this.#ask(this.#send, this.#signed(0, hexToBytes(this.#receiver), new Uint8Array(), 1n));
  }

  sign(kind: Kind, count: number): readonly Sender[] {
    const data = hexToBytes(transferData(this.#receiver, 1n));
    return deal(count, (sender) => {
      const raw =
        kind === "coins"
          ? this.#signed(sender, hexToBytes(this.#receiver), new Uint8Array(), 1n)
          : this.#signed(sender, this.#token, data);
      return { path: "/", body: request(this.#send, [raw]), success: '"result":' };
    });
  }

  send(senders: readonly Sender[]): Promise<number> {
    return sendSideBySide(this.#chain.url, senders);
  }

  async height(): Promise<number> {
    return Number(await this.#ask("eth_blockNumber"));
  }

  async received(kind: Kind): Promise<bigint> {
    const call = { to: `0x${bytesToHex(this.#token)}`, data: `0x${balanceData(this.#receiver)}` };
    if (kind === "tokens") return BigInt(await this.#ask("eth_call", call, "latest"));
    return BigInt(await this.#ask("eth_getBalance", `0x${this.#receiver}`, "latest"));
  }

  #signed(sender: number, to: Uint8Array, data: Uint8Array, value = 0n): string {
    const key = this.#keys[sender];
    if (key === undefined) throw new RangeError(`There is no sender ${sender}.`);
    const nonce = this.#nonces.get(sender) ?? 0n;
    this.#nonces.set(sender, nonce + 1n);
    const gasLimit = to.length === 0 ? 3_000_000n : 100_000n;
    return signEthereum({ nonce, gasPrice: GAS_PRICE, gasLimit, to, value, data }, this.#chainId, key);
  }

  async #ask<Result = string>(method: string, ...params: readonly unknown[]): Promise<Result> {
    const headers = { "content-type": "application/json" };
    const question = { method: "POST", body: request(method, params), headers, reset: true } as const;
    const { body } = await askAlone(this.#chain.url, question);
    const { result, error } = (await body.json()) as { result: Result; error?: unknown };
    if (error !== undefined) throw new Error(`${this.name}, ${method}: ${JSON.stringify(error)}`);
    return result;
  }
}

function request(method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}

interface EthereumTransaction {
  readonly nonce: bigint;
  readonly gasPrice: bigint;
  readonly gasLimit: bigint;
  /** Empty for a new contract. */
  readonly to: Uint8Array;
  readonly value: bigint;
  readonly data: Uint8Array;
}

/** A legacy transaction, signed for one chain (EIP-155), as hex. */
function signEthereum(transaction: EthereumTransaction, chainId: bigint, key: Uint8Array): string {
  const { nonce, gasPrice, gasLimit, to, value, data } = transaction;
  const fields = [bytesOf(nonce), bytesOf(gasPrice), bytesOf(gasLimit), to, bytesOf(value), data];
  const empty = new Uint8Array();
  const hash = keccak_256(list([...fields, bytesOf(chainId), empty, empty]));
  const signature = secp256k1.sign(hash, key, { prehash: false, format: "recovered" });
  const [r, s] = [signature.subarray(1, 33), signature.subarray(33)].map((it) => bytesOf(numberOf(it)));
  const v = chainId * 2n + 35n + BigInt(signature[0] ?? 0);
  return `0x${bytesToHex(list([...fields, bytesOf(v), r ?? empty, s ?? empty]))}`;
}

/** The account of a key: 20 bytes. */
function ethereumAddress(key: Uint8Array): Uint8Array {
  return keccak_256(secp256k1.getPublicKey(key, false).subarray(1)).subarray(-20);
}

function list(items: readonly Uint8Array[]): Uint8Array {
  const payload = Buffer.concat(items.map(text));
  return Buffer.concat([prefix(0xc0, payload.length), payload]);
}

function text(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && (bytes[0] ?? 0) < 0x80) return bytes;
  return Buffer.concat([prefix(0x80, bytes.length), bytes]);
}

function prefix(offset: number, length: number): Uint8Array {
  if (length <= 55) return Uint8Array.of(offset + length);
  const digits = bytesOf(BigInt(length));
  return Uint8Array.of(offset + 55 + digits.length, ...digits);
}

function bytesOf(value: bigint): Uint8Array {
  const digits = value === 0n ? "" : value.toString(16);
  return Uint8Array.from(Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex"));
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(bytes)}`);
}
