import type { OtherUrl, ProofChecks } from "./evidence.ts";

/** What stands behind a proof, and whose word remains, as sentences. */
export function describeChecks(checks: ProofChecks | undefined): string {
  if (checks === undefined) {
    return "An earlier version proved it without checking ids, transactions and witnesses: it is one gateway's word. Recheck Proof checks it again.";
  }
  return `The reference block was met, and every block was checked against its id. ${ofWitnesses(checks)} ${ofOthers(checks)}`;
}

function ofWitnesses({ witnesses: { known, built, own } }: ProofChecks): string {
  if (known === 0)
    return "No witness was known from before the reference block: that the last block is final is the gateway's word.";
  const seen = `${built} of ${known} ${known === 1 ? "witness" : "witnesses"} from before the reference block built on the last block`;
  return own === built
    ? `${seen}, each with its own key.`
    : `${seen}, ${own} of them with the key of its own address. Whose the other keys are is the gateway's word.`;
}

function ofOthers({ others }: ProofChecks): string {
  if (others.length === 0) return "Only this gateway was asked.";
  return others.map(ofOther).join(" ");
}

function ofOther({ endpoint, answer }: OtherUrl): string {
  switch (answer) {
    case "agrees":
      return `${endpoint} has the same last block.`;
    case "behind":
      return `${endpoint} did not have the last block yet, and does not know the transaction.`;
    case "silent":
      return `${endpoint} did not answer, so it was not asked.`;
  }
}
