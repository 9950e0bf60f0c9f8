import * as vscode from "vscode";
import type { FinalityApi } from "../../../src/public/api.ts";
import type { Order, Report } from "./orders.ts";

/**
 * An extension that pays as it is told over HTTP, one order after the other, until its host is killed. It knows nothing
 * of what it did before: each order comes once.
 */
export function activate(): void {
  // The host waits for what starts first, and this goes on until the end of the host.
  void payAsOrdered();
}

async function payAsOrdered(): Promise<void> {
  let report: Report = { kind: "started", pid: process.pid };
  try {
    const finality = await vscode.extensions.getExtension<FinalityApi>("finality.finality")?.activate();
    if (finality === undefined) throw new Error("finality.finality is not installed in this host");
    await vscode.commands.executeCommand("finality.startLocalChain", {});
    for (;;) report = await obey(await tell(report), finality);
  } catch (error) {
    await tell({ kind: "broken", message: String(error) });
  }
}

async function tell(report: Report): Promise<Order> {
  const answer = await fetch(process.env.FINALITY_ORDERS ?? "", { method: "POST", body: JSON.stringify(report) });
  return (await answer.json()) as Order;
}

async function obey(order: Order, { transactions }: FinalityApi): Promise<Report> {
  if (order.kind === "list") {
    await transactions.track(order.txId);
    return { kind: "listed", transactions: transactions.list() };
  }
  const { from, to, amount } = order;
  const payment = { from, to, amount, network: "Local chain" };
  try {
    const { txId } = await vscode.commands.executeCommand<{ txId: string }>("finality.sendCoins", payment);
    return { kind: "sent", amount, txId };
  } catch (error) {
    return { kind: "refused", amount, message: String(error) };
  }
}
