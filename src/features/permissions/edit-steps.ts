import { allowedText, operationGroup, operationText, permissionText, quorumText } from "@finality/client/labels";
import {
  type AccountPermissions,
  maskOf,
  operations,
  operationsIn,
  type PermissionSet,
} from "@finality/client/permissions";
import { type Checked, counted, shortAddress } from "@finality/tron/format";
import { type Address, foreignText, toBase58 } from "@finality/tron/primitives";
import type { PermissionIntent } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import {
  pickParty,
  pickValue,
  quickPickMany,
  type StepPosition,
  textStep,
  type ValueItem,
} from "../../host/prompts/quick-input.ts";
import {
  type At,
  changeCount,
  checkName,
  checkNumber,
  newActive,
  permissionAt,
  presetsFor,
  whyNotYet,
  withKey,
  withPermission,
} from "./draft.view.ts";
import type { PermissionContext } from "./services.ts";

/** Account that is edited, with its current permissions. */
export interface Editing {
  readonly place: PermissionContext;
  readonly owner: Address;
  readonly before: AccountPermissions;
}

type Choice = { readonly kind: "edit"; readonly at: At } | { readonly kind: "add" | "sign" };

const MOST_ACTIVES = 8;
const MOST_KEYS = 5;

/** Edits permissions until the user reviews them. Returns undefined if the user cancels. */
export async function askPermissionSet(editing: Editing, initial: PermissionSet): Promise<PermissionSet | undefined> {
  let set = initial;
  for (;;) {
    const picked = await pickValue(stepOf(editing), {
      placeholder: t`Which permission?`,
      items: rowsOf(editing, set),
    });
    if (picked.kind !== "value") return undefined;
    if (picked.value.kind === "sign") return set;
    set = await follow(editing, set, picked.value);
  }
}

/** Applies the choice of a row. */
async function follow(editing: Editing, set: PermissionSet, choice: Choice): Promise<PermissionSet> {
  if (choice.kind === "edit") return await editOne(editing, set, choice.at);
  const { length } = set.activePermissions;
  const [payments] = presetsFor(editing.before);
  const added = withPermission(set, length, newActive(editing.owner, maskOf(payments?.numbers ?? [])));
  return await editOne(editing, added, length);
}

function rowsOf({ place, before }: Editing, set: PermissionSet): readonly ValueItem<Choice>[] {
  const { ownerPermission, witnessPermission, activePermissions } = set;
  const row = (icon: string, at: At, permission: PermissionIntent): ValueItem<Choice> => ({
    label: `$(${icon}) ${titleOf(set, at)}`,
    description: quorumText(permission, place.here),
    ...(typeof at === "number" ? { detail: t`Allows ${allowedText(permission)}` } : {}),
    value: { kind: "edit", at },
  });
  const problem = whyNotYet(before, set);
  const changes = counted(changeCount(before, set), t`permission`, t`permissions`);
  const isFull = activePermissions.length >= MOST_ACTIVES;
  return [
    row("shield", "owner", ownerPermission),
    ...(witnessPermission === undefined ? [] : [row("shield", "witness", witnessPermission)]),
    ...activePermissions.map((it, index) => row("key", index, it)),
    {
      label: t`$(add) Add an Active Permission…`,
      description: isFull ? t`the chain allows ${MOST_ACTIVES}` : t`keys with limited operations`,
      ...(isFull ? {} : { value: { kind: "add" } as const }),
    },
    {
      label: t`$(pass) Review and Sign…`,
      description: problem ?? t`${changes} changed`,
      ...(problem === undefined ? { value: { kind: "sign" } as const } : {}),
    },
  ];
}

type Step = (permission: PermissionIntent) => Promise<PermissionIntent | undefined>;
/** Action on a permission: finish, remove it, or edit it by a step. */
type Action = "done" | "remove" | Step;

/** Edits one permission until the user finishes or presses Escape. */
async function editOne(editing: Editing, initial: PermissionSet, at: At): Promise<PermissionSet> {
  let set = initial;
  for (;;) {
    const permission = permissionAt(set, at);
    if (permission === undefined) return set;
    const step = {
      ...stepOf(editing),
      title: t`${titleOf(set, at)} · signed by ${quorumText(permission, editing.place.here)}`,
    };
    const picked = await pickValue(step, {
      placeholder: t`What to change?`,
      items: actionsOn(editing, permission, at),
    });
    if (picked.kind !== "value" || picked.value === "done") return set;
    if (picked.value === "remove") return withPermission(set, at, undefined);
    set = withPermission(set, at, (await picked.value(permission)) ?? permission);
  }
}

function actionsOn(editing: Editing, permission: PermissionIntent, at: At): readonly ValueItem<Action>[] {
  const { here } = editing.place;
  const { threshold, keys } = permission;
  const step = (label: string, description: string, action: Step): ValueItem<Action> => ({
    label,
    description,
    value: action,
  });
  const sum = keys.reduce((total, { weight }) => total + weight, 0n);
  const isFull = keys.length >= (at === "witness" ? 1 : MOST_KEYS);
  return [
    { label: t`$(check) Done`, description: t`back to the permissions`, value: "done" },
    step(t`$(law) Threshold: ${String(threshold)}`, t`of a total weight of ${String(sum)}`, (it) =>
      askThreshold(editing, it),
    ),
    ...keys.map(({ address, weight }) => {
      const where = here.ours.has(address) ? "" : t` · no key here`;
      const label = `$(key) ${here.nameOf(address) ?? toBase58(address)}`;
      return step(label, t`weight ${String(weight)}${where}`, (it) => askWeight(editing, it, address));
    }),
    ...(isFull ? [] : [step(t`$(add) Add a Key…`, t`an account, with its weight`, (it) => askKey(editing, it))]),
    ...(typeof at === "number" ? activeActions(editing, permission, step) : []),
  ];
}

