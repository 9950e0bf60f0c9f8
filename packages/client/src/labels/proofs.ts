import { codeInTable, counted, grouped, markdownTable, markdownText } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import type { NoProof, OtherUrl, ProofChecks } from "../proof/evidence.ts";
import type { ProofCost } from "../proof/inclusion-interval.ts";
import type { ChainFault, DocumentFault, ProofDocument } from "../proof/proof-document.ts";
import type { StopReason } from "../transaction-state/tracked-transaction.ts";

const MS_A_MINUTE = 60_000;

/** Describes the checks of a proof and what remains the gateway's claim. */
export function describeChecks(checks: ProofChecks | undefined): string {
  if (checks === undefined) {
    return t`An earlier version proved it without checking ids, transactions and witnesses: it relies on one gateway. Run Recheck Proof to check it again.`;
  }
  return t`The reference block was found, and every block was checked against its id. ${ofWitnesses(checks)} ${ofOthers(checks)}`;
}

function ofWitnesses({ witnesses: { known, built, own } }: ProofChecks): string {
  if (known === 0)
    return t`No witness was known from before the reference block: only the gateway reports that the last block is final.`;
  const seen = t`${built} of ${counted(known, t`witness`, t`witnesses`)} from before the reference block built on the last block`;
  return own === built
    ? t`${seen}, each with its own key.`
    : t`${seen}, ${own} of them with the key of their own address. Only the gateway reports who owns the other keys.`;
}

function ofOthers({ others }: ProofChecks): string {
  if (others.length === 0) return t`Only this gateway was asked.`;
  return others.map(ofOther).join(" ");
}

function ofOther({ endpoint, answer }: OtherUrl): string {
  switch (answer) {
    case "agrees":
      return t`${endpoint} has the same last block.`;
    case "behind":
      return t`${endpoint} did not have the last block yet, and does not have the transaction.`;
    case "silent":
      return t`${endpoint} did not answer, so it was not asked.`;
  }
}

/** Describes the cost, such as "about 40 solidified blocks, in 1 request". */
export function describeProofCost({ blocks, requests }: ProofCost): string {
  return t`about ${counted(blocks, t`solidified block`, t`solidified blocks`)}, in ${counted(requests, t`request`, t`requests`)}`;
}

/**
 * Formats the document as Markdown with one table.
 *
 * @param timeOf - Formats Unix ms as date and time.
 */
export function proofToMarkdown(document: ProofDocument, timeOf: (ms: number) => string): string {
  const { txId, network, chain, endpoint, expiration, parentId, first, last, count, digest, provenAt, checks } =
    document;
  const rows: readonly (readonly [name: string, value: string])[] = [
    [t`Transaction`, codeInTable(txId)],
    [t`Network`, markdownText(network)],
    ...(chain === undefined ? [] : [[t`Chain, by its genesis block`, codeInTable(chain)] as const]),
    [t`Endpoint`, codeInTable(endpoint)],
    [t`Expiration`, timeOf(expiration)],
    [t`Block before the first one`, codeInTable(parentId)],
    [t`First block`, `${first.number}, ${timeOf(first.timestamp)}, ${codeInTable(first.id)}`],
    [t`Last block`, `${last.number}, ${timeOf(last.timestamp)}, ${codeInTable(last.id)}`],
    [t`Blocks read`, String(count)],
    [t`SHA-256 of their ids`, codeInTable(digest)],
    [t`Proven (local clock)`, timeOf(provenAt)],
    [t`Checked`, markdownText(describeChecks(checks))],
  ];
  return [
    t`# Proof of absence`,
    "",
    t`Every solidified block that could have contained this transaction was read, each the parent of the next. None contains it.`,
    t`The last one reached its expiration by the clock of the chain, so it can no longer be executed.`,
    "",
    markdownTable(rows),
    "",
  ].join("\n");
}

