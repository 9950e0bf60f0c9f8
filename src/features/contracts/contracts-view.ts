import { parseAddress } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCallOfProgram } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument } from "../../host/commands/command-arguments.ts";
import { confirmInStatusBar, whileWorking } from "../../host/prompts/notify.ts";
import type { ReadResult } from "./constant-call.ts";
import { ContractList } from "./contract-list.ts";
import { type ContractNode, ContractsTree } from "./contracts-tree.ts";
import type { ContractServices } from "./services.ts";

interface ViewOptions {
  readonly isVisible: () => boolean;
  /** Called with the elements to draw again, or undefined for all. */
  readonly changed: (nodes: ContractNode[] | undefined) => void;
}

type ValueArgument = CommandArguments["finality.copyValue"];

/** Time in which changes are drawn together, ms. */
const QUIET_MS = 50;

/** The list and the tree of the Contracts view. Loaded when the view is first visible. */
export class ContractsView implements vscode.Disposable {
  readonly #list: ContractList;
  readonly tree: ContractsTree;
  #redraw: NodeJS.Timeout | undefined;

  constructor(services: ContractServices, { isVisible, changed }: ViewOptions) {
    const failed = (message: string, error: unknown): void => services.log.error(message, error);
    this.#list = new ContractList({ services, isVisible, changed: () => this.#changed(), failed });
    this.tree = new ContractsTree(() => this.#list.rows(), changed);
  }

  async load(): Promise<this> {
    await this.#list.load();
    this.tree.refresh();
    return this;
  }

  opened(node: ContractNode): void {
    this.#list.opened(node);
  }

  closed(node: ContractNode): void {
    this.#list.closed(node);
  }

  look(): void {
    this.#list.look();
  }

  /** Reads the expanded contracts again. */
  async refresh(raw: unknown): Promise<void> {
    await whileWorking(t`Reading contracts`, (signal) => this.#list.refresh(signal), "finality.contracts");
    if (!isCallOfProgram(raw)) confirmInStatusBar(t`Contracts read`);
  }

  /** Reads a function without parameters and shows the value in its row. */
  async read({ network = "", contract = "", function: signature = "" }: ContractNode): Promise<ReadResult | undefined> {
    return await this.#list.read({ network, address: parseAddress(contract) }, signature);
  }

  /**
   * Copies the value of a function that its row shows.
   *
   * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` no row shows a value of it
   */
  async copyValue({ network = "", contract, function: signature }: ValueArgument): Promise<string> {
    const key = contract === undefined ? undefined : { network, address: parseAddress(contract) };
    const value = key && this.#list.valueOf(key, signature ?? "");
    if (value === undefined) throw malformedArgument("function", t`the view shows no value of it`);
    await vscode.env.clipboard.writeText(value);
    return value;
  }

  dispose(): void {
    clearTimeout(this.#redraw);
    this.#list.dispose();
  }

  #changed(): void {
    this.#redraw ??= setTimeout(() => {
      this.#redraw = undefined;
      this.tree.refresh();
    }, QUIET_MS);
  }
}
