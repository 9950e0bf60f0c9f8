import { create } from "@bufbuild/protobuf";
import { decodeAbi, elementaryType, selectorOf } from "@finality/tron/abi";
import {
  type Address,
  addressToBytes,
  foreignText,
  hexToBytes,
  isForeignText,
  type JsonObject,
  jsonInteger,
  rawText,
  toBase58,
} from "@finality/tron/primitives";
import { TriggerSmartContractSchema } from "@finality/tron/schema";
import type { Block } from "../chain/block.ts";
import {
  type ContractLog,
  type IncludedTransaction,
  type InternalTransaction,
  ownerOf,
  validAddress,
} from "../chain/transaction.ts";
import { constantCall } from "../routes/constant-call.ts";
import { printTransaction } from "../routes/print.ts";
import type { View } from "../routes/route.ts";
import type { Row } from "./query.ts";

/** Whose history is wanted, and of it only what comes from there or what goes there. */
export interface Party {
  readonly address: Address;
  readonly onlyFrom: boolean;
  readonly onlyTo: boolean;
}

/** Whether a movement concerns somebody. Both limits together are none, as on the service. */
function concerns({ address, onlyFrom, onlyTo }: Party, from: Address | undefined, to: readonly unknown[]): boolean {
  const [sends, receives] = [from === address, to.includes(address)];
  if (onlyFrom === onlyTo) return sends || receives;
  return onlyFrom ? sends : receives;
}

/** The transactions of a block that somebody sent or that name them, and what contracts moved for them inside. */
export function transactionsOf(block: Block, party: Party, internal: boolean): readonly Row[] {
  return block.transactions.flatMap((included, transaction) => {
    const at = (index: number): Row["place"] => [block.header.number, transaction, index];
    const { contract } = included.transaction;
    const whole = concerns(party, contract && ownerOf(contract), recipientsOf(included))
      ? [{ place: at(0), print: () => printIncluded(included, block) }]
      : [];
    const inside = internal ? (included.info?.outcome?.internal ?? []) : [];
    const moved = inside.flatMap((it, index) =>
      concerns(party, it.from, [it.to])
        ? [{ place: at(index + 1), print: () => printInternal(it, included, block) }]
        : [],
    );
    return [...whole, ...moved];
  });
}

/** Whom a transaction names beside its owner; of a deployment it is the new contract. */
function recipientsOf({ transaction, info }: IncludedTransaction): readonly (Address | undefined)[] {
  const message = transaction.contract?.message as { readonly [field: string]: unknown } | undefined;
  const fields = ["toAddress", "contractAddress", "receiverAddress", "accountAddress"];
  const named = fields.map((it) => message?.[it]).filter((it) => it instanceof Uint8Array);
  return [...named.map(validAddress), info?.outcome?.contractAddress];
}

function printIncluded({ transaction, info }: IncludedTransaction, block: Block): JsonObject {
  const energy = info?.outcome?.energy;
  return {
    ret: [{ contractRet: info?.result ?? "SUCCESS", fee: jsonInteger(info?.fee ?? 0n) }],
    ...printTransaction(transaction, false),
    net_usage: jsonInteger(info?.netUsage ?? 0n),
    net_fee: jsonInteger(info?.netFee ?? 0n),
    energy_usage: jsonInteger(energy?.fromCaller ?? 0n),
    energy_fee: jsonInteger(energy?.fee ?? 0n),
    energy_usage_total: jsonInteger(energy?.total ?? 0n),
    blockNumber: block.header.number,
    block_timestamp: block.header.timestamp,
    internal_transactions: [],
  };
}

function printInternal(moved: InternalTransaction, { transaction }: IncludedTransaction, block: Block): JsonObject {
  const { hash, from, to, value, tokens = [], note, rejected } = moved;
  return {
    internal_tx_id: hash,
    data: {
      note,
      rejected,
      call_value: Object.fromEntries([["_", value] as const, ...tokens].map(([id, it]) => [id, jsonInteger(it)])),
    },
    block_timestamp: block.header.timestamp,
    to_address: to,
    tx_id: transaction.id,
    from_address: from,
  };
}

