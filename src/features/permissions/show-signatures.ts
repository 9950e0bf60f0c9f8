import { toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { isCallOfProgram } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { notify, whileWorking } from "../../host/prompts/notify.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import type { SignatureWeight } from "../../labels/permissions.ts";
import { transactionLabel } from "../../labels/transactions.ts";
import { chooseTransaction } from "../../sending/dialogs.ts";
import { weighSignatures } from "../../sending/signature-weight.ts";
import { itemOf } from "./row-items.ts";
import { type PermissionServices, placeOf } from "./services.ts";
import { signatureRows } from "./signatures.view.ts";

/** The same for programs. */
interface ShownSignatures {
  readonly txId: string;
  readonly signers: readonly string[];
  readonly weight: string;
  readonly threshold?: string;
  readonly missing: readonly { readonly address: string; readonly weight: string; readonly here: boolean }[];
  /** The weight that the node counts, when it was shown the signatures. */
  readonly counted?: string;
}

/**
 * Shows which signatures a transaction has and needs, by the account's permissions and the node. Returns undefined if
 * the user cancels.
 */
export async function showSignatures(
  services: PermissionServices,
  argument: CommandArguments["finality.showSignatures"],
  raw: unknown,
): Promise<ShownSignatures | undefined> {
  const { transactions, keys } = services;
  const nameOf = keys.nameOf.bind(keys);
  const fits = ({ signed }: { readonly signed?: unknown }): boolean => signed !== undefined;
  const tracked = await chooseTransaction(transactions, argument, {
    title: t`Show Signatures`,
    fits,
    forWhat: t`transactions that were signed here`,
    nameOf,
  });
  if (tracked === undefined) return undefined;
  const { signed } = tracked;
  if (signed === undefined) {
    void notify(
      "information",
      t`It was not signed here: its signatures are known to whoever signed it, and to its block.`,
    );
    return undefined;
  }
  const { gateway, here } = await placeOf(services, transactions.networkOf(tracked));
  const found = await whileWorking(t`Weighing signatures`, (signal) =>
    weighSignatures(gateway, tracked, signed, signal),
  );
  if (!isCallOfProgram(raw)) {
    const title = t`Signatures of ${transactionLabel(tracked, nameOf)}`;
    await quickPick(signatureRows(found, here).map(itemOf), {
      title,
      placeHolder: t`Who has signed`,
      ignoreFocusOut: true,
    });
  }
  return shown(tracked.txId, found, here.ours);
}

function shown(txId: string, found: SignatureWeight, ours: ReadonlySet<string>): ShownSignatures {
  const { permission, signers, weight, missing, live, hasLeft } = found;
  return {
    txId,
    signers: signers.map(toBase58),
    weight: String(weight),
    ...(permission === undefined ? {} : { threshold: String(permission.threshold) }),
    missing: missing.map((it) => ({
      address: toBase58(it.address),
      weight: String(it.weight),
      here: ours.has(it.address),
    })),
    ...(hasLeft ? { counted: String(live.weight) } : {}),
  };
}
