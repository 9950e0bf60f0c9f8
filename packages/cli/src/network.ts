import {
  type ChainId,
  type ConnectionSettings,
  createAccessTokens,
  createDispatcher,
  createHttpGateway,
  type HttpGateway,
  type HttpGatewayOptions,
  isLoopback,
  LOCAL_NETWORK_NAME,
  type NetworkProfile,
  type OriginBound,
  parseGatewayUrl,
  parseNetworkProfile,
  plainOriginsOf,
} from "@finality/client/gateway";
import type { ProofSources } from "@finality/client/proof";
import { Chains } from "@finality/node/chains";
import { systemClock as clock } from "@finality/node/system-clock";
import { defined } from "@finality/tron/primitives";
import { CliError } from "./cli-error.ts";
import type { Invocation } from "./command.ts";
import { CONFIG_FILE, type Configuration, readConfiguration } from "./configuration.ts";
import type { Terminal } from "./terminal.ts";

/** URL of the chain that `finality chain` starts by default. */
const LOCAL_URL = "http://127.0.0.1:9090";

/** Network of a command, with its credentials. */
export interface ChosenNetwork {
  readonly profile: NetworkProfile;
  /** True if the user marked it as a test network, or started it. */
  readonly isTest: boolean;
  readonly configuration: Configuration;
  readonly apiKey?: OriginBound<string>;
  /** PEM. */
  readonly jwtKey?: OriginBound<string>;
  readonly settings: ConnectionSettings;
}

/**
 * Returns the network of `--network`, `--local` or the configuration.
 *
 * @throws {CliError} `NETWORK_MISSING`, `CONFIG_MALFORMED`, `CREDENTIAL_UNBOUND`, `USAGE`
 * @throws {ChainError} `URL_NOT_ALLOWED`
 */
export async function chooseNetwork(
  invocation: Invocation,
  terminal: Terminal,
  preferred?: string,
): Promise<ChosenNetwork> {
  const configuration = await readConfiguration(invocation, terminal);
  const { profile: chosen, isExplicit } = chooseProfile(invocation, terminal, { configuration, preferred });
  const profile = invocation.isOn("allow-http") ? { ...chosen, plainHttp: plainOriginsOf(chosen) } : chosen;
  const isTest = profile.local || (configuration.testNetworks.includes(profile.name) && !profile.production);
  const origins = keyOrigins(terminal);
  const bound = (value: string): OriginBound<string> => {
    if (origins !== undefined) return { value, origins };
    if (isExplicit) return { value, origins: [new URL(profile.baseUrl).origin] };
    const cause = `The URL of ${profile.name} is from ${CONFIG_FILE}, and a file does not decide where a key is sent.`;
    throw new CliError("CREDENTIAL_UNBOUND", { cause });
  };
  const apiKey = await credential("api-key", invocation, terminal);
  const jwtKey = await credential("jwt-key", invocation, terminal);
  if (profile.jwt && jwtKey === undefined)
    throw new CliError("CREDENTIAL_MISSING", { cause: `${profile.name} requires tokens, and there is no JWT key.` });
  return {
    profile,
    isTest,
    configuration,
    ...(apiKey !== undefined && { apiKey: bound(apiKey) }),
    ...(jwtKey !== undefined && { jwtKey: bound(jwtKey) }),
    settings: connectionSettings(terminal),
  };
}

interface Choice {
  readonly profile: NetworkProfile;
  /** True if the arguments or the environment have the URL, and not a file. */
  readonly isExplicit: boolean;
}

/** Network of the embedded chain in this process. It has no credentials. */
export function embeddedNetwork(url: string): ChosenNetwork {
  const configuration = { networks: [], testNetworks: [], addresses: new Map() };
  return { profile: { ...localProfile(url), name: "Embedded chain" }, isTest: true, configuration, settings: {} };
}

/** Returns true if arguments, environment, a call file or the configuration name a network. */
export function isNetworkNamed(
  invocation: Invocation,
  { env }: Terminal,
  { network }: Configuration,
  preferred: string | undefined,
): boolean {
  const names = [invocation.text("network"), env.FINALITY_NETWORK, preferred, network];
  return invocation.isOn("local") || names.some((it) => it !== undefined);
}

function chooseProfile(
  invocation: Invocation,
  { env }: Terminal,
  { configuration, preferred }: { readonly configuration: Configuration; readonly preferred: string | undefined },
): Choice {
  const argument = invocation.text("network");
  if (invocation.isOn("local")) {
    if (argument !== undefined) throw new CliError("USAGE", { cause: "Use either --network or --local, not both." });
    return { profile: localProfile(env.FINALITY_LOCAL_URL ?? LOCAL_URL), isExplicit: true };
  }
  const name = argument ?? env.FINALITY_NETWORK ?? preferred ?? configuration.network;
  if (name === undefined) {
    const names = configuration.networks.map((it) => it.name).join(", ");
    throw new CliError("NETWORK_MISSING", {
      cause: names === "" ? `There is no --network, and no ${CONFIG_FILE} in this folder.` : `Networks: ${names}.`,
    });
  }
  // Before the names: a file could give the name of one URL to another one.
  if (/^https?:/i.test(name))
    return { profile: profileOfUrl(name), isExplicit: name === (argument ?? env.FINALITY_NETWORK) };
  const configured = configuration.networks.find((it) => it.name === name);
  if (configured !== undefined) return { profile: configured, isExplicit: false };
  if (name === LOCAL_NETWORK_NAME)
    return { profile: localProfile(env.FINALITY_LOCAL_URL ?? LOCAL_URL), isExplicit: true };
  const names = configuration.networks.map((it) => it.name).join(", ");
  throw new CliError("NETWORK_MISSING", {
    cause: `There is no network "${name}". Networks: ${names === "" ? "none" : names}.`,
  });
}

