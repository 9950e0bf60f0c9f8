import { basename, relative } from "node:path";
import { readToolConfiguration, type ToolConfiguration, type ToolNetwork } from "@finality/client/call-sites";
import type { NetworkProfile } from "@finality/client/gateway";
import { parseNetworkProfile } from "@finality/client/gateway";
import { ChainError, isChainError } from "@finality/tron/errors";
import { withoutStop } from "@finality/tron/format";
import { textOfBytes } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { calledByProgram, isCallOfProgram, passOn } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument } from "../../host/commands/command-arguments.ts";
import { confirmForProgram, confirmModal, notify } from "../../host/prompts/notify.ts";
import { folderAtHand, quickPick, quickPickMany } from "../../host/prompts/quick-input.ts";
import { bytesOfFile } from "../../host/read-regular-file.ts";
import { type NetworkServices, passLeftKeys, passPlainHttp } from "./edit-networks.ts";
import { foundItems, importedText, importQuestion, keysQuestion, profileFields } from "./import-networks.view.ts";

/** Result of an import. It never contains a key. */
interface ImportResult {
  readonly file: string;
  readonly added: readonly string[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  /** base58, of keys that became accounts. */
  readonly accounts: readonly string[];
}

type Argument = CommandArguments["finality.importNetworks"];
type Services = Pick<NetworkServices, "networks" | "plainHttp" | "credentials">;

const TITLE = t`Import Networks`;
/** Search patterns do not support nested braces. */
const NAMES = [
  "tronbox.js",
  "tronbox-config.js",
  "truffle-config.js",
  "hardhat.config.*",
  "foundry.toml",
  ".env",
  ".env.*",
];
const FILES = `**/{${NAMES.join(",")}}`;
const LEFT_OUT = "**/node_modules/**";
const MAXIMUM_BYTES = 1024 * 1024;
const MOST_FILES = 50;

/**
 * Takes networks out of the configuration of another tool, which is read as text and never run. Private keys that are
 * written there go into the secret storage, after asking, and nowhere else.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export async function importNetworks(
  services: Services,
  argument: Argument,
  raw: unknown,
): Promise<ImportResult | undefined> {
  if (!vscode.workspace.isTrusted) throw new ChainError("WORKSPACE_NOT_TRUSTED", { what: "read" });
  const uri = argument.file === undefined ? await chooseFile(isCallOfProgram(raw)) : vscode.Uri.file(argument.file);
  if (uri === undefined) return undefined;
  const found = await read(uri);
  const chosen = await chosenNetworks(services, argument, found);
  if (chosen === undefined) return undefined;
  if (!(await passImport(services, chosen))) return undefined;
  const { added, skipped } = await addAll(services, chosen);
  if (!isCallOfProgram(raw)) void notify("information", importedText(added, skipped, found.computed));
  const accounts = await importKeys(basename(uri.fsPath), found.privateKeys);
  return { file: uri.fsPath, added, skipped, accounts };
}

async function chooseFile(isProgram: boolean): Promise<vscode.Uri | undefined> {
  const found = await vscode.workspace.findFiles(FILES, LEFT_OUT, MOST_FILES);
  if (found.length === 0) return await nameFile(isProgram);
  const items = found
    .map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }))
    .sort((one, other) => one.label.length - other.label.length);
  return (
    await quickPick(items, { title: TITLE, placeHolder: t`Import from which file? It is read as text, and not run` })
  )?.uri;
}

/** Prompts for a file. Returns undefined if the user cancels. */
async function nameFile(isProgram: boolean): Promise<vscode.Uri | undefined> {
  if (isProgram)
    throw malformedArgument("file", t`the workspace has no tronbox.js, hardhat.config, foundry.toml or .env; name one`);
  const choose = t`Choose File…`;
  const message = t`This workspace has no tronbox.js, hardhat.config, foundry.toml or .env. Choose another file that defines networks.`;
  if ((await notify("information", message, choose)) !== choose) return undefined;
  const [uri] =
    (await vscode.window.showOpenDialog({ title: TITLE, openLabel: t`Choose`, defaultUri: folderAtHand() })) ?? [];
  return uri;
}

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
async function read(uri: vscode.Uri): Promise<ToolConfiguration> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined || uri.scheme !== "file")
    throw malformedArgument("file", t`it is in no folder of this workspace`);
  const shown = relative(folder.uri.fsPath, uri.fsPath);
  const bytes = await bytesOfFile(uri.fsPath, folder.uri.fsPath, MAXIMUM_BYTES).catch((error: unknown) => {
    if (error instanceof Error && "code" in error) return t`it cannot be read (${String(error.code)})`;
    throw error;
  });
  if (typeof bytes === "string") throw malformedArgument("file", t`${shown} is not read: ${bytes}`);
  return readToolConfiguration(basename(uri.fsPath), textOfBytes(bytes));
}

