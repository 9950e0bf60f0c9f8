import assert from "node:assert/strict";
import { explain } from "../../../../packages/client/src/explain/explain.ts";
import type { TrackedTransaction } from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import {
  type AbiIndex,
  candidateFromSignature,
  createAbiIndex,
  preferSignature,
} from "../../../../packages/tron/src/abi/abi-index.ts";
import { selectorOf } from "../../../../packages/tron/src/abi/abi-signature.ts";
import {
  chooseInterpretation,
  describeButtons,
  describeContent,
  EXAMPLES,
  markdownReport,
  plainReport,
} from "../../../../src/features/decoder/decoder-page.view.ts";
import { describeFields, valueAt } from "../../../../src/features/decoder/fields.view.ts";
import type { DecoderContent, DecoderField } from "../../../../src/webview-messages/decoder.ts";
import { answerWith, HOSTILE_TEXTS, HUGE_TEXT } from "../../../support/failures/hostile-texts.ts";
import {
  adopted,
  blockReference,
  nameOf,
  noReasons,
  signedPart,
  tracked,
  txId,
} from "../../../support/tracking/tracked.ts";

interface ReadOptions {
  readonly abi?: AbiIndex;
  readonly choice?: string;
  readonly tracked?: TrackedTransaction;
}

function read(text: string, { abi = createAbiIndex([]), choice = "", tracked: one }: ReadOptions = {}): DecoderContent {
  const choosing = chooseInterpretation(explain(text, { abi }), choice, (signature) =>
    explain(text, { abi: preferSignature(abi, signature) }),
  );
  return describeContent(choosing, { nameOf, reasonOf: noReasons, tracked: one, fallbackUrls: [] });
}

const flat = (fields: readonly DecoderField[]): readonly DecoderField[] =>
  fields.flatMap((field) => [field, ...flat(field.children)]);

const POOR = "Contract validate error : Validate TransferContract error, balance is not sufficient.";

describe("describeContent", () => {
  it("shows category, code, cause, fix and retry advice of a refused broadcast, and marks its parts", () => {
    const text = answerWith(POOR);
    const { badge, code, title, cause, fix, retry, marks } = read(text);

    assert.deepEqual([badge.text, code, title], ["Validation", "CONTRACT_VALIDATE_ERROR", "Balance is not sufficient"]);
    assert.ok(cause.length > 10 && fix.length > 10);
    assert.match(retry.text, /may be sent again, but not yet/);
    assert.match(retry.detail ?? "", /^After the account was funded/);
    const marked = marks.map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(marked, ["CONTRACT_VALIDATE_ERROR", Buffer.from(POOR).toString("hex")]);
  });

  it("claims no refusal without proof, and gives no advice for an unknown text", () => {
    assert.equal(read('{"code":"OTHER_ERROR","message":""}').badge.detail, "Answer of the node");
    assert.equal(read('{"code":"SIGERROR","message":""}').badge.detail, "Refused before it was executed");
    const { badge, retry } = read("The wallet is locked");
    assert.equal(badge.detail, "Not recognised");
    assert.deepEqual([retry.tone, retry.text], ["neutral", "The effect on a transaction is unknown"]);
    assert.match(retry.detail ?? "", /look up its txID/);
  });

  it("locates each value of encoded data", () => {
    const abi = createAbiIndex([candidateFromSignature("error", "Short(address,uint256,uint256)", "Token.json")]);
    const address = "dd791d6b49e190062d650e6a23c575510d35f2f9";
    const text = `0x${selectorOf("Short(address,uint256,uint256)")}${address.padStart(64, "0")}${word(5n)}${word(5n)}`;

    const { fields, code } = read(text, { abi });

    assert.equal(code, "Short(address,uint256,uint256)");
    const places = fields.slice(0, 3).map(({ at }) => text.slice(at?.start, at?.end));
    assert.deepEqual(places, [address, word(5n), word(5n)]);
    assert.notEqual(fields[1]?.at?.start, fields[2]?.at?.start);
  });

  it("shows names of accounts and chain times", () => {
    const { fields } = read(EXAMPLES[2]?.text ?? "");

    assert.equal(fields.find(({ name }) => name === "blockTimeStamp")?.note, "2025-11-21 09:20:00.000Z");
    assert.equal(fields.find(({ name }) => name === "contract_address")?.note, null);
    assert.equal(read("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp").fields[0]?.note, "Alice");
  });

  it("offers no rebroadcast for an address, and recognizes its examples", () => {
    const { badge, retry } = read("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");

    assert.equal(badge.text, "Information");
    assert.deepEqual([retry.tone, retry.text], ["neutral", "Nothing to resend"]);
    const badges = EXAMPLES.map(({ text }) => read(text).badge.text);

    assert.deepEqual(badges, ["Validation", "ABI", "Execution", "Validation"]);
  });

  it("shortens a long list with the number of omitted items", () => {
    const many = Array.from({ length: 3_000 }, (_, index) => ({
      name: "n",
      value: String(index),
      kind: "number" as const,
    }));
    const all = flat(describeFields([{ name: "list", value: "", kind: "list", children: many }], nameOf, () => null));

    assert.equal(all.length, 1_001);
    assert.match(all.at(-1)?.value ?? "", /^2001 more/);
  });

  it("valueAt returns the whole value, or undefined for an unknown id", () => {
    const { decoded } = explain(EXAMPLES[2]?.text ?? "");
    const receipt = read(EXAMPLES[2]?.text ?? "").fields.find(({ name }) => name === "receipt");

    assert.equal(valueAt(decoded, receipt?.children[0]?.id ?? ""), receipt?.children[0]?.value);
    assert.equal(valueAt(decoded, "99.1"), undefined);
    assert.equal(valueAt(decoded, "__proto__"), undefined);
  });
});

