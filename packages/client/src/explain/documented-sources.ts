import { type AbiIndex, createKnownIndex } from "@finality/tron/abi";
import { t } from "@vscode/l10n";

/** Page of the documentation with more details on an explanation. */
interface DocumentedPage {
  /** Name of the page, without `.md`. */
  readonly page: string;
  /** Anchor of its heading; empty for the beginning of the page. */
  readonly anchor: string;
  /** Label of the link. On the error page, its heading is the same without the name of the page. */
  readonly title: string;
  /** Sources of explanations on this page. */
  readonly holds: RegExp;
}

/**
 * Documentation pages for further reading, the closest first. Internal papers are not used as sources. The error page
 * is generated from the catalogue (`npm run commands`), with a heading for each of these.
 */
export const documentedSources = {
  stakes: { page: "errors", anchor: "stakes", title: t`Errors: Stakes`, holds: /staking/ },
  delegations: { page: "errors", anchor: "delegations", title: t`Errors: Delegations`, holds: /delegation/ },
  accounts: {
    page: "errors",
    anchor: "transfers-and-accounts",
    title: t`Errors: Transfers and accounts`,
    holds: /transfers and accounts/,
  },
  permissions: {
    page: "errors",
    anchor: "permissions",
    title: t`Errors: Permissions`,
    holds: /AccountPermissionUpdate/,
  },
  votes: {
    page: "errors",
    anchor: "votes-and-rewards",
    title: t`Errors: Votes and rewards`,
    holds: /votes and rewards/,
  },
  contracts: { page: "errors", anchor: "contracts", title: t`Errors: Contracts`, holds: /TriggerSmartContract/ },
  tokens: { page: "errors", anchor: "trc-10-tokens", title: t`Errors: TRC-10 tokens`, holds: /TRC-10/ },
  markets: {
    page: "errors",
    anchor: "exchanges-and-markets",
    title: t`Errors: Exchanges and markets`,
    holds: /exchange and market/,
  },
  committee: {
    page: "errors",
    anchor: "committee-and-witnesses",
    title: t`Errors: Committee and witnesses`,
    holds: /committee/,
  },
  simulations: {
    page: "errors",
    anchor: "simulated-calls",
    title: t`Errors: Simulated calls`,
    holds: /reference §13/,
  },
  executions: {
    page: "errors",
    anchor: "executions-that-failed",
    title: t`Errors: Executions that failed`,
    holds: /Execution result values|reference §11\.5/,
  },
  states: { page: "tracking", anchor: "states", title: t`States`, holds: /Transitions|reference §11\.6/ },
  signatures: { page: "errors", anchor: "signatures", title: t`Errors: Signatures`, holds: /reference §4\.4/ },
  refusals: {
    page: "errors",
    anchor: "refused-at-the-broadcast",
    title: t`Errors: Refused at the broadcast`,
    holds: /Errors 2|Broadcast response|reference §7/,
  },
  requests: {
    page: "errors",
    anchor: "refused-requests",
    title: t`Errors: Refused requests`,
    holds: /reference §2\.2/,
  },
  silence: {
    page: "errors",
    anchor: "no-usable-answer",
    title: t`Errors: No usable answer`,
    holds: /Errors 1|reference §2\.3/,
  },
  tools: { page: "errors", anchor: "messages-of-tools", title: t`Errors: Messages of tools`, holds: /^the words of / },
  validations: {
    page: "errors",
    anchor: "other-validations",
    title: t`Errors: Other validations`,
    holds: /the node's validation/,
  },
  reasons: {
    page: "errors",
    anchor: "messages-of-contracts",
    title: t`Errors: Messages of contracts`,
    holds: /^Solidity/,
  },
  readings: {
    page: "explanations",
    anchor: "what-is-read",
    title: t`Explanations: Supported texts`,
    holds: /^what is read$/,
  },
} as const satisfies Readonly<Record<string, DocumentedPage>>;

/** Name of a page of the documentation. */
type DocumentedSource = keyof typeof documentedSources;

const names = Object.keys(documentedSources) as readonly DocumentedSource[];

/** Source as displayed: plain text, or a link to a page of the documentation. */
export interface ShownSource {
  readonly text: string;
  readonly place?: DocumentedSource;
}

/** Prefixes of the sources in core that the documentation covers; artifacts and dictionaries are not among them. */
const OF_OURS =
  /^(gateway document|protocol reference|node behaviour|the node's validation|the words of |Solidity(?=$|,)|what is read$)/;

/** Returns the closest page of the documentation that covers a source. */
function sourceOf(source: string): DocumentedSource | undefined {
  return OF_OURS.test(source) ? names.find((name) => documentedSources[name].holds.test(source)) : undefined;
}

/** Returns the sources of an explanation, each page once; artifacts and dictionaries stay plain text. */
export function shownSources(sources: readonly string[]): readonly ShownSource[] {
  const shown = sources.map((source): ShownSource => {
    const place = sourceOf(source);
    return place === undefined ? { text: source } : { text: documentedSources[place].title, place };
  });
  return shown.filter(({ text }, at) => shown.findIndex((it) => it.text === text) === at);
}

/**
 * Converts an explanation for other programs: our own sources become links to the documentation, such as
 * `errors#stakes`.
 */
export function forPrograms<E extends { readonly sources: readonly string[] }>(explanation: E): E {
  const sources = shownSources(explanation.sources).map(({ text, place }) => {
    if (place === undefined) return text;
    const { page, anchor } = documentedSources[place];
    return `${page}#${anchor}`;
  });
  return { ...explanation, sources };
}

let loaded: Promise<AbiIndex> | undefined;

/**
 * Returns the selector names that ship with the extension (signatures of OpenZeppelin's contracts and of Solady),
 * loaded on first use. Put them after the workspace's own names: `joinAbiIndexes(workspace, await loadDictionary())`.
 */
export function loadDictionary(): Promise<AbiIndex> {
  loaded ??= import("@finality/tron/known-signatures").then(createKnownIndex);
  return loaded;
}
