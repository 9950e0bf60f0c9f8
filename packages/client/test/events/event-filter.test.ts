import assert from "node:assert/strict";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { type AbiCandidate, candidateFromJson } from "../../../tron/src/abi/abi-index.ts";
import { topicOf } from "../../../tron/src/abi/abi-signature.ts";
import { encodeAbi } from "../../../tron/src/abi/encode-abi.ts";
import { parseAddress, toBase58 } from "../../../tron/src/primitives/address.ts";
import { bytesToHex } from "../../../tron/src/primitives/bytes.ts";
import { filterOf, matchesFilter } from "../../src/events/event-filter.ts";

const ALICE = parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");

function eventWith(...inputs: readonly (readonly [name: string, type: string, indexed?: true])[]): AbiCandidate {
  const entry = {
    type: "event",
    name: "Moved",
    inputs: inputs.map(([name, type, indexed]) => ({ name, type, indexed: indexed === true })),
  };
  return candidateFromJson(entry, "test") ?? assert.fail("The event is malformed.");
}

const MOVED = eventWith(
  ["from", "address", true],
  ["note", "string"],
  ["to", "address", true],
  ["amount", "uint256"],
  ["tag", "string", true],
  ["ids", "uint256[]"],
);

/** Log of MOVED. */
function log(note: string, amount: bigint, ids: readonly bigint[]) {
  const word = (address: string) => encodeAbi([eventWith(["a", "address"]).parameters[0] ?? assert.fail()], [address]);
  const plain = MOVED.parameters.filter((_, at) => MOVED.indexed[at] !== true);
  const tag = bytesToHex(keccak_256(Buffer.from("rent")));
  return {
    topics: [topicOf(MOVED.signature), word(ALICE), word(ALICE), tag],
    data: encodeAbi(plain, [note, amount, ids]),
  };
}

function matches(conditions: Readonly<Record<string, string>>, event: ReturnType<typeof log>): boolean {
  const required = Object.entries(conditions).map(([parameter, value]) => ({ parameter, value }));
  const result = filterOf(MOVED, required);
  assert.ok(result.ok);
  return matchesFilter(result.filter, event);
}

describe("filterOf", () => {
  const event = log("a note that is longer than one word of thirty-two bytes", 5n, [1n, 2n]);

  it("matches indexed and non-indexed values of static and dynamic types", () => {
    for (const [fitting, other] of [
      [{ from: toBase58(ALICE) }, { from: toBase58(parseAddress(`41${"11".repeat(20)}`)) }],
      [
        { to: toBase58(ALICE), amount: "5" },
        { to: toBase58(ALICE), amount: "6" },
      ],
      [{ note: "a note that is longer than one word of thirty-two bytes" }, { note: "a note" }],
      [{ tag: "rent" }, { tag: "ren" }],
      [{ ids: "[1, 2]" }, { ids: "[1, 2, 3]" }],
      [
        { "3": "5", "0": toBase58(ALICE) },
        { "3": "5", "0": toBase58(parseAddress(`41${"22".repeat(20)}`)) },
      ],
    ] as readonly (readonly [Record<string, string>, Record<string, string>])[]) {
      assert.equal(matches(fitting, event), true, JSON.stringify(fitting));
      assert.equal(matches(other, event), false, JSON.stringify(other));
    }
  });

  it("does not match a shorter text with the same beginning, or malformed data", () => {
    assert.equal(matches({ note: "a" }, log("ab", 5n, [])), false);
    assert.equal(matches({ note: "a" }, { ...event, data: "" as typeof event.data }), false);
    assert.equal(matches({ amount: "5" }, { ...event, topics: [topicOf("Other()")] }), false);
  });

  it("names the argument that does not fit", () => {
    const cases = [
      [MOVED, { parameter: "unknown", value: "1" }],
      [MOVED, { parameter: "amount", value: "many" }],
      [eventWith(["ids", "uint256[]", true]), { parameter: "ids", value: "[1]" }],
    ] as const;
    for (const [candidate, required] of cases) {
      const result = filterOf(candidate, [required]);

      assert.deepEqual([result.ok, !result.ok && result.argument], [false, required.parameter]);
    }
  });
});