describe("describeContent of a transaction", () => {
  const text = `{"code":"CONTRACT_VALIDATE_ERROR","txid":"${txId("7f")}","message":"${Buffer.from(POOR).toString("hex")}"}`;
  const labels = (one?: TrackedTransaction) =>
    read(text, one === undefined ? {} : { tracked: one }).buttons.map(({ label }) => label);

  it("offers to find an untracked transaction", () => {
    assert.deepEqual(labels(), ["Find Transaction", "Decode This Transaction"]);
    assert.deepEqual(read("SIGERROR").buttons, []);
  });

  it("offers the actions that the retry policy allows", () => {
    const attempts = [{ number: 1, endpoint: "https://gateway.test", startedAt: 5, answeredAt: 28 }];
    const rejected = (code: string, retry: "same-bytes-after-funding" | "sign-again") =>
      tracked({
        state: { kind: "rejected", code, message: POOR, retry },
        attempts: attempts.map((it) => ({ ...it, outcome: { kind: "rejected", code, message: POOR } as const })),
      });

    assert.ok(
      labels(rejected("CONTRACT_VALIDATE_ERROR", "same-bytes-after-funding")).includes("Send Same Bytes Again"),
    );
    assert.ok(!labels(rejected("SIGERROR", "sign-again")).includes("Send Same Bytes Again"));
    assert.ok(!labels(tracked({ state: { kind: "replaced", by: txId("b") } })).includes("Send Same Bytes Again"));
  });

  it("shows the remaining validity by chain time", () => {
    const one = tracked({ state: { kind: "unknown", reason: "no answer" } });
    const choosing = chooseInterpretation(explain(one.txId), "", () => explain(one.txId));
    const detailAt = (chainTime: number | undefined) =>
      describeContent(choosing, { nameOf, reasonOf: noReasons, tracked: one, fallbackUrls: [], chainTime }).retry
        .detail ?? "";

    assert.match(detailAt(1_019_000), /Valid for 41 s more\.$/);
    assert.match(detailAt(1_020_000), /Valid for 40 s more\.$/);
    assert.match(detailAt(1_060_000), /It has expired by chain time/);
    assert.doesNotMatch(detailAt(undefined), /alid for/);
  });

  it("prefers the transaction's history over the answer alone", () => {
    const unknown = tracked({
      state: { kind: "unknown", reason: "no answer" },
      attempts: [{ number: 1, endpoint: "https://gateway.test", startedAt: 5 }],
    });
    const { retry, tracked: standing, buttons } = read(text, { tracked: unknown });

    assert.equal(retry.text, "The same bytes may be sent again");
    assert.match(standing?.text ?? "", /may still be executed/);
    assert.match(standing?.detail ?? "", /1\.5 coins → Bob on Local chain/);
    assert.deepEqual(buttons[0], {
      action: "resend",
      label: "Send Same Bytes Again",
      icon: "debug-restart",
      txId: unknown.txId,
      primary: true,
    });
  });

  it("U14: shows that a final success needs no action", () => {
    const final = tracked({
      state: { kind: "solidified", block: blockReference(8), outcome: { kind: "success" } },
    });

    const { retry } = read(text, { tracked: final });

    assert.deepEqual([retry.text, retry.tone], ["Nothing to do", "good"]);
    const receipt = JSON.stringify({ id: final.txId, blockNumber: 8, receipt: { result: "SUCCESS" } });
    assert.deepEqual(read(receipt).retry.text, "Nothing to do");
  });

  it("uses only the answer for a foreign transaction", () => {
    const { retry } = read(text, { tracked: adopted({ state: { kind: "pending" } }) });

    assert.match(retry.text, /but not yet/);
  });
});

