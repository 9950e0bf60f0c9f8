import { t } from "@vscode/l10n";

/**
 * Behaviour of a command that a program calls with all that it needs: another extension, a task, a keybinding, a link or
 * an agent. `asks` acts only after a dialog; `asks on real networks` does so except on the proven local chain; `acts on
 * the local chain` can change nothing else; `harmless` changes nothing of the person.
 */
export type Confirmation = "asks" | "asks on real networks" | "acts on the local chain" | "harmless";

/** A kind of change of accounts, names, networks, credentials, settings, files or transactions. */
export type Effect =
  | "creates"
  | "renames"
  | "replaces"
  | "redirects"
  | "marks"
  | "signs"
  | "sends"
  | "reveals"
  | "deletes";

/** Behaviour of a command that a program calls. */
export interface CallByOthers {
  readonly confirmation: Confirmation;
  /** Everything that it can do once the person agreed. */
  readonly effects: readonly Effect[];
  /** The question, or the reason why none is needed. */
  readonly why: string;
}

/** How a command is shown, and what others can do with it. */
export interface CommandRow {
  /** In title case, with an ellipsis when it asks for something before it acts. */
  readonly title: string;
  /** The name of a codicon. */
  readonly icon?: string;
  /** The `when` clause without which it cannot be run. */
  readonly enablement?: string;
  /** The `when` clause without which the palette does not list it. */
  readonly palette?: string;
  readonly others: CallByOthers;
}

export const asks = (why: string, ...effects: readonly Effect[]): CallByOthers => ({
  confirmation: "asks",
  effects,
  why,
});
export const BEFORE_IT_RUNS = t`with all arguments, before it runs`;
/** A row of `gatedCommands`. */
export const asksFirst = (...effects: readonly Effect[]): CallByOthers => ({
  confirmation: "asks",
  effects,
  why: BEFORE_IT_RUNS,
});
/** The same, except on the local chain. */
export const asksFirstOnReal = (...effects: readonly Effect[]): CallByOthers => ({
  ...asksFirst(...effects),
  confirmation: "asks on real networks",
});
export const asksOnReal = (why: string, ...effects: readonly Effect[]): CallByOthers => ({
  confirmation: "asks on real networks",
  effects,
  why,
});
export const harmless = (why: string): CallByOthers => ({ confirmation: "harmless", effects: [], why });
export const signs = asksOnReal(t`the review of what is signed`, "creates", "signs", "sends");
export const sendsAgain = asksOnReal(t`whether the signed bytes go out`, "sends");
const ON_LOCAL_CHAIN = "acts on the local chain";
export const ofLocalChain: CallByOthers = {
  confirmation: ON_LOCAL_CHAIN,
  effects: ["creates", "replaces", "redirects", "deletes"],
  why: t`the local chain and its own accounts are for trying`,
};
export const shows = harmless(t`shows something, changes nothing`);
export const reads = harmless(t`reads, changes nothing`);
export const clipboard = harmless(t`writes the clipboard; no secret`);

/**
 * While the extension sleeps nobody has set a key of it, and a command that the palette hides cannot wake it. Where the
 * settings name a network somebody uses it: then its commands are offered, and the one that is called looks.
 */
const ASLEEP = "!finality.awake && config.finality.networks =~ /baseUrl/";

/** A clause about what is known once the extension is awake. */
const known = (clause: string): string => `(${clause} || ${ASLEEP})`;

export const HAS_NETWORK = known("finality.hasNetwork");
export const TRUSTED = "isWorkspaceTrusted";
/** One that the person added: the local chain has no credentials and no fields to edit. */
export const OWN_NETWORK = known("finality.hasOwnNetwork");
/** One that the person added by https: a client certificate never travels unencrypted. */
export const HTTPS_NETWORK = known("finality.hasHttpsNetwork");
/** One that can get JWT keys: one's own, or the local chain while it asks for tokens. */
export const JWT_NETWORK = known("finality.hasOwnNetwork || finality.hasJwtNetwork");
/** One whose requests carry tokens, or did: whether its key is still there is a secret's business. */
export const JWT_KEYS = known("finality.hasJwtNetwork");
export const HAS_ACCOUNT = known("finality.hasAccount");
export const HAS_KEY = known("finality.hasKey");
export const HAS_OWN_KEY = known("finality.hasOwnKey");
export const HAS_WATCH = known("finality.hasWatch");
/** Some payment is waited for still. */
export const IS_WATCHING = known("finality.isWatching");
/** Some transaction is in the list. */
export const LISTED = known("finality.hasTransaction");
export const HAS_EXPLORER = known("finality.hasExplorer");
export const HAS_HIDDEN_NOTICE = known("finality.hasHiddenNotice");
/** Some transaction of the list has this flag: what may be done with it. */
export const listed = (flag: string): string => known(String.raw`finality.listed =~ /\+${flag}\b/`);
/** The active network has an account whose key is here, or in a wallet that is asked. */
export const CAN_SIGN = known("finality.canSign");
export const SENDS = `${CAN_SIGN} && ${TRUSTED}`;
export const SENDS_LISTED = `${LISTED} && ${TRUSTED}`;
export const whileSending = { enablement: SENDS, others: signs };
const CHAIN_RUNS = "finality.localChainRunning";
export const whileChainRuns = { enablement: CHAIN_RUNS, palette: CHAIN_RUNS };
export const WHERE_CALLS_ARE = [
  "editorLangId =~ /^(type|java)script(react)?$|^solidity$/",
  String.raw`resourceFilename =~ /\.(sol|finality\.jsonc)$/`,
].join(" || ");
