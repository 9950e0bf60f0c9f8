import {
  costText,
  describeIntent,
  describeProofCost,
  type Expiry,
  expiryText,
  type KeysHere,
  keyText,
  lookalikeLines,
  networkLines,
  partyText,
  permissionText,
  type ReviewedNetwork,
} from "@finality/client/labels";
import { bothUnits, coinsText, counted, type NameOf, shortAddress } from "@finality/tron/format";
import { defined, visibleLine } from "@finality/tron/primitives";
import { type Intent, partiesOf, type SharedTransaction } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { type SharedFacts, weightSoFar } from "./shared-facts.ts";

/** Action on the bytes. */
export type Purpose = "add" | "import" | "again" | "export";

/** Content of the review of a transaction from elsewhere. */
export interface SharedReview {
  readonly purpose: Purpose;
  readonly network: ReviewedNetwork;
  /** Symbol of the network's coin; undefined if unknown. */
  readonly symbol?: string | undefined;
  readonly facts: SharedFacts;
  /** Local keys that sign now. */
  readonly signers: readonly SharedFacts["verified"]["intent"]["owner"][];
  readonly here: KeysHere;
  readonly expiry: Expiry;
  /** Description of call data, one item per line. */
  readonly call: readonly string[];
  readonly lookalikes: readonly SharedFacts["verified"]["intent"]["owner"][];
}

const QUESTIONS: { readonly [P in Purpose]: (what: string) => string } = {
  add: (what) => t`Add a signature to: ${what}?`,
  import: (what) => t`Take this signed transaction: ${what}?`,
  again: (what) => t`Sign again: ${what}?`,
  export: (what) => t`Export: ${what}?`,
};

const FIELD = 160;

/** Returns the review: the effect first, then the signatures, then every field. */
export function sharedReviewText(review: SharedReview): { readonly title: string; readonly detail: string } {
  const { purpose, network, symbol, facts, here } = review;
  const { intent, fields } = facts.verified;
  const { nameOf } = here;
  const expiry = expiryText(review.expiry);
  const lines = [
    ...review.lookalikes.flatMap((it) => partiesOf(intent).flatMap((party) => lookalikeLines(party, it))),
    ...(expiry.alarm === undefined ? [] : [`⚠ ${expiry.alarm}`, ""]),
    ...(intent.kind === "other" ? [t`⚠ Finality has no description of this contract type. Read each field.`, ""] : []),
    ...networkLines(network),
    t`From: ${partyText(party(intent.owner, nameOf))}`,
    ...moneyLines(intent, nameOf, symbol),
    ...review.call,
    ...costLines(facts, symbol),
    expiry.line,
    t`If the answer is lost, Finality can prove after expiry that it never ran (${describeProofCost(facts.proofCost)})`,
    "",
    ...signatureLines(review),
    "",
    t`All bytes (${counted(fields.length, t`field`, t`fields`)}):`,
    ...fields.map(({ path, value }) => visibleLine(`${path.replace("raw_data.", "")}: ${value}`, FIELD)),
  ];
  return { title: QUESTIONS[purpose](describeIntent(intent, nameOf, symbol)), detail: lines.join("\n") };
}

function party(address: Intent["owner"], nameOf: NameOf) {
  const name = nameOf(address);
  return { address, ...defined({ name }) };
}

/** Returns receivers and amounts, with full addresses. */
function moneyLines(intent: Intent, nameOf: NameOf, symbol: string | undefined): readonly string[] {
  const to = (label: string, address: Intent["owner"]): string => t`${label}: ${partyText(party(address, nameOf))}`;
  const memo = intent.memo === undefined ? [] : [memoLine(intent.memo)];
  switch (intent.kind) {
    case "transfer":
      return [to(t`To`, intent.to), t`Amount: ${bothUnits(intent.amount, symbol)}`, ...memo];
    case "token-transfer":
      return [to(t`To`, intent.to), t`Amount: ${String(intent.amount)} of token ${intent.tokenId}`, ...memo];
    case "contract-call":
      return [to(t`Contract`, intent.contract), t`Sends: ${bothUnits(intent.callValue, symbol)}`, ...memo];
    case "delegate":
    case "undelegate":
      return [to(t`Receiver`, intent.receiver), t`Amount: ${bothUnits(intent.amount, symbol)}`, ...memo];
    case "account-creation":
      return [to(t`Account`, intent.account), ...memo];
    case "contract-share":
    case "contract-limit":
    case "contract-abi-removal":
      return [to(t`Contract`, intent.contract), ...memo];
    default:
      return memo;
  }
}

function memoLine(memo: string): string {
  return t`Memo: ${visibleLine(Buffer.from(memo, "hex").toString("utf8"), FIELD)}`;
}

function costLines({ verified: { intent }, cost }: SharedFacts, symbol: string | undefined): readonly string[] {
  const paid = t`Costs: ${costText(cost, symbol)}`;
  if (!("feeLimit" in intent)) return [paid];
  return [t`Costs: up to ${coinsText(intent.feeLimit, symbol)} for energy (fee_limit), and ${costText(cost, symbol)}`];
}

/** Returns present, new and missing signatures. The gateway reports the weights. */
function signatureLines({ facts, signers, here }: SharedReview): readonly string[] {
  const { permission, signatures } = facts;
  const part = (address: Intent["owner"]): string => {
    const key = permission.keys.find((it) => it.address === address);
    return key === undefined ? t`not in this permission, does not count` : t`weight ${String(key.weight)}`;
  };
  const now = signers.filter((it) => !signatures.has(it));
  const after = new Map([...signatures, ...now.map((it) => [it, ""] as never)]);
  const weight = weightSoFar({ permission, signatures: after });
  const open = permission.keys.filter(({ address }) => !after.has(address));
  const missing = permission.threshold - weight;
  return [
    t`Signatures for the permission ${permissionText(permission)}, as reported by the gateway:`,
    ...[...signatures.keys()].map((it) => t`· ${signerText(it, here)}: signed, ${part(it)}`),
    ...now.map((it) => t`· ${signerText(it, here)}: signs now, ${part(it)}`),
    missing <= 0n
      ? t`Weight ${String(weight)} of ${String(permission.threshold)}: enough.`
      : t`Weight ${String(weight)} of ${String(permission.threshold)}: ${String(missing)} more from ${open.map((it) => `${keyText(it.address, here)} (${it.weight})`).join(t` or `)}.`,
  ];
}

function signerText(address: Intent["owner"], { nameOf }: KeysHere): string {
  return partyText(party(address, nameOf));
}

/** Clock and names for a lens. */
export interface LensContext {
  /** Local clock, Unix ms. */
  readonly now: number;
  readonly left: (ms: number) => string;
  readonly nameOf: NameOf;
}

/** Returns the text of the lens above a transaction file, without a request. */
export function lensText(
  { intent, signers, expiration }: Pick<SharedTransaction, "intent" | "signers" | "expiration">,
  { now, left, nameOf }: LensContext,
): string {
  const names = signers.map((it) => shortAddress(it, nameOf)).join(t`, `);
  const signed = signers.length === 0 ? t`no signatures yet` : t`signed by ${names}`;
  const clock = t`by this computer's clock`;
  const expiry = expiration <= now ? t`expired ${clock}` : t`expires in ${left(expiration - now)} ${clock}`;
  return `${describeIntent(intent, nameOf)} · ${signed} · ${expiry}`;
}