/** A token's name, sign and digits, as its contract tells them. */
type TokenInfo = JsonObject;

const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const APPROVAL = "8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
const TYPES: { readonly [topic: string]: string } = { [TRANSFER]: "Transfer", [APPROVAL]: "Approval" };

interface TokenMove {
  readonly log: ContractLog;
  readonly type: string;
  readonly from: Address;
  readonly to: Address;
}

/** A log with the form of a token's: two indexed addresses and one word. The ABI on the chain is not asked. */
function tokenMoveOf(log: ContractLog): TokenMove | undefined {
  const [topic = "", from = "", to = "", ...more] = log.topics;
  const type = TYPES[topic];
  if (type === undefined || to === "" || more.length > 0 || log.data.length !== 64) return undefined;
  return { log, type, from: addressOfTopic(from), to: addressOfTopic(to) };
}

function addressOfTopic(topic: string): Address {
  return `41${topic.slice(24)}` as Address;
}

/** Who is asked about tokens: contracts tell their names once for each answer. */
export class Tokens {
  readonly #view: View;
  readonly #known = new Map<Address, TokenInfo>();

  constructor(view: View) {
    this.#view = view;
  }

  /** The movements of tokens in a block. @param token - the only contract that counts */
  movesIn(block: Block, party: Party, token: Address | undefined): readonly Row[] {
    return block.transactions.flatMap((included, transaction) =>
      (included.info?.outcome?.logs ?? []).flatMap((log, index): Row[] => {
        const move = tokenMoveOf(log);
        if (move === undefined || !concerns(party, move.from, [move.to])) return [];
        if (token !== undefined && token !== log.address) return [];
        const place = [block.header.number, transaction, index] as const;
        return [{ place, print: () => this.#print(move, included, block) }];
      }),
    );
  }

  /** What somebody has of each token that ever moved to them. */
  balancesOf(address: Address, blocks: Iterable<Block>): readonly JsonObject[] {
    const contracts = new Set<Address>();
    for (const { transactions } of blocks) {
      const logs = transactions.flatMap(({ info }) => info?.outcome?.logs ?? []);
      for (const log of logs) if (tokenMoveOf(log)?.to === address) contracts.add(log.address);
    }
    const argument = address.slice(2).padStart(64, "0");
    return [...contracts].flatMap((contract) => {
      const balance = this.#ask(contract, "balanceOf(address)", "uint256", argument);
      return balance === undefined || balance === "0" ? [] : [{ [toBase58(contract)]: balance }];
    });
  }

  #print({ log, type, from, to }: TokenMove, { transaction }: IncludedTransaction, block: Block): JsonObject {
    return {
      transaction_id: transaction.id,
      token_info: this.#info(log.address),
      block_timestamp: block.header.timestamp,
      from: toBase58(from),
      to: toBase58(to),
      type,
      value: BigInt(`0x${log.data}`).toString(),
    };
  }

  #info(contract: Address): TokenInfo {
    const known = this.#known.get(contract) ?? {
      symbol: this.#ask(contract, "symbol()", "string") ?? "",
      address: toBase58(contract),
      decimals: Number(this.#ask(contract, "decimals()", "uint256") ?? 0),
      name: this.#ask(contract, "name()", "string") ?? "",
    };
    this.#known.set(contract, known);
    return known;
  }

  /** What a view function says; undefined when there is none or it fails. */
  #ask(contract: Address, signature: string, type: string, argument = ""): string | undefined {
    const view: View = { ...this.#view, settings: { ...this.#view.settings, constantCalls: true } };
    const message = create(TriggerSmartContractSchema, {
      ownerAddress: addressToBytes(contract),
      contractAddress: addressToBytes(contract),
      data: hexToBytes(selectorOf(signature) + argument),
    });
    try {
      const { run } = constantCall(view, { message, permissionId: 0, feeLimit: 0n });
      const [value = ""] = decodeAbi([{ name: foreignText(""), type: elementaryType(type) }], run.output);
      return isForeignText(value) ? rawText(value) : String(value);
    } catch {
      return undefined;
    }
  }
}
