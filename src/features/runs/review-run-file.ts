import { coinSymbolOf, isSameChain, type NetworkProfile } from "@finality/client/gateway";
import {
  type EarlierRuns,
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
import { tokenAt } from "../../sending/token-at.ts";
import type { RunServices } from "./services.ts";

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

/** Recipients that are queried; the cost counts the others as new accounts. */
const QUERIES = 500;
/** Rows that the command line sends at once. */
const CONCURRENCY = 8;
/** The editor stores no runs yet. */
const NO_RUNS: EarlierRuns = { runs: async () => [], rows: async () => [] };

/** Reads and validates run files. Sends no transaction. */
export class RunReviewer {
  readonly #services: RunServices;

  constructor(services: RunServices) {
    this.#services = services;
  }

  /**
   * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` if the file has unsaved changes, and the errors of the gateway
   */
  async review(choice: RunChoice): Promise<ReviewedRun> {
    const { uri, network, account } = choice;
    const unsaved = vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri.toString() && it.isDirty);
    if (unsaved !== undefined) {
      const reason = t`${uri.path.split("/").at(-1) ?? ""} has unsaved changes. Save it first`;
      throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "file", reason });
    }
    const symbol = coinSymbolOf(network.baseUrl);
    const name = uri.path.split("/").at(-1) ?? "";
    const file = readRunFile(await vscode.workspace.fs.readFile(uri), { name, coinSymbol: symbol });
    const run = await whileWorking(t`Validating the run`, (signal) => this.#validate(choice, file, signal));
    const nameOf = this.#services.keys.nameOf.bind(this.#services.keys);
    const context = { network, symbol, owner: account.address, nameOf, file: name, concurrency: CONCURRENCY };
    return { run, review: reviewRun(run, context) };
  }

  async #validate(
    { network, account }: RunChoice,
    file: ReturnType<typeof readRunFile>,
    signal: AbortSignal,
  ): Promise<ValidatedRun> {
    const { transactions, chains, gateways, keys, knownNames } = this.#services;
    const [gateway, here] = await Promise.all([
      gateways.for(network),
      chains.networkRefOf(network),
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
      earlier: { store: NO_RUNS, chain: here.chain },
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
