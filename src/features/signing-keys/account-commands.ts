import { isLooser, type KeyPolicy, policyFromJson, policyToJson } from "@finality/client/keys";
import { isOwnAccount, policyText } from "@finality/client/labels";
import { formatCoins } from "@finality/tron/format";
import { type Address, parseAddress, parseCoins, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type CommandArguments, malformedArgument, readAs } from "../../host/commands/command-arguments.ts";
import type { ConnectableWallet } from "../../host/external-signer/external-signer.ts";
import { chooseAccount } from "../../host/prompts/choose-account.ts";
import {
  confirmForProgram,
  confirmInStatusBar,
  confirmModal,
  type ModalContent,
  notify,
} from "../../host/prompts/notify.ts";
import { inputBox, quickPick } from "../../host/prompts/quick-input.ts";
import type { SigningAccount, SigningKeys } from "../../host/secrets/signing-keys.ts";
import { type AccountResult, labelFor, passAccount, resultOf } from "./add-keys.ts";
import { validate } from "./import-key.ts";

/** Adds an address without a key. Returns undefined if the user cancels. */
export async function addWatchOnlyAddress(
  keys: SigningKeys,
  argument: CommandArguments["finality.addWatchOnlyAddress"],
): Promise<AccountResult | undefined> {
  const title = t`Add Watch-Only Address`;
  const text = argument.address ?? (await askAddress(title));
  if (text === undefined) return undefined;
  const address = parseAddress(text);
  const known = keys.find(address);
  if (known !== undefined) return resultOf(address, known.label);
  const label = await labelFor(keys, { argument: argument.label }, argument.address === undefined, title);
  if (label === undefined || !(await passAccount(keys, address, label, t`It is watch-only.`))) return undefined;
  await keys.add({ address, label, watchOnly: true });
  return resultOf(address, label);
}

/**
 * Removes an account and deletes its key. `confirmed` applies to accounts of a local chain only: any other key may be
 * the only one. Returns undefined if the user cancels.
 */
export async function removeSigningKey(
  keys: SigningKeys,
  { address, confirmed = false }: CommandArguments["finality.removeSigningKey"],
): Promise<AccountResult | undefined> {
  const account = await chooseAccount(keys, address, t`Remove Account`);
  if (account === undefined) return undefined;
  if (!(account.chain !== undefined && confirmed) && !(await confirmModal(removalOf(account), t`Remove`)))
    return undefined;
  await keys.remove(account.address);
  return resultOf(account.address, account.label);
}

function askAddress(title: string): Thenable<string | undefined> {
  return inputBox({
    title,
    ignoreFocusOut: true,
    prompt: t`The address, as T… or 41…`,
    validateInput: (text) => {
      if (text.trim() === "") return undefined;
      return validate(() => {
        const address = parseAddress(text);
        return `${toBase58(address)} = ${address}`;
      }, vscode.InputBoxValidationSeverity.Info);
    },
  });
}

function removalOf(account: SigningAccount): ModalContent {
  return { title: t`Remove the account ${account.label}?`, detail: removedText(account) };
}

function removedText({ address, watchOnly, signer }: SigningAccount): string {
  if (watchOnly) return t`It is watch-only. Nothing changes on the chain.`;
  if (signer === "outside") return t`Its key stays in the wallet. Nothing changes on the chain.`;
  return t`Its signing key is deleted. Without a copy elsewhere, the coins of ${toBase58(address)} can never be moved again.`;
}

/**
 * Adds the account of a browser wallet, which keeps the key. A watch-only account becomes a signing account; an
 * account with a stored key does not change. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `OUTSIDE_SIGNATURE_MISSING` if the wallet does not return its account
 */
export async function connectBrowserWallet(
  keys: SigningKeys,
  wallet: ConnectableWallet,
  argument: CommandArguments["finality.connectBrowserWallet"],
): Promise<AccountResult | undefined> {
  const canPrompt = argument.address === undefined;
  const address = argument.address === undefined ? await wallet.connect() : parseAddress(argument.address);
  if (address === undefined) return undefined;
  const known = keys.find(address);
  const hasKey = known !== undefined && !known.watchOnly;
  if (hasKey && canPrompt) void notify("information", t`${known.label} can already sign here. Nothing changed.`);
  if (hasKey) return resultOf(address, known.label);
  if (canPrompt && !(await confirmAccount(address))) return undefined;
  const title = t`Connect Browser Wallet: ${toBase58(address)}`;
  const label = await labelFor(keys, { argument: known?.label ?? argument.label, named: address }, canPrompt, title);
  if (label === undefined) return undefined;
  if (!(await passAccount(keys, address, label, t`A wallet in the browser signs for it.`))) return undefined;
  await keys.add({ address, label, watchOnly: false, signer: "outside" });
  return resultOf(address, label);
}

