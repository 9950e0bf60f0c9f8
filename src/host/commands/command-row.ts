import { t } from "@vscode/l10n";

/**
 * What happens when somebody else than the person calls a command with all that it needs: another extension, a task
 * input, a keybinding, a link. `asks` acts only after a modal dialog; `asks on real networks` does so but for the local
 * chain with its own accounts; `harmless` shows no dialog.
 */
export type Confirmation = "asks" | "asks on real networks" | "harmless";

/** How a command answers to others. */
export interface CallByOthers {
  readonly confirmation: Confirmation;
  /** What is asked, or why nothing has to be. */
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

export const asks = (why: string): CallByOthers => ({ confirmation: "asks", why });
export const harmless = (why: string): CallByOthers => ({ confirmation: "harmless", why });
export const signs: CallByOthers = { confirmation: "asks on real networks", why: t`the review of what is signed` };
export const sendsAgain: CallByOthers = {
  confirmation: "asks on real networks",
  why: t`whether the signed bytes go out once more`,
};
export const ofLocalChain = harmless(t`the local chain and its own accounts are for trying`);
export const shows = harmless(t`shows something, changes nothing`);
export const reads = harmless(t`reads, changes nothing`);
export const clipboard = harmless(t`writes the clipboard; no secret`);

export const HAS_NETWORK = "finality.hasNetwork";
export const TRUSTED = "isWorkspaceTrusted";
/** One that the person added: the local chain has no credentials and no fields to edit. */
export const OWN_NETWORK = "finality.hasOwnNetwork";
/** One whose requests can carry tokens. */
export const JWT_NETWORK = "finality.hasJwtNetwork";
export const HAS_ACCOUNT = "finality.hasAccount";
export const HAS_WATCH = "finality.hasWatch";
/** Some transaction is in the list. */
export const LISTED = "finality.hasTransaction";
/** Some transaction of the list has this flag: what may be done with it. */
export const listed = (flag: string): string => String.raw`finality.listed =~ /\+${flag}\b/`;
export const SENDS = `${HAS_NETWORK} && ${TRUSTED}`;
export const SENDS_LISTED = `${LISTED} && ${TRUSTED}`;
export const whileSending = { enablement: SENDS, others: signs };
export const whileChainRuns = { enablement: "finality.localChainRunning", palette: "finality.localChainRunning" };
export const WHERE_CALLS_ARE = [
  "editorLangId =~ /^(type|java)script(react)?$|^solidity$/",
  String.raw`resourceFilename =~ /\.(sol|finality\.jsonc)$/`,
].join(" || ");
