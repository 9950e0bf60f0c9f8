import { isLooser, type KeyPolicy, policyFromJson, policyToJson } from "@finality/client/keys";
import { formatCoins } from "@finality/tron/format";
import { parseCoins } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type CommandArguments, malformedArgument, readAs } from "../../host/commands/command-arguments.ts";
import { confirmModal, passProgram, sayDone } from "../../host/prompts/notify.ts";
import { inputBox, quickPick } from "../../host/prompts/quick-input.ts";
import type { SigningAccount, SigningKeys } from "../../host/secrets/signing-keys.ts";
import { isOwn } from "./account.view.ts";
import { type AccountResult, resultOf } from "./account-label.ts";
import { validate } from "./ask-for-keys.ts";
import { policyText } from "./key-policy.view.ts";
import { chooseAccount } from "./show-balance.ts";

const TITLE = t`Change Key Policy`;

type Argument = CommandArguments["finality.changeKeyPolicy"];

/**
 * Decides what a key may sign. What lets more pass than before asks first, whoever calls.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `ACCOUNT_UNKNOWN`, `COMMAND_ARGUMENT_MALFORMED`
 */
export async function changeKeyPolicy(
  keys: SigningKeys,
  argument: Argument,
  tells: boolean,
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
  if (tells) sayDone(t`${account.label} ${policyText(next)}`);
  return { ...resultOf(account.address, account.label), policy: next.kind };
}

/** A wallet outside has a policy too: it is about what may be signed, not where the key is. */
function mayHavePolicy(account: SigningAccount): boolean {
  return !account.watchOnly && isOwn(account);
}

function refuseWithoutKey({ watchOnly, chain, label }: SigningAccount): void {
  if (watchOnly) throw malformedArgument("address", t`${label} has no key here`);
  if (chain !== undefined)
    throw malformedArgument("address", t`${label} is of the local chain, and signs nowhere else`);
}

function readPolicy({ policy, above }: Argument): KeyPolicy {
  if (policy === "retype-above") {
    if (above === undefined) throw malformedArgument("above", t`say above how many coins, such as 100`);
    return { kind: policy, amount: readAs("above", above, parseCoins) };
  }
  if (above !== undefined) throw malformedArgument("above", t`it has a part in the policy retype-above alone`);
  if (policy === "always-ask" || policy === "never-real") return { kind: policy };
  throw malformedArgument("policy", t`say always-ask, retype-above or never-real`);
}

async function askPolicy({ label }: SigningAccount, now: KeyPolicy): Promise<KeyPolicy | undefined> {
  const rows = [
    [
      "always-ask",
      t`$(question) Always Ask`,
      t`Each transaction is shown before it is signed. So it is with the others too.`,
    ],
    [
      "retype-above",
      t`$(pass) Ask Twice Above an Amount…`,
      t`Above it, the amount is typed once more; what cannot be told in coins, such as tokens and calls, always is.`,
    ],
    [
      "never-real",
      t`$(circle-slash) Never on Real Networks`,
      t`It signs on local chains alone. A network that you added is real, whatever it is for.`,
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
    prompt: t`Above how many coins is the amount typed once more?`,
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
  return await passProgram({ title, detail: changeText(now, next) }, t`Change`);
}

function changeText(now: KeyPolicy, next: KeyPolicy): string {
  return t`Now it ${policyText(now)}. From then on it ${policyText(next)}.`;
}

async function mayLoosen({ label }: SigningAccount, now: KeyPolicy, next: KeyPolicy): Promise<boolean> {
  const title = t`Let the key of ${label} sign more?`;
  return await confirmModal({ title, detail: changeText(now, next) }, t`Let It Sign More`);
}
