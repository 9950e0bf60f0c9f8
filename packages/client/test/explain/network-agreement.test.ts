import assert from "node:assert/strict";
import {
  type BroadcastReadings,
  collectedTexts,
  type InfoReading,
  mutatedTexts,
  NetworkReaders,
  type NetworkText,
  objectIn,
  recordedTexts,
} from "../../../../test/support/agreement/network-texts.ts";
import { recordedTransfer } from "../../../../test/support/fakes/gateway-fixtures.ts";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { HTTP_RULES } from "../../../tron/src/node-messages/http-failure.ts";
import { parseTxId, type TxId } from "../../../tron/src/primitives/bytes.ts";
import { printJson } from "../../../tron/src/primitives/json.ts";
import { explain } from "../../src/explain/explain.ts";
import { type Explanation, type RetryCase, verdictOf } from "../../src/explain/explanation.ts";
import type { TransactionInfo } from "../../src/gateway/gateway.ts";
import { RETRIES, ruleFor } from "../../src/retry/retry-policy.ts";
import { describeIssue } from "../../src/tracking/connection-issue.ts";
import { outcomeInInfo } from "../../src/transaction-state/execution-outcome.ts";

const OURS = recordedTransfer().txId;
const MUTATIONS = howOften(300, 5_000);
/** One of so many collected messages is tested. */
const STEP = howOften(10, 1);
const originals = [...recordedTexts(), ...collectedTexts()];

const isVerdict = ({ retry }: Explanation, ...cases: readonly RetryCase[]): boolean =>
  cases.some((it) => JSON.stringify(verdictOf(it)) === JSON.stringify(retry));

/** Returns the text with the txID of the sent transaction, because an answer about another one proves nothing. */
function aboutOurs({ status, body }: NetworkText): NetworkText {
  const json = objectIn(body);
  if (json === undefined || typeof json.txid !== "string" || parseTxId(json.txid) === undefined)
    return { status, body };
  return { status, body: printJson({ ...json, txid: OURS }) };
}

/** Returns the differences of the readers of a broadcast answer; undefined when they agree. */
function differenceIn({ explanation, outcome, tracked }: BroadcastReadings): string | undefined {
  const { state } = tracked;
  const says = `${explanation.entry} (${explanation.retry.sameBytes}: ${explanation.retry.when})`;
  const agree = (isSame: boolean, by: string): string | undefined =>
    isSame ? undefined : `${by}, but explain: ${says}`;
  switch (outcome.kind) {
    case "accepted":
      return agree(state.kind === "pending" && explanation.entry === "success", "accepted");
    case "already-known":
      return agree(ruleFor(tracked).row === "another-node" && isVerdict(explanation, "another-node"), "already known");
    case "rejected": {
      if (state.kind !== "rejected") return `rejected, but the tracker: ${state.kind}`;
      const isExpired = state.retry === "rebuild" && isVerdict(explanation, "expired-or-far-ahead");
      const isSameCode = explanation.code === outcome.code || explanation.category === "execution";
      return agree(isSameCode && (isExpired || isVerdict(explanation, state.retry)), `${outcome.code}, ${state.retry}`);
    }
    case "unknown": {
      const row = ruleFor(tracked).row;
      const isLimit = outcome.cause.code === "GATEWAY_RATE_LIMITED";
      const expected = outcome.turnedAway === true ? "broadcast-turned-away" : "unknown-outcome";
      const isSameRow = row === (outcome.turnedAway === true ? "turned-away" : "unknown");
      return agree(isSameRow && isVerdict(explanation, isLimit ? "request-later" : expected), `${row}, ${expected}`);
    }
  }
}

/** Returns the difference when the endpoint is unknown: the explanation may contain less, and nothing else. */
function differenceOfPasted(
  { status, body }: NetworkText,
  { outcome, tracked }: BroadcastReadings,
): string | undefined {
  // An Error body does not contain the endpoint.
  if (status >= 300 || typeof objectIn(body)?.Error === "string") return undefined;
  const pasted = explain(body);
  if (pasted.entry === "success" && outcome.kind !== "accepted")
    return `pasted, it is accepted, and not ${outcome.kind}`;
  const isRefusal = typeof objectIn(body)?.code === "string" && RETRIES.some((it) => isVerdict(pasted, it));
  if (!isRefusal || outcome.kind === "rejected" || outcome.kind === "already-known") return undefined;
  return `pasted, it is refused with ${pasted.code}, and it is ${ruleFor(tracked).row}`;
}

