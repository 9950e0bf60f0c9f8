import type { NetworkProfile } from "@finality/client/gateway";
import { t } from "@vscode/l10n";
import { isCallOfProgram } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import type { Commands } from "../../host/commands/commands.ts";
import { originsToBind } from "../../host/prompts/credential-prompts.ts";
import { confirmForProgram, confirmInStatusBar, confirmModal, reportDone } from "../../host/prompts/notify.ts";
import { chooseNetwork, inputBox } from "../../host/prompts/quick-input.ts";
import {
  createJwtKey,
  importJwtKey,
  type JwtKeyServices,
  listJwtKeys,
  removeJwtKey,
  renameJwtKey,
  useJwtKey,
} from "./jwt-keys.ts";
import { rotateJwtKey } from "./rotate-jwt-key.ts";
import { inspectToken, setTokenLifetime } from "./tokens.ts";

export function createJwtKeyCommands(services: JwtKeyServices): {
  readonly commands: Commands<"jwtKeys">;
  readonly tokenText: (uri: string) => string;
} {
  /** Text of the token that was inspected last, by the URI of its document. */
  const texts = new Map<string, string>();
  return {
    tokenText: (uri) => texts.get(uri) ?? t`This token is outdated. Run Inspect Token for the current one.\n`,
    commands: {
      "finality.createJwtKey": (argument, raw) => createJwtKey(services, argument, !isCallOfProgram(raw)),
      "finality.importJwtKey": (argument) => importJwtKey(services, argument),
      "finality.jwtKeys": (argument, raw) => listJwtKeys(services, argument, !isCallOfProgram(raw)),
      "finality.renameJwtKey": async (argument, raw) =>
        reportDone(
          raw,
          await renameJwtKey(services, argument),
          ({ network, key }) => t`${network} has the JWT key ${key}`,
        ),
      "finality.useJwtKey": async (argument, raw) =>
        reportDone(
          raw,
          await useJwtKey(services, argument),
          ({ network, key }) => t`${network} uses the JWT key ${key}`,
        ),
      "finality.removeJwtKey": async (argument, raw) =>
        reportDone(raw, await removeJwtKey(services, argument), ({ key }) => t`JWT key ${key} removed`),
      "finality.rotateJwtKey": (argument, raw) => rotateJwtKey(services, argument, !isCallOfProgram(raw)),
      "finality.inspectToken": (argument, raw) => inspectToken(services, argument, texts, !isCallOfProgram(raw)),
      "finality.setTokenLifetime": async (argument, raw) =>
        reportDone(raw, await setTokenLifetime(services, argument), (set) => `${set.network}: ${set.lifetime}`),
      "finality.setApiKey": (argument, raw) => setApiKey(services, argument, !isCallOfProgram(raw)),
    },
  };
}

/** Stores the API key of a network, or deletes it if the text is empty. Returns undefined if the user cancels. */
async function setApiKey(
  { networks, credentials }: JwtKeyServices,
  argument: CommandArguments["finality.setApiKey"],
  showsResult: boolean,
): Promise<{ readonly network: string; readonly header: string } | undefined> {
  const title = t`Set API Key`;
  const network = await chooseNetwork(networks, argument.network, { title, fits: ({ local }) => !local });
  if (network === undefined) return undefined;
  const apiKey = (argument.apiKey ?? (await askApiKey(network)))?.trim();
  if (apiKey === undefined) return undefined;
  if (!(await mayReplaceApiKey({ credentials }, network, apiKey))) return undefined;
  if (apiKey === "") await credentials.delete("apiKey", network.name);
  else {
    const origins = await originsToBind(network, t`API key`);
    if (origins === undefined) return undefined;
    await credentials.set("apiKey", network.name, { value: apiKey, origins });
  }
  const { name, apiKeyHeader } = network;
  if (showsResult) confirmInStatusBar(apiKey === "" ? t`API key of ${name} removed` : t`API key of ${name} stored`);
  return { network: name, header: apiKeyHeader };
}

/** @param apiKey - New key; empty deletes the stored one. */
async function mayReplaceApiKey(
  { credentials }: Pick<JwtKeyServices, "credentials">,
  network: NetworkProfile,
  apiKey: string,
): Promise<boolean> {
  const known = await credentials.get("apiKey", network);
  if (known?.value === apiKey || (known === undefined && apiKey === "")) return true;
  if (known === undefined)
    return await confirmForProgram({ title: t`Store an API key for ${network.name}?` }, t`Store`);
  const detail = t`The old key is deleted. If it is stored nowhere else, get a new one from the service.`;
  if (apiKey === "") {
    const title = t`Remove the API key of ${network.name}?`;
    return await confirmModal({ title, detail }, t`Remove`);
  }
  const title = t`${network.name} has an API key already. Replace it?`;
  return await confirmModal({ title, detail }, t`Replace`);
}

function askApiKey({ name, apiKeyHeader }: NetworkProfile): Thenable<string | undefined> {
  return inputBox({
    password: true,
    ignoreFocusOut: true,
    title: t`API Key of ${name}`,
    prompt: t`It is sent in the header ${apiKeyHeader}. Leave it empty to remove the key.`,
  });
}
