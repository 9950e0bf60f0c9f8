import assert from "node:assert/strict";
import { addressAt } from "../../../../test/support/chain/build-and-send.ts";
import { type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import { systemFacts } from "../../../../test/support/tracking/system-facts.ts";
import { type Address, parseAddress } from "../../../tron/src/primitives/address.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import type { BlockId } from "../../../tron/src/primitives/block.ts";
import { hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import { foreignText } from "../../../tron/src/primitives/plain-text.ts";
import { builtFromIntent } from "../../../tron/src/transaction/built-transaction.ts";
import type { IntentOf } from "../../../tron/src/transaction/intent.ts";
import { addSignature, signTransaction } from "../../../tron/src/transaction/sign-transaction.ts";
import type { PrivateKey } from "../../../tron/src/transaction/signature.ts";
import { type VerifiedTransaction, verifyAgainstIntent } from "../../../tron/src/transaction/verify-against-intent.ts";
import { parseAccount } from "../../src/gateway/wire/accounts.ts";
import { broadcastBody } from "../../src/gateway/wire/broadcast.ts";
import { checkAuthority } from "../../src/permissions/permission-change.ts";
import { type AccountPermissions, maskOf, ownKeyAlone, permissionSetOf } from "../../src/permissions/permissions.ts";
import { permissionEffect } from "../../src/reviews/system-review.view.ts";

const STRANGER = parseAddress(`41${"ee".repeat(20)}`);
const keys = (...all: readonly Address[]) => all.map((address) => ({ address, weight: 1n }));

async function balanceOf(chain: TestChain, address: Address): Promise<bigint> {
  return parseAccount(await chain.ask("/wallet/getaccount", { address }))?.balance ?? 0n;
}

describe("permissions from an adversarial gateway", () => {
  let chain: TestChain;
  let alice: Address;
  let bob: Address;
  const keyAt = (index: number) => hexToBytes(chain.accounts[index]?.privateKey ?? "") as PrivateKey;

  beforeEach(async () => {
    chain = await testChain({ seed: "lies" });
    [alice, bob] = [addressAt(chain, 0), addressAt(chain, 1)];
  });

  async function drafted(): Promise<VerifiedTransaction> {
    const intent = { kind: "transfer", owner: alice, to: addressAt(chain, 2), amount: sun(5n) } as const;
    const head = await chain.ask("/wallet/getnowblock");
    const { timestamp } = (head.block_header as { raw_data: { timestamp: number } }).raw_data;
    const validity = { referenceBlock: String(head.blockID) as BlockId, expiration: timestamp + 60_000, timestamp };
    const verified = verifyAgainstIntent(builtFromIntent(intent, validity), intent, { headTimestamp: timestamp });
    assert.equal(verified.kind, "same");
    return verified as VerifiedTransaction;
  }

  it("lead to signatures that no node accepts, and the correct ones execute the same transaction once", async () => {
    const verified = await drafted();
    const claimed: AccountPermissions = {
      owner: { id: 0, name: foreignText("owner"), threshold: 1n, keys: keys(bob) },
      actives: [],
    };
    const authority = checkAuthority(claimed, verified.intent, new Set([alice, bob]));
    assert.deepEqual(authority.kind === "enough" && authority.signers, [bob]);

    const before = await balanceOf(chain, alice);
    const wrong = signTransaction(verified, keyAt(1));
    assert.equal((await chain.ask("/wallet/broadcasttransaction", broadcastBody(wrong))).code, "SIGERROR");
    const both = addSignature(wrong, keyAt(0));
    assert.equal((await chain.ask("/wallet/broadcasttransaction", broadcastBody(both))).code, "SIGERROR");
    const right = signTransaction(verified, keyAt(0));
    assert.equal(right.txId, wrong.txId);
    assert.equal((await chain.ask("/wallet/broadcasttransaction", broadcastBody(right))).result, true);
    chain.mine();
    assert.equal((await chain.ask("/wallet/broadcasttransaction", broadcastBody(right))).code, "DUP_TRANSACTION_ERROR");

    assert.equal(before - (await balanceOf(chain, alice)), 5n);
  });

  it("do not hide a lock-out by wrong current permissions", () => {
    const after: IntentOf<"permission-update"> = {
      kind: "permission-update",
      owner: alice,
      ownerPermission: { name: "owner", threshold: 1n, keys: keys(STRANGER) },
      activePermissions: [{ name: "all", threshold: 1n, keys: keys(alice), operations: maskOf([1, 46]) }],
    };
    const claimed: AccountPermissions = {
      owner: { id: 0, name: foreignText("owner"), threshold: 1n, keys: keys(STRANGER) },
      actives: [{ id: 2, name: foreignText("all"), threshold: 1n, keys: keys(alice), operations: maskOf([1, 46]) }],
    };
    const account = { address: alice, balance: sun(1_000_000_000n), permissions: claimed };
    const keysHere = { ours: new Set([alice, bob]), nameOf: () => undefined };
    const { alarms } = permissionEffect(after, {
      ...systemFacts({ account, resources: undefined }),
      keysHere,
    });

    assert.match(alarms?.[0] ?? "", /^This locks you out: your keys would have a weight of 0 of the 1/);
  });

  it("show an added key in the review", () => {
    const claimed: AccountPermissions = {
      ...ownKeyAlone(alice),
      owner: { id: 0, name: foreignText("owner"), threshold: 1n, keys: keys(alice, STRANGER) },
    };
    const active = { name: "pay", threshold: 1n, keys: keys(bob), operations: maskOf([1]) };
    const after: IntentOf<"permission-update"> = {
      kind: "permission-update",
      owner: alice,
      ...permissionSetOf(claimed),
      activePermissions: [active],
    };
    const account = { address: alice, balance: sun(1_000_000_000n), permissions: claimed };
    const { alarms } = permissionEffect(after, {
      ...systemFacts({ account, resources: undefined }),
      keysHere: { ours: new Set([alice, bob]), nameOf: () => undefined },
    });

    assert.match(alarms?.[0] ?? "", /^T\w+ \(no key here\) could do everything without you/);
  });
});
