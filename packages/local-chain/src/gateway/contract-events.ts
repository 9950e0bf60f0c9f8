import { type AbiParameter, type AbiValue, decodeAbi, parameterFromJson, topicOf } from "@finality/tron/abi";
import {
  type Hex,
  hexToBytes,
  isForeignText,
  type Json,
  type JsonObject,
  rawText,
  toBase58,
} from "@finality/tron/primitives";
import type { Entry, Param, SmartContract } from "@finality/tron/schema";
import type { Block } from "../chain/block.ts";
import type { ContractLog } from "../chain/transaction.ts";
import type { View } from "../routes/route.ts";
import type { Row } from "./query.ts";

const EVENT = 3;

/** A log that the ABI of its contract has a name for. */
export interface ContractEvent {
  readonly log: ContractLog;
  readonly name: string;
  /** Its number among the logs of its transaction. */
  readonly index: number;
  readonly row: Row;
}

/**
 * The events of a block, in order. As on the service, a log is an event when the ABI that its contract has on the chain
 * names its first topic, and the rest of it decodes.
 */
export function eventsIn(view: View, block: Block): readonly ContractEvent[] {
  return block.transactions.flatMap((_, transaction) => eventsOf(view, block, transaction));
}

/** The events of one transaction, by its number in the block. */
export function eventsOf(view: View, block: Block, transaction: number): readonly ContractEvent[] {
  const logs = block.transactions[transaction]?.info?.outcome?.logs ?? [];
  return logs.flatMap((log, index) => {
    const entry = entryOf(view, log);
    const values = entry && valuesOf(entry, log);
    if (entry === undefined || values === undefined) return [];
    const print = (): JsonObject => printEvent({ view, block, transaction, index, log, entry, values });
    return [{ log, name: entry.name, index, row: { place: [block.header.number, transaction, index], print } }];
  });
}

interface DecodedEvent {
  readonly view: View;
  readonly block: Block;
  readonly transaction: number;
  readonly index: number;
  readonly log: ContractLog;
  readonly entry: Entry;
  readonly values: readonly Json[];
}

function printEvent({ view, block, transaction, index, log, entry, values }: DecodedEvent): JsonObject {
  const { number, timestamp } = block.header;
  const included = block.transactions[transaction];
  const called = included?.info?.outcome?.contractAddress ?? log.address;
  const { inputs } = entry;
  const named = inputs.map(({ name }, at) => [name || String(at), values[at]]);
  return {
    block_number: number,
    block_timestamp: timestamp,
    caller_contract_address: toBase58(called),
    contract_address: toBase58(log.address),
    event_index: index,
    event_name: entry.name,
    result: Object.fromEntries([...values.entries(), ...named]) as JsonObject,
    result_type: Object.fromEntries(inputs.map(({ name, type }, at) => [name || String(at), type])),
    event: `${entry.name}(${inputs.map(parameterText).join(", ")})`,
    transaction_id: included?.transaction.id,
    ...(number > view.solid.header.number && { _unconfirmed: true }),
  };
}

function parameterText({ type, indexed, name }: Param): string {
  return [type, ...(indexed ? ["indexed"] : []), ...(name === "" ? [] : [name])].join(" ");
}

const entriesByTopic = new WeakMap<SmartContract, ReadonlyMap<Hex, Entry>>();

function entryOf(view: View, { address, topics: [topic] }: ContractLog): Entry | undefined {
  const definition = view.state.contract(address)?.definition;
  if (definition === undefined || topic === undefined) return undefined;
  const entries = entriesByTopic.get(definition) ?? eventEntries(definition);
  entriesByTopic.set(definition, entries);
  return entries.get(topic);
}

function eventEntries({ abi }: SmartContract): ReadonlyMap<Hex, Entry> {
  const events = (abi?.entrys ?? []).filter((it) => it.type === EVENT && !it.anonymous);
  return new Map(events.map((it) => [topicOf(`${it.name}(${it.inputs.map(({ type }) => type).join(",")})`), it]));
}

/** What the log says, in the order of the parameters; undefined when it says something else than its ABI. */
function valuesOf({ inputs }: Entry, { topics, data }: ContractLog): readonly Json[] | undefined {
  try {
    const parameters = inputs.map((it) => parameterFromJson(it));
    const [indexed, plain] = [true, false].map((wanted) =>
      parameters.filter((_, at) => inputs[at]?.indexed === wanted),
    );
    const inTopics = (indexed ?? []).map((it, at) => topicValue(it, topics[at + 1] ?? ""));
    const inData = decodeAbi(plain ?? [], hexToBytes(data)).map((it, at) => printValue(it, plain?.[at]));
    return inputs.map((it) => (it.indexed ? inTopics.shift() : inData.shift()) ?? "");
  } catch {
    return undefined;
  }
}

/** Of what has no fixed length a topic holds the hash alone. */
function topicValue(parameter: AbiParameter, topic: string): Json {
  const { kind, dynamic } = parameter.type;
  if (dynamic || kind === "array" || kind === "tuple") return topic;
  return decodeAbi([parameter], hexToBytes(topic)).map((it) => printValue(it, parameter))[0] ?? "";
}

/** As the service prints values: everything is a text, and an address has 0x for its 41. */
function printValue(value: AbiValue, parameter: AbiParameter | undefined): Json {
  if (Array.isArray(value)) return value.map((it: AbiValue) => printValue(it, parameter));
  if (isForeignText(value)) return rawText(value);
  if (typeof value === "object") return "text" in value ? rawText(value.text) : "";
  return typeof value === "string" && isAddress(value, parameter) ? `0x${value.slice(2)}` : String(value);
}

function isAddress(text: string, parameter: AbiParameter | undefined): boolean {
  return parameter?.type.text.startsWith("address") === true && text.length === 42;
}
