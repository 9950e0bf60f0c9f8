import type { AbiInput, AbiParameter } from "@finality/tron/abi";
import { bothUnits, coinsText, counted, grouped, type NameOf } from "@finality/tron/format";
import {
  type Address,
  defined,
  type ForeignText,
  foreignText,
  isBlank,
  nameText,
  type Sun,
  visibleLine,
} from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { argumentList } from "../explain/fields.ts";
import { type EstimateFigure, type EstimateLabels, objectionsOf } from "../labels/estimates.ts";
import { type SigningLabels, signingLines } from "../labels/permissions.ts";
import {
  type Expiry,
  expiryText,
  networkLines,
  type Party,
  partyText,
  quoted,
  type ReviewedNetwork,
} from "../labels/reviews.ts";

/** A contract with the name that the user knows, and its own claim of a name. */
interface CalledParty extends Party {
  readonly claim: ForeignText;
}

/** Content of the review of a call or a deployment. */
export interface CodeReview {
  /** `Call “reserve” on “TeaHouse”`. */
  readonly action: string;
  readonly network: ReviewedNetwork;
  /** Symbol of its coin; undefined if unknown. */
  readonly symbol?: string | undefined;
  readonly from: Party;
  readonly signing: SigningLabels;
  /** Undefined for a deployment. */
  readonly contract?: CalledParty | undefined;
  /** Movements besides coins, one item per line, shown with the coins. */
  readonly money: readonly string[];
  /** Arguments and other decisions, one item per line. @example "  “seats”: 4" */
  readonly details: readonly string[];
  readonly callValue: Sun;
  readonly feeLimit: Sun;
  readonly words: EstimateLabels;
  readonly expiry: Expiry;
  readonly matchingFields: number;
  /** Warnings besides the simulation, as sentences. */
  readonly doubts: readonly string[];
  /** Claim of the gateway that the bytes depend on. @example "the token has 6 decimals" */
  readonly onTrust?: string | undefined;
}

/** A button that does not sign; one with a `feeLimit` starts again with it. */
export interface SafeButton {
  readonly title: string;
  readonly feeLimit?: Sun;
}

export interface ReviewText {
  readonly title: string;
  readonly detail: string;
  /** Signs. */
  readonly button: string;
  /** First button if something is wrong. */
  readonly safe?: SafeButton;
}

/** Limits of a line's length and of the number of argument lines. */
const LINE = 240;
const ARGUMENTS = 12;

/**
 * Returns the review of code: first what leaves the account, then the claims of the contract and its ABI. Foreign text
 * never starts a line or displaces the money.
 */
export function codeReviewText(review: CodeReview): ReviewText {
  const { words, action } = review;
  const fits = words.verdict === "fits" || (words.verdict === "depends" && words.problems.length === 0);
  const expiry = expiryText(review.expiry);
  const lines = [
    ...moneyLines(review),
    ...(expiry.alarm === undefined ? [] : ["", `⚠ ${expiry.alarm}`]),
    ...[...review.doubts, ...objectionsOf(words)].flatMap((it) => ["", `⚠ ${line(it)}`]),
    "",
    ...review.details,
    ...(words.verdict === "fails" ? [] : [line(t`Estimate: ${words.headline}`)]),
    ...words.figures.flatMap(figureLine),
    ...words.notes.map((it) => t`Note: ${line(it)}`),
    expiry.line,
    "",
    matchText(review),
  ];
  const title = fits ? `${action}?` : t`${action} although ${WARNINGS[words.verdict]}?`;
  const button = fits ? t`Sign and Send` : t`Sign and Send Anyway`;
  return { title, detail: lines.join("\n"), button, ...(fits ? {} : { safe: safeButton(review) }) };
}

function figureLine({ name, value }: EstimateFigure): readonly string[] {
  const shown = SHOWN.get(name);
  return shown === undefined ? [] : [line(`${shown}: ${value}`)];
}