function activeActions(
  editing: Editing,
  permission: PermissionIntent,
  step: (label: string, description: string, action: Step) => ValueItem<Action>,
): readonly ValueItem<Action>[] {
  return [
    step(t`$(checklist) Operations…`, allowedText(permission), (it) => askOperations(editing, it)),
    step(t`$(tag) Rename…`, permission.name, (it) => askName(editing, it)),
    { label: t`$(trash) Remove`, description: t`its keys lose these operations`, value: "remove" },
  ];
}

function askThreshold(editing: Editing, permission: PermissionIntent): Promise<PermissionIntent | undefined> {
  const withNumber = (threshold: bigint): PermissionIntent => ({ ...permission, threshold });
  return askNumber(editing, { prompt: t`Threshold?`, value: permission.threshold, least: 1n, withNumber });
}

function askWeight(
  editing: Editing,
  permission: PermissionIntent,
  address: Address,
): Promise<PermissionIntent | undefined> {
  const name = shortAddress(address, editing.place.nameOf);
  const known = permission.keys.find((it) => it.address === address)?.weight;
  return askNumber(editing, {
    prompt: known === undefined ? t`Weight of ${name}?` : t`Weight of ${name}? 0 removes the key`,
    value: known ?? 1n,
    least: known === undefined ? 1n : 0n,
    withNumber: (weight) => withKey(permission, { address, weight }),
  });
}

async function askKey(editing: Editing, permission: PermissionIntent): Promise<PermissionIntent | undefined> {
  const { accounts } = editing.place;
  const others = accounts.filter((it) => !permission.keys.some(({ address }) => address === it.address));
  const picked = await pickParty(stepOf(editing), {
    placeholder: t`Which key? Choose an account or paste an address`,
    accounts: others,
    none: t`Every known address already has a key in it. Paste another one above.`,
  });
  return picked.kind === "value" ? await askWeight(editing, permission, picked.value) : undefined;
}

async function askName(editing: Editing, permission: PermissionIntent): Promise<PermissionIntent | undefined> {
  const step = { prompt: t`Name of the permission? It is public`, placeholder: "payments", value: permission.name };
  const typed = await textStep(stepOf(editing), { ...step, check: checkName });
  return typed.kind === "value" ? { ...permission, name: typed.value } : undefined;
}

interface NumberQuestion {
  readonly prompt: string;
  readonly value: bigint;
  readonly least: bigint;
  readonly withNumber: (value: bigint) => PermissionIntent;
}

async function askNumber(editing: Editing, question: NumberQuestion): Promise<PermissionIntent | undefined> {
  const { prompt, value, least, withNumber } = question;
  const check = (text: string): Checked<bigint> => checkNumber(text, least, withNumber, editing.place.here);
  const typed = await textStep(stepOf(editing), { prompt, placeholder: "1", value: `${value}`, check });
  return typed.kind === "value" ? withNumber(typed.value) : undefined;
}

async function askOperations(editing: Editing, permission: PermissionIntent): Promise<PermissionIntent | undefined> {
  const presets = presetsFor(editing.before).map(({ label, numbers }) => ({
    label,
    description: allowedText({ operations: maskOf(numbers) }),
    value: numbers,
  }));
  const oneByOne = {
    label: t`One by one…`,
    description: t`contract types by their names`,
    value: "one-by-one" as const,
  };
  const items: readonly ValueItem<readonly number[] | "one-by-one">[] = [...presets, oneByOne];
  const picked = await pickValue(stepOf(editing), { placeholder: t`Allowed operations?`, items });
  if (picked.kind !== "value") return undefined;
  const numbers = picked.value === "one-by-one" ? await askNumbers(permission) : picked.value;
  return numbers && { ...permission, operations: maskOf(numbers) };
}

/** Keeps bits without a name unchanged. */
async function askNumbers(permission: PermissionIntent): Promise<readonly number[] | undefined> {
  const present = permission.operations === undefined ? [] : operationsIn(permission.operations);
  const nameless = present.filter((it) => !operations.some(({ number }) => number === it));
  const items: readonly (vscode.QuickPickItem & { readonly number: number })[] = operations.map(({ number }) => ({
    label: operationText(number),
    description: operationGroup(number),
    picked: present.includes(number),
    number,
  }));
  const picked = await quickPickMany(items, {
    title: t`Operations`,
    placeholder: t`Allowed operations? Press Space to select, Enter to continue`,
    ignoreFocusOut: true,
  });
  return picked && [...nameless, ...picked.map(({ number }) => number)];
}

function titleOf(set: PermissionSet, at: At): string {
  if (at === "owner") return t`Everything: owner (0)`;
  if (at === "witness") return t`Signs blocks: witness (1)`;
  return t`Active: ${permissionText({ id: at + 2, name: foreignText(permissionAt(set, at)?.name ?? "") })}`;
}

function stepOf({ owner, place }: Editing): StepPosition {
  return { title: t`Edit Permissions of ${shortAddress(owner, place.nameOf)}`, step: 0, totalSteps: 0 };
}
