import assert from "node:assert/strict";
import type { TronWeb, Types } from "tronweb";
import type { HttpGateway } from "../../packages/client/src/gateway/http/http-gateway.ts";
import { parseBuiltTransaction } from "../../packages/client/src/gateway/wire/transaction.ts";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { bytesToHex, type TxId } from "../../packages/tron/src/primitives/bytes.ts";
import type { Json } from "../../packages/tron/src/primitives/json.ts";
import type { BuiltTransaction, SignedTransaction } from "../../packages/tron/src/transaction/built-transaction.ts";
import type { Intent } from "../../packages/tron/src/transaction/intent.ts";
import { addSignature, signTransaction } from "../../packages/tron/src/transaction/sign-transaction.ts";
import type { PrivateKey } from "../../packages/tron/src/transaction/signature.ts";
import {
  type VerifiedTransaction,
  verifyAgainstIntent,
} from "../../packages/tron/src/transaction/verify-against-intent.ts";
import { EVERY_STAKE_VOTES, EveryKind, kindsInOrder, type Owner, unsignedJson } from "../support/chain/every-kind.ts";
import { testChainOf } from "../support/chain/test-chain.ts";
import { gatewayAt } from "../support/fakes/gateway-fixtures.ts";
import { buildWithTronWeb, TronWebMethods } from "../support/samples/tronweb-builder.ts";

type Signed = Types.SignedTransaction & Types.Transaction;

/** Builder, signer and number of keys. Each row has its own account. */
const WAYS = [
  { name: "made here, signed by TronWeb with 1 key", signers: 1, run: madeHere },
  { name: "made here, signed by TronWeb with 2 keys", signers: 2, run: madeHere },
  { name: "made here, signed by TronWeb with 5 keys", signers: 5, run: madeHere },
  { name: "made by TronWeb, signed here with 1 key", signers: 1, run: madeByTronWeb },
  { name: "made by TronWeb, signed here with 2 keys", signers: 2, run: madeByTronWeb },
  { name: "made by TronWeb, signed here with 5 keys", signers: 5, run: madeByTronWeb },
  { name: "made here, signed here and by TronWeb in turn with 2 keys", signers: 2, run: signedInTurn },
  { name: "made here, signed here and by TronWeb in turn with 5 keys", signers: 5, run: signedInTurn },
] as const;

interface Both {
  readonly everyKind: EveryKind;
  readonly tronWeb: TronWeb;
  readonly gateway: HttpGateway;
}

describe("TronWeb and Finality", () => {
  const methods = new TronWebMethods();
  let chain: LocalChain;
  let both: Both;
  let end = async (): Promise<void> => undefined;
  let accepted = 0;

  before(async function () {
    this.timeout(60_000);
    const accounts = WAYS.length + 1;
    chain = await startLocalChain({ seed: "kinds", blockTimeMs: 0, accounts, parameters: EVERY_STAKE_VOTES });
    const everyKind = await EveryKind.prepare(
      testChainOf(chain.simulation),
      WAYS.map(({ signers }) => signers),
    );
    const privateKey = chain.ready.accounts[0]?.privateKey ?? "";
    const opened = gatewayAt(chain.baseUrl);
    end = async () => await opened[Symbol.asyncDispose]();
    both = { everyKind, gateway: opened.gateway, tronWeb: methods.client({ fullHost: chain.baseUrl, privateKey }) };
  });

  after(async () => {
    await end();
    await chain.close();
    methods.print();
    process.stdout.write(`      ${accepted} combinations of kind, maker, signer and number of keys were accepted\n`);
  });

  for (const kind of kindsInOrder) {
    it(`build and sign a ${kind} for each other, and execute it`, async function () {
      this.timeout(60_000);
      const txIds = await Promise.all(
        WAYS.map(async ({ run }, index) => {
          const owner = both.everyKind.owners[index];
          assert.ok(owner);
          return await run(both, both.everyKind.intentOf(kind, owner), owner);
        }),
      );

      both.everyKind.chain.mine();
      for (const [index, { name }] of WAYS.entries()) {
        await both.everyKind.assertDone(`${kind}, ${name}`, txIds[index] as TxId);
        accepted += 1;
      }
    });
  }

  it("cover every kind both ways, with 1, 2 and 5 keys", () => {
    assert.equal(accepted, kindsInOrder.length * WAYS.length);
  });
});

