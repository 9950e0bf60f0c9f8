import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { encodeErrorResult, type Hex, parseAbi } from "viem";
import { candidateFromSignature, createAbiIndex, joinAbiIndexes } from "../../../tron/src/abi/abi-index.ts";
import { loadDictionary } from "../../src/explain/documented-sources.ts";
import { explain } from "../../src/explain/explain.ts";

const standard = parseAbi([
  "error Error(string message)",
  "error Panic(uint256 code)",
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "error Outer(bytes reason)",
  "error WrappedError(address target, bytes4 selector, bytes reason, bytes details)",
]);
const vectors = JSON.parse(
  readFileSync(new URL("../../../../test/fixtures/vectors/transactions.json", import.meta.url), "utf8"),
) as readonly { readonly rawDataHex: string; readonly txId: string }[];
const ALICE = "0xdd791d6b49e190062d650e6a23c575510d35f2f9";
const encode = (errorName: string, ...args: readonly unknown[]): Hex =>
  encodeErrorResult({ abi: standard, errorName, args } as never);

/** Two errors with the selector 42966c68. */
const SAME_SELECTOR = createAbiIndex([
  candidateFromSignature("error", "collate_propagate_storage(bytes16 x)", "A.json"),
  candidateFromSignature("error", "burn(uint256 amount)", "B.json"),
]);

