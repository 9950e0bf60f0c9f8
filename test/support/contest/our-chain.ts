import { join } from "node:path";
import { request } from "undici";
import type { Address } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import type { BlockId } from "../../../packages/tron/src/primitives/block.ts";
import { bytesToHex, type Hex, type TxId, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import { type JsonObject, parseJson, printJson } from "../../../packages/tron/src/primitives/json.ts";
import { rawDataFromIntent } from "../../../packages/tron/src/transaction/built-transaction.ts";
import { deployedContractAddress } from "../../../packages/tron/src/transaction/contract-types.ts";
import type { Intent } from "../../../packages/tron/src/transaction/intent.ts";
import { encodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import {
  addressOfPrivateKey,
  generatePrivateKey,
  type PrivateKey,
  parsePrivateKey,
  signTransactionId,
} from "../../../packages/tron/src/transaction/signature.ts";
import { rawDataToJson } from "../../../packages/tron/src/transaction/transaction-json.ts";
import {
  balanceData,
  ChainProcess,
  type Contestant,
  deal,
  type Kind,
  SENDERS,
  type Sender,
  type Step,
  sendSideBySide,
  tokenBytecode,
  transferData,
} from "./contestant.ts";

/** Name of our second chain. */
export const INSTANT = "Finality, instant";
const root = join(import.meta.dirname, "../../..");
const MINE: Step = { path: "/local/mine", body: "{}", success: '"head"' };
const FEE_LIMIT = sun(1_000_000_000n);
const SUPPLY = 10n ** 15n;
const LIFE_MS = 20 * 3_600_000;
const SHARE = SUPPLY / BigInt(2 * SENDERS);

/** Starts the chain that is shipped, and puts the token on it. It makes blocks when it is told to. */
export function startOurs(): Promise<Contestant> {
  return start("Finality", "manual");
}

/** The same with a block for each transaction, at once, as the peers make them, and with one producer as they have. */
export function startOursInstantly(): Promise<Contestant> {
  return start(INSTANT, "instant", ["--witnesses", "1"]);
}

type BlockTime = "manual" | "instant";

async function start(name: string, blockTime: BlockTime, more: readonly string[] = []): Promise<Contestant> {
  const flags = ["--accounts", String(SENDERS), "--block-time", blockTime, ...more];
  const chain = await ChainProcess.start({
    args: (port) => ["dist/local-chain.js", "--port", String(port), ...flags],
    cwd: root,
    // As `npm run chain` and the extension start it.
    env: { MALLOC_ARENA_MAX: "1" },
    question: { path: "/wallet/getnowblock", body: "{}" },
  });
  const ours = new OurChain(name, chain, blockTime);
  await ours.prepare();
  return ours;
}

export class OurChain implements Contestant {
  readonly name: string;
  readonly #chain: ChainProcess;
  readonly #blockTime: BlockTime;
  readonly #receiver = addressOfPrivateKey(generatePrivateKey());
  #people: readonly { readonly address: Address; readonly key: PrivateKey }[] = [];
  #reference = { referenceBlock: "" as BlockId, expiration: 0, timestamp: 0 };
  #token = this.#receiver;
  #made = 0;

  constructor(name: string, chain: ChainProcess, blockTime: BlockTime) {
    this.name = name;
    this.#chain = chain;
    this.#blockTime = blockTime;
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
    const { accounts } = (await this.#ask("/local/status")) as { accounts: readonly { privateKey: string }[] };
    this.#people = accounts.map(({ privateKey }) => {
      const key = parsePrivateKey(privateKey);
      return { key, address: addressOfPrivateKey(key) };
    });
    await this.send([]);
    await this.#refer();
    const [owner] = this.#people;
    if (owner === undefined) throw new RangeError("There is no sender.");
    const creation = this.#signed({
      kind: "contract-creation",
      owner: owner.address,
      name: "Leaf",
      abi: "" as Hex,
      callValue: sun(0n),
      bytecode: bytesToHex(tokenBytecode(SUPPLY)),
      feeLimit: FEE_LIMIT,
      userPercent: 100n,
      originEnergyLimit: 10_000_000n,
    });
    this.#token = deployedContractAddress(creation.txId, owner.address);
    const shares = [this.#receiver, ...this.#people.slice(1).map(({ address }) => address)].map((holder) =>
      this.#call(owner.address, transferData(holder.slice(2), SHARE)),
    );
    const coin = this.#transfer(owner.address);
    for (const intent of [undefined, ...shares, coin]) {
      await this.send([[intent === undefined ? creation.step : this.#signed(intent).step]]);
    }
  }

  sign(kind: Kind, count: number): readonly Sender[] {
    const data = transferData(this.#receiver.slice(2), 1n);
    return deal(count, (sender) => {
      const owner = this.#people[sender]?.address ?? this.#receiver;
      return this.#signed(kind === "coins" ? this.#transfer(owner) : this.#call(owner, data)).step;
    });
  }

  async send(senders: readonly Sender[], blockEach = false): Promise<number> {
    const all =
      blockEach && this.#blockTime === "manual"
        ? senders.map((sender) => sender.flatMap((step) => [step, MINE]))
        : senders;
    return (await sendSideBySide(this.#chain.url, all)) + (await sendSideBySide(this.#chain.url, [[MINE]]));
  }

  async height(): Promise<number> {
    return Number((await this.#ask("/local/status")).height);
  }

  async received(kind: Kind): Promise<bigint> {
    if (kind === "coins") {
      const { balance } = await this.#ask("/wallet/getaccount", { address: this.#receiver });
      return BigInt(String(balance));
    }
    const { constant_result } = await this.#ask("/wallet/triggerconstantcontract", {
      owner_address: this.#receiver,
      contract_address: this.#token,
      data: balanceData(this.#receiver.slice(2)),
    });
    return BigInt(`0x${(constant_result as readonly string[])[0]}`);
  }

  async #refer(): Promise<void> {
    const { solid, head } = (await this.#ask("/local/status")) as {
      [name: string]: { id: BlockId; timestamp: number };
    };
    if (solid === undefined || head === undefined) throw new TypeError("The chain has no blocks.");
    this.#reference = { referenceBlock: solid.id, timestamp: head.timestamp, expiration: head.timestamp + LIFE_MS };
  }

  #transfer(owner: Address): Intent {
    return { kind: "transfer", owner, to: this.#receiver, amount: sun(1n) };
  }

  #call(owner: Address, data: string): Intent {
    return {
      kind: "contract-call",
      owner,
      contract: this.#token,
      data: data as Hex,
      callValue: sun(0n),
      feeLimit: FEE_LIMIT,
    };
  }

  #signed(intent: Intent): { readonly txId: TxId; readonly step: Step } {
    this.#made += 1;
    const raw = rawDataFromIntent(intent, { ...this.#reference, timestamp: this.#reference.timestamp + this.#made });
    const bytes = encodeRawData(raw);
    const txId = transactionId(bytes);
    const key = this.#people.find(({ address }) => address === intent.owner)?.key;
    if (key === undefined) throw new RangeError("Nobody can sign.");
    const parts = { txID: txId, raw_data: rawDataToJson(raw, false), raw_data_hex: bytesToHex(bytes) };
    const body = printJson({ visible: false, ...parts, signature: [signTransactionId(txId, key)] });
    return { txId, step: { path: "/wallet/broadcasttransaction", body, success: '"result":true' } };
  }

  async #ask(path: string, body?: JsonObject): Promise<JsonObject> {
    const headers = { "content-type": "application/json" };
    const question = body === undefined ? {} : ({ method: "POST", body: printJson(body), headers } as const);
    const answer = await request(`${this.#chain.url}${path}`, { ...question, reset: true });
    return parseJson(await answer.body.text()) as JsonObject;
  }
}