async function madeHere({ everyKind, tronWeb }: Both, intent: Intent, owner: Owner): Promise<TxId> {
  const built = everyKind.build(intent);
  const signed = await signedByTronWeb(tronWeb, unsignedJson(built) as unknown as Signed, intent, owner);
  const { result, txid } = await tronWeb.trx.sendRawTransaction(signed);
  assert.deepEqual([result, txid], [true, built.txId]);
  return built.txId;
}

async function signedByTronWeb(
  tronWeb: TronWeb,
  unsigned: Signed,
  { permissionId = 0 }: Intent,
  { keys }: Owner,
): Promise<Signed> {
  const [only] = keys;
  if (keys.length === 1) return await tronWeb.trx.sign(unsigned, textOf(only));
  let signed = unsigned;
  for (const key of keys) signed = await tronWeb.trx.multiSign(signed, textOf(key), permissionId);
  const { current_weight } = await tronWeb.trx.getSignWeight(signed);
  assert.equal(current_weight, keys.length);
  return signed;
}

async function madeByTronWeb({ everyKind, gateway }: Both, intent: Intent, { keys }: Owner): Promise<TxId> {
  const validity = everyKind.validity();
  const made = await buildWithTronWeb(intent, validity);
  const verified = verify(parseBuiltTransaction(made as unknown as Json), intent, everyKind);
  return await broadcast(gateway, signedHere(verified, keys));
}

function verify(built: BuiltTransaction, intent: Intent, { chain }: EveryKind): VerifiedTransaction {
  const headTimestamp = chain.simulation.chain.head.header.timestamp;
  const result = verifyAgainstIntent(built, intent, { headTimestamp });
  assert.deepEqual(result.kind === "different" ? result.differences : [], []);
  return result as VerifiedTransaction;
}

function signedHere(verified: VerifiedTransaction, [first, ...others]: readonly PrivateKey[]): SignedTransaction {
  assert.ok(first);
  return others.reduce(addSignature, signTransaction(verified, first));
}

async function broadcast(gateway: HttpGateway, signed: SignedTransaction): Promise<TxId> {
  const { outcome } = await gateway.broadcast(signed);
  assert.equal(outcome.kind, "accepted", JSON.stringify(outcome));
  return signed.txId;
}

/** Signs with Finality and TronWeb in turn, each adding to the signatures of the other. */
async function signedInTurn({ everyKind, tronWeb, gateway }: Both, intent: Intent, { keys }: Owner): Promise<TxId> {
  const built = everyKind.build(intent);
  const [first, ...others] = keys;
  assert.ok(first);
  let signed = signTransaction(verify(built, intent, everyKind), first);
  for (const [index, key] of others.entries()) {
    signed =
      index % 2 === 0 ? await addedByTronWeb(tronWeb, signed, key, intent.permissionId) : addSignature(signed, key);
  }
  return await broadcast(gateway, signed);
}

async function addedByTronWeb(
  tronWeb: TronWeb,
  signed: SignedTransaction,
  key: PrivateKey,
  permissionId = 0,
): Promise<SignedTransaction> {
  const json = { ...unsignedJson(signed), signature: [...signed.signatures] } as unknown as Signed;
  const { txID, signature } = await tronWeb.trx.multiSign(json, textOf(key), permissionId);
  assert.equal(txID, signed.txId);
  return { ...signed, signatures: (signature as readonly string[]).map((it) => it.toLowerCase() as never) };
}

function textOf(key: PrivateKey | undefined): string {
  return bytesToHex(key ?? new Uint8Array());
}
