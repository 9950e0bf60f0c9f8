import { randomBytes } from "node:crypto";
import { EVERY_EVENT, type EventFilter, type EventWatch, eventKey, filterOf } from "@finality/client/events";
import { loadDictionary } from "@finality/client/explain";
import { type IncomingEntry, IncomingLedger, IncomingReader } from "@finality/client/incoming";
import { eventJson, eventLabels } from "@finality/client/labels";
import { TransactionTracker } from "@finality/client/tracking";
import { IncomingFile } from "@finality/node/incoming";
import { systemClock as clock } from "@finality/node/system-clock";
import {
  type AbiCandidate,
  type AbiIndex,
  candidateFromJson,
  createAbiIndex,
  joinAbiIndexes,
  keyOf,
  parseSignature,
  readAbi,
  signatureText,
} from "@finality/tron/abi";
import { ChainError, isChainError } from "@finality/tron/errors";
import {
  type Address,
  type BlockReference,
  defined,
  parseAddress,
  toBase58,
  visibleLine,
} from "@finality/tron/primitives";
import { CliError, EXIT, withoutEditorSteps } from "../cli-error.ts";
import type { Context, Invocation, RunCommand } from "../command.ts";
import { readConfiguration } from "../configuration.ts";
import { readCandidates } from "../input.ts";
import { noJournal } from "../journal.ts";
import { type Connection, chooseNetwork, connect } from "../network.ts";
import { timeoutMs } from "../tracking.ts";

/** Blocks whose events are remembered, to report those that the network takes back. */
const REMEMBERED_BLOCKS = 1_000;
/** Number of lines from which the file is rewritten when a command begins. */
const LINES_TO_SHORTEN = 1_000;

/** Prints the events of a contract in solidified blocks, each once. */
export const runEvents: RunCommand = async (invocation, context) => {
  const limit = timeoutMs(invocation);
  const configuration = await readConfiguration(invocation, context.terminal);
  const addressOf = (text: string): Address | undefined => configuration.addresses.get(text);
  const contract = addressArgument(invocation, addressOf);
  const connection = connect(await chooseNetwork(invocation, context.terminal));
  try {
    const candidates = await eventsOf(contract, invocation, { connection, context });
    const filter = filterIn(invocation, candidates, addressOf);
    const abi = joinAbiIndexes(createAbiIndex(candidates), await loadDictionary());
    const stream = await EventStream.open({ contract, filter, abi, invocation, context, connection });
    return await stream.run(limit);
  } finally {
    await connection.close();
  }
};

function addressArgument(
  { positionals: [text = ""] }: Invocation,
  addressOf: (text: string) => Address | undefined,
): Address {
  try {
    return addressOf(text) ?? parseAddress(text);
  } catch (error) {
    if (!isChainError(error)) throw error;
    throw new CliError("USAGE", { cause: `"${visibleLine(text)}" is not a contract: ${error.message}` });
  }
}

interface EventSources {
  readonly connection: Connection;
  readonly context: Context;
}

/** Returns the events of the files of `--abi` and of the ABI on the chain. A gateway without it has none. */
async function eventsOf(
  contract: Address,
  invocation: Invocation,
  { connection, context }: EventSources,
): Promise<readonly AbiCandidate[]> {
  const files = await readCandidates(invocation, context.terminal);
  const deployed = await connection.gateway.deployedContract(contract).catch((error: unknown) => {
    if (isChainError(error)) return undefined;
    throw error;
  });
  const onChain = readAbi(deployed?.abi ?? []) ?? [];
  const all = [...files, ...onChain.flatMap((entry) => candidateFromJson(entry, "ABI on the chain") ?? [])];
  return all.filter(({ kind }) => kind === "event");
}

