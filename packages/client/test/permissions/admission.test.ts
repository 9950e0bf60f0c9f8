import assert from "node:assert/strict";
import { type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import { dice } from "../../../../test/support/random/dice.ts";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { type Address, parseAddress } from "../../../tron/src/primitives/address.ts";
import { sun } from "../../../tron/src/primitives/amount.ts";
import type { BlockId } from "../../../tron/src/primitives/block.ts";
import { hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";
import { builtFromIntent } from "../../../tron/src/transaction/built-transaction.ts";
import type { Intent, IntentOf, PermissionIntent } from "../../../tron/src/transaction/intent.ts";
import { type PrivateKey, signTransactionId } from "../../../tron/src/transaction/signature.ts";
import { bandwidthOf, transferCost } from "../../src/estimates/costs.ts";
import { parseAccount, parseAccountResources, parseChainParameters } from "../../src/gateway/wire/accounts.ts";
import { broadcastBody } from "../../src/gateway/wire/broadcast.ts";
import { checkAuthority, findLockOut, permissionProblems } from "../../src/permissions/permission-change.ts";
import { maskOf, ownKeyAlone, type PermissionSet, signersFrom } from "../../src/permissions/permissions.ts";

const ROUNDS = howOften(25, 2_000);
/** Changes that one account can pay for. */
const ROUNDS_OF_AN_ACCOUNT = 60;
const OPERATIONS = [1, 10, 11, 46, 59];
const IDS = [undefined, 1, 2, 3, 4];

/** Test chain with known keys, and one account whose permissions change. */
class Stage {
  readonly #roll: (bound: number) => number;
  readonly #keys = new Map<Address, PrivateKey>();
  #chain: TestChain | undefined;
  #rounds = 0;

  constructor(seed: number) {
    this.#roll = dice(seed);
  }

  get people(): readonly Address[] {
    return [...this.#keys.keys()];
  }

  async chain(): Promise<TestChain> {
    if (this.#chain === undefined || this.#rounds++ % ROUNDS_OF_AN_ACCOUNT === 0) {
      this.#chain = await testChain({ seed: `permissions ${this.#rounds}` });
      this.#keys.clear();
      for (const { hex, privateKey } of this.#chain.accounts.slice(0, 6))
        this.#keys.set(parseAddress(hex), hexToBytes(privateKey) as PrivateKey);
    }
    return this.#chain;
  }

  some<T>(all: readonly T[], atLeast = 0): readonly T[] {
    const shuffled = [...all].sort(() => this.#roll(2) - 0.5);
    return shuffled.slice(0, atLeast + this.#roll(all.length - atLeast + 1));
  }

  one<T>(all: readonly T[]): T {
    return all[this.#roll(all.length)] as T;
  }

  number(most: number): bigint {
    return BigInt(1 + this.#roll(most));
  }

  permission(people = this.people): PermissionIntent {
    const keys = this.some(people.slice(0, 5), 1).map((address) => ({ address, weight: this.number(4) }));
    return { name: "some", threshold: this.number(8), keys };
  }

  set(): PermissionSet {
    const actives = Array.from({ length: Number(this.number(3)) }, () => ({
      ...this.permission(),
      operations: maskOf(this.some(OPERATIONS)),
    }));
    return { ownerPermission: this.permission(), activePermissions: actives };
  }

  sign(txId: Parameters<typeof signTransactionId>[0], signers: readonly Address[]) {
    return signers.map((it) => signTransactionId(txId, this.#keys.get(it) as PrivateKey));
  }
}

/** Sends a transaction of an intent with these signers. Returns the code and the message of a refusal. */
async function send(stage: Stage, chain: TestChain, intent: Intent, signers: readonly Address[]): Promise<Sent> {
  const head = await chain.ask("/wallet/getnowblock");
  const { raw_data } = (head.block_header ?? {}) as { raw_data: { timestamp: number } };
  const validity = {
    referenceBlock: String(head.blockID) as BlockId,
    expiration: raw_data.timestamp + 60_000,
    timestamp: raw_data.timestamp + nonce++,
  };
  const built = builtFromIntent(intent, validity);
  const body = broadcastBody({ ...built, signatures: stage.sign(built.txId, signers) });
  const { code, message } = await chain.ask("/wallet/broadcasttransaction", body);
  return { ...built, code, message: Buffer.from(String(message ?? ""), "hex").toString() };
}

let nonce = 0;

interface Sent extends ReturnType<typeof builtFromIntent> {
  readonly code: JsonObject[string];
  readonly message: string;
}

async function permissionsOf(chain: TestChain, owner: Address) {
  const account = parseAccount(await chain.ask("/wallet/getaccount", { address: owner }));
  return account?.permissions ?? ownKeyAlone(owner);
}

describe("permissions and the admission of the local chain", function () {
  this.timeout(600_000);

  it(`admit and refuse the same signers for ${ROUNDS} random permissions`, async () => {
    const stage = new Stage(7);
    const seen = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round++) {
      const chain = await stage.chain();
      const [owner] = stage.people as [Address];
      await change(stage, chain, owner);
      const permissions = await permissionsOf(chain, owner);
      for (let ask = 0; ask < 6; ask++) {
        const ours = new Set(stage.some(stage.people));
        const permissionId = stage.one(IDS);
        const intent: Intent = {
          ...stage.one<Intent>([
            { kind: "transfer", owner, to: stage.people[1] as Address, amount: sun(1n) },
            { kind: "account-name", owner, name: `n${round}.${ask}` },
            { kind: "cancel-unstakes", owner },
          ]),
          ...(permissionId === undefined ? {} : { permissionId }),
        };
        const authority = checkAuthority(permissions, intent, ours);
        seen.set(authority.kind, (seen.get(authority.kind) ?? 0) + 1);
        const signers = authority.kind === "enough" ? authority.signers : [...ours].slice(0, 5);
        const { code, message } = await send(stage, chain, intent, signers);
        const refusedBySignature = code === "SIGERROR";
        assert.equal(refusedBySignature, authority.kind !== "enough", `${authority.kind}: ${String(code)} ${message}`);
        if (authority.kind === "enough" && signers.length > 1) {
          const fewer = await send(stage, chain, intent, signers.slice(1));
          assert.equal(fewer.code, "SIGERROR", "one signature less would do");
        }
      }
    }
    for (const kind of ["enough", "short", "foreign", "denied", "absent"]) assert.ok((seen.get(kind) ?? 0) > 0, kind);
  });

  /** Changes the permissions at random, and compares the fee with its estimate. */
  async function change(stage: Stage, chain: TestChain, owner: Address): Promise<void> {
    const everybody = new Set(stage.people);
    const set = stage.set();
    const intent: IntentOf<"permission-update"> = { kind: "permission-update", owner, ...set };
    const { owner: now } = await permissionsOf(chain, owner);
    const signers = signersFrom(now, everybody) as readonly Address[];
    const cost = await costOf(chain, intent, signers.length);
    const { code, message, txId } = await send(stage, chain, intent, signers);
    if (permissionProblems(set).length > 0) {
      assert.equal(code, "CONTRACT_VALIDATE_ERROR", message);
      return;
    }
    assert.equal(code, undefined, message);
    chain.mine();
    const info = await chain.ask("/wallet/gettransactioninfobyid", { value: txId });
    assert.equal(BigInt(Number(info.fee ?? 0)), cost);
    assert.equal(findLockOut(set, everybody), undefined);
  }
});

/** Returns the cost that the review shows. */
async function costOf(chain: TestChain, intent: Intent, signatures: number): Promise<bigint> {
  const resources = parseAccountResources(await chain.ask("/wallet/getaccountresource", { address: intent.owner }));
  const parameters = parseChainParameters(await chain.ask("/wallet/getchainparameters"));
  const validity = {
    referenceBlock: "00".repeat(32) as BlockId,
    expiration: 1_777_447_467_000,
    timestamp: 1_777_447_467_000,
  };
  const bandwidth = bandwidthOf(builtFromIntent(intent, validity).rawDataHex.length / 2, signatures);
  const facts = { bandwidth, signatures, hasMemo: false, recipientExists: true, updatesPermissions: true, resources };
  return transferCost(facts, parameters).fee;
}
