import type { NetworkProfile } from "@finality/client/gateway";
import type { NameOf } from "@finality/tron/format";
import { type Address, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type NextStep, notifyWithSteps, showError } from "../../host/commands/show-error.ts";
import type { Log } from "../../host/log/log.ts";
import type { Networks } from "../../host/networks/networks.ts";
import { confirmModal } from "../../host/prompts/notify.ts";
import type { TransactionService } from "../../sending/transaction-service.ts";
import { type Link, type LinkUri, lookUpQuestion, readLink } from "./link.view.ts";

export interface LinkServices {
  readonly transactions: Pick<TransactionService, "ready" | "get">;
  readonly networks: Pick<Networks, "get">;
  readonly nameOf: NameOf;
  readonly log: Log;
}

/**
 * Opens the page that a link names. Commands receive the argument as one of a program, so none of them signs, sends
 * or changes the active network.
 */
export async function openLink(services: LinkServices, uri: LinkUri): Promise<void> {
  try {
    await open(services, readLink(uri));
  } catch (error) {
    await showError(error, services.log);
  }
}

async function open({ transactions, networks, nameOf }: LinkServices, link: Link): Promise<void> {
  switch (link.kind) {
    case "refused":
      return await notifyWithSteps("warning", t`The link was not opened: ${link.reason}.`, []);
    case "decoder":
      await vscode.commands.executeCommand("finality.decode", { input: link.text, origin: t`link` });
      return;
    case "account":
      return await openAccount(link.address, networks.get(link.network), nameOf);
    case "transaction": {
      const { txId, network } = link;
      await transactions.ready();
      if (transactions.get(txId) !== undefined)
        return await vscode.commands.executeCommand("finality.showTimeline", { txId });
      const { name } = networks.get(network);
      if (await confirmModal(lookUpQuestion(txId, name, network !== undefined), t`Look Up`))
        await vscode.commands.executeCommand("finality.decodeTransaction", { txId, network: name });
    }
  }
}

/** Offers what can be shown of an account. Nothing is requested before a click. */
async function openAccount(address: Address, { name: network }: NetworkProfile, nameOf: NameOf): Promise<void> {
  const account = toBase58(address);
  // The kind makes the commands show their result. They still count as called by a program.
  const argument = { kind: "link", account, network };
  const steps: readonly NextStep[] = [
    { title: t`Show Balance`, command: "finality.showBalance", argument },
    { title: t`Show Permissions`, command: "finality.showPermissions", argument },
    { title: t`Copy Address`, command: "finality.copyAddress", argument: { kind: "link", address: account } },
  ];
  const own = nameOf(address);
  const message =
    own === undefined
      ? t`A link names the account ${account} on ${network}.`
      : t`A link names your account ${own}, ${account}, on ${network}.`;
  await notifyWithSteps("information", message, steps);
}