describe("explain revert data", () => {
  it("describes every panic code of Solidity, and reports another one as unknown", () => {
    for (const code of [0x00, 0x01, 0x11, 0x12, 0x21, 0x22, 0x31, 0x32, 0x41, 0x51]) {
      const { entry, category, fix } = explain(encode("Panic", BigInt(code)));

      assert.equal(entry, `revert-panic-${code.toString(16).padStart(2, "0")}`);
      assert.equal(category, "abi");
      assert.ok(fix.length > 10);
    }
    assert.equal(explain(encode("Panic", 0x99n)).entry, "revert-panic-unknown");
  });

  it("names errors of OpenZeppelin with the source of the name", async () => {
    const abi = await loadDictionary();

    const { code, title, sources, decoded } = explain(encode("ERC20InsufficientBalance", ALICE, 3n, 5n), { abi });

    assert.equal(code, "ERC20InsufficientBalance(address,uint256,uint256)");
    assert.match(title, /sender: TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp, balance: 3, needed: 5/);
    assert.match(sources.join(), /@openzeppelin\/contracts \d.*MIT/);
    assert.deepEqual(
      decoded.slice(0, 3).map(({ name, value, type }) => [name, value, type]),
      [
        ["sender", "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp", "address"],
        ["balance", "3", "uint256"],
        ["needed", "5", "uint256"],
      ],
    );
  });

  it("prefers names of the workspace", async () => {
    const own = createAbiIndex([
      candidateFromSignature("error", "ERC20InsufficientBalance(address who,uint256 has,uint256 wants)", "Token.json"),
    ]);
    const abi = joinAbiIndexes(own, await loadDictionary());

    const { title, sources } = explain(encode("ERC20InsufficientBalance", ALICE, 3n, 5n), { abi });

    assert.match(title, /who: /);
    assert.equal(sources[0], "Token.json");
  });

  it("names every candidate when two errors share a selector", () => {
    const { title, candidates, cause } = explain(`0x42966c68${"0".repeat(64)}`, { abi: SAME_SELECTOR });

    assert.match(title, /collate_propagate_storage/);
    assert.deepEqual(
      candidates.map(({ code }) => code),
      ["burn(uint256)"],
    );
    assert.match(cause, /one of several/);
  });

  it("drops a candidate whose types do not match, with the reason when none does", () => {
    const fitting = explain(`0x42966c68${"0".repeat(63)}1`, { abi: SAME_SELECTOR });
    const none = explain("0x42966c680000", { abi: SAME_SELECTOR, status: 200 });

    assert.equal(fitting.code, "burn(uint256)");
    assert.deepEqual(fitting.candidates, []);
    assert.notEqual(none.code, "burn(uint256)");
  });

  it("reads a failure that another contract passed on, as bytes and as text", async () => {
    const abi = joinAbiIndexes(
      createAbiIndex([candidateFromSignature("error", "Outer(bytes reason)", "Outer.json")]),
      await loadDictionary(),
    );
    const inner = encode("ERC20InsufficientBalance", ALICE, 3n, 5n);
    const deep = encode("Outer", encode("WrappedError", ALICE, inner.slice(0, 10), inner, "0x"));

    const { title, cause, decoded } = explain(deep, { abi });

    assert.match(title, /ERC20InsufficientBalance\(.*handed on by WrappedError.*handed on by Outer/);
    assert.match(cause, /outer contract/);
    assert.ok(decoded.some(({ name }) => name === "inner failure"));
  });

  it("lists the usual causes of a revert without data", () => {
    const info = { id: "ab".repeat(32), receipt: { result: "REVERT" }, contractResult: [""], result: "FAILED" };

    const { entry, cause } = explain(JSON.stringify(info));

    assert.equal(entry, "revert-empty");
    assert.match(cause, /no such function.*not payable.*decoded.*41/s);
  });

  it("reports that a token returned false when the function is known", () => {
    const answer = {
      result: { result: true },
      constant_result: ["0".repeat(64)],
      transaction: {
        ret: [{}],
        raw_data: { contract: [{ parameter: { value: { data: `a9059cbb${"0".repeat(128)}` } } }] },
      },
    };

    assert.equal(explain(JSON.stringify(answer)).entry, "returned-false");
  });

  it("names false as a candidate when the function is not known", () => {
    const info = { id: "ab".repeat(32), receipt: { result: "SUCCESS" }, contractResult: ["0".repeat(64)], fee: 1 };

    const { category, candidates } = explain(JSON.stringify(info));

    assert.equal(category, "none");
    assert.match(candidates[0]?.title ?? "", /false/);
  });

  it("shows a reason that is not UTF-8 in both forms", () => {
    const data = ["08c379a0", "20".padStart(64, "0"), "2".padStart(64, "0"), "ff41".padEnd(64, "0")].join("");

    const { decoded } = explain(data);

    assert.deepEqual(
      decoded.slice(0, 2).map(({ value }) => value),
      ["\uFFFDA", "ff41"],
    );
  });
});

describe("explain reverts in test output", () => {
  it("describes a panic code, the reason, and a simulation result without an answer", () => {
    const message =
      "class org.tron.core.vm.program.Program$OutOfTimeException : CPU timeout for 'ADD' operation executing";
    const panic = explain("Error: VM Exception: reverted with panic code 0x11 (Arithmetic overflow)");

    assert.equal(panic.entry, "revert-panic-11");
    assert.equal(explain("Error: reverted with reason string 'not owner'").title, "Reverted: not owner");
    assert.equal(explain(JSON.stringify({ code: "OTHER_ERROR", message })).category, "execution");
  });
});

describe("explain data without a failure", () => {
  it("decodes raw_data with its txID and every field", () => {
    for (const { rawDataHex, txId } of vectors) {
      const { code, decoded } = explain(rawDataHex);

      assert.equal(code, "RAW_DATA");
      assert.deepEqual(decoded[0], { name: "txID", value: txId, kind: "tx-id" });
      assert.ok(decoded.some(({ name }) => name === "contract"));
    }
  });

  it("reads hex of letters only as text", () => {
    for (const [text, other] of [
      ["the node is tired, ask it again.", "a transaction's id"],
      ["something that no node has said ever", "the data of a call or of a revert"],
    ] as const) {
      const { code, title, candidates } = explain(Buffer.from(text).toString("hex"));

      assert.equal(code, "TEXT");
      assert.equal(title, `Text in hex: ${text}`);
      assert.deepEqual(
        candidates.map((it) => it.title),
        [other],
      );
    }
  });

  it("reads an unknown validation message as a refusal, as text and in hex", () => {
    const message = "Contract validate error : the moon is too full";

    for (const input of [message, Buffer.from(message).toString("hex")]) {
      const { category, code, retry } = explain(input);

      assert.deepEqual([category, code, retry.sameBytes], ["validation", "CONTRACT_VALIDATE_ERROR", "after"]);
    }
  });

  it("names other meanings of ambiguous hex", () => {
    assert.ok(explain("ab".repeat(32)).candidates.length >= 2);
    assert.ok(explain("41".repeat(21)).candidates.some(({ title }) => title.includes("text")));
    assert.equal(explain("41dd791d6b49e190062d650e6a23c575510d35f2f9").code, "ADDRESS");
    assert.equal(explain("dd791d6b49e190062d650e6a23c575510d35f2f9").code, "ADDRESS");
    assert.equal(explain("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHq").code, "ADDRESS_CHECKSUM_MISMATCH");
  });

  it("F6: reports a wrong checksum of a mixed-case address", () => {
    const right = "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const wrong = right.replace("5aA", "6aA");
    for (const prefix of ["", "0x", "41", "0x41"]) {
      assert.equal(explain(prefix + right).code, "ADDRESS");
      assert.equal(explain(prefix + right.toUpperCase()).code, "ADDRESS");
      assert.equal(explain(prefix + wrong).code, "ADDRESS_CHECKSUM_MISMATCH");
      assert.equal(explain(prefix + wrong.toLowerCase()).code, "ADDRESS");
    }
  });

  it("names calldata and selectors from the dictionary", async () => {
    const abi = await loadDictionary();

    const call = explain(`a9059cbb${ALICE.slice(2).padStart(64, "0")}${"5".padStart(64, "0")}`, { abi });

    assert.match(call.title, /transfer\(to: TWAF.*, value: 5\)/);
    assert.match(explain("0xa9059cbb", { abi }).title, /transfer\(address,uint256\)/);
  });

  it("keeps unknown data as text", () => {
    assert.equal(explain("hello world").entry, "generic-unknown");
    assert.equal(explain("{}").code, "EMPTY_OBJECT");
    assert.equal(explain("{}", { endpoint: "/wallet/broadcasttransaction" }).category, "validation");
  });
});

describe("explain log lines", () => {
  const message = Buffer.from("Contract validate error : balance is not sufficient").toString("hex");

  for (const [name, line] of Object.entries({
    "JSON in a line": `12:00:01 [error] broadcast: {"code":"CONTRACT_VALIDATE_ERROR","message":"${message}"} (3 tries)`,
    "an object as a console prints it": `Error: {\n  code: 'CONTRACT_VALIDATE_ERROR',\n  txid: '${"ab".repeat(32)}',\n  message: '${message}'\n}`,
    "JSON inside of a JSON text": JSON.stringify({
      level: "error",
      msg: `answer {"code":"CONTRACT_VALIDATE_ERROR","message":"${message}"}`,
    }),
    "JSON that is cut off": `{"code":"CONTRACT_VALIDATE_ERROR","message":"${message}","txid":"abab`,
    "the text alone": "Error: Contract validate error : balance is not sufficient",
    "hex in a line": `failed with ${message} at block 17`,
    "an answer inside of an exception": JSON.stringify({
      response: { status: 200, data: { code: "CONTRACT_VALIDATE_ERROR", message } },
    }),
  })) {
    it(`explains ${name}`, () => {
      const { code, entry, retry, raw } = explain(line);

      assert.equal(code, "CONTRACT_VALIDATE_ERROR");
      assert.equal(entry, "balance-insufficient");
      assert.equal(retry.sameBytes, "after");
      assert.equal(raw, line);
    });
  }
});
