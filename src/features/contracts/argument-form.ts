import { argumentList } from "@finality/client/explain";
import { coinSymbolOf } from "@finality/client/gateway";
import { type EstimateLabels, likenessOf, objectionsOf } from "@finality/client/labels";
import { type AbiInput, type AbiType, abiEntryOf, type ContractFunction, tryDecode } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { grouped } from "@finality/tron/format";
import {
  type Address,
  defined,
  type Hex,
  hexToBytes,
  nameText,
  rawText,
  toBase58,
  visibleLine,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { showError } from "../../host/commands/show-error.ts";
import { whileWorking } from "../../host/prompts/notify.ts";
import { possibleSigners } from "../../sending/possible-signers.ts";
import { tokenAt } from "../../sending/token-at.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import type {
  FieldChange,
  FieldMessage,
  FormAction,
  FormChoice,
  ArgumentForm as FormContent,
  FormResult,
  FormStatus,
  FormSuggestion,
} from "../../webview-messages/arguments.ts";
import {
  checkExtras,
  describeForm,
  EXTRAS,
  type Extras,
  extrasOf,
  formTitle,
  incompleteStatus,
  messageOf,
  resultRows,
  type ShownForm,
  signerChoice,
} from "./argument-form.view.ts";
import { addressesInForm } from "./contract-arguments.ts";
import {
  type AmountUnit,
  type CheckContext,
  changedAt,
  checkDrafts,
  childTypeOf,
  coinUnit,
  draftOfJson,
  draftOfValue,
  emptyDraft,
  type FieldCheck,
  type FieldDraft,
  fittedDrafts,
  jsonOfDraft,
  typeAt,
} from "./form-fields.ts";
import { chooseStoredCall, nameFavourite, saveCallFile } from "./form-prompts.ts";
import type { FormCommand, FormStorage, StoredCall, StoredDraft } from "./form-storage.ts";
import {
  type CompleteForm,
  digestOf,
  type FormOptions,
  type FormTarget,
  orderOf,
  readForm,
  targetFacts,
  targetFunctions,
  targetName,
  targetText,
} from "./form-target.ts";
import { contractsOn } from "./known-contracts.ts";
import { type CodeOrder, estimateOrder, sendCode } from "./send-code.ts";
import { type ContractContext, contextOn } from "./services.ts";

/** Values that the caller of a command gave. They replace those of a stored draft. */
export interface GivenValues {
  readonly fn?: ContractFunction | undefined;
  /** Undefined if no arguments were given. */
  readonly values?: readonly AbiInput[] | undefined;
  readonly extras: Extras;
}

export interface FormRequest {
  readonly command: FormCommand;
  readonly options: FormOptions;
  readonly target: FormTarget;
  /** Undefined for a form that is restored. */
  readonly given?: GivenValues;
}

/** Notification of the panel: the whole form, or the messages below its fields. */
export type FormChangeListener = (change: "form" | "messages", focus?: string) => void;

const DEFAULTS: Extras = { callValue: "0", userPercent: "100", originEnergyLimit: "10000000" };
/** Longest text of one field, in UTF-16 units. */
const LONGEST = 200_000;
const TOKEN_UNIT = "token";
const MOST_ROWS = 200;
const MOST_RECENT = 6;

type Draft = Pick<StoredDraft, "signature" | "values" | "extras" | "isAttempted" | "sending" | "sent">;

/** A form that is open: its draft, which is stored with every change, and what is known about its contract. */
export class ArgumentForm {
  readonly key: string;
  readonly #storage: FormStorage;
  readonly #changed: FormChangeListener;
  #context: ContractContext;
  #request: FormRequest;
  #draft: Draft;
  #signers: readonly FormChoice[] = [];
  #names: readonly FormSuggestion[] = [];
  #units: readonly AmountUnit[];
  #isBusy = false;
  #status: FormStatus | null = null;
  #results: readonly FormResult[] | null = null;
  #resultText = "";
  #estimate: EstimateLabels | undefined;

  constructor(context: ContractContext, storage: FormStorage, request: FormRequest, changed: FormChangeListener) {
    this.#context = context;
    this.#storage = storage;
    this.#changed = changed;
    this.#request = request;
    this.#units = [coinUnit(this.#symbol)];
    this.key = formKey(context, request);
    const stored = storage.draftOf(this.key);
    const signature = stored?.signature ?? this.#functions[0]?.signature ?? "";
    this.#draft = { signature, values: {}, extras: {}, isAttempted: false, ...stored };
    this.#settleSending();
    if (request.given !== undefined) this.give(request.given);
  }

