import type { ToolNetwork } from "@finality/client/call-sites";
import type { NetworkProfile } from "@finality/client/gateway";
import { grouped } from "@finality/tron/format";
import { defined, freeLabel, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { areTestUrls, networkPresets } from "./network.view.ts";

/** Item for a network that can be imported. */
interface FoundItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly picked: boolean;
  readonly network: ToolNetwork;
}

const LONGEST_NAME = 60;

/** Lists the networks of a file and preselects new ones. */
export function foundItems(
  found: readonly ToolNetwork[],
  existing: readonly Pick<NetworkProfile, "name" | "baseUrl">[],
): readonly FoundItem[] {
  return found.map((network) => {
    const url = gatewayUrl(network.url);
    const there = existing.find(({ baseUrl }) => baseUrl === url.replace(/\/+$/, ""));
    const worth = profileFields(network, []).production === true ? t`counts as real money` : t`test network`;
    return {
      label: visibleLine(network.name, LONGEST_NAME),
      description: there === undefined ? worth : t`already added as ${visibleLine(there.name, LONGEST_NAME)}`,
      detail: visibleLine(url),
      picked: there === undefined,
      network,
    };
  });
}

/**
 * Returns the setting for a network of another tool, completed with the template for its host. Only networks on this
 * computer and public test networks count as test networks: a name in a file proves nothing.
 */
export function profileFields(
  { name, url, solidityUrl }: ToolNetwork,
  taken: readonly string[],
): Partial<NetworkProfile> {
  const baseUrl = gatewayUrl(url);
  const origin = URL.parse(baseUrl)?.origin ?? "";
  const preset = networkPresets.find((it) => it.profile.baseUrl === origin)?.profile ?? {};
  return {
    ...preset,
    production: !areTestUrls([baseUrl, ...(solidityUrl === undefined ? [] : [solidityUrl])]),
    name: freeLabel(visibleLine(name, LONGEST_NAME), taken),
    baseUrl,
    ...defined({ solidityBaseUrl: solidityUrl }),
  };
}

/** Ethereum tools use the JSON-RPC URL of a gateway, which is next to its HTTP interface. */
function gatewayUrl(url: string): string {
  return url.replace(/\/jsonrpc\/?$/i, "");
}

/** Returns the confirmation before private keys of a file become accounts. */
export function keysQuestion(file: string, count: number): { readonly title: string; readonly detail: string } {
  const [name, keys] = [visibleLine(file), grouped(count)];
  return count === 1
    ? {
        title: t`${name} contains ${keys} private key. Import it as an account?`,
        detail: t`Finality stores it only in the secret storage of the editor. The file is not changed, and anyone who can read it has the key: do not keep real money there.`,
      }
    : {
        title: t`${name} contains ${keys} private keys. Import them as accounts?`,
        detail: t`Finality stores them only in the secret storage of the editor. The file is not changed, and anyone who can read it has the keys: do not keep real money there.`,
      };
}

/** Returns the confirmation before networks of a program are added. */
export function importQuestion(profiles: readonly NetworkProfile[]): {
  readonly title: string;
  readonly detail: string;
} {
  const lines = profiles.map(({ name, baseUrl, production }) => {
    return `${visibleLine(name, LONGEST_NAME)}: ${visibleLine(baseUrl)} (${production ? t`real money` : t`test network`})`;
  });
  return { title: t`Add these networks?`, detail: lines.join("\n") };
}

/** Describes the result in one line. */
export function importedText(
  added: readonly string[],
  skipped: readonly { readonly name: string; readonly reason: string }[],
  computed: readonly string[],
): string {
  const parts = [
    added.length === 0 ? t`No network was added.` : t`Added: ${added.map((it) => visibleLine(it, 40)).join(t`, `)}.`,
    ...skipped.map(({ name, reason }) => t`Not ${visibleLine(name, 40)}: ${reason}.`),
    ...(computed.length === 0
      ? []
      : [t`Unknown, because the file computes it: ${computed.map((it) => visibleLine(it, 40)).join(t`, `)}.`]),
  ];
  return parts.join(" ");
}
