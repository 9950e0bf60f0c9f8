import { writeFile } from "node:fs/promises";
import { chainFaultText, DOCUMENT_FAULTS, describeChecks } from "@finality/client/labels";
import { proofDocument, proofToJson, readProof, recheckOnChain, recheckProof } from "@finality/client/proof";
import { readReconciliation } from "@finality/client/runs";
import { awaitsProof, decideActions, type TrackedTransaction } from "@finality/client/tracking";
import { systemClock as clock } from "@finality/node/system-clock";
import { ChainError } from "@finality/tron/errors";
import { defined, parseJson } from "@finality/tron/primitives";
import { EXIT } from "../cli-error.ts";
import type { RunCommand } from "../command.ts";
import { chooseNetwork, connect } from "../network.ts";
import { recheckReconciliation } from "../recheck-reconciliation.ts";
import { isFinal, openTracked, pollUntil, stateJson, stateText, timeoutMs } from "../tracking.ts";

/** Searches the proof that no block has a transaction, and prints it. */
export const runProof: RunCommand = async (invocation, context) => {
  const { terminal, progress } = context;
  const limit = timeoutMs(invocation);
  const here = await openTracked(invocation, context);
  const { abi, current, tracker, txId } = here;
  try {
    const isDone = (it: TrackedTransaction): boolean => !awaitsProof(it) || it.proving?.kind === "stopped";
    if (current().signed !== undefined && !isFinal(current())) {
      await tracker.refresh(txId);
      context.show(stateText(current(), abi));
      const changed = (it: TrackedTransaction): void => progress("state", stateJson(it, abi), stateText(it, abi));
      await pollUntil(here, isDone, { timeoutMs: limit, changed });
    }
    const permission = decideActions(current()).exportProof;
    if (!permission.allowed)
      throw new ChainError(permission.code, { txId, reason: `${stateText(current(), abi)}. ${permission.why}` });
    const { signed, absence } = permission;
    const { chain } = current();
    const json = proofToJson(proofDocument({ ...absence, txId, rawDataHex: signed.rawDataHex, ...defined({ chain }) }));
    const file = invocation.text("out");
    if (file === undefined) return { result: { txId, proof: parseJson(json) }, text: json };
    await writeFile(terminal.resolve(file), json, { flag: "wx" });
    return { result: { txId, file, proof: parseJson(json) }, text: `The proof is in ${file}.\n` };
  } finally {
    await here.close();
  }
};

/** Checks a proof or a reconciliation file again: alone, and with the blocks of a network if one is chosen. */
export const runRecheck: RunCommand = async (invocation, context) => {
  const { terminal, progress } = context;
  const [file = "-"] = invocation.positionals;
  const text = await terminal.read(file);
  const lines = readReconciliation(text);
  if (lines !== undefined) return await recheckReconciliation(lines, invocation, context);
  const document = readProof(text);
  const alone = recheckProof(text);
  if (document === undefined || alone.kind === "refused") {
    const reasons = alone.kind === "refused" ? alone.faults.map((it) => DOCUMENT_FAULTS[it]) : [];
    return refusal(document?.txId, reasons);
  }
  const { txId } = document;
  if (invocation.text("network") === undefined && !invocation.isOn("local")) {
    const reasons = ["No network was chosen, so no block was read."];
    return {
      result: { kind: "alone", txId, reasons, blocks: 0 },
      text: `The file is consistent. ${reasons[0]}\n`,
    };
  }
  const connection = connect(await chooseNetwork(invocation, terminal));
  try {
    const onChain = await recheckOnChain(connection.gateway, document, {
      clock,
      signal: new AbortController().signal,
      sources: connection.sources,
      chain: await connection.chain(),
      read: (blocks) => progress("scan", { blocks, total: document.count }, `${blocks} of ${document.count} blocks`),
    });
    if (onChain.kind === "refused") return refusal(txId, [chainFaultText(onChain.fault)]);
    const { blocks, checks } = onChain;
    return {
      result: { kind: "confirmed", txId, reasons: [], blocks },
      text: `Confirmed: ${blocks} blocks of ${connection.profile.name} do not contain ${txId}. ${describeChecks(checks)}\n`,
    };
  } finally {
    await connection.close();
  }
};

function refusal(txId: string | undefined, reasons: readonly string[]) {
  return {
    result: { kind: "refused", ...defined({ txId }), reasons: [...reasons], blocks: 0 },
    text: `Refused. ${reasons.join(" ")}\n`,
    exitCode: EXIT.negative,
  };
}