/** Returns the differences of the readers of a query. */
function differenceInLookUp({ status, body }: NetworkText, reading: InfoReading): string | undefined {
  const explanation = explain(body, { status, endpoint: "/walletsolidity/gettransactioninfobyid" });
  const { entry, retry, category } = explanation;
  const says = `${category} ${explanation.code} ${entry} (${retry.sameBytes}: ${retry.when})`;
  if (reading.kind === "info") return differenceInInfo(explanation, reading.info, says);
  const { error } = reading;
  const agree = (isSame: boolean): string | undefined => (isSame ? undefined : `${error.code}, but explain: ${says}`);
  switch (error.code) {
    case "GATEWAY_RATE_LIMITED":
      return agree(isVerdict(explanation, "request-later") && describeIssue(error).waitsFor === "as-asked");
    case "GATEWAY_UNAUTHORIZED":
      return agree(entry === "http-401");
    case "GATEWAY_HTTP_STATUS": {
      const isOpen = error.details.status >= 500 || error.details.status === 408;
      const cases: readonly RetryCase[] = isOpen
        ? ["unknown-outcome", "request-later"]
        : ["turned-away", "request-elsewhere"];
      return agree(category === "http" && isVerdict(explanation, ...cases));
    }
    case "NODE_REFUSED":
      return agree(
        (category === "validation" || category === "execution") &&
          [error.details.code, "REVERT"].includes(explanation.code),
      );
    default:
      return agree(objectIn(body) !== undefined || category !== "none" || !["success", "included"].includes(entry));
  }
}

function differenceInInfo(
  { category, code, entry }: Explanation,
  info: TransactionInfo | undefined,
  says: string,
): string | undefined {
  if (info === undefined) return entry === "nothing-found" ? undefined : `nothing was found, but explain: ${says}`;
  const ranCode = info.contractAddress !== undefined || info.contractResult !== "" || info.energyUsed > 0n;
  const outcome = outcomeInInfo(info, ranCode ? "TriggerSmartContract" : "TransferContract");
  const agree = (isSame: boolean): string | undefined =>
    isSame ? undefined : `${JSON.stringify(outcome)?.slice(0, 80)}, but explain: ${says}`;
  if (outcome === undefined) return agree(["result-DEFAULT", "result-not-reported"].includes(entry));
  if (outcome.kind === "success") return agree(entry === "included" || entry === "inner-rejection");
  return agree(category !== "none" && (code === outcome.result || category === "abi" || outcome.result === "REVERT"));
}

/** Returns the texts on which the readers differ, with the difference. */
async function differences(texts: readonly NetworkText[]): Promise<readonly string[]> {
  await using readers = new NetworkReaders();
  const found: string[] = [];
  for (const text of texts.map(aboutOurs)) {
    const readings = await readers.broadcast(text);
    const asInfo = await readers.info(text, (parseTxId(String(objectIn(text.body)?.id)) ?? OURS) as TxId);
    const all = [differenceIn(readings), differenceOfPasted(text, readings), differenceInLookUp(text, asInfo)];
    for (const difference of all) {
      if (difference !== undefined) found.push(`${difference}: ${text.status} ${text.body.slice(0, 300)}`);
    }
  }
  return found;
}

describe("explain, gateway client and tracker", () => {
  it("issue 28, item 3: agree on every recorded answer", async () => {
    const texts = recordedTexts();
    assert.ok(texts.length > 500, String(texts.length));
    assert.deepEqual(await differences(texts.filter((_text, index) => index % STEP === 0)), []);
  }).timeout(120_000);

  it("issue 28, item 3: agree on every collected message", async () => {
    const texts = collectedTexts();
    assert.ok(texts.length > 2_000, String(texts.length));
    assert.deepEqual(await differences(texts.filter((_text, index) => index % STEP === 0)), []);
  }).timeout(120_000);

  it(`issue 28, item 3: agree on ${MUTATIONS} changed answers`, async () => {
    assert.deepEqual(await differences(mutatedTexts(originals, MUTATIONS, 28)), []);
  }).timeout(240_000);

  it("issue 28, item 3: agree on failures without an answer", async () => {
    await using readers = new NetworkReaders();
    for (const code of [
      "UND_ERR_HEADERS_TIMEOUT",
      "UND_ERR_CONNECT_TIMEOUT",
      "ECONNRESET",
      "ECONNREFUSED",
      "ENOTFOUND",
    ]) {
      assert.equal(differenceIn(await readers.broadcast(code)), undefined, code);
    }
  });

  it("use one table of HTTP failures", () => {
    const cases = { final: "turned-away", "rate-limited": "request-later", server: "unknown-outcome" } as const;
    for (const [meaning, { entry, retry, turnedAway }] of Object.entries(HTTP_RULES)) {
      const status = { timeout: 504, "server-error": 503, "rate-limited": 429 }[meaning] ?? 400;
      assert.equal(turnedAway, retry !== "server", meaning);
      if (status !== 400) assert.equal(explain("", { status }).entry, entry);
      if (status !== 400) assert.ok(isVerdict(explain("", { status }), cases[retry]), meaning);
    }
  });
});