describe("interpretations", () => {
  // These two share the selector 0x42966c68.
  const abi = createAbiIndex([
    candidateFromSignature("error", "burn(uint256)", "Token (artifacts/Token.json)"),
    candidateFromSignature("error", "collate_propagate_storage(bytes16)", "dictionary"),
  ]);
  const text = `0x42966c68${"ab".repeat(16)}${"00".repeat(16)}`;

  it("lists all candidates of a collision with their source, the most likely first", () => {
    const { candidates, code } = read(text, { abi });

    assert.equal(code, "burn(uint256)");
    assert.deepEqual(
      candidates.map((it) => [it.code, it.chosen, it.choosable]),
      [
        ["burn(uint256)", true, true],
        ["collate_propagate_storage(bytes16)", false, true],
      ],
    );
    assert.match(candidates[1]?.reason ?? "", /dictionary/);
  });

  it("decodes fields with the chosen candidate, and ignores an unknown one", () => {
    const { candidates, code, fields } = read(text, { abi, choice: "collate_propagate_storage(bytes16)" });

    assert.equal(code, "collate_propagate_storage(bytes16)");
    assert.equal(fields[0]?.value, `0x${"ab".repeat(16)}`);
    assert.deepEqual(
      candidates.map((it) => [it.code, it.chosen]),
      [
        ["burn(uint256)", false],
        ["collate_propagate_storage(bytes16)", true],
      ],
    );
    assert.equal(read(text, { abi, choice: "transfer(address,uint256)" }).code, "burn(uint256)");
  });

  it("shows hints apart from candidates", () => {
    const { candidates } = read("aa".repeat(32));

    assert.ok(candidates.length > 1);
    assert.ok(candidates.slice(1).every(({ choosable }) => !choosable));
  });
});

describe("describeContent of a hostile text", () => {
  const UNSEEN = /[^\P{Cc}\n\r\t]|\p{Cf}/u;

  for (const [name, text] of Object.entries(HOSTILE_TEXTS)) {
    it(`escapes ${name}`, () => {
      for (const reading of [read(answerWith(text)), read(text), read(`SIGERROR ${text}`)]) {
        assert.doesNotMatch(JSON.stringify({ ...reading, marks: [] }), UNSEEN);
        assert.ok(reading.title.length > 0);
      }
    });
  }

  it("reports invisible characters", () => {
    const [warning = ""] = read(HOSTILE_TEXTS["right-to-left marks"] ?? "").warnings;

    assert.match(warning, /\(U\+202E, U\+202C, U\+2066, U\+2069\): 6 characters/);
    assert.deepEqual(read("SIGERROR").warnings, []);
  });

  it("stays small for a very long text", () => {
    for (const text of [HUGE_TEXT, answerWith(HUGE_TEXT)]) {
      const size = JSON.stringify(read(text)).length;

      assert.ok(size < 300_000, String(size));
    }
  });
});

function word(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}

describe("decoder buttons", () => {
  it("U11: offer Send before the first broadcast, and a rebroadcast afterwards", () => {
    const enough = { ...signedPart(), shared: true as const, quorum: { weight: 2n, threshold: 2n } };
    const unsent = tracked({ signed: enough });
    const unknown = tracked({ state: { kind: "unknown", reason: "" } });

    assert.deepEqual(
      [unsent, unknown].map((it) => describeButtons(txId("7f"), it, { fallbackUrls: [], decode: [] })[0]?.label),
      ["Send", "Send Same Bytes Again"],
    );
  });
});

/** Returns a report without code blocks and code spans. */
function outsideOfCode(markdown: string): string {
  return markdown.replace(/^(`{3,})text\n[\s\S]*?\n\1$/m, "").replace(/`[^`\n]*`/g, "");
}

describe("decoder report", () => {
  it("contains title, code, cause, fix, advice, fields, sources and the raw text", () => {
    const explanation = explain(answerWith("Contract validate error : Account is not existed."));
    const { title, cause, raw } = explanation;

    for (const report of [markdownReport(explanation), plainReport(explanation)]) {
      const words = report.replaceAll("\\", "");
      for (const part of [title, cause, "CONTRACT_VALIDATE_ERROR", raw, "same bytes"])
        assert.ok(words.includes(part), part);
    }
  });

  for (const [name, text] of Object.entries(HOSTILE_TEXTS)) {
    it(`escapes ${name}`, () => {
      for (const input of [answerWith(text), `SIGERROR ${text}`, text]) {
        const report = markdownReport(explain(input));

        assert.doesNotMatch(outsideOfCode(report), /(?<!\\)[<[]|(?<!\\)!\[|^# Title/m);
        assert.doesNotMatch(report, /[^\P{Cc}\n\r\t]|\p{Cf}/u);
        assert.doesNotMatch(plainReport(explain(input)), /[^\P{Cc}\n\r\t]|\p{Cf}/u);
      }
    });
  }

  it("is limited in length", () => {
    assert.ok(markdownReport(explain(HUGE_TEXT)).length < 60_000);
    assert.ok(plainReport(explain(answerWith(HUGE_TEXT))).length < 60_000);
  });
});