/** Returns the networks that the caller named or the user picks; none if the file contains keys only. */
async function chosenNetworks(
  { networks }: Services,
  { file, names }: Argument,
  { networks: found, privateKeys, computed }: ToolConfiguration,
): Promise<readonly ToolNetwork[] | undefined> {
  if (found.length === 0 && privateKeys.length > 0) return [];
  if (found.length === 0) throw malformedArgument("file", nothingFound(computed));
  if (names !== undefined) return names.map((name) => named(found, name));
  if (file !== undefined && calledByProgram()) return found;
  const items = foundItems(found, networks.list());
  const picked = await quickPickMany(items, { title: TITLE, placeholder: t`Which networks?` });
  return picked?.map(({ network }) => network);
}

function named(found: readonly ToolNetwork[], name: string): ToolNetwork {
  const network = found.find((it) => it.name === name);
  if (network !== undefined) return network;
  throw malformedArgument(
    "names",
    t`the file defines no network "${name}"; it has ${found.map((it) => it.name).join(t`, `)}`,
  );
}

function nothingFound(computed: readonly string[]): string {
  const why = computed.length === 0 ? "" : t` (${computed.join(t`, `)} compute it, and the file is not run)`;
  return t`it defines no network with a literal URL${why}`;
}

/** Confirms the networks of an argument. Networks that the user picked need no confirmation. */
async function passImport({ networks }: Services, chosen: readonly ToolNetwork[]): Promise<boolean> {
  if (chosen.length === 0) return true;
  const taken = networks.list().map(({ name }) => name);
  const profiles = chosen.flatMap((it) => profileOf(it, taken) ?? []);
  return await confirmForProgram(importQuestion(profiles), t`Add`);
}

/** @returns undefined if it cannot be used */
function profileOf(network: ToolNetwork, taken: readonly string[]): NetworkProfile | undefined {
  try {
    return parseNetworkProfile(profileFields(network, taken), network.name);
  } catch (error) {
    if (!isChainError(error)) throw error;
    return undefined;
  }
}

/** A network that cannot be used does not stop the others. */
async function addAll(services: Services, chosen: readonly ToolNetwork[]) {
  const { networks } = services;
  const added: string[] = [];
  const skipped: { name: string; reason: string }[] = [];
  const isFirst = networks.list().length === 0;
  for (const network of chosen) {
    try {
      const reason = await addOne(services, network);
      if (typeof reason === "string") skipped.push({ name: network.name, reason });
      else added.push(reason.name);
    } catch (error) {
      if (!isChainError(error)) throw error;
      const reason = error.code === "SETTING_MALFORMED" ? error.details.reason : withoutStop(error.message);
      skipped.push({ name: network.name, reason });
    }
  }
  // The user chooses if there are several.
  if (isFirst && added[0] !== undefined) await networks.setActive(added[0]);
  return { added, skipped };
}

/** @returns the reason if it was not added */
async function addOne({ networks, plainHttp, credentials }: Services, network: ToolNetwork) {
  const taken = networks.list().map(({ name }) => name);
  const profile = parseNetworkProfile(profileFields(network, taken), network.name);
  if (!(await passPlainHttp(plainHttp, profile))) return t`http was not allowed for it`;
  if (!(await passLeftKeys(credentials, profile))) return t`keys of an earlier network with its name are still stored`;
  await networks.save(profile);
  return profile;
}

/**
 * Imports the keys, for every caller only after the user confirms. The keys are passed only to the command that stores
 * them.
 */
async function importKeys(file: string, privateKeys: readonly string[]): Promise<readonly string[]> {
  if (privateKeys.length === 0) return [];
  if (!(await confirmModal(keysQuestion(file, privateKeys.length), t`Import`))) return [];
  const accounts: string[] = [];
  for (const privateKey of privateKeys) {
    const argument = passOn({ privateKey, label: file.replace(/^\.|\..*$/g, "") });
    const account = await vscode.commands.executeCommand<{ address: string } | undefined>(
      "finality.importSigningKey",
      argument,
    );
    if (account !== undefined) accounts.push(account.address);
  }
  return accounts;
}
