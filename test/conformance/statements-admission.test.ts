import assert from "node:assert/strict";
import { toBase58 } from "../../packages/tron/src/primitives/address.ts";
import type { BlockId } from "../../packages/tron/src/primitives/block.ts";
import { hex } from "../../packages/tron/src/primitives/bytes.ts";
import type { SignedTransaction } from "../../packages/tron/src/transaction/built-transaction.ts";
import type { Intent } from "../../packages/tron/src/transaction/intent.ts";
import { signTransactionId } from "../../packages/tron/src/transaction/signature.ts";
import { ChainBench, COIN, type Person, payment, stranger } from "../support/chain/chain-bench.ts";

const TRANSFER_ALLOWED = hex(`02${"00".repeat(31)}`);
const ACCOUNT_CREATION_ALLOWED = hex(`01${"00".repeat(31)}`);

describe("admission to the pool", () => {
  let bench: ChainBench;

  beforeEach(async () => {
    bench = await ChainBench.start();
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  it("S39 refuses invalid transactions with code and message, and never includes them", async () => {
    const refused = await oneOfEachRefusal(bench);
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const good = bench.signed(payment(alice, bob.address), [alice]);
    assert.deepEqual(await bench.outcome(good), { kind: "accepted" });

    for (const { code, message, transaction } of refused) {
      assert.deepEqual(await bench.outcome(transaction), { kind: "rejected", code, message });
      assert.equal(await bench.pendingSize(), 1, message);
      assert.deepEqual((await bench.ask("/wallet/gettransactionlistfrompending")).txId, [good.txId], message);
      assert.equal(await bench.gateway.headTransaction(transaction.txId), undefined, message);
    }

    await bench.mine(100);
    assert.equal(await bench.timesIncluded(good.txId), 1);
    for (const { transaction, message } of refused) {
      assert.equal(await bench.timesIncluded(transaction.txId), 0, message);
      assert.equal(await bench.gateway.solidTransactionInfo(transaction.txId), undefined, message);
    }
  });

  it("S23 accepts only the account's own key by default", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const refusal = refusalsOf(bench, payment(alice, bob.address));

    assert.equal(await refusal([]), "miss sig or contract");
    assert.equal(await refusal([bob]), notContained(bob));
    assert.equal(await refusal([alice, bob]), "Signature count is 2 more than key counts of permission : 1");
    assert.equal(await refusal(Array.from({ length: 6 }, () => alice)), "too many signatures");
    assert.equal(await refusal([alice]), "accepted");
  });

  it("S23 accepts keys of the named permission only, which has to allow the contract", async () => {
    const [alice, bob, carol, dave] = [bench.person(0), bench.person(1), bench.person(2), bench.person(3)];
    await changePermissions(bench, alice, [bob, carol]);
    const refusal = (permissionId: number) =>
      refusalsOf(bench, { ...payment(alice, dave.address), ...(permissionId === 0 ? {} : { permissionId }) });

    assert.equal(await refusal(0)([alice]), notContained(alice));
    assert.equal(await refusal(0)([bob]), "sig error");
    assert.equal(await refusal(0)([bob, bob]), `${toBase58(bob.address)} has signed twice!`);
    assert.equal(await refusal(0)([bob, carol, alice]), "Signature count is 3 more than key counts of permission : 2");
    assert.equal(await refusal(2)([bob]), notContained(bob));
    assert.equal(await refusal(3)([carol]), "Permission denied");
    assert.equal(await refusal(1)([bob]), "permission isn't exit");
    assert.equal(await refusal(9)([bob]), "permission isn't exit");

    assert.equal(await refusal(0)([bob, carol]), "accepted");
    assert.equal(await refusal(2)([alice]), "accepted");
  });

  it("S23 distinguishes a malformed signature from one of another key", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const good = bench.signed(payment(alice, bob.address), [alice]);
    const refusal = async (...signatures: readonly string[]) => {
      const outcome = await bench.outcome({ ...good, signatures: signatures.map(hex) });
      return outcome.kind === "rejected" ? signatureText(outcome.code, outcome.message) : outcome.kind;
    };
    const [signature = ""] = good.signatures;

    assert.equal(await refusal(signature.slice(0, 128)), "Signature size is 64");
    assert.equal(
      await refusal(`${signature.slice(0, 128)}24`),
      "java.security.SignatureException: Header byte out of range: 36",
    );
    assert.equal(
      await refusal(`${"00".repeat(31)}05${signature.slice(64)}`),
      "java.lang.IllegalArgumentException: Invalid point compression",
    );
    assert.equal(await refusal(signature), "accepted");
  });

  it("S20 refuses bytes that were changed after signing, and accepts them signed again as another transaction", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const { timestamp } = bench.head;
    const intent = payment(alice, bob.address);
    const signed = bench.signed(intent, [alice], { expiration: timestamp + 60_000, timestamp });
    const later = bench.signed(intent, [alice], { expiration: timestamp + 120_000, timestamp });
    assert.notEqual(later.txId, signed.txId);

    const altered = await bench.outcome({ ...later, signatures: signed.signatures });

    assert.equal(altered.kind === "rejected" && altered.code, "SIGERROR");
    assert.match(altered.kind === "rejected" ? altered.message : "", /not contained of permission|Could not recover/);
    assert.deepEqual(await bench.outcome(later), { kind: "accepted" });
  });

  it("S47 S126 accepts a correct signature under the same txID after a refused one", async () => {
    const [alice, bob] = [bench.person(0), bench.person(1)];
    const intent = payment(alice, bob.address);
    const expiration = bench.head.timestamp + 60_000;
    const good = bench.signed(intent, [alice], { expiration });
    const byBob = signTransactionId(good.txId, bob.key);

    const refused = await bench.submit({ ...good, signatures: [byBob] }, intent, expiration);
    const corrected = await bench.submit(good, intent, expiration);
    await bench.mine();

    assert.equal(refused.state.kind === "rejected" && refused.state.retry, "sign-again");
    assert.deepEqual([corrected.txId, corrected.state.kind], [refused.txId, "pending"]);
    assert.equal(await bench.timesIncluded(good.txId), 1);
  });
});