function moneyLines(review: CodeReview): readonly string[] {
  const { network, symbol, callValue, feeLimit, contract, money, from, signing } = review;
  return [
    ...networkLines(network),
    t`Sends: ${callValue > 0n ? bothUnits(callValue, symbol) : t`no coins`}`,
    ...money.map(line),
    t`Fee limit: ${bothUnits(feeLimit, symbol)}`,
    ...(contract === undefined ? [] : [t`Contract: ${calledText(contract)}`]),
    t`From: ${partyText(from)}`,
    ...signingLines(signing).map(line),
  ];
}

function calledText({ claim, ...party }: CalledParty): string {
  const isKnown = isBlank(claim) || party.name === nameText(claim);
  return isKnown ? partyText(party) : t`${partyText(party)}, calls itself ${quoted(claim)}`;
}

/** Returns the verification line. "Exactly" holds only if the gateway computed nothing. */
function matchText({ matchingFields, onTrust }: CodeReview): string {
  return onTrust === undefined
    ? t`Verified: ${matchingFields} of ${matchingFields} fields match your request.`
    : t`Verified: ${matchingFields} of ${matchingFields} fields match your request if ${onTrust}, according to this gateway.`;
}

/** Returns the first button if something is wrong, so that Enter does not send. */
export function safeButton({ words, symbol }: Pick<CodeReview, "words" | "symbol">): SafeButton {
  const { verdict, suggestedFeeLimit, problems } = words;
  const isLimit = (verdict === "short" || verdict === "depends") && problems.some((it) => it.startsWith("fee_limit "));
  if (!isLimit || suggestedFeeLimit === undefined) return { title: t`Do Not Send` };
  return { title: t`Set Fee Limit to ${coinsText(suggestedFeeLimit, symbol)}`, feeLimit: suggestedFeeLimit };
}

/** Estimate figures that the review shows, by name. */
const SHOWN: ReadonlyMap<string, string> = new Map([
  [t`paid by the contract's owner`, t`Paid by the contract's owner`],
  [t`paid by staked energy`, t`Paid by staked energy`],
  [t`Bandwidth`, t`Bandwidth`],
  [t`Costs`, t`Costs`],
  [t`fee_limit needed`, t`fee_limit needed`],
]);
const WARNINGS = {
  fits: "",
  fails: t`it would fail`,
  short: t`its costs are not covered`,
  depends: t`its costs may not be covered`,
  unknown: t`its effect is unknown`,
};

/** Returns the arguments by their ABI names, one per line, up to a maximum. An address follows its name. */
export function argumentLines(
  parameters: readonly AbiParameter[],
  values: readonly AbiInput[],
  nameOf: NameOf = () => undefined,
): readonly string[] {
  const party = (address: Address): string => partyText({ address, ...defined({ name: nameOf(address) }) });
  const lines = parameters.slice(0, ARGUMENTS).map(({ name, type }, index) => {
    const value = values[index];
    const shown = argumentList([{ name: foreignText(""), type }], value === undefined ? [] : [value], party);
    return `  ${isBlank(name) ? t`argument ${index + 1}` : quoted(name)}: ${line(shown)}`;
  });
  const more = parameters.length - lines.length;
  return more === 0
    ? lines
    : [...lines, t`  … and ${more} more of ${parameters.length} arguments, also in the signed bytes`];
}

/** Returns the TRC-10 tokens that are sent with a call. */
export function tokenLines(id: bigint | undefined, amount: bigint | undefined): readonly string[] {
  if (amount === undefined || amount === 0n) return [];
  return [t`Also sends: ${grouped(amount)} units of the token ${String(id ?? "0")}`];
}

/** Shortens text to one line and states its full length. */
function line(text: string): string {
  const shown = visibleLine(text, LINE);
  return text.length > LINE ? `${shown} (${counted(text.length, t`character`, t`characters`)})` : shown;
}
