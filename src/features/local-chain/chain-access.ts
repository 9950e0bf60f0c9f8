import { type NetworkProfile, originOf } from "@finality/client/gateway";
import { t } from "@vscode/l10n";
import { askLocalChain } from "../../host/local-chain/local-chain-process.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import type { NetworkCredentials } from "../../host/secrets/network-credentials.ts";
import { ACCESS_WORDS, type AccessWord, accessItems, LOCAL_AUDIENCE } from "./chain-access.view.ts";
import { tellChain } from "./chain-control.ts";
import type { LocalChain } from "./local-chain.ts";

type Credentials = Pick<NetworkCredentials, "jwtKeys" | "jwtKeysOf" | "get" | "set" | "delete" | "localAccess">;

/** What the chain that runs asks for from now on. */
export interface AccessResult {
  readonly network: string;
  readonly access: AccessWord;
}

/** What the person wants the chain to ask for; undefined when the person left. */
export async function askAccess(chain: LocalChain): Promise<AccessWord | undefined> {
  const title = t`Local Chain Access`;
  const placeHolder = t`What should requests to the local chain have to carry?`;
  return (await quickPick(accessItems(await chain.access()), { title, placeHolder }))?.word;
}

/**
 * Has the chain ask for tokens, an API key or both, as hosted gateways do. Keys are made and registered here, so that
 * the next request carries what it needs.
 *
 * @throws {ChainError} `GATEWAY_UNREACHABLE`
 */
export async function changeAccess(chain: LocalChain, word: AccessWord): Promise<AccessResult> {
  const { credentials, network } = chain.asked();
  const wanted = ACCESS_WORDS[word];
  await (wanted.jwt ? askForTokens(credentials, network) : askForNoTokens(credentials, network));
  await (wanted.apiKey ? askForApiKey(credentials, network) : askForNoApiKey(credentials, network));
  return { network: network.name, access: word };
}

/** The key is there before the chain asks for its tokens: no request in between is dropped. */
async function askForTokens(credentials: Credentials, network: NetworkProfile): Promise<void> {
  const records = await credentials.jwtKeys(network);
  if (!records.some(({ inUse }) => inUse)) {
    const { generateJwtKey } = await import("../../host/networks/lazy-gateway.ts");
    const { privateKeyPem, publicKeyPem } = await generateJwtKey();
    const name = t`Key 1`;
    const { id } = await tellChain(network.baseUrl, "keys", { name, publicKey: publicKeyPem }, "access");
    const key = { value: privateKeyPem, origins: [originOf(network.baseUrl)] };
    const record = await credentials.jwtKeysOf(network)?.add(key, { name, keyId: String(id) });
    if (record !== undefined) await credentials.jwtKeysOf(network)?.use(record.id);
  }
  await tellChain(network.baseUrl, "access", { jwt: { audience: LOCAL_AUDIENCE } }, "access");
}

async function askForNoTokens(credentials: Credentials, network: NetworkProfile): Promise<void> {
  await tellChain(network.baseUrl, "access", { jwt: null }, "access");
  for (const { keyId } of await credentials.jwtKeys(network)) {
    if (keyId !== undefined) await askLocalChain(network.baseUrl, "keys", { id: keyId }, "DELETE");
  }
  await credentials.delete("jwtKey", network.name);
}

async function askForApiKey(credentials: Credentials, network: NetworkProfile): Promise<void> {
  const known = await credentials.get("apiKey", network);
  const { value: key } = known ?? { value: crypto.randomUUID() };
  await credentials.set("apiKey", network.name, { value: key, origins: [originOf(network.baseUrl)] });
  await tellChain(network.baseUrl, "access", { apiKey: { key, header: network.apiKeyHeader } }, "access");
}

async function askForNoApiKey(credentials: Credentials, network: NetworkProfile): Promise<void> {
  await tellChain(network.baseUrl, "access", { apiKey: null }, "access");
  await credentials.delete("apiKey", network.name);
}
