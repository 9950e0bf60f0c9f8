import type { MissingValue } from "@finality/client/call-sites";
import { ChainError } from "@finality/tron/errors";
import type { Checked } from "@finality/tron/format";
import { defined, isJsonObject, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type NextStep, notifyWithSteps } from "../../host/commands/show-error.ts";
import {
  type Ask,
  askSteps,
  pickStep,
  quickPick,
  type StepPosition,
  type StepResult,
  textStep,
} from "../../host/prompts/quick-input.ts";
import { checkAnswer } from "./hint.view.ts";
import { CALLER_KEY, type EnergyServices } from "./workspace-context.ts";

const STATE = "finality.energy.answers";

/** Answers of the user about calls of this workspace, stored with the workspace. They contain no secret. */
export class EstimateAnswers implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();

  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get(key: string): string | undefined {
    const answer = this.#all()[key];
    return typeof answer === "string" ? answer : undefined;
  }

  async set(key: string, answer: string): Promise<void> {
    await this.#state.update(STATE, { ...this.#all(), [key]: answer });
    this.#changed.fire();
  }

  /** Maximum number of stored answers. */
  count(): number {
    return Object.keys(this.#all()).length;
  }

  async forgetAll(): Promise<void> {
    await this.#state.update(STATE, undefined);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #all(): { readonly [key: string]: unknown } {
    const stored = this.#state.get<unknown>(STATE);
    return isJsonObject(stored) ? stored : {};
  }
}

/** Prompts for values that the source does not contain, and stores them. Returns false if the user cancels. */
export async function askMissing(answers: EstimateAnswers, missing: readonly MissingValue[]): Promise<boolean> {
  const steps = missing.map(
    (one): Ask<true> =>
      async (_, step) => {
        const result = await ask(one, step);
        if (result.kind !== "value") return result;
        await answers.set(one.key, result.value);
        return { kind: "value", value: true };
      },
  );
  return (await askSteps<true>(t`Estimate Energy`, true, steps)) ?? false;
}

function ask(missing: MissingValue, step: StepPosition): Promise<StepResult<string>> {
  const { question } = missing;
  if (missing.kind === "contract") return askContract(question, missing.names, step);
  const placeholder = missing.kind === "argument" ? exampleOf(missing.type) : t`15000000, or 15 coins`;
  return textStep(step, {
    prompt: t`${question}. The answer is saved in this workspace.`,
    placeholder,
    check: (text) => checked(missing, text.trim()),
  });
}

function checked(missing: MissingValue, value: string): Checked<string> {
  if (value === "") return { kind: "empty" };
  const { fault, understood } = checkAnswer(missing, value);
  if (fault !== undefined) return { kind: "wrong", message: fault };
  return { kind: "good", value, ...defined({ message: understood }) };
}

async function askContract(
  question: string,
  names: readonly string[],
  step: StepPosition,
): Promise<StepResult<string>> {
  const result = await pickStep(step, {
    placeholder: t`${question} Choose one, or type an address. The answer is saved in this workspace.`,
    items: [...new Set(names)].map((label) => ({ label })),
    typed: (text) => (text.trim() === "" || names.includes(text.trim()) ? undefined : { label: text.trim() }),
    mayPick: () => true,
  });
  return result.kind === "value" ? { kind: "value", value: result.value.label } : result;
}

function exampleOf(type: string): string {
  if (type.endsWith("]") || type.startsWith("(")) return t`as JSON, such as ["…", "…"]`;
  if (type === "address") return t`an account's name, or T…`;
  return type.includes("int") ? "1000000" : type;
}

const WAYS_TO_ACCOUNT: readonly NextStep[] = [
  { title: t`Generate Signing Key…`, command: "finality.generateSigningKey" },
  { title: t`Import Signing Key…`, command: "finality.importSigningKey" },
  { title: t`Start Local Chain`, command: "finality.startLocalChain" },
];

/** Chooses the default caller, stored in the workspace. Returns undefined if the user cancels. */
export async function chooseCaller(
  { keys, networks }: Pick<EnergyServices, "keys" | "networks">,
  answers: EstimateAnswers,
  { named, isProgram }: { readonly named: string | undefined; readonly isProgram: boolean },
): Promise<{ readonly account: string } | undefined> {
  const accounts = keys.listActive(networks);
  if (accounts.length === 0) {
    if (isProgram) throw refused(t`there is no account; generate or import a signing key, or start the local chain`);
    void notifyWithSteps("information", t`Choose Caller of Estimates: there is no account yet.`, WAYS_TO_ACCOUNT);
    return undefined;
  }
  const now = answers.get(CALLER_KEY) ?? accounts[0]?.label;
  const items = accounts.map(({ label, address }) => {
    const mark = label === now ? "$(check) " : "";
    return { label: `${mark}${label}`, name: label, description: toBase58(address) };
  });
  const options = { title: t`Caller of Estimates`, placeHolder: t`Which account calls if the source names none?` };
  const picked =
    named === undefined
      ? await quickPick(items, { ...options, matchOnDescription: true })
      : items.find(({ name, description }) => name === named || description === named);
  if (picked === undefined && named !== undefined) throw refused(t`no account is named "${named}"`);
  if (picked === undefined) return undefined;
  await answers.set(CALLER_KEY, picked.name);
  return { account: picked.name };
}

function refused(reason: string): ChainError {
  return new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "account", reason });
}
