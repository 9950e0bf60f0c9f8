import {
  type ChainId,
  type CheckResult,
  isLoopback,
  isPlain,
  type NetworkField,
  type NetworkProfile,
  networkLabel,
  originsOf,
} from "@finality/client/gateway";
import { shortChainId } from "@finality/tron/errors";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Item of a list. */
interface ShownLine {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

export function describeNetwork(network: NetworkProfile, active: string | undefined): ShownLine {
  return {
    label: `$(${iconOf(network)}) ${networkLabel(network.name)}`,
    description: factsOf(network, active).join(" · "),
    detail: network.baseUrl,
  };
}

function iconOf({ local }: NetworkProfile): string {
  return local ? "beaker" : "broadcast";
}

function factsOf(network: NetworkProfile, active: string | undefined): readonly string[] {
  return [
    ...(network.name === active ? [t`active`] : []),
    ...(network.production ? [t`real money`] : []),
    ...(network.jwt ? ["JWT"] : []),
  ];
}

/** Row of a network in its view. */
interface NetworkRow {
  readonly label: string;
  readonly description: string;
  /** A codicon. */
  readonly icon: string;
  /** `network`, with a suffix for each available action. */
  readonly contextValue: string;
  /** For screen readers. */
  readonly spoken: string;
  /** Lines of the tooltip. */
  readonly tooltip: readonly string[];
}

export function networkRow(network: NetworkProfile, active: string | undefined): NetworkRow {
  const { name, baseUrl, fallbackUrls, explorerUrl, local, jwt, keyId } = network;
  const facts = factsOf(network, active);
  const shown = [...facts, new URL(baseUrl).host];
  const flags = [
    local ? "+local" : "+own",
    ...(name === active ? ["+active"] : []),
    ...(baseUrl.startsWith("https:") ? ["+https"] : []),
    ...(jwt || keyId !== undefined ? ["+jwt"] : []),
  ];
  return {
    label: networkLabel(name),
    description: shown.join(" · "),
    icon: iconOf(network),
    contextValue: `network${flags.join("")}`,
    spoken: [networkLabel(name), ...shown].join(", "),
    tooltip: [
      [networkLabel(name), ...facts].join(" · "),
      t`URL: ${baseUrl}`,
      ...(fallbackUrls.length === 0 ? [] : [t`Fallback URLs: ${fallbackUrls.join(t`, `)}`]),
      ...(explorerUrl === undefined ? [] : [t`Explorer: ${explorerUrl}`]),
    ],
  };
}

/** Chain of a network, as reported by all of its URLs that answered. */
export function chainResult(chain: ChainId | undefined): CheckResult {
  if (chain !== undefined)
    return {
      check: "chain",
      status: "ok",
      sentence: t`Its first block is ${shortChainId(chain)}…, at each of its URLs that answered.`,
    };
  return {
    check: "chain",
    status: "warning",
    sentence: t`It does not return its first block, so its chain is unknown.`,
    nextStep: t`An equal payment on any other network counts as one on this chain. Ask the operator for block 0.`,
  };
}

/** Summarizes in one line whether anything is wrong with this network. */
export function summarizeResults(network: string, results: readonly CheckResult[]): string {
  if (results.some(({ status }) => status === "failed")) return t`${network} does not work yet`;
  return results.some(({ status }) => status === "warning") ? t`${network} works, with a warning` : t`${network} works`;
}

/** Editable field of a profile with its value. */
interface EditableField extends ShownLine {
  readonly field: EditableFieldName;
}

/** Every field except the name, which the journal uses to identify the network. */
export type EditableFieldName = Exclude<NetworkField, "name">;

/** Confirmation of a change of one field: always, only if the network has credentials, or never. */
type Confirmation = "always" | "credentials" | "never";

/** The editable fields in display order. */
const FIELDS: {
  readonly [F in EditableFieldName]: { readonly label: string; readonly confirmation: Confirmation };
} = {
  baseUrl: { label: "URL", confirmation: "always" },
  solidityBaseUrl: { label: t`URL of solidified data`, confirmation: "always" },
  fallbackUrls: { label: t`Fallback URLs for reads`, confirmation: "always" },
  jwt: { label: "JWT", confirmation: "credentials" },
  audience: { label: t`JWT audience`, confirmation: "credentials" },
  // `editNetwork` confirms a key ID itself.
  keyId: { label: t`JWT key ID (kid)`, confirmation: "never" },
  apiKeyHeader: { label: t`Header of the API key`, confirmation: "credentials" },
  production: { label: t`Real money`, confirmation: "always" },
  explorerUrl: { label: t`Block explorer`, confirmation: "always" },
};
const EDITABLE_FIELDS = Object.keys(FIELDS) as readonly EditableFieldName[];

/** Keys of a network. They are never part of the settings. */
interface KeysLine extends ShownLine {
  readonly field: "keys";
}

export function keysLine(keys: KeysOfNetwork): readonly KeysLine[] {
  return keys.words === undefined ? [] : [{ field: "keys", label: t`Keys are sent to`, description: sentTo(keys) }];
}

export function sentTo({ origins }: KeysOfNetwork): string {
  return origins.length === 0 ? t`no URL of this network` : origins.join(" ");
}

/** Returns the editable fields with their values. */
export function editableFields(network: NetworkProfile): readonly EditableField[] {
  return EDITABLE_FIELDS.map((field) => ({
    field,
    label: FIELDS[field].label,
    description: fieldText(network[field], t`on`, t`off`),
  }));
}

/** Credentials that a network has. */
export interface KeysOfNetwork {
  /** For example "API key and JWT key"; undefined if there are none. */
  readonly words: string | undefined;
  /** Origins that may receive the keys already. */
  readonly origins: readonly string[];
}

/** Change of a network that redirects its keys or real money. */
export interface Redirection {
  readonly title: string;
  readonly detail: string;
  /** Origins of the URLs that may not receive the keys yet. */
  readonly newOrigins: readonly string[];
}

export const ALLOW_HTTP = t`Use http`;

/** Confirmation before a network is used without encryption. */
export function plainHttpQuestion(
  { name, production }: NetworkProfile,
  origins: readonly string[],
): { readonly title: string; readonly detail: string } {
  const lines = [
    t`The connection is not encrypted. Anyone in the same network can read which accounts you query and what you send, and can change the answers: balances, costs, and whether a payment arrived.`,
    ...(production ? [t`This network uses real money.`] : []),
    t`Transactions are still verified here before you sign, and no API key, token or signing key is ever sent there.`,
    t`Allow it only in a network where you trust every device. https, or a tunnel to this computer (ssh -L), is safer.`,
  ];
  return { title: t`Use ${origins.join(t`, `)} for ${name}?`, detail: lines.join("\n\n") };
}

/** Returns the confirmation before a client certificate is shown to a host. */
export function certificateQuestion({
  origin,
  file,
  hadOne,
}: {
  readonly origin: string;
  /** Empty if it is removed. */
  readonly file: string;
  readonly hadOne: boolean;
}): { readonly title: string; readonly detail: string } {
  const who = t`If you did not request this, cancel: a program may have.`;
  if (file === "") {
    const found = hadOne ? t`Its files stay where they are.` : t`There is none.`;
    return { title: t`Stop sending a client certificate to ${origin}?`, detail: `${found}\n\n${who}` };
  }
  const detail = [
    t`File: ${visibleLine(file)}`,
    hadOne ? t`It replaces the current one.` : t`None is sent there now.`,
    t`It identifies you to that host and is sent to no other. The file stays where it is; its passphrase is in the secret storage of the editor.`,
    who,
  ];
  return { title: t`Send this client certificate to ${origin}?`, detail: detail.join("\n\n") };
}

/**
 * Returns the confirmation before a network changes; undefined if the user changes a test network without keys.
 *
 * @param byProgram - Every change by a program is confirmed.
 */
export function redirectionOf(
  network: NetworkProfile,
  next: NetworkProfile,
  { words, origins }: KeysOfNetwork,
  byProgram = false,
): Redirection | undefined {
  if (words === undefined && !network.production && !byProgram) return undefined;
  const confirmed: readonly Confirmation[] = words !== undefined || byProgram ? ["always", "credentials"] : ["always"];
  const lines = EDITABLE_FIELDS.flatMap((field) => {
    const { label, confirmation } = FIELDS[field];
    const [before, after] = [network, next].map((it) => fieldText(it[field], t`yes`, t`no`));
    return before === after || !confirmed.includes(confirmation) ? [] : [`${label}: ${before} → ${after}`];
  });
  if (lines.length === 0) return undefined;
  const newOrigins =
    words === undefined ? [] : originsOf(next).filter((it) => !origins.includes(it) && !isPlain(new URL(it)));
  return { title: t`Change the network ${network.name}?`, detail: detailOf(lines, words, newOrigins), newOrigins };
}

function detailOf(lines: readonly string[], text: string | undefined, newOrigins: readonly string[]): string {
  const keys =
    newOrigins.length > 0
      ? [t`Its ${text ?? ""} was not entered for ${newOrigins.join(t`, `)}. The operator of that server can use it.`]
      : [];
  return [lines.join("\n"), ...keys, t`If you did not request this, cancel: a program may have.`].join("\n\n");
}

function fieldText(value: NetworkProfile[EditableFieldName], yes: string, no: string): string {
  if (typeof value === "boolean") return value ? yes : no;
  const text = typeof value === "string" ? value : (value ?? []).join(" ");
  return text === "" ? t`not set` : text;
}

/** Authentication of a gateway. */
export type Authentication = "none" | "api-key" | "jwt" | "jwt-and-api-key";

/** Kind of network with its defaults. */
export interface NetworkPreset {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly profile: Partial<NetworkProfile>;
  /**
   * Additional fields to prompt for, such as a URL that the profile does not fix, or whether the network uses real
   * money.
   */
  readonly asks: readonly ("baseUrl" | "solidityBaseUrl" | "authentication" | "production")[];
}

const tronGrid = { apiKeyHeader: "TRON-PRO-API-KEY", audience: "trongrid.io" } as const;

export const networkPresets: readonly NetworkPreset[] = [
  {
    id: "gateway",
    label: t`Hosted gateway`,
    detail: t`A gateway with a JWT key, an API key, or both.`,
    profile: { apiKeyHeader: "CHAIN-PRO-API-KEY" },
    asks: ["baseUrl", "authentication", "production"],
  },
  {
    id: "trongrid-mainnet",
    label: t`TronGrid Mainnet`,
    detail: t`https://api.trongrid.io · real money`,
    profile: {
      name: t`TronGrid Mainnet`,
      baseUrl: "https://api.trongrid.io",
      ...tronGrid,
      production: true,
      explorerUrl: "https://tronscan.org",
    },
    asks: ["authentication"],
  },
  {
    id: "trongrid-shasta",
    label: t`TronGrid Shasta`,
    detail: t`https://api.shasta.trongrid.io · a test network`,
    profile: {
      name: t`TronGrid Shasta`,
      baseUrl: "https://api.shasta.trongrid.io",
      ...tronGrid,
      production: false,
      explorerUrl: "https://shasta.tronscan.org",
    },
    asks: ["authentication"],
  },
  {
    id: "trongrid-nile",
    label: t`TronGrid Nile`,
    detail: t`https://nile.trongrid.io · a test network`,
    profile: {
      name: t`TronGrid Nile`,
      baseUrl: "https://nile.trongrid.io",
      ...tronGrid,
      production: false,
      explorerUrl: "https://nile.tronscan.org",
    },
    asks: ["authentication"],
  },
  {
    id: "tre",
    label: t`TronBox Runtime Environment`,
    detail: t`http://127.0.0.1:9090 · the image tronbox/tre on this computer`,
    profile: { name: t`TRE`, baseUrl: "http://127.0.0.1:9090", production: false },
    asks: [],
  },
  {
    id: "node",
    label: t`Plain node`,
    detail: t`A node of your own, with its head and solidified interfaces on two ports.`,
    profile: { name: t`My node`, baseUrl: "http://127.0.0.1:8090", solidityBaseUrl: "http://127.0.0.1:8091" },
    asks: ["baseUrl", "solidityBaseUrl", "production"],
  },
];

/**
 * Returns whether all of these URLs are on this computer or of a public test network. Only these count as test networks
 * by default.
 */
export function areTestUrls(urls: readonly string[]): boolean {
  return urls.every((it) => {
    const url = URL.parse(it);
    if (url === null) return false;
    const preset = networkPresets.find(({ profile }) => profile.baseUrl === url.origin)?.profile;
    return isLoopback(url) || preset?.production === false;
  });
}

export function presetOf(id: string): NetworkPreset | undefined {
  return networkPresets.find((it) => it.id === id);
}
