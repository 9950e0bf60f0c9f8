import { createHash } from "node:crypto";

/** Transaction of a solidified block, as a node reports it. */
export interface BlockTransaction {
  readonly txId: string;
  readonly rawDataHex: string;
  readonly succeeded: boolean;
}

/** Row as the database or file has it. Addresses are hex with the prefix 41. */
export interface PaymentRow {
  readonly run: string;
  readonly row: number;
  readonly key: string;
  readonly owner: string;
  readonly to: string;
  readonly amount: bigint;
  /** TxIDs of its attempts. */
  readonly attempts: readonly string[];
}

/** Findings of the checker; empty lists if each row was executed exactly once. */
export interface RunCheck {
  /** Number of executed rows. */
  readonly executed: number;
  /** Keys that the chain executed more than once, in rows of any run. */
  readonly twice: readonly string[];
  /** Rows without an execution. */
  readonly lost: readonly string[];
  /** Transactions of an owner in a block that no row has as an attempt. */
  readonly unknown: readonly string[];
  /** Attempts in a block that pay something else than their row, or whose txID is not the hash of their bytes. */
  readonly different: readonly string[];
}

/**
 * Compares the transactions of all solidified blocks with the rows of the store. It reads nothing else and shares no code
 * with the client: neither the journal nor a state of a transaction is believed.
 */
export function checkRun(transactions: Iterable<BlockTransaction>, rows: Iterable<PaymentRow>): RunCheck {
  const rowOf = new Map<string, PaymentRow>();
  const owners = new Set<string>();
  const executions = new Map<string, string[]>();
  const all = [...rows];
  for (const row of all) {
    owners.add(row.owner);
    executions.set(nameOf(row), []);
    for (const txId of row.attempts) rowOf.set(txId, row);
  }
  const [unknown, different]: [string[], string[]] = [[], []];
  for (const { txId, rawDataHex, succeeded } of transactions) {
    if (!succeeded) continue;
    const payment = readPayment(rawDataHex);
    if (payment === undefined || !owners.has(payment.owner)) continue;
    const row = rowOf.get(txId);
    if (row === undefined) unknown.push(txId);
    else {
      executions.get(nameOf(row))?.push(txId);
      const isSame = row.owner === payment.owner && row.to === payment.to && row.amount === payment.amount;
      if (!isSame || sha256(rawDataHex) !== txId) different.push(txId);
    }
  }
  const keys = Map.groupBy(all, ({ owner, key }) => `${owner} ${key}`);
  const timesOf = (same: readonly PaymentRow[]): number =>
    same.reduce((sum, row) => sum + (executions.get(nameOf(row))?.length ?? 0), 0);
  return {
    executed: all.filter((row) => (executions.get(nameOf(row))?.length ?? 0) > 0).length,
    twice: [...keys].flatMap(([key, same]) => (timesOf(same) > 1 ? [key] : [])),
    lost: all.map(nameOf).filter((name) => executions.get(name)?.length === 0),
    unknown,
    different,
  };
}

function nameOf({ run, row }: PaymentRow): string {
  return `${run} ${row}`;
}

function sha256(hex: string): string {
  return createHash("sha256").update(Buffer.from(hex, "hex")).digest("hex");
}

/** Numbers of the fields of `Transaction.raw`, `Contract`, `Any` and `TransferContract`. */
const EXPIRATION = 8;
const CONTRACT = 11;
const PARAMETER = 2;
const VALUE = 2;
const [OWNER, TO, AMOUNT] = [1, 2, 3];

/** Returns the coin transfer in the bytes of `raw_data`; undefined for another contract. */
function readPayment(rawDataHex: string): { owner: string; to: string; amount: bigint } | undefined {
  const contract = fieldsOf(Buffer.from(rawDataHex, "hex")).bytes.get(CONTRACT);
  const parameter = contract && fieldsOf(contract).bytes.get(PARAMETER);
  if (parameter === undefined || !parameter.includes("TransferContract")) return undefined;
  const value = fieldsOf(parameter).bytes.get(VALUE);
  if (value === undefined) return undefined;
  const { bytes, numbers } = fieldsOf(value);
  const [owner, to] = [OWNER, TO].map((it) => bytes.get(it)?.toString("hex"));
  return owner === undefined || to === undefined ? undefined : { owner, to, amount: numbers.get(AMOUNT) ?? 0n };
}

/** Returns the expiration in the bytes of `raw_data`; chain time, Unix ms, 0 without one. */
export function readExpiration(rawDataHex: string): number {
  return Number(fieldsOf(Buffer.from(rawDataHex, "hex")).numbers.get(EXPIRATION) ?? 0n);
}

/** Reads the fields of a protobuf message that have a length or are numbers. */
function fieldsOf(message: Buffer): { bytes: Map<number, Buffer>; numbers: Map<number, bigint> } {
  const [bytes, numbers] = [new Map<number, Buffer>(), new Map<number, bigint>()];
  let at = 0;
  const number = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(number());
    if ((tag & 7) === 0) numbers.set(tag >> 3, number());
    else {
      const length = Number(number());
      bytes.set(tag >> 3, message.subarray(at, at + length));
      at += length;
    }
  }
  return { bytes, numbers };
}
