import { readFileSync } from "node:fs";
import { type LocalChain, startLocalChain } from "../../../local-chain/src/main.ts";
import { type Address, parseAddress } from "../../../tron/src/primitives/address.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { BLOCK_INTERVAL_MS, type BlockId } from "../../../tron/src/primitives/block.ts";
import { bytesToHex, type Hex, hex, hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";
import {
  type BuiltTransaction,
  builtFromIntent,
  type SignedTransaction,
} from "../../../tron/src/transaction/built-transaction.ts";
import type { Intent, IntentOf } from "../../../tron/src/transaction/intent.ts";
import { serialisedAbi } from "../../../tron/src/transaction/intent-contract.ts";
import { transactionBytes } from "../../../tron/src/transaction/raw-data-codec.ts";
import { type PrivateKey, signTransactionId } from "../../../tron/src/transaction/signature.ts";

/** Argument of the constructor of Leaf: all of it belongs to the first account. */
const SUPPLY = (1_000_000_000).toString(16).padStart(64, "0");

/** An embedded chain whose blocks are made on request, and transfers of its first account. */
export class CommandChain {
  readonly chain: LocalChain;

  constructor(chain: LocalChain) {
    this.chain = chain;
  }

  static async start(): Promise<CommandChain> {
    const chain = new CommandChain(await startLocalChain({ blockTimeMs: 0, accounts: 2, witnesses: 1 }));
    await chain.post("/local/mine", { blocks: 3 });
    return chain;
  }

  get env(): Readonly<Record<string, string>> {
    return { FINALITY_LOCAL_URL: this.chain.baseUrl };
  }

  address(index: number): Address {
    return parseAddress(this.chain.ready.accounts[index]?.hex ?? "");
  }

  privateKey(index: number): string {
    return this.chain.ready.accounts[index]?.privateKey ?? "";
  }

  async post(path: string, body: JsonObject = {}): Promise<JsonObject> {
    const response = await fetch(this.chain.baseUrl + path, { method: "POST", body: JSON.stringify(body) });
    return (await response.json()) as JsonObject;
  }

  /** Sends a request without a body. */
  async request(method: "GET" | "DELETE", path: string): Promise<JsonObject> {
    return (await (await fetch(this.chain.baseUrl + path, { method })).json()) as JsonObject;
  }

  /** Signs with the key of the first account. */
  sign(intent: Intent, lifetimeMs = 60_000): SignedTransaction & { readonly expiration: number } {
    const { head } = this.chain.simulation.chain;
    const expiration = head.header.timestamp + lifetimeMs;
    const referenceBlock = head.id as BlockId;
    const built = builtFromIntent(intent, { referenceBlock, expiration, timestamp: head.header.timestamp });
    return { ...this.signBytes(built), expiration };
  }

  /** Signs bytes that a gateway built with the key of the first account. */
  signBytes(built: BuiltTransaction): SignedTransaction {
    const signature = signTransactionId(built.txId, hexToBytes(this.privateKey(0)) as PrivateKey);
    return { ...built, signatures: [signature] };
  }

  /** Deploys the token of the samples. Returns its address. */
  async deployLeaf(): Promise<Address> {
    const path = new URL("../../../../samples/build/contracts/Leaf.json", import.meta.url);
    const { abi, bytecode } = JSON.parse(readFileSync(path, "utf8"));
    return await this.deploy("Leaf", hex(bytecode + SUPPLY), abi);
  }

  /** Deploys creation code. Returns the address of the contract. */
  async deploy(name: string, bytecode: Hex, abi: Parameters<typeof serialisedAbi>[0] = []): Promise<Address> {
    const intent = {
      kind: "contract-creation",
      owner: this.address(0),
      name,
      bytecode,
      abi: serialisedAbi(abi),
      callValue: sun(0n),
      feeLimit: sun(1_000_000_000n),
      userPercent: 100n,
      originEnergyLimit: 10_000_000n,
    } as const;
    const signed = this.sign(intent);
    await this.broadcast(signed);
    await this.post("/local/mine", { blocks: 3 });
    const { contract_address: address } = await this.post("/wallet/gettransactioninfobyid", { value: signed.txId });
    return parseAddress(String(address));
  }

  /** Returns a signed transfer of 1 sun that expires after two blocks. */
  transfer(): {
    readonly intent: IntentOf<"transfer">;
    readonly signed: SignedTransaction;
    readonly expiration: number;
  } {
    const intent = { kind: "transfer", owner: this.address(0), to: this.address(1), amount: sun(1n) } as const;
    const { expiration, ...signed } = this.sign(intent, 2 * BLOCK_INTERVAL_MS);
    return { intent, signed, expiration };
  }

  /** Sends signed bytes as any program would. */
  async broadcast({ rawDataHex, signatures }: SignedTransaction): Promise<JsonObject> {
    const bytes = transactionBytes(hexToBytes(rawDataHex), signatures.map(hexToBytes));
    return await this.post("/wallet/broadcasthex", { transaction: bytesToHex(bytes) });
  }

  async close(): Promise<void> {
    await this.chain.close();
  }
}
