import assert from "node:assert/strict";
import type { LocalChain } from "../../../packages/local-chain/src/main.ts";
import { parseAddress, toBase58 } from "../../../packages/tron/src/primitives/address.ts";
import { hexToBytes, type TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import {
  addressOfPrivateKey,
  type PrivateKey,
  signTransactionId,
} from "../../../packages/tron/src/transaction/signature.ts";
import { textAsHex } from "./build-and-send.ts";

/** A transaction as solidified blocks have it. */
interface Executed {
  readonly txId: string;
  /** Base58. */
  readonly owner: string;
  /** The contract type. */
  readonly type: string;
  readonly signatures: number;
  /** Sun that its owner paid beside what it moves. */
  readonly fee: number;
}

interface BlockJson {
  readonly block_header: { readonly raw_data: { readonly number?: number; readonly timestamp?: number } };
  readonly transactions?: readonly {
    readonly txID: string;
    readonly signature?: readonly string[];
    readonly raw_data: {
      readonly contract: readonly [
        { readonly type: string; readonly parameter: { readonly value: { readonly owner_address: string } } },
      ];
    };
  }[];
}

interface Keys {
  readonly privateKeys: readonly string[];
  readonly more: readonly { readonly privateKeys: readonly string[] }[];
}

/** After so many blocks nothing can take back what is in the newest one. */
const UNTIL_SOLID = 6;
const BLOCKS_A_REQUEST = 100;
const DAY_MS = 86_400_000;

/** Access to the editor's chain beside the editor. */
export class ChainBeside {
  readonly baseUrl: string;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  async ask<T = JsonObject>(path: string, body: object = {}): Promise<T> {
    const answer = await fetch(`${this.baseUrl}/${path}`, { method: "POST", body: JSON.stringify(body) });
    return (await answer.json()) as T;
  }

  /** An account as solidified blocks leave it. @param address - base58 */
  account<T = { readonly balance?: number }>(address: string): Promise<T> {
    return this.ask<T>("walletsolidity/getaccount", { address, visible: true });
  }

  async balance(address: string): Promise<number> {
    return (await this.account(address)).balance ?? 0;
  }

  /** Returns the balance of a TRC-10 token in smallest units. */
  async units(address: string, tokenId: string): Promise<number> {
    interface Tokens {
      readonly assetV2?: readonly { readonly key: string; readonly value: number }[];
    }
    return (await this.account<Tokens>(address)).assetV2?.find(({ key }) => key === tokenId)?.value ?? 0;
  }

  async solidHeight(): Promise<number> {
    return (await this.ask<BlockJson>("walletsolidity/getnowblock")).block_header.raw_data.number ?? 0;
  }

  /**
   * Makes what came before final. Then asserts that the solidified coins of accounts change by exactly this, and by the fees in the receipts of what they
   * sent meanwhile.
   *
   * @param changes - sun by address, without fees
   * @param work - is over when all that it sent is solidified
   * @returns what was executed meanwhile, in the order of the blocks
   */
  async settles(changes: Readonly<Record<string, number>>, work: () => PromiseLike<unknown>): Promise<Executed[]> {
    await this.ask("local/mine", { blocks: UNTIL_SOLID });
    const from = await this.solidHeight();
    const addresses = Object.keys(changes);
    const before = await Promise.all(addresses.map((it) => this.balance(it)));
    await work();
    const after = await Promise.all(addresses.map((it) => this.balance(it)));
    const executed = await this.executedSince(from);
    assert.notEqual(executed.length, 0, "no transaction was executed");
    for (const [index, address] of addresses.entries()) {
      const moved = (after[index] ?? 0) - (before[index] ?? 0);
      assert.equal(moved, (changes[address] ?? 0) - feesOf(executed, address), `the coins of ${address}`);
    }
    return executed;
  }

  /** All transactions of the solidified blocks above this height. */
  async executedSince(height: number): Promise<Executed[]> {
    const end = (await this.solidHeight()) + 1;
    const executed: Executed[] = [];
    for (let at = height + 1; at < end; at += BLOCKS_A_REQUEST) {
      const range = { startNum: at, endNum: Math.min(end, at + BLOCKS_A_REQUEST), visible: true };
      const { block = [] } = await this.ask<{ block?: BlockJson[] }>("walletsolidity/getblockbylimitnext", range);
      for (const { txID, signature = [], raw_data } of block.flatMap(({ transactions = [] }) => transactions)) {
        const [{ type, parameter }] = raw_data.contract;
        const info = await this.ask<{ fee?: number }>("walletsolidity/gettransactioninfobyid", { value: txID });
        const owner = parameter.value.owner_address;
        executed.push({ txId: txID, owner, type, signatures: signature.length, fee: info.fee ?? 0 });
      }
    }
    return executed;
  }

  /** Restores a snapshot: later transactions are in no block. */
  async forgets<T>(work: () => PromiseLike<T>): Promise<T> {
    await this.ask("local/faults", [{ name: "solidification-stopped", count: 10_000 }]);
    await this.ask("local/snapshot", { id: "before" });
    const result = await work();
    await this.ask("local/restore", { id: "before" });
    await this.ask("local/faults", []);
    return result;
  }

  /** Creates a funded account whose key no editor has. */
  async stranger(coins: number): Promise<PrivateKey> {
    await fetch(`${this.baseUrl}/admin/temporary-accounts-generation?accounts=1&defaultBalance=${coins}`);
    const { more } = await this.#keys();
    return hexToBytes(more.at(-1)?.privateKeys[0] ?? assert.fail("no account was made")) as PrivateKey;
  }

  /** Returns whether the account exists in solidified state. @param address - base58 */
  async exists(address: string): Promise<boolean> {
    return (await this.account<{ address?: string }>(address)).address === address;
  }

  /** Deploys a contract. @returns its address, base58 */
  async deployed(by: PrivateKey, code: object): Promise<string> {
    const limits = { fee_limit: 100_000_000, origin_energy_limit: 1_000, call_value: 0 };
    const { contract_address: address } = await this.done(by, "deploycontract", { ...limits, ...code });
    return toBase58(parseAddress(String(address)));
  }

  /** Has the node build a transaction, signs it, sends it, and makes a block with it. @returns what the node built */
  async done(by: PrivateKey, path: string, body: object): Promise<JsonObject> {
    const unsigned = await this.ask(`wallet/${path}`, { owner_address: addressOfPrivateKey(by), ...body });
    assert.equal(unsigned.Error, undefined);
    await this.#sent(by, unsigned);
    return unsigned;
  }

  /** Calls a contract, and makes a block with the call. @param contract - base58 @param data - hex without 0x */
  async called(by: PrivateKey, contract: string, data: string): Promise<void> {
    const call = { owner_address: addressOfPrivateKey(by), contract_address: parseAddress(contract), data };
    const body = { ...call, fee_limit: 100_000_000, call_value: 0 };
    const { transaction } = await this.ask<{ transaction: JsonObject }>("wallet/triggersmartcontract", body);
    await this.#sent(by, transaction);
  }

  async #sent(by: PrivateKey, unsigned: JsonObject): Promise<void> {
    const signature = [signTransactionId(String(unsigned.txID) as TxId, by)];
    const { result } = await this.ask("wallet/broadcasttransaction", { ...unsigned, signature });
    assert.equal(result, true);
    await this.ask("local/mine", { blocks: 1 });
  }

  /** Issues a TRC-10 token from another account, and sends some of it to an account. @returns its number */
  async giveToken(to: string, units: number): Promise<string> {
    const issuer = await this.stranger(2_000);
    const { block_header: head } = await this.ask<BlockJson>("wallet/getnowblock");
    const start_time = (head.raw_data.timestamp ?? 0) + DAY_MS;
    const token = { name: textAsHex("TeaLeaf"), abbr: textAsHex("TEA"), url: textAsHex("http://tea.invalid") };
    const sale = { total_supply: 1_000_000, trx_num: 1, num: 1, start_time, end_time: start_time + DAY_MS };
    await this.done(issuer, "createassetissue", { ...token, ...sale, precision: 2 });
    const { asset_issued_ID: asset } = await this.ask("wallet/getaccount", { address: addressOfPrivateKey(issuer) });
    const tokenId = String(asset);
    await this.done(issuer, "transferasset", {
      to_address: parseAddress(to),
      asset_name: textAsHex(tokenId),
      amount: units,
    });
    return tokenId;
  }

  /** The key of an account that the chain made for people. */
  async keyAt(index: number): Promise<PrivateKey> {
    const { privateKeys } = await this.#keys();
    return hexToBytes(privateKeys[index] ?? assert.fail(`there is no account ${index}`)) as PrivateKey;
  }

  async #keys(): Promise<Keys> {
    return (await (await fetch(`${this.baseUrl}/admin/accounts-json`)).json()) as Keys;
  }
}

function feesOf(executed: readonly Executed[], owner: string): number {
  return executed.filter((it) => it.owner === owner).reduce((sum, { fee }) => sum + fee, 0);
}

/** Asks a chain that serves HTTP. */
export async function askOf<T = JsonObject>({ baseUrl }: LocalChain, path: string, body: object): Promise<T> {
  const answer = await fetch(`${baseUrl}/${path}`, { method: "POST", body: JSON.stringify(body) });
  return (await answer.json()) as T;
}

/** Has the node build a transaction, signs it by one of the chain's accounts, sends it, and makes a block with it. */
export async function doneBy(chain: LocalChain, by: number, path: string, body: object): Promise<void> {
  const { hex: owner_address, privateKey } = chain.ready.accounts[by] ?? assert.fail(`there is no account ${by}`);
  const unsigned = await askOf(chain, `wallet/${path}`, { owner_address, ...body });
  assert.equal(unsigned.Error, undefined);
  const signature = [signTransactionId(String(unsigned.txID) as TxId, hexToBytes(privateKey) as PrivateKey)];
  const { result } = await askOf(chain, "wallet/broadcasttransaction", { ...unsigned, signature });
  assert.equal(result, true);
  await askOf(chain, "local/mine", { blocks: 1 });
}