  /** Opens the form again by a command, with the current network and ABI: the form may have been restored or open for long. */
  open(context: ContractContext, request: FormRequest): void {
    if (this.#isBusy) return;
    this.#context = context;
    this.#request = request;
    if (request.given !== undefined) this.give(request.given);
  }

  get title(): string {
    return formTitle(this.#request.command, targetName(this.#request.target));
  }

  get #functions(): readonly ContractFunction[] {
    return targetFunctions(this.#request.target);
  }

  get #fn(): ContractFunction {
    const found = this.#functions.find(({ signature }) => signature === this.#draft.signature) ?? this.#functions[0];
    if (found === undefined) throw new Error("a form without a function");
    return found;
  }

  get #symbol(): string | undefined {
    return coinSymbolOf(this.#context.network.baseUrl);
  }

  get #drafts(): readonly FieldDraft[] {
    const { parameters, signature } = this.#fn;
    return fittedDrafts(parameters, this.#draft.values[signature]);
  }

  /** Returns the fields that stay when another function is chosen. Amounts belong to one call. */
  get #extrasOfAnyCall(): Extras {
    return defined({ from: this.#draft.extras.from });
  }

  get #extras(): Extras {
    return { ...DEFAULTS, ...this.#draft.extras };
  }

  /** Contract and function of the stored calls. */
  get #subject(): string {
    const { command, target } = this.#request;
    return [command === "deploy" ? "deploy" : "call", targetText(target), this.#fn.signature].join(" ");
  }

  /** Takes over the values of a command that the user runs. A draft that they replace can be filled in again. */
  give({ fn, values, extras }: GivenValues): void {
    if (this.#isBusy) return;
    const signature = fn?.signature ?? this.#draft.signature;
    if (signature !== this.#draft.signature) this.#results = null;
    this.#draft = { ...this.#draft, isAttempted: false };
    // The command alone changes nothing, so an estimate of the same values stays.
    if (signature !== this.#draft.signature) this.#edited({ signature, extras: this.#extrasOfAnyCall });
    else if (this.#draft.sent !== undefined) this.#edited({ signature });
    else this.#save();
    if (values !== undefined || Object.keys(extras).length > 0) {
      const drafts =
        values === undefined ? this.#drafts : this.#fn.parameters.map(({ type }, at) => draftOfValue(type, values[at]));
      this.#replace(drafts, { ...this.#draft.extras, ...extras });
    }
  }

  /** Reads a function without parameters at once. */
  async start(): Promise<void> {
    if (this.#request.command === "read" && this.#fn.parameters.length === 0) await this.#submit();
  }

  /** Loads accounts and names. They need files and, for watch-only accounts, requests. */
  async load(): Promise<void> {
    const { services, network, gateway } = this.#context;
    const known = services.keys.knownOn(network).map((it) => suggestion(it.address, it.label, it.note ?? ""));
    const contracts = (await contractsOn(this.#context)).map(({ address, name, origin }) =>
      suggestion(address, nameText(name, t`Unnamed contract`), visibleLine(origin)),
    );
    this.#names = [...known, ...contracts];
    const accounts = services.keys.listOn(network);
    const { command, options } = this.#request;
    const signers =
      command === "read" || options.share === true
        ? accounts
        : await possibleSigners(gateway, accounts, new AbortController().signal);
    this.#signers = [
      ...(command === "read" ? [{ value: "", label: t`first account` }] : []),
      ...signers.map((it) => signerChoice(it)),
    ];
    this.#changed("form");
    await this.#loadTokenUnit();
  }

  /** Adds the unit of a token contract. A form that is restored knows one function, and the unit that its draft uses. */
  async #loadTokenUnit(): Promise<void> {
    const { target } = this.#request;
    const isUsed = JSON.stringify(this.#draft.values).includes(`"unit":"${TOKEN_UNIT}"`);
    const hasDecimals = this.#functions.some(({ signature }) => signature === "decimals()");
    if (target.kind !== "contract" || !(isUsed || hasDecimals)) return;
    const { symbol, name, decimals } = await tokenAt(this.#context, target.contract.address);
    const label = nameText(symbol, nameText(name, t`tokens`));
    this.#units = [{ id: TOKEN_UNIT, label, decimals }, coinUnit(this.#symbol)];
    this.#changed("form");
  }

  content(): FormContent {
    return describeForm(this.#shown());
  }

  /** Returns the messages below the fields, and the status. */
  messages(): {
    readonly messages: readonly { id: string; message: FieldMessage | null }[];
    status: FormStatus | null;
  } {
    const shown = this.#shown();
    const messages = shown.checks.map(({ id }) => ({ id, message: messageOf(shown, id) }));
    return { messages, status: shown.status };
  }

  #shown(): ShownForm {
    const { command, target } = this.#request;
    const { network } = this.#context;
    return {
      key: this.key,
      command,
      network: { name: network.name, isProduction: network.production, symbol: this.#symbol },
      name: targetName(target),
      facts: targetFacts(target),
      functions: this.#functions,
      fn: this.#fn,
      drafts: this.#drafts,
      extras: this.#extras,
      checks: this.#checks().checks,
      isAttempted: this.#draft.isAttempted,
      units: this.#units,
      signers: this.#signers,
      names: this.#names,
      recent: (id) => this.#recent(id),
      hasCalls: this.#storage.callsOf(this.#subject).some(({ isDraft }) => isDraft !== true),
      isBusy: this.#isBusy,
      isSent: this.#draft.sent !== undefined,
      status: this.#status,
      results: this.#results,
      estimate: this.#estimate && estimateMessage(this.#estimate),
    };
  }

  #checks(): { readonly values: readonly AbiInput[] | undefined; readonly checks: readonly FieldCheck[] } {
    const { command } = this.#request;
    const { values, checks } = checkDrafts(this.#fn.parameters, this.#drafts, this.#checkContext());
    const extras = checkExtras(extrasOf(command, this.#fn), this.#extras, {
      command,
      signers: this.#signers,
      symbol: this.#symbol,
      needed: this.#estimate?.neededFeeLimit,
    });
    return { values, checks: [...checks, ...extras] };
  }

  #checkContext(): CheckContext {
    const known = this.#context.services.keys.knownOn(this.#context.network);
    return {
      addressOf: addressesInForm(this.#context),
      units: this.#units,
      likenessOf: (address) => likenessOf(address, known).detail,
      nameOf: this.#context.nameOf,
    };
  }

  /** Returns recent values of a field, each once. */
  #recent(id: string): readonly FormSuggestion[] {
    const path = pathOf(id);
    const texts = this.#storage.callsOf(this.#subject).flatMap(({ values, extras }) => {
      const draft = path === undefined ? undefined : draftAt(values, path);
      if (path === undefined) return extras[id] ?? [];
      return draft !== undefined && "text" in draft && draft.unit === undefined ? draft.text : [];
    });
    const different = [...new Set(texts)].filter((it) => it.trim() !== "").slice(0, MOST_RECENT);
    return different.map((value) => ({ value, label: value, note: t`recent` }));
  }

  /** Sets the text of a field. */
  edit(id: string, text: string): void {
    if (this.#refuses(text)) return;
    const extra = EXTRAS.find((it) => it === id);
    const isOther = id === "function" || this.#draft.sent !== undefined;
    if (id === "function") this.#choose(text);
    else if (extra !== undefined) this.#edited({ extras: { ...this.#draft.extras, [extra]: text } });
    else this.#changeAt(id, (draft) => edited(draft, text));
    this.#changed(isOther ? "form" : "messages");
  }

  /** Values do not change while a transaction with them is reviewed and signed. */
  #refuses(text: string): boolean {
    const isTooLong = text.length > LONGEST;
    if (isTooLong && !this.#isBusy)
      this.#status = {
        tone: "bad",
        icon: "error",
        text: t`This text has more than ${grouped(LONGEST)} characters. The field keeps its text from before.`,
      };
    if (isTooLong || this.#isBusy) this.#changed("form");
    return isTooLong || this.#isBusy;
  }

  /** Sets the unit of an amount. */
  setUnit(id: string, unit: string): void {
    if (this.#refuses(unit)) return;
    this.#changeAt(id, (draft) =>
      "text" in draft ? { text: draft.text, ...(unit === "" ? {} : { unit }) } : undefined,
    );
    this.#changed("messages");
  }

  /** Adds or removes a row, or changes the form of a field. */
  change(id: string, change: FieldChange): void {
    const path = pathOf(id);
    if (path === undefined || this.#refuses(change)) return;
    const focus = this.#changeRows(path, change);
    if (focus !== undefined) this.#changed("form", focus);
  }

  /** @returns the field to focus; undefined if the change does not fit */
  #changeRows(path: readonly number[], change: FieldChange): string | undefined {
    const [parameter = -1, ...inside] = path;
    const root = this.#fn.parameters[parameter]?.type;
    const type = root && typeAt(root, inside);
    if (root === undefined || type === undefined) return undefined;
    const id = idOf(path);
    const isRow = inside.length > 0 && isOpenList(typeAt(root, inside.slice(0, -1)));
    if (change === "remove") return isRow ? this.#removeRow(path) : undefined;
    let focus: string | undefined;
    this.#changeAt(id, (draft) => {
      if (change === "as-json" && "items" in draft) {
        focus = id;
        return { json: jsonOfDraft(type, draft, this.#units) };
      }
      if (change === "as-fields" && "json" in draft) {
        const fields = draftOfJson(type, draft.json);
        focus = fields === undefined ? undefined : id;
        if (fields === undefined)
          this.#status = {
            tone: "bad",
            icon: "error",
            text: t`This JSON has no rows for the fields. Correct it first.`,
          };
        return fields;
      }
      const child = isOpenList(type) ? childTypeOf(type, 0) : undefined;
      if (change !== "add" || !("items" in draft) || child === undefined || draft.items.length >= MOST_ROWS)
        return undefined;
      focus = `${id}.${draft.items.length}`;
      return { items: [...draft.items, emptyDraft(child)] };
    });
    return focus ?? id;
  }

  #removeRow(path: readonly number[]): string | undefined {
    const at = path.at(-1);
    const parent = path.slice(0, -1);
    if (at === undefined) return undefined;
    let left = 0;
    this.#changeAt(idOf(parent), (draft) => {
      if (!("items" in draft) || draft.items[at] === undefined) return undefined;
      left = draft.items.length - 1;
      return { items: draft.items.toSpliced(at, 1) };
    });
    return left === 0 ? idOf(parent) : idOf([...parent, Math.min(at, left - 1)]);
  }

  #changeAt(id: string, change: (draft: FieldDraft) => FieldDraft | undefined): void {
    const [parameter = -1, ...inside] = pathOf(id) ?? [];
    const drafts = this.#drafts;
    const before = drafts[parameter];
    const after = before && changedAt(before, inside, change);
    if (after === undefined) return;
    this.#edited({ values: { ...this.#draft.values, [this.#fn.signature]: drafts.with(parameter, after) } });
  }

  #choose(signature: string): void {
    if (!this.#functions.some((it) => it.signature === signature)) return;
    const extras = signature === this.#draft.signature ? this.#draft.extras : this.#extrasOfAnyCall;
    this.#edited({ signature, extras, isAttempted: false });
    this.#results = null;
  }

  /** A change makes a new draft of what was sent, and an estimate outdated. */
  #edited(change: Partial<Draft>): void {
    const { sent: _, ...before } = this.#draft;
    this.#draft = { ...before, ...change };
    this.#estimate = undefined;
    if (!this.#isBusy) this.#status = null;
    this.#save();
  }

  /** Replaces all values. A draft that was not sent can be filled in again. */
  #replace(drafts: readonly FieldDraft[], extras: Extras): void {
    const { values, sent } = this.#draft;
    const before = values[this.#fn.signature];
    if (before !== undefined && sent === undefined && JSON.stringify(before) !== JSON.stringify(drafts))
      void this.#storage.addCall({ ...this.#storedCall(), isDraft: true });
    this.#edited({ values: { ...values, [this.#fn.signature]: drafts }, extras: defined({ ...extras }) });
  }

  #storedCall(): StoredCall {
    const { now } = this.#context.services.clock;
    return { subject: this.#subject, values: this.#drafts, extras: { ...this.#draft.extras }, at: now() };
  }

  #save(): void {
    this.#saved().catch((error: unknown) => this.#context.services.log.error("A draft was not stored.", error));
  }

  async #saved(): Promise<void> {
    const { command, options, target } = this.#request;
    await this.#storage.saveDraft({
      ...this.#draft,
      key: this.key,
      command,
      options: { ...options, network: this.#context.network.name },
      target: targetText(target),
      name: rawText(targetName(target)),
      origin: target.kind === "contract" ? rawText(target.contract.origin) : "",
      entry: abiEntryOf(this.#fn),
    });
  }

