import type { TrackedTransaction } from "@finality/client/tracking";
import { counted } from "@finality/tron/format";
import { type Address, parseAddress, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { calledByProgram } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument, readAs } from "../../host/commands/command-arguments.ts";
import { setContext } from "../../host/commands/commands.ts";
import { confirmInStatusBar } from "../../host/prompts/notify.ts";
import { quickPick, searchPick } from "../../host/prompts/quick-input.ts";
import { type Grouping, groupingBy, groupings, groupingText } from "./groupings.view.ts";
import type { FactContext } from "./transaction-facts.view.ts";
import {
  type FilterKind,
  type FilterPart,
  filterKinds,
  filterText,
  narrowed,
  partText,
  type TransactionFilter,
  TransactionMatcher,
} from "./transaction-filter.view.ts";
import { GROUPING, type TransactionsTree } from "./transactions-tree.ts";

interface ArrangementServices {
  readonly tree: Pick<TransactionsTree, "arrange" | "groups">;
  readonly list: () => readonly TrackedTransaction[];
  readonly facts: FactContext;
  /** Resolves when functions have their names, or after a short time. */
  readonly namesReady: () => Promise<void>;
  /** Returns the address with this name. */
  readonly addressOf: (name: string) => Address | undefined;
  /** State of the workspace. */
  readonly state: Pick<vscode.Memento, "get" | "update">;
  /** Shows the filter beside the title of the view; undefined if there is none. */
  readonly describe: (text: string | undefined) => void;
}

/** Number of transactions that the list shows after a command. */
interface ShownNumber {
  readonly shown: number;
}

/** Grouping and filter of the list. The grouping is stored for each workspace; the filter ends with the window. */
export class Arrangement {
  readonly #services: ArrangementServices;
  readonly #matcher: TransactionMatcher;
  #filter: TransactionFilter = [];

  constructor(services: ArrangementServices) {
    this.#services = services;
    this.#matcher = new TransactionMatcher(services.facts);
  }

  /**
   * Groups by a property, which the user chooses if the argument has none. A program changes this window alone. Returns
   * undefined if the user cancels.
   */
  async group({ by }: CommandArguments["finality.groupTransactions"]): Promise<{ readonly by: Grouping } | undefined> {
    const grouping = by === undefined ? await this.#askGrouping() : groupings.find((it) => it === by);
    if (grouping === undefined && by !== undefined)
      throw malformedArgument("by", t`write one of ${groupings.join(", ")}`);
    if (grouping === undefined) return undefined;
    if (!calledByProgram()) await this.#services.state.update(GROUPING, grouping === "state" ? undefined : grouping);
    this.#services.tree.arrange({ group: groupingBy(grouping, this.#services.facts) });
    return { by: grouping };
  }

  /**
   * Shows only matching transactions. Conditions in the argument replace the filter; without any, the user adds one.
   * Returns undefined if the user cancels.
   *
   * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
   */
  async filter(argument: CommandArguments["finality.filterTransactions"]): Promise<ShownNumber | undefined> {
    await this.#services.namesReady();
    this.#matcher.forget();
    const given = filterKinds.flatMap((kind) => this.#partsIn(kind, argument[kind]));
    if (given.length > 0) return this.#show(given);
    const chosen = await this.#ask();
    if (chosen === undefined) return undefined;
    return this.#show(chosen === "none" ? [] : narrowed(this.#filter, chosen));
  }

  /** Shows all transactions again. */
  clear(): ShownNumber {
    confirmInStatusBar(this.#filter.length === 0 ? t`The list has no filter` : t`All transactions are shown`);
    return this.#show([]);
  }

  /** Call when names, notes or networks changed. */
  refresh(): void {
    this.#matcher.forget();
    if (this.#filter.length > 0) this.#show(this.#filter);
  }

  #show(filter: TransactionFilter): ShownNumber {
    const { tree, facts, describe } = this.#services;
    this.#filter = filter;
    const text = filterText(filter, facts);
    const matches = (it: TrackedTransaction): boolean => this.#matcher.matches(it, filter);
    tree.arrange({ filter: filter.length === 0 ? "none" : { text, matches } });
    setContext("finality.transactionsFiltered", filter.length > 0);
    describe(filter.length === 0 ? undefined : text);
    return { shown: tree.groups.reduce((sum, { transactions }) => sum + transactions.length, 0) };
  }

  #partsIn(kind: FilterKind, value: string | undefined): readonly FilterPart[] {
    if (value === undefined || value.trim() === "") return [];
    if (kind === "tag") return [{ kind, value: `#${value.trim().toLowerCase().replace(/^#/, "")}` }];
    if (kind !== "account" && kind !== "contract") return [{ kind, value: value.trim() }];
    return [{ kind, value: readAs(kind, value, (it) => this.#services.addressOf(it) ?? parseAddress(it)) }];
  }

  async #askGrouping(): Promise<Grouping | undefined> {
    const current = this.#services.state.get<unknown>(GROUPING) ?? "state";
    const items = groupings.map((grouping) => ({
      label: groupingText(grouping),
      description: descriptionOf(grouping, grouping === current),
      grouping,
    }));
    return (await quickPick(items, { title: t`Group Transactions`, placeHolder: t`Group by` }))?.grouping;
  }

  async #ask(): Promise<FilterPart | "none" | undefined> {
    const all = this.#services.list().filter(({ hidden }) => !hidden);
    const facets = this.#matcher.facetsOf(all).map(({ part, count }) => this.#item(part, count));
    const clear = { label: t`$(close) Clear Filter`, description: filterText(this.#filter, this.#services.facts) };
    const fixed = this.#filter.length === 0 ? [] : [{ ...clear, part: "none" as const }];
    const picked = await searchPick(
      (typed) => {
        if (typed.trim() === "") return [...fixed, ...facets];
        const part = { kind: "text", value: typed.trim() } as const;
        const count = all.filter((it) => this.#matcher.matches(it, [part])).length;
        const search = { ...this.#item(part, count), label: t`$(search) Search for ${visibleLine(typed.trim(), 60)}` };
        const lower = typed.trim().toLowerCase();
        return [search, ...facets.filter(({ label }) => label.toLowerCase().includes(lower))];
      },
      {
        title: t`Filter Transactions`,
        placeholder: t`Type an address, txID, label, function, memo, note or tag, or choose a condition`,
        none: t`The list has no transaction yet.`,
      },
    );
    return picked?.part;
  }

  #item(part: FilterPart, count: number) {
    return {
      label: partText(part, this.#services.facts),
      description: counted(count, t`transaction`, t`transactions`),
      part,
    };
  }
}

function descriptionOf(grouping: Grouping, isCurrent: boolean): string {
  const what = grouping === "state" ? t`by the action that transactions need` : "";
  return [what, ...(isCurrent ? [t`current`] : [])].filter((it) => it !== "").join(" · ");
}