/** The address comes from a web page, so the user compares it with the wallet. */
async function confirmAccount(address: Address): Promise<boolean> {
  const title = t`Add the account ${toBase58(address)}?`;
  const detail = t`The page in your browser reported this address. Add it only if your wallet shows the same address.`;
  return await confirmModal({ title, detail }, t`Add Account`);
}

const TITLE = t`Change Key Policy`;

type Argument = CommandArguments["finality.changeKeyPolicy"];

/**
 * Sets the policy of a key. A less strict policy always needs confirmation. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `ACCOUNT_UNKNOWN`, `COMMAND_ARGUMENT_MALFORMED`
 */
export async function changeKeyPolicy(
  keys: SigningKeys,
  argument: Argument,
  showsResult: boolean,
): Promise<(AccountResult & { readonly policy: KeyPolicy["kind"] }) | undefined> {
  const account = await chooseAccount(keys, argument.address, TITLE, mayHavePolicy);
  if (account === undefined) return undefined;
  refuseWithoutKey(account);
  const now = policyFromJson(account.policy);
  const next = argument.policy === undefined ? await askPolicy(account, now) : readPolicy(argument);
  if (next === undefined) return undefined;
  const may = isLooser(next, now) ? await mayLoosen(account, now, next) : await mayChange(account, now, next);
  if (!may) return undefined;
  await keys.setPolicy(account.address, policyToJson(next));
  if (showsResult) confirmInStatusBar(t`${account.label} ${policyText(next)}`);
  return { ...resultOf(account.address, account.label), policy: next.kind };
}

/** Accounts of external wallets have a policy too: it restricts what may be signed. */
function mayHavePolicy(account: SigningAccount): boolean {
  return !account.watchOnly && isOwnAccount(account);
}

function refuseWithoutKey({ watchOnly, chain, label }: SigningAccount): void {
  if (watchOnly) throw malformedArgument("address", t`${label} has no key here`);
  if (chain !== undefined)
    throw malformedArgument("address", t`${label} belongs to the local chain and signs only there`);
}

function readPolicy({ policy, above }: Argument): KeyPolicy {
  if (policy === "retype-above") {
    if (above === undefined) throw malformedArgument("above", t`set above to a number of coins, such as 100`);
    return { kind: policy, amount: readAs("above", above, parseCoins) };
  }
  if (above !== undefined) throw malformedArgument("above", t`it applies to the policy retype-above only`);
  if (policy === "always-ask" || policy === "never-real") return { kind: policy };
  throw malformedArgument("policy", t`write always-ask, retype-above or never-real`);
}

async function askPolicy({ label }: SigningAccount, now: KeyPolicy): Promise<KeyPolicy | undefined> {
  const rows = [
    [
      "always-ask",
      t`$(question) Always Ask`,
      t`You review each transaction before it is signed. The other policies include this.`,
    ],
    [
      "retype-above",
      t`$(pass) Ask Twice Above an Amount…`,
      t`Above it, you type the amount again. This always applies to tokens and calls, whose value in coins is unknown.`,
    ],
    [
      "never-real",
      t`$(circle-slash) Never on Real Networks`,
      t`It signs on local chains only. Every network that you added counts as real.`,
    ],
  ] as const;
  const items = rows.map(([kind, name, detail]) => ({
    label: name,
    detail,
    kindOfPolicy: kind,
    description: kind === now.kind ? t`now` : "",
  }));
  const title = `${TITLE}: ${label}`;
  const picked = await quickPick(items, { title, placeHolder: t`What may this key sign?` });
  if (picked === undefined) return undefined;
  return picked.kindOfPolicy === "retype-above" ? await askLimit(title, now) : { kind: picked.kindOfPolicy };
}

async function askLimit(title: string, now: KeyPolicy): Promise<KeyPolicy | undefined> {
  const typed = await inputBox({
    title,
    ignoreFocusOut: true,
    value: now.kind === "retype-above" ? formatCoins(now.amount).replaceAll(",", "") : "100",
    prompt: t`Type the amount again above how many coins?`,
    validateInput: (text) =>
      validate(
        () => policyText({ kind: "retype-above", amount: parseCoins(text.trim()) }),
        vscode.InputBoxValidationSeverity.Info,
      ),
  });
  return typed === undefined ? undefined : { kind: "retype-above", amount: parseCoins(typed.trim()) };
}

async function mayChange({ label }: SigningAccount, now: KeyPolicy, next: KeyPolicy): Promise<boolean> {
  const title = t`Change what the key of ${label} may sign?`;
  return await confirmForProgram({ title, detail: changeText(now, next) }, t`Change`);
}

function changeText(now: KeyPolicy, next: KeyPolicy): string {
  return t`Before: it ${policyText(now)}. After: it ${policyText(next)}.`;
}

async function mayLoosen({ label }: SigningAccount, now: KeyPolicy, next: KeyPolicy): Promise<boolean> {
  const title = t`Allow the key of ${label} to sign more?`;
  return await confirmModal({ title, detail: changeText(now, next) }, t`Allow`);
}