  /** Runs an action of the page. */
  async act(action: FormAction): Promise<void> {
    switch (action) {
      case "submit":
        return await this.#submit();
      case "estimate":
        return await this.#ifComplete(t`Simulating…`, async (form) => await this.#estimated(form));
      case "repeat":
        return this.#fill(this.#storage.callsOf(this.#subject).find(({ isDraft }) => isDraft !== true));
      case "fill":
        return this.#fill(await chooseStoredCall(this.#storage, this.#subject));
      case "favourite":
        return await this.#addFavourite();
      case "save-call-file":
        return await this.#ifComplete(t`Saving…`, (form) => saveCallFile(this.#context, form));
      case "copy-result":
        if (this.#results === null) return;
        await vscode.env.clipboard.writeText(this.#resultText);
        return this.#show({ tone: "good", icon: "check", text: t`Result copied.` });
      case "show-transaction":
        if (this.#draft.sent === undefined) return;
        await vscode.commands.executeCommand("finality.showTimeline", { kind: "arguments", txId: this.#draft.sent });
        return;
      case "again":
        if (this.#isBusy) return;
        this.#edited({});
        return this.#show({ tone: "neutral", icon: "info", text: t`Ready to be sent again. Review the values first.` });
    }
  }

  #fill(call: StoredCall | undefined): void {
    if (call === undefined || this.#isBusy) return;
    this.#replace(call.values, call.extras);
    this.#changed("form", "a.0");
  }

  async #addFavourite(): Promise<void> {
    const name = await nameFavourite(nameText(this.#fn.name));
    if (name === undefined) return;
    await this.#storage.addFavourite({ ...this.#storedCall(), name });
    this.#show({ tone: "good", icon: "star-full", text: t`Added to the favourites of this function.` });
  }

  #show(status: FormStatus | null): void {
    this.#status = status;
    this.#changed("form");
  }

  async #submit(): Promise<void> {
    if (this.#draft.sent !== undefined) return;
    if (this.#request.command === "read")
      return await this.#ifComplete(t`Reading…`, async (form) => await this.#read(form));
    await this.#ifComplete(t`Simulating…`, async (form) => await this.#send(form));
  }

  /** Runs a task with the values of the form. Only one task runs at a time, so a second click sends nothing. */
  async #ifComplete(text: string, task: (form: CompleteForm) => Promise<FormStatus | null | undefined>): Promise<void> {
    if (this.#isBusy) return;
    const { values, checks } = this.#checks();
    const incomplete = incompleteStatus(checks);
    this.#draft = { ...this.#draft, isAttempted: true };
    if (values === undefined || incomplete !== undefined) {
      this.#status = incomplete ?? null;
      this.#changed("form", checks.find(({ kind }) => kind === "wrong" || kind === "empty")?.id);
      return;
    }
    this.#isBusy = true;
    this.#show({ tone: "moving", icon: "loading~spin", text });
    const { command, options, target } = this.#request;
    try {
      // The network may have been edited or started again since the form was opened.
      this.#context = await contextOn(this.#context.services, this.#context.network.name);
      const form = { command, options, target, fn: this.#fn, values, extras: this.#extras };
      this.#status = (await task(form)) ?? null;
    } catch (error) {
      this.#status = this.#failed(error);
    } finally {
      this.#isBusy = false;
      this.#changed("form");
    }
  }

  #failed(error: unknown): FormStatus | null {
    if (error instanceof vscode.CancellationError) return null;
    void showError(error, this.#context.services.log);
    const message = isChainError(error) ? error.message : t`The command failed. The log has the details.`;
    return { tone: "bad", icon: "error", text: message };
  }

  async #estimated(form: CompleteForm): Promise<FormStatus> {
    this.#estimate = await estimateOrder(this.#context, await orderOf(this.#context, form));
    const { tone, text } = estimateMessage(this.#estimate);
    return { tone, icon: tone === "bad" ? "error" : "zap", text };
  }

  async #read(form: CompleteForm): Promise<null> {
    const { result, fn } = await whileWorking(t`Reading the contract`, (signal) =>
      readForm(this.#context, form, signal),
    );
    const decoded = tryDecode(fn.outputs, hexToBytes(result.returned as Hex)) ?? [];
    this.#results = resultRows(fn.outputs, decoded);
    this.#resultText = argumentList(fn.outputs, decoded);
    await this.#storage.addCall(this.#storedCall());
    return null;
  }

  async #send(form: CompleteForm): Promise<FormStatus | null> {
    const order = await orderOf(this.#context, form);
    const feeLimit = order.fields.feeLimit ?? (await this.#suggestedFeeLimit(order));
    if (feeLimit === undefined) return this.#needsFeeLimit();
    const { now } = this.#context.services.clock;
    this.#draft = { ...this.#draft, sending: { at: now(), digest: digestOf(order.intent) } };
    await this.#saved();
    let sent: SentTransaction | undefined;
    try {
      sent = await sendCode(this.#context, { ...order, fields: { ...order.fields, feeLimit } });
    } finally {
      // An error after the signature leaves a transaction in the journal, which is as good as sent.
      this.#settleSending();
    }
    if (sent !== undefined) this.#draft = { ...this.#draft, sent: sent.txId };
    await this.#saved();
    if (this.#draft.sent === undefined) return null;
    await this.#storage.addCall(this.#storedCall());
    return sentStatus(this.#draft.sent);
  }

  async #suggestedFeeLimit(order: CodeOrder): Promise<string | undefined> {
    this.#estimate = await estimateOrder(this.#context, order);
    const { suggestedFeeLimit } = this.#estimate;
    return suggestedFeeLimit === undefined ? undefined : String(suggestedFeeLimit);
  }

  #needsFeeLimit(): FormStatus {
    this.#changed("form", "feeLimit");
    const reason = this.#estimate === undefined ? "" : objectionsOf(this.#estimate).join(" ");
    return { tone: "bad", icon: "error", text: t`${reason} Enter a fee limit to review the transaction nevertheless.` };
  }

  /** Finds the transaction of a form that was closed while it was signed: the journal has every signed transaction. */
  #settleSending(): void {
    const { sending, ...draft } = this.#draft;
    if (sending === undefined) return;
    const found = this.#context.services.transactions.list().find(({ signed, createdAt }) => {
      const intent = signed?.intent;
      const isCode = intent?.kind === "contract-call" || intent?.kind === "contract-creation";
      return isCode && createdAt >= sending.at && digestOf(intent) === sending.digest;
    });
    this.#draft = { ...draft, ...(found === undefined ? {} : { sent: found.txId }) };
    this.#status = found === undefined ? null : sentStatus(found.txId);
  }
}

/** Returns the key of a form: one for each command, network and contract. */
export function formKey({ network }: ContractContext, { command, target }: FormRequest): string {
  return JSON.stringify([command, network.name, targetText(target)]);
}

function sentStatus(txId: string): FormStatus {
  return { tone: "good", icon: "check", text: t`Sent as ${txId}.` };
}

function estimateMessage(labels: EstimateLabels): FieldMessage {
  const { verdict, headline } = labels;
  const text = t`Estimate: ${headline}`;
  return { tone: verdict === "fails" ? "bad" : labels.problems.length > 0 ? "warning" : "neutral", text };
}

function suggestion(address: Address, label: string, note: string): FormSuggestion {
  return { value: toBase58(address), label, note };
}

function edited(draft: FieldDraft, text: string): FieldDraft | undefined {
  if ("json" in draft) return { json: text };
  return "text" in draft ? { ...draft, text } : undefined;
}

function isOpenList(type: AbiType | undefined): boolean {
  return type?.kind === "array" && type.length === undefined;
}

const FIELD_ID = /^a(?:\.\d{1,4}){1,34}$/;

/** Returns the path in an id such as `a.0.2`; undefined for a field of the transaction. */
function pathOf(id: string): readonly number[] | undefined {
  return FIELD_ID.test(id) ? id.split(".").slice(1).map(Number) : undefined;
}

function idOf(path: readonly number[]): string {
  return ["a", ...path].join(".");
}

function draftAt(drafts: readonly FieldDraft[], path: readonly number[]): FieldDraft | undefined {
  const [at = -1, ...inside] = path;
  const draft = drafts[at];
  if (inside.length === 0 || draft === undefined) return draft;
  return "items" in draft ? draftAt(draft.items, inside) : undefined;
}
