import { ChainError } from "@finality/tron/errors";
import { counted } from "@finality/tron/format";
import { toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { calledByProgram } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { confirmModal, notify } from "../../host/prompts/notify.ts";
import { chooseFolder } from "../../host/prompts/quick-input.ts";
import { deploymentsHere } from "../../sending/addresses-here.ts";
import { chainOf } from "./add-contract.ts";
import { type DeploymentEntry, deploymentsFileName, deploymentsText } from "./deployments-file.view.ts";
import { type ContractContext, type ContractServices, contextOn } from "./services.ts";

/** Result of the command. */
interface WrittenDeployments {
  /** URI. */
  readonly file: string;
  readonly contracts: number;
}

/**
 * Writes `deployments/<network>.json` into a folder of the workspace: the deployed and the added contracts of the
 * network. Returns undefined if the user cancels, or if there is no contract.
 */
export async function writeDeployments(
  services: ContractServices,
  { network, folder: named }: CommandArguments["finality.writeDeployments"],
): Promise<WrittenDeployments | undefined> {
  const context = await contextOn(services, network);
  const folder = await folderFor(named);
  if (folder === undefined) return undefined;
  const contracts = await entriesOf(context);
  const count = Object.keys(contracts).length;
  if (count === 0) {
    void notify(
      "information",
      t`Nothing was written: no contract of ${context.network.name} was deployed or added here.`,
    );
    return undefined;
  }
  const chain = await chainOf(context);
  const file = vscode.Uri.joinPath(folder.uri, "deployments", `${deploymentsFileName(context.network.name)}`);
  if (!calledByProgram()) {
    const isThere = await exists(file);
    const name = vscode.workspace.asRelativePath(file);
    const title = isThere ? t`Replace ${name}?` : t`Write ${name}?`;
    const detail = t`It will contain ${counted(count, t`contract`, t`contracts`)} of ${context.network.name}.`;
    if (!(await confirmModal({ title, detail }, isThere ? t`Replace` : t`Write`))) return undefined;
  }
  await vscode.workspace.fs.writeFile(file, Buffer.from(deploymentsText(context.network.name, chain, contracts)));
  return { file: file.toString(), contracts: count };
}

/** Reports the file and offers to open it. */
export async function reportWritten({ file, contracts }: WrittenDeployments): Promise<void> {
  const uri = vscode.Uri.parse(file, true);
  const name = vscode.workspace.asRelativePath(uri);
  const open = await notify(
    "information",
    t`${name} now has ${counted(contracts, t`contract`, t`contracts`)}.`,
    t`Open`,
  );
  if (open !== undefined) await vscode.window.showTextDocument(uri);
}

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
async function folderFor(named: string | undefined): Promise<vscode.WorkspaceFolder | undefined> {
  const { workspaceFolders: folders = [] } = vscode.workspace;
  const found = folders.find(({ name, uri }) => name === named || uri.fsPath === named);
  if (named !== undefined && found === undefined) {
    const reason = t`this workspace has no folder ${named}; it has ${folders.map((it) => it.name).join(t`, `)}`;
    throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "folder", reason });
  }
  if (found !== undefined || calledByProgram()) return found ?? folders[0];
  if (folders.length > 0) return await chooseFolder(t`Write Deployments File`);
  void notify("information", t`Open a folder first: the deployments are written into a file in it.`);
  return undefined;
}

/** Returns the contracts by name; of several with one name the newest deployment. */
async function entriesOf(context: ContractContext): Promise<Readonly<Record<string, DeploymentEntry>>> {
  const { services, network, nameOf } = context;
  const chain = await chainOf(context);
  const book = await services.contractBook();
  const here = deploymentsHere({ ...services, chains: { known: () => chain } }, network);
  const entries = new Map<string, DeploymentEntry>();
  const put = (name: string, entry: DeploymentEntry): void => void (entries.has(name) || entries.set(name, entry));
  for (const { address, name, owner, txId } of here) {
    if (book.isRemoved(chain, address)) continue;
    put(name, { address: toBase58(address), transaction: txId, deployer: toBase58(owner) });
  }
  for (const { address } of book.on(chain)) {
    if (here.some((it) => it.address === address)) continue;
    put(nameOf(address) ?? toBase58(address), { address: toBase58(address) });
  }
  return Object.fromEntries(entries);
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
