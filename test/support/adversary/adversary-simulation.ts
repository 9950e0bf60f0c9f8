import { inspect } from "node:util";
import { decodeLine } from "../../../packages/client/src/journal/journal-codec.ts";
import type { JournalEntry } from "../../../packages/client/src/transaction-state/journal-entry.ts";
import { type AnyChainError, isChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import type { Address } from "../../../packages/tron/src/primitives/address.ts";
import { bytesToHex, type TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { encodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import { printBoundSecret } from "../../../src/host/secrets/secret-store.ts";
import type { FinalityApi } from "../../../src/public/api.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import type { Counts } from "../random/random-run.ts";
import { watchSignatures } from "../simulated-host/cheap-signatures.ts";
import type { HonestChain, Reply } from "../simulated-host/honest-chain.ts";
import type { ChainParts, Extension } from "../simulated-host/load-sources.ts";
import { Machine, mount } from "../simulated-host/machine.ts";
import { contextOf, Editor, mountEditor, type Shown } from "../simulated-host/simulated-editor.ts";
import { mountPort, type PortAnswer, type PortQuestion, watchLog } from "../simulated-host/simulated-services.ts";
import { AdversarialGateway } from "./adversarial-gateway.ts";
import type { GatewayBehavior } from "./behavior.ts";
import { type DecodedEffect, decodeEffect, isSameEffect, type UserRequest, userRequestsOn } from "./user-requests.ts";

/** Gateways behind the networks of a run. */
export type Setup = "alone" | "second" | "first" | "twin" | "solidity";
export const SETUPS: readonly Setup[] = ["alone", "second", "first", "twin", "solidity"];

const ADVERSARY = "http://127.0.0.1:1";
const HONEST = "http://127.0.0.1:2";
const MAIN = "Main";
const SECOND = "Second";

/** Ends a run in which the extension accepted a documented forgery that no second source could refute. */
export class ForgeryAccepted extends Error {}

/** Objects that all runs of a process share. */
export interface Stage {
  readonly extension: Extension;
  readonly parts: ChainParts;
  readonly chain: HonestChain;
  readonly other: HonestChain;
  readonly token: Address;
}

/** One machine with one window of the whole extension, an adversarial gateway and an honest chain. */
export class AdversarySimulation {
  readonly stage: Stage;
  readonly setup: Setup;
  readonly clock = new FakeClock(0);
  readonly adversary: AdversarialGateway;
  readonly userRequests: readonly UserRequest[];
  readonly counts: Counts;
  /** Signed txIDs. */
  readonly signed = new Set<string>();
  /** txIDs that were signed more than once. */
  readonly signedAgain = new Set<string>();
  /** txIDs that were broadcast. */
  readonly sent = new Set<string>();
  /** Every dialog and notification. */
  readonly shown: Shown[] = [];
  readonly confirmed: { readonly txId: string; readonly network: string }[] = [];
  readonly surprises: string[] = [];
  /** Requests that carried the API key without permission. */
  readonly leaks = new Set<string>();
  /** The user request that each journaled transaction fulfils, by txID. */
  readonly requestByTxId = new Map<string, UserRequest | undefined>();
  /** True if bytes were sent after the honest chain showed the execution. */
  wasVisible = false;
  /** Behaviors of the gateway, oldest first. */
  readonly behaviors: GatewayBehavior[] = [];
  readonly #machine: Machine;
  readonly #begin: number;
  readonly #deeds = new Map<string, DecodedEffect>();
  readonly #lines = new Map<string, JournalEntry | undefined>();
  readonly #state = new Map<string, unknown>();
  readonly #secrets = new Map<string, string>();
  readonly #settings: Map<string, unknown>;
  #window: Window | undefined;

  constructor(
    stage: Stage,
    counts: Counts,
    { setup, behavior, seed }: { setup: Setup; behavior: GatewayBehavior; seed: number },
  ) {
    const { chain, other, parts } = stage;
    this.stage = stage;
    this.setup = setup;
    this.counts = counts;
    chain.restoreStart();
    other.restoreStart();
    this.#begin = chain.chain.head.header.number;
    this.clock.jump(chain.chain.head.header.timestamp);
    this.#machine = new Machine(this.clock, {});
    this.adversary = new AdversarialGateway(chain, other, parts, { behavior, seed });
    this.behaviors.push(behavior);
    this.userRequests = userRequestsOn(chain, stage.token);
    this.#settings = new Map<string, unknown>([
      ["finality.networks", networksOf(setup)],
      ["finality.activeNetwork", MAIN],
    ]);
    this.#fillState();
    mount(this.#machine);
    mountPort({ request: (question) => this.#request(question) });
    watchLog((line) => this.#search("the log", line));
    watchSignatures((txId, signer) => {
      if (this.userRequests.every(({ effect }) => effect.owner !== signer)) return;
      if (this.signed.has(txId)) this.signedAgain.add(txId);
      this.signed.add(txId);
    });
  }

  get networks(): readonly string[] {
    return this.setup === "twin" ? [MAIN, SECOND] : [MAIN];
  }

  /** True if the network has an honest URL too. */
  get hasHonestUrl(): boolean {
    return this.setup === "second" || this.setup === "first";
  }

  get hasRefused(): boolean {
    return this.behaviors.some(({ broadcast, noise }) => broadcast.startsWith("refuse") || noise > 0);
  }

  get hasInvented(): boolean {
    return this.behaviors.some(({ invents, noise }) => invents === "failure" || noise > 0);
  }

  /** Changes the behavior of the gateway. */
  changeBehavior(behavior: GatewayBehavior): void {
    this.behaviors.push(behavior);
    this.adversary.changeBehavior(behavior);
  }

  /** Counts an accepted forgery. @throws {ForgeryAccepted} the run ends with it */
  acceptForgery({ name, ends }: { readonly name: string; readonly ends: boolean }): void {
    this.count(`accepted ${name}`);
    if (ends) throw new ForgeryAccepted(name);
  }

  get transactions(): ReturnType<FinalityApi["transactions"]["list"]> {
    return this.#window?.api.transactions.list() ?? [];
  }

  /** Returns the listed transactions that fulfil a request. */
  transactionsFor(userRequest: UserRequest): AdversarySimulation["transactions"] {
    return this.transactions.filter(({ txId }) => this.requestByTxId.get(txId) === userRequest);
  }

  /** Returns the number of executions on the honest chain. */
  executionsOf({ effect }: UserRequest): number {
    const { chain } = this.stage.chain;
    let count = 0;
    for (let height = this.#begin + 1; height <= chain.head.header.number; height++) {
      for (const { transaction, info } of chain.block(height)?.transactions ?? []) {
        if (info?.result === "SUCCESS" && isSameEffect(effect, this.#deedOf(transaction))) count++;
      }
    }
    return count;
  }

  #deedOf({ id, raw }: { readonly id: string; readonly raw: Parameters<typeof encodeRawData>[0] }): DecodedEffect {
    const reading = this.#deeds.get(id) ?? decodeEffect(bytesToHex(encodeRawData(raw)));
    this.#deeds.set(id, reading);
    return reading;
  }

  count(name: string, by = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }

  /** Opens a window, and closes the one before. */
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

  /** Tracks an unknown transaction by the public API, which reads the journal first. */
  async readJournal(): Promise<void> {
    await this.#window?.api.transactions.track("0".repeat(64), { network: MAIN });
  }

  /** Runs a command with complete arguments, as a program does, and counts refusals. */
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
    if (code !== "EQUAL_TRANSACTION_ALIVE" || this.behaviors[0]?.from !== "genesis") return;
    const equal = this.transactions.find(({ txId }) => txId === details.txId);
    if (this.networks.includes(network) && equal !== undefined && equal.network !== network)
      this.count(`posing, stopped on ${network}`);
  }

  /** Returns the journal entries on the disk. */
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

  /** Searches files, settings and state for the API key. */
  searchWhatStays(): void {
    const { folder } = this.#window ?? { folder: "" };
    for (const name of this.#machine.names(folder)) {
      this.#search(`the file ${name}`, this.#machine.find(`${folder}/${name}`)?.bytes.toString("utf8") ?? "");
    }
    this.#search("the settings", this.#settings);
    this.#search("the state", this.#state);
  }

  #search(where: string, what: unknown): void {
    if (containsCanary(what)) this.leaks.add(where);
  }

  /** Cuts the power; unsynced bytes are lost. */
  powerCut(): void {
    this.#machine.powerCut(0);
  }

  close(): void {
    if (this.#window !== undefined) this.#machine.kill(this.#window.id);
    watchSignatures(undefined);
    watchLog(undefined);
  }

  /** Clicks Sign or Send in the review of a request, and dismisses every other dialog. */
  #answer(shown: Shown): string | undefined {
    this.shown.push(shown);
    this.#search("a message", `${shown.title}\n${shown.detail}\n${shown.buttons}`);
    const isConfirmation = shown.modal && !/twice|second time/i.test(shown.title);
    return isConfirmation ? shown.buttons.find((it) => /^(Sign|Send)/.test(it)) : undefined;
  }

  async #request(question: PortQuestion): Promise<PortAnswer> {
    const { path, body, origin } = question;
    const headers = JSON.stringify(question.headers ?? {});
    if (path === BROADCAST) this.#noteBroadcast(JSON.parse(body) as JsonObject);
    this.count(`requested ${path}`);
    if (textHasCanary(headers)) this.count("carried an API key");
    if (textHasCanary(headers) && origin !== ownUrlOf(this.setup)) this.leaks.add(origin ?? "a request");
    this.#search("a body", body);
    const isAdversary = origin === ADVERSARY;
    const reply = isAdversary
      ? await this.adversary.answer(path, body, headers)
      : await this.stage.chain.ask(path, body);
    return answerOf(reply);
  }

  #noteBroadcast({ txID, raw_data_hex }: JsonObject): void {
    this.sent.add(String(txID));
    const reading = decodeEffect(String(raw_data_hex));
    const userRequest = this.userRequests.find(({ effect }) => isSameEffect(effect, reading));
    const known = this.stage.chain.chain.find(String(txID) as TxId) !== undefined;
    if (userRequest !== undefined && !known && this.executionsOf(userRequest) >= Math.max(1, userRequest.allowed))
      this.wasVisible = true;
  }

  #fillState(): void {
    const [first] = this.stage.chain.simulation.accounts;
    if (first === undefined) throw new Error("There is no account.");
    this.#state.set("finality.accounts", [{ address: first.hex, label: "First", watchOnly: false }]);
    this.#secrets.set(`finality.signingKey.${first.hex}`, first.privateKey);
    const url = ownUrlOf(this.setup);
    this.#secrets.set(`finality.apiKey.${MAIN}`, printBoundSecret({ value: storedCanary(url), origins: [url] }));
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
 * The API key of the network Main. It may appear only in headers of requests to the origin that it was
 * entered for.
 */
const CANARY = "canary-0f9d3b7a5c1e";
const IN_HEX = Buffer.from(CANARY).toString("hex");

/** Returns the stored form of the key, bound to an origin. */
function storedCanary(origin: string): string {
  return printBoundSecret({ value: CANARY, origins: [origin] });
}

function textHasCanary(text: string): boolean {
  const found = text.toLowerCase();
  return found.includes(CANARY) || found.includes(IN_HEX);
}

/** Returns true if a value or an error contains the canary at any depth. */
function containsCanary(value: unknown): boolean {
  return textHasCanary(typeof value === "string" ? value : inspect(value, { depth: 8, maxStringLength: null }));
}
