import { coinSymbolOf, isSameChain, type NetworkProfile } from "@finality/client/gateway";
import {
  type RunFile,
  type RunReview,
  readRunFile,
  reviewRun,
  type ValidatedRun,
  validateRun,
} from "@finality/client/runs";
import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { whileWorking } from "../../host/prompts/notify.ts";
import type { SigningAccount } from "../../host/secrets/signing-keys.ts";
import { RUN_CONCURRENCY } from "../../sending/run-executions.ts";
import { tokenAt } from "../../sending/token-at.ts";
import type { RunParts } from "./services.ts";

/** File, network and account of a review. */
export interface RunChoice {
  readonly uri: vscode.Uri;
  readonly network: NetworkProfile;
  readonly account: Pick<SigningAccount, "address" | "label">;
}

/** A validated run with its review. */
export interface ReviewedRun {
  readonly run: ValidatedRun;
  readonly review: RunReview;
}

/** Returns the name of a file, without its folder. */
export function fileNameOf(uri: vscode.Uri): string {
  return uri.path.split("/").at(-1) ?? "";
}

/** Recipients that are queried; the cost counts the others as new accounts. */
const QUERIES = 500;
/** Reads and validates run files. Sends no transaction. */
export class RunReviewer {
  readonly #services: RunParts;
  readonly #reviewed: (uri: vscode.Uri, run: ValidatedRun) => Promise<void>;

  /** @param reviewed - called with each validated run and its file */
  constructor(services: RunParts, reviewed: (uri: vscode.Uri, run: ValidatedRun) => Promise<void>) {
    this.#services = services;
    this.#reviewed = reviewed;
  }

  /** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` if the file has unsaved changes, and the errors of the gateway */
  async review(choice: RunChoice): Promise<ReviewedRun> {
    return await this.validate(choice, await this.read(choice));
  }

  /** Reads the file. @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` if it has unsaved changes */
  async read({ uri, network }: RunChoice): Promise<RunFile> {
    const unsaved = vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri.toString() && it.isDirty);
    if (unsaved !== undefined) {
      const reason = t`${fileNameOf(uri)} has unsaved changes. Save it first`;
      throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "file", reason });
    }
    const coinSymbol = coinSymbolOf(network.baseUrl);
    return readRunFile(await vscode.workspace.fs.readFile(uri), { name: fileNameOf(uri), coinSymbol });
  }

  /** Validates the rows of a file, and reviews the whole run. @throws {ChainError} the errors of the gateway */
  async validate(choice: RunChoice, file: RunFile): Promise<ReviewedRun> {
    const { uri, network, account } = choice;
    const run = await whileWorking(t`Validating the run`, (signal) => this.#validate(choice, file, signal));
    await this.#reviewed(uri, run);
    const nameOf = this.#services.keys.nameOf.bind(this.#services.keys);
    const names = { symbol: coinSymbolOf(network.baseUrl), nameOf, file: fileNameOf(uri) };
    const context = { network, owner: account.address, concurrency: RUN_CONCURRENCY, ...names };
    return { run, review: reviewRun(run, context) };
  }

  async #validate({ network, account }: RunChoice, file: RunFile, signal: AbortSignal): Promise<ValidatedRun> {
    const { transactions, chains, gateways, keys, knownNames, runs } = this.#services;
    const [gateway, here, { store }] = await Promise.all([
      gateways.for(network),
      chains.networkRefOf(network),
      runs.open(),
      transactions.ready(),
    ]);
    const history = transactions
      .list()
      .flatMap((it) => (it.signed !== undefined && isSameChain(it, here) ? [it.signed.intent] : []));
    const caller = { name: account.label, address: account.address };
    return await validateRun(file, {
      owner: account.address,
      gateway,
      tokenAt: (contract) => tokenAt({ services: { chains, gateways }, network, gateway }, contract),
      calls: { ...NO_CONTRACTS, caller },
      history,
      named: [...keys.list(), ...knownNames.list()].map(({ address }) => address),
      earlier: { store, chain: here.chain },
      queries: QUERIES,
      signal,
      progress: () => undefined,
    });
  }
}

/** The editor reviews tables of payments, which call no contract by name. */
const NO_CONTRACTS = {
  contractsNamed: () => [],
  contractsAt: () => [],
  contractsWith: () => [],
  addressOf: () => undefined,
  answer: () => undefined,
};
