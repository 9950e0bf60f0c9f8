import { type LocalChain, startLocalChain } from "../../../local-chain/src/main.ts";
import { type Address, parseAddress } from "../../../tron/src/primitives/address.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import { BLOCK_INTERVAL_MS, type BlockId } from "../../../tron/src/primitives/block.ts";
import { bytesToHex, hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";
import { builtFromIntent, type SignedTransaction } from "../../../tron/src/transaction/built-transaction.ts";
import type { IntentOf } from "../../../tron/src/transaction/intent.ts";
import { transactionBytes } from "../../../tron/src/transaction/raw-data-codec.ts";
import { type PrivateKey, signTransactionId } from "../../../tron/src/transaction/signature.ts";

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

  /** Returns a signed transfer of 1 sun that expires after two blocks. */
  transfer(): {
    readonly intent: IntentOf<"transfer">;
    readonly signed: SignedTransaction;
    readonly expiration: number;
  } {
    const { head } = this.chain.simulation.chain;
    const intent = { kind: "transfer", owner: this.address(0), to: this.address(1), amount: sun(1n) } as const;
    const expiration = head.header.timestamp + 2 * BLOCK_INTERVAL_MS;
    const referenceBlock = head.id as BlockId;
    const built = builtFromIntent(intent, { referenceBlock, expiration, timestamp: head.header.timestamp });
    const signature = signTransactionId(built.txId, hexToBytes(this.privateKey(0)) as PrivateKey);
    return { intent, signed: { ...built, signatures: [signature] }, expiration };
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
