import { proofCostOfSigned } from "@finality/client/proof";
import {
  isAlive,
  isOnlyRefused,
  type ProvenAbsence,
  type Proving,
  type SignedPart,
  type TrackedTransaction,
} from "@finality/client/tracking";
import { counted, grouped } from "@finality/tron/format";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { describeChecks, describeProofCost, stopText } from "../../labels/proofs.ts";
import type { LifeLineProof, LifeLineRow } from "../../webview-messages/life-line.ts";
import type { TimeOf } from "./life-line.view.ts";

/**
 * The proof of absence: the one that was given, how far the search for one is, or what one would take. Null without
 * need.
 */
export function describeAbsence(tracked: TrackedTransaction, timeOf: TimeOf): LifeLineProof | null {
  const { absence, proving, signed, state } = tracked;
  if (absence !== undefined) return provenAbsence(absence, timeOf);
  if (signed === undefined) return null;
  if (!isAlive(tracked) && proving === undefined) return isOnlyRefused(tracked) ? search(signed, timeOf) : null;
  if (proving !== undefined)
    return proving.kind === "stopped" ? stoppedProof(stopText(proving.reason)) : runningProof(proving);
  return state.kind === "signed" ? null : comingProof(signed, timeOf);
}

function provenAbsence(absence: ProvenAbsence, timeOf: TimeOf): LifeLineProof {
  const { first, last, count, expiration, digest, endpoint, provenAt, checks } = absence;
  const blocks = `${grouped(first.number)}–${grouped(last.number)}`;
  return {
    title: t`Proof of absence`,
    icon: "history",
    tone: "good",
    progress: null,
    sentence: t`${counted(count, t`solidified block`, t`solidified blocks`)}, each the parent of the next, could have held it. None does, and its time is over. ${visibleLine(describeChecks(checks), 1_000)}`,
    rows: [
      row(t`Blocks`, `${blocks} (${grouped(count)})`),
      row(t`Expiry`, timeOf(expiration)),
      row(t`Solidified time`, t`${timeOf(last.timestamp)} ≥ expiry`),
      row(t`First block`, first.id, true),
      row(t`Last block`, last.id, true),
      row(t`SHA-256 of all IDs`, digest, true),
      row(t`Asked`, endpoint),
      row(t`Proven`, timeOf(provenAt)),
    ],
  };
}

function runningProof({ read, total }: Extract<Proving, { kind: "scanning" }>): LifeLineProof {
  const sentence =
    total === 0
      ? t`Solidified time has reached the expiry. Reading the blocks that could hold it.`
      : t`${grouped(read)} of ${counted(total, t`solidified block`, t`solidified blocks`)} read. What was read is kept, so it goes on from there.`;
  const progress = total === 0 ? null : { read: Math.min(read, total), total };
  return { title: t`Proof of absence`, icon: "sync~spin", tone: "moving", sentence, progress, rows: [] };
}

function stoppedProof(reason: string): LifeLineProof {
  return {
    title: t`No proof yet`,
    icon: "warning",
    tone: "warning",
    sentence: visibleLine(reason, 1_000),
    progress: null,
    rows: [],
  };
}

function comingProof({ rawDataHex, expiration }: SignedPart, timeOf: TimeOf): LifeLineProof {
  const cost = proofCostOfSigned({ rawDataHex, expiration });
  const reads = cost === undefined ? "" : t` It will read ${describeProofCost(cost)}.`;
  return {
    title: t`If it is in no block`,
    icon: "history",
    tone: "neutral",
    progress: null,
    rows: [],
    sentence: t`A proof of absence begins by itself when solidified time reaches the expiry, ${timeOf(expiration)}.${reads} The clock of this computer plays no part.`,
  };
}

/** What a gateway refused is looked for all the same: its word is no proof. */
function search({ expiration }: SignedPart, timeOf: TimeOf): LifeLineProof {
  return {
    title: t`If the gateway is wrong`,
    icon: "search",
    tone: "neutral",
    progress: null,
    rows: [],
    sentence: t`That nothing was executed is the word of the gateway. The signed bytes are valid until ${timeOf(expiration)} by the clock of the chain, so it is looked for until then.`,
  };
}

function row(name: string, value: string, exact = false): LifeLineRow {
  return { name, value, exact };
}