function profileOfUrl(url: string): NetworkProfile {
  // The gateway refuses http in the private network without --allow-http.
  const baseUrl = parseGatewayUrl(url, () => true);
  return parseNetworkProfile({ name: new URL(baseUrl).host, baseUrl }, "--network");
}

function localProfile(url: string): NetworkProfile {
  const baseUrl = parseGatewayUrl(url);
  if (!isLoopback(new URL(baseUrl)))
    throw new CliError("USAGE", { cause: `FINALITY_LOCAL_URL has to be a URL of this computer, not ${baseUrl}.` });
  return { ...profileOfUrl(baseUrl), name: LOCAL_NETWORK_NAME, local: true };
}

function keyOrigins({ env }: Terminal): readonly string[] | undefined {
  const text = env.FINALITY_KEY_ORIGINS;
  return text === undefined ? undefined : text.split(/[\s,]+/).flatMap((it) => (it === "" ? [] : [originIn(it)]));
}

function originIn(text: string): string {
  const url = URL.parse(text);
  if (url !== null && url.origin !== "null") return url.origin;
  throw new CliError("USAGE", {
    cause: `FINALITY_KEY_ORIGINS: "${text}" is not an origin such as https://api.example.org.`,
  });
}

/** Returns the credential of the file descriptor or the environment. Arguments never have it. */
async function credential(
  kind: "api-key" | "jwt-key",
  invocation: Invocation,
  terminal: Terminal,
): Promise<string | undefined> {
  const descriptor = invocation.text(`${kind}-fd`);
  const variable = kind === "api-key" ? "FINALITY_API_KEY" : "FINALITY_JWT_KEY";
  if (descriptor === undefined) return terminal.env[variable]?.trim() || undefined;
  if (!/^\d+$/.test(descriptor))
    throw new CliError("USAGE", { cause: `--${kind}-fd has to be the number of a file descriptor, not the key.` });
  return (await terminal.read(`fd:${descriptor}`)).trim();
}

function connectionSettings({ env }: Terminal): ConnectionSettings {
  const proxy = env.HTTPS_PROXY ?? env.https_proxy;
  const noProxy = (env.NO_PROXY ?? env.no_proxy ?? "").split(",").filter((it) => it !== "");
  return proxy === undefined ? {} : { proxy, noProxy };
}

/** Open connection to the network of a command. */
export interface Connection extends ChosenNetwork {
  readonly gateway: HttpGateway;
  readonly sources: ProofSources;
  /** Returns a gateway that uses this URL alone. */
  gatewayAt(url: string): HttpGateway;
  /** Chain of the network; undefined if its node does not have the genesis block. */
  chain(): Promise<ChainId | undefined>;
  close(): Promise<void>;
}

/** Connects to a network. Sends no request. */
export function connect(network: ChosenNetwork): Connection {
  const { profile, apiKey, jwtKey, settings } = network;
  const dispatcher = createDispatcher(settings);
  const tokens = createAccessTokens(clock);
  const accessToken = jwtKey && { origins: jwtKey.origins, value: () => tokens.token(profile, jwtKey.value) };
  const options: HttpGatewayOptions = { clock, dispatcher, ...defined({ apiKey, accessToken }) };
  const at = (baseUrl: string) => createHttpGateway({ ...profile, baseUrl, fallbackUrls: [] }, options);
  const gateway = createHttpGateway(profile, options);
  return {
    ...network,
    gateway,
    gatewayAt: at,
    sources: { others: profile.fallbackUrls.map(at), inRealTime: !profile.local },
    chain: () => gateway.chainId("solid"),
    close: () => dispatcher.close(),
  };
}

/** Returns the chains of the URLs, as the folder of the journal has them since their first use. */
export function pinnedChains(folder: string, { profile, gateway, gatewayAt, configuration }: Connection): Chains {
  const networks = [profile, ...configuration.networks.filter(({ name }) => name !== profile.name)];
  return new Chains({
    folder,
    networks: { list: () => networks, find: (name) => networks.find((it) => it.name === name) },
    gateways: { for: async () => gateway, at: async (_network, url) => gatewayAt(url) },
    now: () => clock.now(),
    log: { info: () => undefined, error: () => undefined },
    learned: () => undefined,
  });
}

/** Returns a network for a list, without credentials. */
export function networkJson({ configuration }: { readonly configuration: Configuration }, profile: NetworkProfile) {
  const { name, baseUrl, fallbackUrls, jwt, production } = profile;
  const isTest = configuration.testNetworks.includes(name) && !production;
  return { name, url: baseUrl, fallbackUrls: [...fallbackUrls], jwt, realMoney: production, testNetwork: isTest };
}
