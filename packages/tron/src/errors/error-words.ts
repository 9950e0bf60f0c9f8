import { t } from "@vscode/l10n";

/** Of keys that were not sent to a URL. @param boundTo - the origins for which they were entered */
export function keptBack(boundTo: string): string {
  return t`The keys of this network were entered for ${boundTo} and are not sent elsewhere. If they belong here too, edit the network: Keys are sent to.`;
}

/** Of JWT without what it needs. */
export function unsetText(setting: keyof typeof UNSET): string {
  return UNSET[setting];
}

const UNSET = {
  audience: t`JWT is on for this network, but its audience is not set. Edit the network.`,
  "private key": t`JWT is on for this network, but its private key is not set. Run JWT Keys….`,
  "key ID (kid)": t`JWT is on for this network, but its key ID (kid) is not set. Run JWT Keys….`,
} as const;

/** So many requests for the same thing. */
export function triesText(attempts: number): string {
  return attempts === 1 ? t`${attempts} try` : t`${attempts} tries`;
}

/**
 * Returns the refusal of a window with an untrusted workspace.
 *
 * @param what - was not done
 */
export function restrictedText(what: keyof typeof RESTRICTED): string {
  return `${RESTRICTED[what]} ${t`Trust the workspace first, if you know where its files come from.`}`;
}

const RESTRICTED = {
  signed: t`Nothing was signed: this window is in Restricted Mode.`,
  sent: t`Nothing was sent: this window is in Restricted Mode.`,
  read: t`Nothing was read: this window is in Restricted Mode.`,
} as const;

/** A state in a sentence, where the list that shows it otherwise is not at hand; another text stays as it is. */
export function stateWord(state: string): string {
  return STATES[state] ?? state;
}

const STATES: Readonly<Record<string, string>> = {
  unknown: t`unknown`,
  signed: t`signed`,
  pending: t`pending`,
  included: t`included`,
  solidified: t`solidified`,
  rejected: t`rejected`,
  replaced: t`replaced`,
  "proven-absent": t`proven-absent`,
};

/** Of an equal transaction. @param state - as it is known here */
export function describeAlive(txId: string, state: string): string {
  switch (state) {
    case "solidified":
      return t`An equal transaction was executed meanwhile: ${txId}. Nothing was sent. Look at it first: another one would pay twice.`;
    case "failed":
      return t`An equal transaction failed, as its gateway says, and no other URL says so too: ${txId}. Nothing was sent. Look at it in an explorer, or try again when the other URLs answer: if it was executed, another one would pay twice.`;
    case "rejected":
    case "replaced":
      return t`An equal transaction was refused, as a gateway says. It cannot be looked for there now, or another network shows it: ${txId}. Nothing was sent. Try again when the gateway answers: if it was executed all the same, another one would pay twice.`;
    default:
      return t`An equal transaction is ${state === "unknown" ? t`of unknown outcome` : stateWord(state)} and may still be executed: ${txId}. Nothing was sent. Watch it, or send it again with the same bytes.`;
  }
}
