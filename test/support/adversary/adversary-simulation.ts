import { inspect } from "node:util";
import { decodeLine } from "../../../packages/client/src/journal/journal-codec.ts";
import type { JournalEntry } from "../../../packages/client/src/transaction-state/journal-entry.ts";
import { type AnyChainError, isChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import { bytesToHex, type TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { encodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import { printBoundSecret } from "../../../src/host/secrets/secret-store.ts";
import type { FinalityApi } from "../../../src/public/api.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import type { Counts } from "../random/random-run.ts";
import { watchSignatures } from "../simulated-host/cheap-signatures.ts";
import type { HonestChain, Reply } from "../simulated-host/honest-chain.ts";
import type { PortAnswer, PortQuestion } from "../simulated-host/http-port.ts";
import type { ChainParts, Extension } from "../simulated-host/load-sources.ts";
import { Machine, mount } from "../simulated-host/machine.ts";
import { contextOf, Editor, mountEditor, type Shown } from "../simulated-host/simulated-editor.ts";
import { mountPort, watchLog } from "../simulated-host/simulated-services.ts";
import { AdversarialGateway } from "./adversarial-gateway.ts";
import type { Story } from "./behavior.ts";
import { isSame, type Reading, readDeed, type Wish, wishesOn } from "./user-requests.ts";

/** Gateways behind the networks of a run. */
export type Setup = "alone" | "second" | "first" | "twin" | "solidity";
export const SETUPS: readonly Setup[] = ["alone", "second", "first", "twin", "solidity"];

const ADVERSARY = "http://127.0.0.1:1";
const HONEST = "http://127.0.0.1:2";
const MAIN = "Main";
const SECOND = "Second";

/** Ends a run in which a single gateway was believed and no other could be asked. */
export class Convinced extends Error {}

/** Objects that all runs of a process share. */
export interface Stage {
  readonly extension: Extension;
  readonly parts: ChainParts;
  readonly chain: HonestChain;
  readonly other: HonestChain;
}

/** One computer, one window with the whole extension, a gateway that lies, and the chain that it lies about. */
export class AdversarySimulation {
  readonly stage: Stage;
  readonly setup: Setup;
  readonly clock = new FakeClock(0);
  readonly adversary: AdversarialGateway;
  readonly wishes: readonly Wish[];
  readonly counts: Counts;
  /** The txIDs that a key signed. */
  readonly signed = new Set<string>();
  /** Those that were signed once more. */
  readonly signedAgain = new Set<string>();
  /** Those whose bytes left. */
  readonly sent = new Set<string>();
  /** Every dialog and notification. */
  readonly shown: Shown[] = [];
  readonly confirmed: { readonly txId: string; readonly network: string }[] = [];
  readonly surprises: string[] = [];
  /** Requests that carried the API key without permission. */
  readonly leaks = new Set<string>();
  /** The wish that each journaled transaction was found to fulfil. */
  readonly judged = new Map<string, Wish | undefined>();
  /** True if bytes were sent although the honest chain showed the execution. */
  wasVisible = false;
  /** Everything that the liar told, the first first. */
  readonly forgedBlocks: Story[] = [];
  readonly #machine: Machine;
  readonly #begin: number;
  readonly #deeds = new Map<string, Reading>();
  readonly #lines = new Map<string, JournalEntry | undefined>();
  readonly #state = new Map<string, unknown>();
  readonly #secrets = new Map<string, string>();
  readonly #settings: Map<string, unknown>;
  #window: Window | undefined;

  constructor(stage: Stage, counts: Counts, { setup, story, seed }: { setup: Setup; story: Story; seed: number }) {
    const { chain, other, parts } = stage;
    this.stage = stage;
    this.setup = setup;
    this.counts = counts;
    chain.begin();
    other.begin();
    this.#begin = chain.chain.head.header.number;
    this.clock.jump(chain.chain.head.header.timestamp);
    this.#machine = new Machine(this.clock, {});
    this.adversary = new AdversarialGateway(chain, other, parts, { story, seed });
    this.forgedBlocks.push(story);
    this.wishes = wishesOn(chain);
    this.#settings = new Map<string, unknown>([
      ["finality.networks", networksOf(setup)],
      ["finality.activeNetwork", MAIN],
    ]);
    this.#fillState();
    mount(this.#machine);
    mountPort({ request: (question) => this.#request(question) });
    watchLog((line) => this.#search("the log", line));
    watchSignatures((txId, signer) => {
      if (this.wishes.every(({ asked }) => asked.owner !== signer)) return;
      if (this.signed.has(txId)) this.signedAgain.add(txId);
      this.signed.add(txId);
    });
  }

  get networks(): readonly string[] {
    return this.setup === "twin" ? [MAIN, SECOND] : [MAIN];
  }

  /** True if an honest URL of the same network can be asked too. */
  get hasHonestUrl(): boolean {
    return this.setup === "second" || this.setup === "first";
  }

  get hasRefused(): boolean {
    return this.forgedBlocks.some(({ broadcast, noise }) => broadcast.startsWith("refuse") || noise > 0);
  }

  get hasInvented(): boolean {
    return this.forgedBlocks.some(({ invents, noise }) => invents === "failure" || noise > 0);
  }

  /** The liar changes its story. */
  tell(story: Story): void {
    this.forgedBlocks.push(story);
    this.adversary.tell(story);
  }

  /** Counts a kind of lie that was believed. @throws {Convinced} what follows from it is another matter */
  trust({ name, ends }: { readonly name: string; readonly ends: boolean }): void {
    this.count(`believed ${name}`);
    if (ends) throw new Convinced(name);
  }

  get transactions(): ReturnType<FinalityApi["transactions"]["list"]> {
    return this.#window?.api.transactions.list() ?? [];
  }

  /** Returns the listed transactions that fulfil a wish. */
  transactionsOf(wish: Wish): AdversarySimulation["transactions"] {
    return this.transactions.filter(({ txId }) => this.judged.get(txId) === wish);
  }

  /** Returns the number of executions on the honest chain. */
  executionsOf({ asked }: Wish): number {
    const { chain } = this.stage.chain;
    let count = 0;
    for (let height = this.#begin + 1; height <= chain.head.header.number; height++) {
      for (const { transaction, info } of chain.block(height)?.transactions ?? []) {
        if (info?.result === "SUCCESS" && isSame(asked, this.#deedOf(transaction))) count++;
      }
    }
    return count;
  }

  #deedOf({ id, raw }: { readonly id: string; readonly raw: Parameters<typeof encodeRawData>[0] }): Reading {
    const reading = this.#deeds.get(id) ?? readDeed(bytesToHex(encodeRawData(raw)));
    this.#deeds.set(id, reading);
    return reading;
  }

  count(name: string, by = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }

  /** The window opens, or another one after it went. */
  async open(): Promise<void> {
    if (this.#window !== undefined) this.#machine.kill(this.#window.id);
    const id = ++windows;
    const folder = this.#machine.open(id);
    const editor = new Editor(this.#settings, (it) => this.#answer(it));
    mountEditor(editor);
    const api = this.stage.extension.activate(contextOf(folder, this.#state, this.#secrets) as never);
    this.#window = { id, folder, editor, api };
    await this.clock.settle();
  }

  /** A command with everything said, as a program calls it; what it refuses is counted. */
  async run(command: string, argument: JsonObject): Promise<unknown> {
    const window = this.#window;
    try {
      const result = await window?.editor.run(command, argument);
      this.#search(`the answer of ${command}`, result);
      return result;
    } catch (error) {
      this.#search(`the error of ${command}`, error);
      if (window !== this.#window) return undefined;
      if (isChainError(error)) this.#countRefusal(error, String(argument.network));
      else this.surprises.push(`${command}: ${error instanceof Error ? error.stack : String(error)}`);
      return undefined;
    }
  }

  #countRefusal({ code, details }: AnyChainError, network: string): void {
    this.count(`refused ${code}`);
    if (code !== "EQUAL_TRANSACTION_ALIVE" || this.forgedBlocks[0]?.from !== "genesis") return;
    const equal = this.transactions.find(({ txId }) => txId === details.txId);
    if (this.networks.includes(network) && equal !== undefined && equal.network !== network)
      this.count(`posing, stopped on ${network}`);
  }

  /** Everything that is on the disk about transactions. */
  journal(): readonly JournalEntry[] {
    const text = this.#machine.find(`${this.#window?.folder}/journal.jsonl`)?.bytes.toString("utf8") ?? "";
    return text.split("\n").flatMap((line) => this.#entryOf(line) ?? []);
  }

  #entryOf(line: string): JournalEntry | undefined {
    if (this.#lines.has(line) || line === "") return this.#lines.get(line);
    const decoded = decodeLine(line);
    const entry = decoded.kind === "entry" ? decoded.entry : undefined;
    this.#lines.set(line, entry);
    return entry;
  }

  /** Looks for the API key in what stays: files, settings and state. */
  searchWhatStays(): void {
    const { folder } = this.#window ?? { folder: "" };
    for (const name of this.#machine.names(folder)) {
      this.#search(`the file ${name}`, this.#machine.find(`${folder}/${name}`)?.bytes.toString("utf8") ?? "");
    }
    this.#search("the settings", this.#settings);
    this.#search("the state", this.#state);
  }

  #search(where: string, what: unknown): void {
    if (tellsCanary(what)) this.leaks.add(where);
  }

  /** The lights go out; nothing that was not synced is left. */
  powerCut(): void {
    this.#machine.powerCut(0);
  }

  close(): void {
    if (this.#window !== undefined) this.#machine.kill(this.#window.id);
    watchSignatures(undefined);
    watchLog(undefined);
  }

  /** A person who reads, and signs or sends what was asked for; every other question is left. */
  #answer(shown: Shown): string | undefined {
    this.shown.push(shown);
    this.#search("a message", `${shown.title}\n${shown.detail}\n${shown.buttons}`);
    const isWanted = shown.modal && !/twice|second time/i.test(shown.title);
    return isWanted ? shown.buttons.find((it) => /^(Sign|Send)/.test(it)) : undefined;
  }

  async #request(question: PortQuestion): Promise<PortAnswer> {
    const { path, body, origin } = question;
    const headers = JSON.stringify(question.headers ?? {});
    if (path === BROADCAST) this.#noteBroadcast(JSON.parse(body) as JsonObject);
    this.count(`asked ${path}`);
    if (holdsCanary(headers)) this.count("carried an API key");
    if (holdsCanary(headers) && origin !== ownUrlOf(this.setup)) this.leaks.add(origin ?? "a request");
    this.#search("a body", body);
    const isAdversary = origin === ADVERSARY;
    const reply = isAdversary
      ? await this.adversary.answer(path, body, headers)
      : await this.stage.chain.ask(path, body);
    return answerOf(reply);
  }

  #noteBroadcast({ txID, raw_data_hex }: JsonObject): void {
    this.sent.add(String(txID));
    const reading = readDeed(String(raw_data_hex));
    const wish = this.wishes.find(({ asked }) => isSame(asked, reading));
    const known = this.stage.chain.chain.find(String(txID) as TxId) !== undefined;
    if (wish !== undefined && !known && this.executionsOf(wish) >= Math.max(1, wish.allowed)) this.wasVisible = true;
  }

  #fillState(): void {
    const [first] = this.stage.chain.simulation.accounts;
    if (first === undefined) throw new Error("There is no account.");
    this.#state.set("finality.accounts", [{ address: first.hex, label: "First", watchOnly: false }]);
    this.#secrets.set(`finality.signingKey.${first.hex}`, first.privateKey);
    const url = ownUrlOf(this.setup);
    this.#secrets.set(`finality.apiKey.${MAIN}`, printBoundSecret({ value: canaryFor(url), origins: [url] }));
  }
}

const BROADCAST = "/wallet/broadcasttransaction";
let windows = 0;

interface Window {
  readonly id: number;
  readonly folder: string;
  readonly editor: Editor;
  readonly api: FinalityApi;
}

/** The URL of the network Main, for which its key was entered. */
function ownUrlOf(setup: Setup): string {
  return setup === "first" || setup === "solidity" ? HONEST : ADVERSARY;
}

function networksOf(setup: Setup): readonly JsonObject[] {
  switch (setup) {
    case "alone":
      return [{ name: MAIN, baseUrl: ADVERSARY }];
    case "second":
      return [{ name: MAIN, baseUrl: ADVERSARY, fallbackUrls: [HONEST] }];
    case "first":
      return [{ name: MAIN, baseUrl: HONEST, fallbackUrls: [ADVERSARY] }];
    case "twin":
      return [
        { name: MAIN, baseUrl: ADVERSARY },
        { name: SECOND, baseUrl: HONEST },
      ];
    case "solidity":
      return [{ name: MAIN, baseUrl: HONEST, solidityBaseUrl: ADVERSARY }];
  }
}

function answerOf({ status, body }: Reply): PortAnswer {
  return { statusCode: status, headers: { "content-type": "application/json" }, body: whole(Buffer.from(body)) };
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * The API key of the network Main. It must never be anywhere but in the headers of requests to the origin that it was
 * entered for.
 */
const CANARY = "canary-0f9d3b7a5c1e";
const IN_HEX = Buffer.from(CANARY).toString("hex");

/** The key as it is stored for this origin. */
function canaryFor(origin: string): string {
  return printBoundSecret({ value: CANARY, origins: [origin] });
}

function holdsCanary(text: string): boolean {
  const found = text.toLowerCase();
  return found.includes(CANARY) || found.includes(IN_HEX);
}

/** Returns true if a value, an error or anything inside of them contains the canary. */
function tellsCanary(value: unknown): boolean {
  return holdsCanary(typeof value === "string" ? value : inspect(value, { depth: 8, maxStringLength: null }));
}
