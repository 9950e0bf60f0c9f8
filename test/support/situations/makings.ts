import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";
import { product } from "../../integration/product.ts";
import { copySamples } from "../samples/copy-samples.ts";
import type { Person } from "./seen.ts";

/** A situation as `FINALITY_SITUATIONS` names it. */
export type Situation = "empty" | "folder" | "project" | "own" | "local" | "untrusted";

const { FINALITY_SAMPLES: samples = "", FINALITY_SITUATIONS_GATEWAY: gateway = "" } = process.env;

const WATCHED = { address: "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC", label: "Cashier" };
const LOOK_MS = 50;
/** Also on a machine that is four times slower. */
const FINAL_WITHIN_MS = 120_000;
/** Notices come within a moment of what they tell of. */
const QUIET_MS = 1_500;
/** More than a block needs to be solidified. */
const ENOUGH_BLOCKS = 30;
/** Loses the next transaction before the node sees it. */
const LOST = { name: "reset-before", path: "*/broadcast*", count: 10 };
const A_DAY_S = "86400";

const run = (name: string, argument: object): Thenable<unknown> =>
  vscode.commands.executeCommand(`finality.${name}`, argument);

/** Creates each situation from the one before it in its window. */
export const makings: Readonly<Record<Situation, (person: Person) => Promise<void>>> = {
  empty: async () => undefined,
  folder: async () => undefined,
  project: async () => {
    const folder = theFolder().fsPath;
    copySamples(samples, folder);
    writeFileSync(join(folder, "tronbox.js"), "module.exports = { networks: {} };\n");
    await openCallFile();
  },
  own: async () => {
    await writeSetting("networks", [{ name: "Shop", baseUrl: gateway, explorerUrl: "https://pages.example" }]);
    await writeSetting("activeNetwork", "Shop");
    await run("addWatchOnlyAddress", WATCHED);
  },
  local: async (person) => {
    await writeSetting("networks", undefined);
    await writeSetting("activeNetwork", undefined);
    await run("removeSigningKey", { address: WATCHED.address, confirmed: true });
    await run("startLocalChain", {});
    await fillLocalChain();
    await untilQuiet(person);
  },
  untrusted: async () => {
    await run("addWatchOnlyAddress", WATCHED);
    await run("createJwtKey", { network: "Mainnet", name: "Key 1", keyId: "key-1" });
  },
};

/** Adds a key of the user, a contract, a final payment, one with unknown outcome, a payment watch and a snapshot. */
async function fillLocalChain(): Promise<void> {
  await run("generateSigningKey", { label: "Till", sessionOnly: true });
  await run("deployContract", { contract: "Leaf", arguments: ["1000000000"], from: "Alice" });
  await run("sendCoins", { from: "Alice", to: "Bob", amount: "1" });
  await run("localChainMine", { blocks: ENOUGH_BLOCKS });
  await untilFinal();
  await run("watchIncoming", { address: "Carol" });
  await run("localChainFaults", { faults: [LOST] });
  await run("sendCoins", { from: "Alice", to: "Dave", amount: "2", expirySeconds: A_DAY_S });
  await run("localChainFaults", { faults: [] });
  await run("localChainSnapshot", { id: "before" });
}

interface Listed {
  readonly transactions: { list(): readonly { readonly state: { readonly kind: string } }[] };
}

async function untilFinal(): Promise<void> {
  const { transactions } = product().exports as Listed;
  const states = (): readonly string[] => transactions.list().map(({ state }) => state.kind);
  for (const end = Date.now() + FINAL_WITHIN_MS; states().some((it) => it !== "solidified"); await sleep(LOOK_MS))
    if (Date.now() > end) throw new Error(`The transactions did not become final: ${states().join(", ")}.`);
}

/** Notifications of the setup are not attributed to commands. */
async function untilQuiet(person: Person): Promise<void> {
  do {
    person.take();
    await sleep(QUIET_MS);
  } while (person.take().length > 0);
}

/** With the cursor on a call. */
export async function openCallFile(): Promise<void> {
  const file = vscode.Uri.joinPath(theFolder(), "calls/leaf.finality.jsonc");
  const document = await vscode.workspace.openTextDocument(file);
  const editor = await vscode.window.showTextDocument(document);
  const at = document.positionAt(document.getText().indexOf('"balanceOf"'));
  editor.selection = new vscode.Selection(at, at);
}

function theFolder(): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) throw new Error("There is no folder.");
  return folder.uri;
}

/** Says for the person what a setting of theirs is. */
export async function writeSetting(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration("finality").update(name, value, vscode.ConfigurationTarget.Global);
}