/** Describes why blocks prove nothing. */
export function noProofText(reason: NoProof): string {
  switch (reason.kind) {
    case "hole":
      return t`Block ${grouped(reason.height)} could not be read; the proof is incomplete.`;
    case "broken-link":
      return t`Block ${grouped(reason.height)} does not continue the chain; the proof is incomplete.`;
    case "incomplete":
      return t`The transactions reported for block ${grouped(reason.height)} cannot be checked against its id; the proof is incomplete.`;
    case "went-backwards":
      return t`The node is at solidified block ${grouped(reason.newest)}, before block ${grouped(reason.height)}; the proof is incomplete.`;
    case "not-reached":
      return t`Solidified time has not reached the expiration at block ${grouped(reason.newest)}.`;
    case "future": {
      const minutes = grouped(Math.ceil(reason.ahead / MS_A_MINUTE));
      return t`Block ${grouped(reason.height)} is ${minutes} minutes in the future, as reported; the proof is not accepted. Check the clock of this computer.`;
    }
    case "not-in-head":
      return t`The full node does not have the solidified block ${grouped(reason.height)}; the proof is not accepted. Check that both URLs of the network belong to the same chain.`;
    case "not-built-on":
      return t`Only ${reason.built} of the ${reason.needed} witnesses that make block ${grouped(reason.height)} final have built on it.`;
    case "stranger":
      return t`Block ${grouped(reason.height)} is not signed like the earlier blocks of its witness; the proof is not accepted.`;
    case "differs-elsewhere":
      return t`${reason.endpoint} has another block ${grouped(reason.height)}: the URLs of the network follow different chains, and it is unknown which is right.`;
    case "held-elsewhere":
      return t`${reason.endpoint} has the transaction, so it may have been executed.`;
    case "unreadable":
      return t`${reason.message} The proof is incomplete.`;
  }
}

/** Describes why the search for a proof stopped. The last sentence names the omitted step. */
export function stopText(reason: StopReason): string {
  switch (reason.kind) {
    case "by-hand":
      return t`You stopped the search for a proof. Read blocks are kept. Nothing was replaced.`;
    case "on-another-chain":
      return t`Its reference block is not on this chain, so nothing is proven. Check the URL of the network. Nothing was replaced.`;
    case "failed":
      return reason.message;
    default:
      return t`${noProofText(reason)} Nothing was replaced.`;
  }
}

/** Faults of a proof document. */
export const DOCUMENT_FAULTS: { readonly [F in DocumentFault]: string } = {
  "no-proof": t`It is not a proof of absence.`,
  "bytes-not-hex": t`The signed bytes are not hex.`,
  "tx-id-differs": t`The txID does not match the signed bytes.`,
  "bytes-unreadable": t`The signed bytes cannot be read.`,
  "expiration-differs": t`The expiration does not match the signed bytes.`,
  "begins-late": t`The blocks begin later than the transaction could have been included.`,
  "ends-early": t`The last block has not reached the expiration.`,
  "count-wrong": t`The count of blocks is wrong.`,
  "height-wrong": t`An id belongs to another height.`,
  "parent-height-wrong": t`The block before the first one has another height.`,
  "times-wrong": t`The times of the blocks do not increase.`,
  "ids-missing": t`The ids of the blocks are not in the file.`,
  "ids-have-gap": t`The list of ids has a gap.`,
  "digest-wrong": t`The digest does not match the ids.`,
};

/** Describes how the chain contradicts a proof. */
export function chainFaultText(fault: ChainFault): string {
  switch (fault.kind) {
    case "another-chain":
      return t`The node follows another chain (genesis block ${fault.chain}) than the transaction was signed for.`;
    case "bytes-unreadable":
      return DOCUMENT_FAULTS[fault.kind];
    case "held":
      return t`The node has the transaction.`;
    case "held-in-block":
      return t`Block ${grouped(fault.height)} contains it.`;
    case "foreign":
      return t`The reference block is not on the node's chain.`;
    case "no-blocks":
      return t`The node returned no blocks.`;
    case "last-block-differs":
      return t`The node has another id for block ${grouped(fault.height)}.`;
    case "ends-elsewhere":
      return t`Block ${grouped(fault.height)} is not the first that reached the expiration.`;
    case "begins-elsewhere":
      return t`Block ${grouped(fault.height)} is not the first that could contain it.`;
    case "ids-differ":
      return t`The node has other ids for the blocks.`;
    default:
      return noProofText(fault);
  }
}
