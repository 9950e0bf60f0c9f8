import { type Address, parseAddress, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { confirmModal, notify } from "../../host/prompts/notify.ts";
import { type AccountResult, labelFor, passAccount, resultOf } from "./account-label.ts";
import type { CredentialServices } from "./services.ts";

/**
 * Adds the account of a wallet in the browser, whose key stays there. An account that is watched only becomes one that
 * signs; one whose key is here stays as it is.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `OUTSIDE_SIGNATURE_MISSING` the wallet did not tell its account
 */
export async function connectBrowserWallet(
  { keys, wallet }: Pick<CredentialServices, "keys" | "wallet">,
  argument: CommandArguments["finality.connectBrowserWallet"],
): Promise<AccountResult | undefined> {
  const asks = argument.address === undefined;
  const address = argument.address === undefined ? await wallet.connect() : parseAddress(argument.address);
  if (address === undefined) return undefined;
  const known = keys.find(address);
  const hasKey = known !== undefined && !known.watchOnly;
  if (hasKey && asks) void notify("information", t`${known.label} signs here already. Nothing changed.`);
  if (hasKey) return resultOf(address, known.label);
  if (asks && !(await confirmAccount(address))) return undefined;
  const title = t`Connect Browser Wallet: ${toBase58(address)}`;
  const label = await labelFor(keys, { argument: known?.label ?? argument.label, named: address }, asks, title);
  if (label === undefined) return undefined;
  if (!(await passAccount(keys, address, label, t`A wallet in the browser signs for it.`))) return undefined;
  await keys.add({ address, label, watchOnly: false, signer: "outside" });
  return resultOf(address, label);
}

/** The address comes from a page in the browser, so the user compares it with the wallet. */
async function confirmAccount(address: Address): Promise<boolean> {
  const title = t`Add the account ${toBase58(address)}?`;
  const detail = t`The page in your browser reported this address. Add it only if your wallet shows the same address.`;
  return await confirmModal({ title, detail }, t`Add Account`);
}