interface Refused {
  readonly code: string;
  readonly message: string;
  readonly transaction: SignedTransaction;
}

/** Returns one transaction for each check before the pool. */
async function oneOfEachRefusal(bench: ChainBench): Promise<readonly Refused[]> {
  const [alice, bob, poor] = [bench.person(0), bench.person(1), stranger()];
  await bench.fund(poor.address, 1n);
  const { timestamp } = bench.head;
  const pay = payment(alice, bob.address);
  const unsigned = bench.signed(pay, []);
  return [
    { code: "SIGERROR", message: "Validate signature error: miss sig or contract", transaction: unsigned },
    {
      code: "TRANSACTION_EXPIRATION_ERROR",
      message: "Transaction expired",
      transaction: bench.signed(pay, [alice], { expiration: timestamp }),
    },
    {
      code: "TAPOS_ERROR",
      message: "Tapos check error.",
      transaction: bench.signed(pay, [alice], { referenceBlock: "ab".repeat(32) as BlockId }),
    },
    {
      code: "CONTRACT_VALIDATE_ERROR",
      message: "Contract validate error : Validate TransferContract error, balance is not sufficient.",
      transaction: bench.signed(payment(alice, bob.address, 1_000_000n * COIN), [alice]),
    },
    {
      code: "CONTRACT_VALIDATE_ERROR",
      message: "Contract validate error : Cannot transfer TRX to yourself.",
      transaction: bench.signed(payment(alice, alice.address), [alice]),
    },
    {
      code: "BANDWITH_ERROR",
      message: "Account resource insufficient error.",
      transaction: bench.signed({ ...payment(poor, bob.address), memo: hex("6869") }, [poor]),
    },
  ];
}

/** Sets an owner permission of all `owners`, an active one of the account's key, and one that may only create accounts. */
async function changePermissions(bench: ChainBench, account: Person, owners: readonly Person[]): Promise<void> {
  const own = [{ address: account.address, weight: 1n }];
  const intent: Intent = {
    kind: "permission-update",
    owner: account.address,
    ownerPermission: {
      name: "owner",
      threshold: BigInt(owners.length),
      keys: owners.map(({ address }) => ({ address, weight: 1n })),
    },
    activePermissions: [
      { name: "payments", threshold: 1n, keys: own, operations: TRANSFER_ALLOWED },
      {
        name: "accounts",
        threshold: 1n,
        operations: ACCOUNT_CREATION_ALLOWED,
        keys: owners.map(({ address }) => ({ address, weight: 1n })),
      },
    ],
  };
  assert.deepEqual(await bench.outcome(bench.signed(intent, [account])), { kind: "accepted" });
  await bench.mine();
}

/** Returns a function that broadcasts an intent with signers and returns the text after `Validate signature error: `. */
function refusalsOf(bench: ChainBench, intent: Intent): (signers: readonly Person[]) => Promise<string> {
  return async (signers) => {
    const transaction = bench.signed(intent, signers);
    const outcome = await bench.outcome(transaction);
    if (outcome.kind !== "rejected") return outcome.kind;
    return signatureText(
      outcome.code,
      transaction.signatures.reduce((text, it) => text.replace(it, "…"), outcome.message),
    );
  };
}

function notContained({ address }: Person): string {
  return `… is signed by ${toBase58(address)} but it is not contained of permission.`;
}

function signatureText(code: string, message: string): string {
  const prefix = "Validate signature error: ";
  assert.ok(code === "SIGERROR" && message.startsWith(prefix), `${code} ${message}`);
  return message.slice(prefix.length);
}
