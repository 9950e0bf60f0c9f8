import assert from "node:assert/strict";
import { explain } from "../../../../packages/client/src/explain/explain.ts";
import { chainTimeAbout } from "../../../../packages/client/src/gateway/clock.ts";
import type {
  TrackedTransaction,
  TrackingState,
} from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import type { TxId } from "../../../../packages/tron/src/primitives/bytes.ts";
import { StoredInputs } from "../../../../src/features/explanations/explain-context.ts";
import {
  commandUri,
  describeHover,
  describeLiveRetry,
  describeState,
  describeTooltip,
  linkPart,
  liveActions,
} from "../../../../src/features/explanations/explanation.view.ts";
import { ALICE, tracked as aTransaction, signedPart } from "../../../support/tracking/tracked.ts";

const HEX = "436f6e74726163742076616c6964617465206572726f72203a2062616c616e6365206973206e6f742073756666696369656e74";
const TX_ID = "ab".repeat(32) as TxId;
const REFUSAL = `{"code":"CONTRACT_VALIDATE_ERROR","txid":"${TX_ID}","message":"${HEX}"}`;
const EXPIRATION = 1_700_000_060_000;

const refused: TrackingState = {
  kind: "rejected",
  code: "CONTRACT_VALIDATE_ERROR",
  message: "balance is not sufficient",
  retry: "same-bytes-after-funding",
};

function tracked(state: TrackingState): TrackedTransaction {
  return aTransaction({ txId: TX_ID, state, signed: { ...signedPart(), expiration: EXPIRATION } });
}

const decode = { input: "x", origin: "" };

describe("linkPart", () => {
  const partOf = (line: string, code: string, start = 0, end = line.length): string =>
    line.slice(...linkPart(line, { start, end, code }));

  it("U26: is the code of a long range, or its first words, and never a whole line", () => {
    const line = `10:31 CONTRACT_VALIDATE_ERROR: Contract validate error : ${"balance is not sufficient ".repeat(4)}`;

    assert.equal(partOf(line, "CONTRACT_VALIDATE_ERROR"), "CONTRACT_VALIDATE_ERROR");
    assert.equal(partOf(line, "OTHER", 6), "CONTRACT_VALIDATE_ERROR: Contract validate error : balance is not");
    assert.equal(partOf("x".repeat(100), "OTHER"), "x".repeat(66));
  });

  it("is the whole of a short range", () => {
    assert.equal(partOf(`txID ${TX_ID}`, "TXID", 5), TX_ID);
    assert.equal(partOf("SIGERROR", "SIGERROR"), "SIGERROR");
  });
});

