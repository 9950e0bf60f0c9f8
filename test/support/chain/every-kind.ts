import assert from "node:assert/strict";
import { keyFor } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { bytesToHex, type Hex, hexToBytes, type TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { type BuiltTransaction, builtFromIntent } from "../../../packages/tron/src/transaction/built-transaction.ts";
import { deployedContractAddress } from "../../../packages/tron/src/transaction/contract-types.ts";
import type { Intent, IntentOf } from "../../../packages/tron/src/transaction/intent.ts";
import { contractFromIntent } from "../../../packages/tron/src/transaction/intent-contract.ts";
import { decodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import {
  addressOfPrivateKey,
  type PrivateKey,
  signTransactionId,
} from "../../../packages/tron/src/transaction/signature.ts";
import { rawDataToJson } from "../../../packages/tron/src/transaction/transaction-json.ts";
import { abiOf, abiToHex, type OwnKind } from "../tracking/intents.ts";
import { DAY_MS, tokenBody } from "./build-and-send.ts";
import type { TestChain } from "./test-chain.ts";

export const COIN = 1_000_000n;
/** As on Mainnet every stake counts for votes. */
export const EVERY_STAKE_VOTES = { getAllowNewResourceModel: 0 };
/** Code that stops at once, and what deploys it. */
const DEPLOYS_STOP = "60006000536001" + "6000f3";
const CYCLES = 3;
const ACTIVE = 2;
/** Id of the first token of a chain. */
const FIRST_TOKEN_ID = "1000001";

/** An account that can send every kind of intent. */
export interface Owner {
  readonly address: Address;
  /** Signers: the owner alone, or all of them. */
  readonly keys: readonly PrivateKey[];
  /** A contract of the owner. */
  readonly contract: Address;
}

interface IntentContext {
  readonly owner: Owner;
  /** Anybody else who exists. */
  readonly other: Address;
  readonly tokenId: string;
  readonly witness: Address;
  /** Operations of an active permission: one bit per contract type. */
  readonly available: Uint8Array;
}

type Body<K extends Intent["kind"]> = Omit<IntentOf<K>, "kind" | "owner" | "permissionId">;

const code = {
  bytecode: DEPLOYS_STOP as Hex,
  abi: abiToHex(abiOf("stop")),
  callValue: sun(0n),
  feeLimit: sun(100n * COIN),
};
const ENERGY = { resource: "ENERGY" as const };

/** One intent of each kind, in an order in which the chain executes all of them. */
const bodies: { readonly [K in OwnKind]: (place: IntentContext) => Body<K> } = {
  transfer: ({ other }) => ({ to: other, amount: sun(COIN) }),
  "token-transfer": ({ other, tokenId }) => ({ to: other, tokenId, amount: 7n }),
  "contract-call": ({ owner }) => ({
    contract: owner.contract,
    data: "c0ffee00" as Hex,
    callValue: sun(0n),
    feeLimit: sun(10n * COIN),
  }),
  "contract-creation": () => ({ ...code, name: "Again", userPercent: 50n, originEnergyLimit: 1_000n }),
  stake: () => ({ ...ENERGY, amount: sun(30n * COIN) }),
  withdraw: () => ({}),
  unstake: () => ({ ...ENERGY, amount: sun(20n * COIN) }),
  "cancel-unstakes": () => ({}),
  delegate: ({ other }) => ({ ...ENERGY, amount: sun(10n * COIN), receiver: other }),
  undelegate: ({ other }) => ({ ...ENERGY, amount: sun(10n * COIN), receiver: other }),
  vote: ({ witness }) => ({ votes: [{ witness, count: 11n }] }),
  "claim-reward": () => ({}),
  "account-creation": ({ owner }) => ({ account: addressOfPrivateKey(keyFor("every kind", `new ${owner.address}`)) }),
  /** No two accounts of this chain have the same one. */
  "account-name": ({ owner }) => ({ name: `größer ${owner.address.slice(-8)}` }),
  "contract-share": ({ owner }) => ({ contract: owner.contract, userPercent: 12n }),
  "contract-limit": ({ owner }) => ({ contract: owner.contract, originEnergyLimit: 5_000n }),
  "contract-abi-removal": ({ owner }) => ({ contract: owner.contract }),
  "permission-update": sharedBy,
};

export const kindsInOrder = Object.keys(bodies) as readonly OwnKind[];

/** An intent of this kind that the owner can have executed when all kinds before it were. */
function executableIntent(kind: OwnKind, place: IntentContext): Intent {
  const { address, keys } = place.owner;
  const intent = { kind, owner: address, ...bodies[kind](place) } as Intent;
  const isShared = keys.length > 1 && has(place.available, contractFromIntent(intent).type);
  return isShared ? { ...intent, permissionId: ACTIVE } : intent;
}

/** Required part of a chain. */
export type KindChain = Pick<TestChain, "simulation" | "accounts" | "ask" | "mine">;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type Sign = (txId: TxId, key: PrivateKey) => Hex;

/** A chain on which so many owners can do everything: with stakes, votes that earned, coins that came back, tokens and a contract. */
export class EveryKind {
  readonly chain: KindChain;
  readonly owners: readonly Owner[];
  readonly #sign: Sign;
  readonly #known: Omit<IntentContext, "owner">;

  private constructor(chain: KindChain, sign: Sign, owners: readonly Owner[], known: Omit<IntentContext, "owner">) {
    this.chain = chain;
    this.#sign = sign;
    this.owners = owners;
    this.#known = known;
  }

  /**
   * @param chain - mines when it is told; its first account is nobody's owner
   * @param signers - how many keys each owner shall have, one owner for each number
   */
  static async prepare(
    chain: KindChain,
    signers: readonly number[],
    sign: Sign = signTransactionId,
  ): Promise<EveryKind> {
    const issuer = singleOwner(chain, 0);
    const { witnesses } = await chain.ask("/wallet/listwitnesses");
    const witness = parseAddress(String((witnesses as readonly JsonObject[])[0]?.address));
    const { available } = chain.simulation.chain.pendingState.totals.operations;
    const known = { other: issuer.address, tokenId: FIRST_TOKEN_ID, witness, available };
    const empty = new EveryKind(chain, sign, [], known);
    await empty.#issueToken(issuer);
    const singles = signers.map((_, index) => singleOwner(chain, index + 1));
    await empty.executeAll(singles.map(({ address }) => [empty.#gift(issuer, address), issuer]));
    return new EveryKind(chain, sign, await empty.#enrich(singles, signers), known);
  }

  async #issueToken({ address, keys }: Owner): Promise<void> {
    const body = { owner_address: address, ...tokenBody(this.chain) };
    await this.#send("a token", await this.chain.ask("/wallet/createassetissue", body), keys);
    this.chain.mine();
  }

  #gift(issuer: Owner, to: Address): Intent {
    return { kind: "token-transfer", owner: issuer.address, to, tokenId: FIRST_TOKEN_ID, amount: 1_000n };
  }

  intentOf(kind: OwnKind, owner: Owner): Intent {
    return executableIntent(kind, { ...this.#known, owner });
  }

  /** Two weeks of stakes, votes and loans: a part is back, and another one on its way; and then the account is shared. */
  async #enrich(singles: readonly Owner[], signers: readonly number[]): Promise<readonly Owner[]> {
    const { witness, other } = this.#known;
    const votes = [{ witness, count: 500n }];
    const stake = { kind: "stake", amount: sun(1_000n * COIN) } as const;
    const unstake = { kind: "unstake", amount: sun(40n * COIN), resource: "BANDWIDTH" } as const;
    const all = (body: DistributiveOmit<Intent, "owner">) =>
      this.executeAll(singles.map((it) => [{ ...body, owner: it.address } as Intent, it]));
    await all({ ...stake, ...ENERGY });
    await all({ ...stake, resource: "BANDWIDTH" });
    await all({ kind: "vote", votes });
    await all({ kind: "delegate", ...ENERGY, amount: sun(25n * COIN), receiver: other });
    await all(unstake);
    this.chain.simulation.chain.warp(7 * DAY_MS);
    await all(unstake);
    const creations = await this.executeAll(singles.map((it) => [this.intentOf("contract-creation", it), it]));
    this.chain.simulation.chain.warp(7 * DAY_MS);
    this.#countVotes();
    const owners = singles.map((owner, index) => ({
      ...owner,
      contract: deployedContractAddress(creations[index] as TxId, owner.address),
      keys: cosigners(owner, signers[index] ?? 1),
    }));
    const shared = owners.filter(({ keys }) => keys.length > 1);
    await this.executeAll(shared.map((it) => [this.#sharing(it), { keys: it.keys.slice(0, 1) }]));
    return owners;
  }

  /** The owner's own key still is enough for it. */
  #sharing(owner: Owner): Intent {
    return { ...this.intentOf("permission-update", owner), permissionId: 0 };
  }

  #countVotes(): void {
    const { chain } = this.chain.simulation;
    const end = chain.pendingState.totals.cycle + CYCLES;
    while (chain.pendingState.totals.cycle < end) this.chain.mine();
  }

  /** The unsigned bytes of an intent, valid for a minute. */
  build(intent: Intent): BuiltTransaction {
    return builtFromIntent(intent, this.validity());
  }

  validity() {
    const { chain } = this.chain.simulation;
    const expiration = chain.head.header.timestamp + 60_000;
    return { referenceBlock: chain.solid.id, expiration, timestamp: chain.buildTime() };
  }

  /** Signs with all keys, sends, mines, and looks that all were executed. */
  async executeAll(all: readonly (readonly [Intent, Pick<Owner, "keys">])[]): Promise<readonly TxId[]> {
    const txIds: TxId[] = [];
    for (const [intent, { keys }] of all) {
      txIds.push(await this.#send(intent.kind, unsignedJson(this.build(intent)), keys));
    }
    this.chain.mine();
    for (const [index, [{ kind }]] of all.entries()) await this.assertDone(kind, txIds[index] as TxId);
    return txIds;
  }

  async #send(what: string, unsigned: JsonObject, keys: readonly PrivateKey[]): Promise<TxId> {
    const txId = String(unsigned.txID) as TxId;
    const signature = keys.map((it) => this.#sign(txId, it));
    const answer = await this.chain.ask("/wallet/broadcasttransaction", { ...unsigned, signature });
    assert.equal(answer.result, true, `${what}: ${Buffer.from(String(answer.message), "hex")}`);
    return txId;
  }

  /** @returns its receipt */
  async assertDone(kind: string, txId: TxId): Promise<JsonObject> {
    const { ret } = await this.chain.ask("/wallet/gettransactionbyid", { value: txId });
    assert.equal((ret as readonly JsonObject[] | undefined)?.[0]?.contractRet, "SUCCESS", kind);
    return await this.chain.ask("/wallet/gettransactioninfobyid", { value: txId });
  }
}

/** As a builder of the node gives it. */
export function unsignedJson({ txId, rawDataHex }: BuiltTransaction): JsonObject {
  const raw_data = rawDataToJson(decodeRawData(hexToBytes(rawDataHex)).raw, false);
  return { visible: false, txID: txId, raw_data, raw_data_hex: rawDataHex };
}

function singleOwner({ accounts }: KindChain, index: number): Owner {
  const account = accounts[index];
  assert.ok(account, `There is no account ${index}.`);
  return { address: account.hex, keys: [hexToBytes(account.privateKey) as PrivateKey], contract: account.hex };
}

function cosigners({ keys, address }: Owner, count: number): readonly PrivateKey[] {
  return [...keys, ...Array.from({ length: count - 1 }, (_, index) => keyFor("every kind", `${address} ${index}`))];
}

/** All keys together may do everything, as owner or with the active permission. */
function sharedBy({ owner: { keys }, available }: IntentContext): Body<"permission-update"> {
  const threshold = BigInt(keys.length);
  const weighted = keys.map((it) => ({ address: addressOfPrivateKey(it), weight: 1n }));
  const operations = bytesToHex(available);
  return {
    ownerPermission: { name: "owner", threshold, keys: weighted },
    activePermissions: [{ name: "all", threshold, keys: weighted, operations }],
  };
}

function has(bits: Uint8Array, type: number): boolean {
  return ((bits[type >> 3] ?? 0) & (1 << (type & 7))) !== 0;
}
