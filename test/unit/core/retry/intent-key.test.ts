import assert from "node:assert/strict";
import * as fc from "fast-check";
import { sun } from "../../../../src/core/primitives/amount.ts";
import { bytesToHex, type Hex } from "../../../../src/core/primitives/bytes.ts";
import { intentKey } from "../../../../src/core/retry/intent-key.ts";
import type { Intent } from "../../../../src/core/transaction/intent.ts";
import { encodeRawData } from "../../../../src/core/transaction/raw-data-codec.ts";
import { rawDataFromIntent } from "../../../../src/core/transaction/raw-data-from-intent.ts";
import { anyIntent, intentKinds, OWNER, RECIPIENT, VALIDITY } from "../../../support/tracking/intents.ts";

const CALL: Intent = {
  kind: "contract-call",
  owner: OWNER,
  contract: RECIPIENT,
  data: "a9059cbb" as Hex,
  callValue: sun(0n),
  feeLimit: sun(1n),
};

/** What may be written for a field that is left out, and may be left out where it is written. */
const DEFAULTS: { readonly [field: string]: unknown } = {
  memo: "",
  permissionId: 0,
  tokenId: 0n,
  tokenValue: 0n,
  lockPeriod: 0n,
};

/** The same intent with fields that were left out written, and with those that say nothing left out, at any depth. */
function respelled(intent: Intent): fc.Arbitrary<Intent> {
  const optional = OPTIONAL_FIELDS[intent.kind] ?? [];
  const choices = optional.map((name) =>
    fc
      .constantFrom(undefined, DEFAULTS[name], (intent as unknown as Record<string, unknown>)[name])
      .map((value) => ({ [name]: value })),
  );
  const permissions =
    intent.kind === "permission-update"
      ? fc.constantFrom(undefined, "" as Hex).map((operations) => ({
          ownerPermission: { ...intent.ownerPermission, operations },
        }))
      : fc.constant({});
  return fc.tuple(permissions, ...choices).map((parts) => Object.assign({}, intent, ...parts) as Intent);
}

const COMMON = ["memo", "permissionId"];
const OPTIONAL_FIELDS: Partial<Record<Intent["kind"], readonly string[]>> = {
  "contract-call": [...COMMON, "tokenId", "tokenValue"],
  delegate: [...COMMON, "lockPeriod"],
};

describe("intentKey", () => {
  it("L16: takes a token that is 0 for none, and tokens of which nothing is sent for none", () => {
    const spelled = [
      CALL,
      { ...CALL, tokenId: 0n },
      { ...CALL, tokenValue: 0n },
      { ...CALL, tokenId: 0n, tokenValue: 0n },
      { ...CALL, tokenId: undefined } as unknown as Intent,
    ];

    assert.equal(new Set(spelled.map(bytesOf)).size, 1);
    assert.equal(new Set(spelled.map(intentKey)).size, 1);
    assert.notEqual(intentKey(CALL), intentKey({ ...CALL, tokenId: 1_000_001n }));
  });

  it("L16: equal bytes have equal keys, whatever is left out and whatever is written for it", () => {
    for (const kind of intentKinds) {
      const pairs = anyIntent(kind).chain((it) => fc.tuple(fc.constant(it), respelled(it)));
      void fc.assert(
        fc.property(pairs, ([intent, other]) => {
          const [one, two] = [tryBytes(intent), tryBytes(other)];
          if (one === undefined || one !== two) return;
          assert.equal(intentKey(other), intentKey(intent));
        }),
        { numRuns: 200 },
      );
    }
  });

  it("L16: intents that do something else have other bytes and other keys", () => {
    void fc.assert(
      fc.property(anyIntent(), anyIntent(), (one, two) => {
        const plain = (it: Intent): Intent => withoutMargin(it);
        assert.equal(intentKey(one) === intentKey(two), bytesOf(plain(one)) === bytesOf(plain(two)));
      }),
      { numRuns: 300 },
    );
  });

  it("L16: a name that UTF-8 cannot hold has the key of the name that the bytes have", () => {
    const deploy = (name: string): Intent => ({
      kind: "contract-creation",
      owner: OWNER,
      name,
      bytecode: "60" as Hex,
      abi: "" as Hex,
      callValue: sun(0n),
      feeLimit: sun(1n),
      userPercent: 100n,
      originEnergyLimit: 1n,
    });
    const asset = (tokenId: string): Intent => ({
      kind: "token-transfer",
      owner: OWNER,
      to: RECIPIENT,
      tokenId,
      amount: 1n,
    });

    assert.equal(bytesOf(asset("a\ud800")), bytesOf(asset("a\ufffd")));
    assert.equal(intentKey(asset("a\ud800")), intentKey(asset("a\ufffd")));
    assert.equal(intentKey(deploy("a\ud800")), intentKey(deploy("a\ufffd")));
  });
});

function withoutMargin({ memo: _memo, permissionId: _permission, ...rest }: Intent): Intent {
  return ("feeLimit" in rest ? { ...rest, feeLimit: sun(0n) } : rest) as Intent;
}

function bytesOf(intent: Intent): string {
  return bytesToHex(encodeRawData(rawDataFromIntent(intent, VALIDITY)));
}

/** Not every value that is written can be encoded. */
function tryBytes(intent: Intent): string | undefined {
  try {
    return bytesOf(intent);
  } catch {
    return undefined;
  }
}