/** Returns the filter of `--name` and `--argument`. @throws {CliError} `USAGE` */
function filterIn(
  invocation: Invocation,
  candidates: readonly AbiCandidate[],
  addressOf: (text: string) => Address | undefined,
): EventFilter {
  const name = invocation.text("name");
  const required = invocation.texts("argument").map((text) => {
    const at = text.indexOf("=");
    if (at < 1) throw new CliError("USAGE", { cause: `--argument ${visibleLine(text)} is not NAME=VALUE.` });
    return { parameter: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
  });
  if (name === undefined) {
    if (required.length > 0) throw new CliError("USAGE", { cause: "--argument needs the event of --name." });
    return EVERY_EVENT;
  }
  const signature = name.includes("(") ? signatureOf(name) : undefined;
  const fitting = candidates.filter((it) => (signature === undefined ? it.name === name : it.signature === signature));
  const [event] = fitting;
  const signatures = new Set(fitting.map((it) => it.signature));
  if (signatures.size > 1) {
    const cause = `The contract has several events "${name}": ${[...signatures].join(", ")}. Pass the signature.`;
    throw new CliError("USAGE", { cause });
  }
  if (event === undefined) {
    if (signature !== undefined && required.length === 0)
      return { topics: [keyOf({ kind: "event", signature })], data: [], text: signature };
    const names = [...new Set(candidates.map((it) => it.name))].join(", ");
    const cause = `No ABI has the event "${visibleLine(name)}". Events: ${names === "" ? "none" : names}.`;
    throw new CliError("USAGE", { cause, next: "Pass the artifact with --abi." });
  }
  const result = filterOf(event, required, addressOf);
  if (result.ok) return result.filter;
  throw new CliError("USAGE", { cause: `--argument ${visibleLine(result.argument)}: ${result.reason}.` });
}

function signatureOf(text: string): string {
  try {
    return signatureText(parseSignature(text));
  } catch (error) {
    if (!isChainError(error)) throw error;
    throw new CliError("USAGE", { cause: `--name: ${error.message}` });
  }
}

interface StreamOptions extends EventSources {
  readonly contract: Address;
  readonly filter: EventFilter;
  readonly abi: AbiIndex;
  readonly invocation: Invocation;
}

/** Reads blocks for one watch, prints its events, and stores its position. */
class EventStream {
  readonly #options: StreamOptions;
  readonly #file: IncomingFile | undefined;
  readonly #ledger = new IncomingLedger(Infinity);
  /** Keys of the events that were printed and not taken back. */
  readonly #printed = new Set<string>();
  readonly #stop = new AbortController();
  #count = 0;
  #first = 0;
  /** Block at which the command ends; undefined with `--follow`. */
  #end: number | undefined;

  private constructor(options: StreamOptions) {
    const path = options.invocation.text("state");
    this.#options = options;
    this.#file = path === undefined ? undefined : new IncomingFile(options.context.terminal.resolve(path));
  }

  /** Opens the stream at its stored position, or at `--from`. @throws {CliError} `USAGE` */
  static async open(options: StreamOptions): Promise<EventStream> {
    const stream = new EventStream(options);
    await stream.#load();
    return stream;
  }

  /** @param timeout - in ms; 0 for no limit */
  async run(timeout: number) {
    const { contract, connection, context } = this.#options;
    const { gateway, profile } = connection;
    const warned = new Set<string>();
    const reader = new IncomingReader({
      clock,
      isFree: profile.local,
      ledger: () => this.#ledger,
      open: () => this.#ledger.all(),
      recordEntries: async (entries) => {
        await this.#record(entries);
        reader.changed();
      },
      onIssue: (message) => {
        if (message === undefined || warned.has(message)) return;
        warned.add(message);
        context.warn(withoutEditorSteps(message));
      },
    });
    const tracker = new TransactionTracker({
      store: noJournal,
      clock,
      gatewayFor: async () => gateway,
      networkFor: () => profile.name,
      followers: { networks: () => (reader.isWaiting ? [profile.name] : []), on: () => reader },
    });
    const late = timeout === 0 ? [] : [AbortSignal.timeout(timeout)];
    try {
      await tracker.load();
      this.#endIfRead();
      if (!this.#stop.signal.aborted) await tracker.start(AbortSignal.any([this.#stop.signal, ...late]));
    } finally {
      tracker.dispose();
      await this.#file?.close();
    }
    const { number } = this.#status().readTo;
    const isComplete = this.#end === undefined || number >= this.#end;
    const rest = isComplete ? "" : ` The blocks up to ${this.#end} are not read yet.`;
    const range = number < this.#first ? `No new block after ${number}` : `Blocks ${this.#first} to ${number}`;
    return {
      result: {
        contract: toBase58(contract),
        network: profile.name,
        ...{ events: this.#count, from: this.#first, to: number, complete: isComplete },
      },
      text: `${range}: ${this.#count} events.${rest}\n`,
      exitCode: isComplete ? EXIT.ok : EXIT.network,
    };
  }

  async #load(): Promise<void> {
    const { invocation, connection } = this.#options;
    const { entries = [] } = (await this.#file?.readOn()) ?? {};
    this.#ledger.fold(entries);
    const newest = await connection.gateway.solidBlock();
    if (!invocation.isOn("follow")) this.#end = newest.number;
    const [stored] = this.#ledger.eventWatches();
    if (stored === undefined) await this.#begin(newest);
    else await this.#continue(stored.watch);
    this.#first = this.#status().readTo.number + 1;
  }

  async #begin(newest: BlockReference): Promise<void> {
    const { contract, filter, connection } = this.#options;
    const chain = await connection.chain();
    const watch: EventWatch = {
      ...{ id: randomBytes(8).toString("hex"), network: connection.profile.name, contract, filter },
      ...{ after: await this.#blockBefore(newest), at: Math.round(clock.now()) },
      ...defined({ chain }),
    };
    await this.#store([{ kind: "events-begun", watch }]);
  }

  async #continue(watch: EventWatch): Promise<void> {
    const { contract, filter, connection, invocation } = this.#options;
    const file = invocation.text("state");
    const refuse = (cause: string) => new CliError("USAGE", { cause: `${file}: ${cause}`, next: "Use another file." });
    if (invocation.text("from") !== undefined) throw refuse("it has a position already, so --from cannot be used.");
    if (watch.contract !== contract || JSON.stringify(watch.filter) !== JSON.stringify(filter))
      throw refuse(`it has the position of ${toBase58(watch.contract)}, ${watch.filter.text ?? "every event"}.`);
    if (watch.chain !== undefined && watch.chain !== (await connection.chain()))
      throw refuse(`it has the position in another chain than that of ${connection.profile.name}.`);
    for (const { event } of this.#events().filter(({ withdrawn }) => !withdrawn)) this.#printed.add(eventKey(event));
    if (this.#file !== undefined && this.#file.shortenableLines > LINES_TO_SHORTEN) {
      this.#forget();
      await this.#file.replace(this.#ledger.entries());
    }
  }

  /** Returns the block before the first one to read. */
  async #blockBefore(newest: BlockReference): Promise<BlockReference> {
    const { invocation, connection } = this.#options;
    const text = invocation.text("from") ?? String(newest.number);
    const first = Number(text);
    if (!/^\d{1,15}$/.test(text) || first > newest.number + 1) {
      const cause = `--from has to be a block from 1 to ${newest.number}, the newest solidified one.`;
      throw new CliError("USAGE", { cause });
    }
    const before = Math.max(0, first - 1);
    const [block] = before === newest.number ? [newest] : await connection.gateway.solidBlocks(before, before + 1);
    if (block === undefined) throw new ChainError("CHAIN_BLOCK_MISSING", { height: before });
    return { number: block.number, id: block.id, timestamp: block.timestamp };
  }

  /** Prints events before they are stored: after a crash they are printed again, and none is lost. */
  async #record(entries: readonly IncomingEntry[]): Promise<void> {
    for (const entry of entries) {
      for (const event of entry.kind === "read" ? (entry.events ?? []) : []) {
        if (this.#printed.has(eventKey(event))) continue;
        this.#printed.add(eventKey(event));
        this.#count++;
        this.#print({ event, withdrawn: false });
      }
    }
    await this.#store(entries);
    if (entries.some(({ kind }) => kind === "forked")) {
      const gone = this.#events().filter(({ event, withdrawn }) => withdrawn && this.#printed.delete(eventKey(event)));
      for (const found of gone) this.#print(found);
    }
    this.#forget();
    this.#endIfRead();
  }

  async #store(entries: readonly IncomingEntry[]): Promise<void> {
    await this.#file?.append(entries);
    // Lines of its own are in the ledger already.
    await this.#file?.readOn();
    this.#ledger.fold(entries);
  }

  #print(found: Parameters<typeof eventJson>[0]): void {
    const { abi, context } = this.#options;
    const { event, withdrawn } = found;
    const { text } = eventLabels(event, abi);
    const line = `${event.block.number}  ${event.txId}  ${visibleLine(text, 1_000)}${withdrawn ? "  removed" : ""}`;
    context.output("event", eventJson(found, abi), line);
  }

  #forget(): void {
    const height = this.#status().readTo.number - REMEMBERED_BLOCKS;
    this.#ledger.forgetEvents(height);
  }

  #endIfRead(): void {
    if (this.#end !== undefined && this.#status().readTo.number >= this.#end) this.#stop.abort();
  }

  #events() {
    return this.#ledger.eventsOf(this.#status());
  }

  #status() {
    const [status] = this.#ledger.eventWatches();
    if (status === undefined) throw new Error("The watch was recorded a moment ago and is not there.");
    return status;
  }
}