describe("describeHover", () => {
  it("shows title, cause, fix, retry advice, links and sources in order", () => {
    const paragraphs = describeHover({ explanation: explain(REFUSAL), decode }).split("\n\n");

    assert.deepEqual(
      paragraphs.map((one) => /^(\*\*|\*[\w ]+:\*|\[)/.exec(one)?.[0]),
      ["**", "*Why:*", "*Fix:*", "*Same bytes again:*", "[", "*Source:*"],
    );
    assert.match(paragraphs[0] ?? "", /^\*\*Balance is not sufficient\*\* · refused before the pool · CONTRACT/);
    assert.match(paragraphs[3] ?? "", /yes\\, after the account was funded/);
    assert.match(paragraphs[4] ?? "", /Open in Decoder.*Track Transaction.*Decode This Transaction/);
  });

  it("claims a refusal only for codes that prove it", () => {
    const about = (code: string) =>
      describeHover({ explanation: explain(JSON.stringify({ code, txid: TX_ID })), decode }).split("\n\n")[0] ?? "";

    for (const code of ["OTHER_ERROR", "DUP_TRANSACTION_ERROR", "NOT_ENOUGH_EFFECTIVE_CONNECTION", "NEW_CODE"])
      assert.match(about(code), /what the node answered/);
    assert.match(about("SIGERROR"), /refused before the pool/);
    assert.match(describeHover({ explanation: explain("OUT_OF_ENERGY"), decode }), /· the execution failed ·/);
  });

  it("shows the remaining validity of a tracked transaction by chain time", () => {
    const live = { tracked: tracked(refused), chainTime: EXPIRATION - 41_500 };

    const text = describeHover({ explanation: explain(REFUSAL), live, decode });

    assert.match(
      text,
      /\*Same bytes again:\* yes\\, when the account has the coins that it lacked \\\(valid for 41 s more\\\)/,
    );
    assert.match(text, /\*Tracked:\* .* on Local chain\\: refused\\: CONTRACT\\_VALIDATE\\_ERROR/);
    assert.match(text, /\[Send Same Bytes Again\]\(command:finality\.sendSameBytesAgain\?/);
  });

  it("links the sender's balance when coins are missing, and a plain-text copy", () => {
    const linksOf = (text: string) => [...text.matchAll(/\[([\w ]+)\]\(command:([\w.]+)\?([^)]+)\)/g)];
    const live = { tracked: tracked(refused) };
    const links = linksOf(describeHover({ explanation: explain(REFUSAL), live, decode }));
    const argumentOf = (title: string): unknown =>
      JSON.parse(decodeURIComponent(links.find(([, own]) => own === title)?.[3] ?? "null"))?.[0];

    assert.deepEqual(argumentOf("Show Sender Balance"), { kind: "link", account: ALICE, network: "Local chain" });
    assert.deepEqual(argumentOf("Copy Plain Text"), { kind: "link", ...decode, copy: true });
    assert.doesNotMatch(describeHover({ explanation: explain(REFUSAL), decode }), /Show Sender Balance/);
    const signature = describeHover({ explanation: explain("SIGERROR"), live, decode });
    assert.doesNotMatch(signature, /Show Sender Balance/);
  });

  it("reads the sender from the text of an untracked transaction", () => {
    const answer = { code: "CONTRACT_VALIDATE_ERROR", message: HEX };
    const explanation = explain(JSON.stringify(answer));
    const owner = { name: "owner_address", value: "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp", kind: "address" } as const;

    const text = describeHover({ explanation: { ...explanation, decoded: [owner] }, decode });

    assert.match(text, /\[Show Sender Balance\]\(command:finality\.showBalance\?[^)]*TWAFRf/);
  });

  it("liveActions offers only actions that the retry policy allows", () => {
    const commands = (state: TrackingState) => liveActions({ tracked: tracked(state) }).map(({ command }) => command);

    assert.deepEqual(commands(refused), ["finality.sendSameBytesAgain", "finality.showTransaction"]);
    assert.deepEqual(commands({ ...refused, retry: "sign-again" }), ["finality.showTransaction"]);
    assert.deepEqual(commands({ kind: "pending" }), [
      "finality.sendSameBytesAgain",
      "finality.lookNow",
      "finality.showTransaction",
    ]);
    assert.deepEqual(commands({ kind: "proven-absent", from: 1, to: 2 }), ["finality.showTransaction"]);
  });

  it("describeLiveRetry explains why the same bytes are not allowed", () => {
    const words = describeLiveRetry({ tracked: tracked({ ...refused, retry: "sign-again" }) });

    assert.match(words, /^no\. .*[Ss]ign the same transaction again/);
    const at = (chainTime?: number) => describeLiveRetry({ tracked: tracked({ kind: "pending" }), chainTime });

    assert.match(at(EXPIRATION + 1), /expired by chain time/);
    assert.equal(at(), "yes, that is harmless");
    assert.match(at(EXPIRATION - 600_000), /valid for 10 min more/);
  });
});

describe("chainTimeAbout", () => {
  it("extrapolates the last head for ten minutes", () => {
    const head = { chain: 5_000, local: 1_000 };

    assert.equal(chainTimeAbout(3_000, head), 7_000);
    assert.equal(chainTimeAbout(700_000, head), undefined);
    assert.equal(chainTimeAbout(500, head), undefined);
    assert.equal(chainTimeAbout(500, undefined), undefined);
  });
});

describe("command links", () => {
  it("encode their argument", () => {
    const uri = commandUri("finality.decode", { input: `)](x) "'!* ${REFUSAL}` });

    assert.match(uri, /^command:finality\.decode\?[\w.%~-]+$/);
    assert.deepEqual(JSON.parse(decodeURIComponent(uri.split("?")[1] ?? "")), [
      { kind: "link", input: `)](x) "'!* ${REFUSAL}` },
    ]);
  });

  it("refer to the newest 200 long texts by number", () => {
    const inputs = new StoredInputs();
    const first = inputs.argumentFor("a".repeat(5_000), "here");
    for (let at = 0; at < 200; at++) inputs.argumentFor(`${at}${"b".repeat(5_000)}`, "");

    assert.deepEqual(inputs.argumentFor("short", "here"), { input: "short", origin: "here" });
    assert.deepEqual(first, { kept: "1", origin: "here" });
    assert.equal(inputs.get("1"), undefined);
    assert.equal(inputs.get("201")?.startsWith("199b"), true);
  });
});

describe("describeTooltip", () => {
  it("returns cause and fix on one line", () => {
    assert.match(describeTooltip(explain(REFUSAL)), /^Balance is not sufficient\. \S.*[.]$/);
    assert.doesNotMatch(describeTooltip(explain(REFUSAL)), /\n/);
  });
});

describe("describeState", () => {
  it("U11: shows the weight of signatures, and offers the first broadcast", () => {
    const signed = { ...signedPart(), shared: true as const };
    const [enough, short, old] = [
      { quorum: { weight: 2n, threshold: 2n } },
      { quorum: { weight: 1n, threshold: 2n } },
      {},
    ];
    const results = [enough, short, old].map((it) => {
      const live = { tracked: aTransaction({ signed: { ...signed, ...it } }) };
      return [describeState(live), liveActions(live)[0]?.title];
    });

    assert.deepEqual(results, [
      ["complete: 2 of 2, not sent", "Send"],
      ["collects signatures, 1 of 2", "Send"],
      ["collects signatures, 1 so far", "Send"],
    ]);
    assert.equal(describeState({ tracked: aTransaction() }), "signed, not sent");
  });
});
