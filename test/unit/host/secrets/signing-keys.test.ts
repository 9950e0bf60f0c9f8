import assert from "node:assert/strict";
import { isChainError } from "../../../../src/core/errors/chain-error.ts";
import type { Address } from "../../../../src/core/primitives/address.ts";
import { bytesToHex } from "../../../../src/core/primitives/bytes.ts";
import { addressOfPrivateKey, generatePrivateKey } from "../../../../src/core/transaction/signature.ts";
import { FakeSecrets, loadWithEditor, memento } from "../../../support/fakes/fake-editor.ts";

type Parts = typeof import("../../../../src/host/secrets/signing-keys.ts");
const CHAIN = "c4a1".repeat(10);
const code = (wanted: string) => (error: unknown) => isChainError(error) && error.code === wanted;

interface Pair {
  readonly address: Address;
  readonly privateKey: string;
}

function pair(): Pair {
  const key = generatePrivateKey();
  return { address: addressOfPrivateKey(key), privateKey: bytesToHex(key) };
}

describe("signing keys and a local chain", () => {
  let parts: Parts;
  let secrets: FakeSecrets;
  let keys: InstanceType<Parts["SigningKeys"]>;

  before(async () => {
    parts = await loadWithEditor<Parts>("src/host/secrets/signing-keys.ts");
  });

  beforeEach(() => {
    secrets = new FakeSecrets();
    keys = new parts.SigningKeys(memento() as never, secrets as never);
  });

  const keyOf = (address: Address) => keys.withPrivateKey(address, (key) => bytesToHex(key));
  async function bring(...accounts: readonly (Pair & { readonly label: string })[]): Promise<void> {
    await keys.storeKeysOfChain(accounts, CHAIN);
    await keys.addOfChain(accounts, CHAIN);
    keys.setChain(CHAIN);
  }

  it("H8: a chain that brings an address of the person overwrites, renames and deletes nothing", async () => {
    const own = pair();
    await keys.add({ address: own.address, label: "Savings", watchOnly: false }, own.privateKey);

    await bring({ ...own, label: "Alice" });

    assert.deepEqual(
      keys.list().map(({ label, chain }) => [label, chain]),
      [["Savings", undefined]],
    );
    assert.equal(keys.isOfChain(own.address), false);
    keys.setChain(undefined);
    await keys.removeOfChains(() => true);
    assert.equal(await keyOf(own.address), own.privateKey);
    assert.equal(keys.find(own.address)?.label, "Savings");
    assert.deepEqual([...secrets.kept.keys()], [`signingKey ${own.address}`]);
  });

  it("H8: a chain whose window does not know the person's account yet deletes no key of it either", async () => {
    const own = pair();
    await secrets.set("signingKey", own.address, own.privateKey);

    await bring({ ...own, label: "Alice" });
    await keys.removeOfChains(() => true);

    assert.equal(await secrets.get("signingKey", own.address), own.privateKey);
  });

  it("H8: a key that is not that of its address is refused, and none of them is stored", async () => {
    const [good, address, key] = [pair(), pair().address, pair().privateKey];

    const bringing = bring({ ...good, label: "Alice" }, { address, privateKey: key, label: "Bob" });

    await assert.rejects(bringing, code("SIGNING_KEY_FOREIGN"));
    assert.equal(secrets.kept.size, 0);
  });

  it("H8: a stored key of another address signs nothing", async () => {
    const own = pair();
    await keys.add({ address: own.address, label: "Savings", watchOnly: false }, own.privateKey);
    await secrets.set("signingKey", own.address, pair().privateKey);
    let lent = false;

    await assert.rejects(
      keys.withPrivateKey(own.address, () => {
        lent = true;
      }),
      code("SIGNING_KEY_FOREIGN"),
    );

    assert.equal(lent, false);
  });

  it("accounts of a chain sign while it runs, and go with it", async () => {
    const alice = pair();
    await bring({ ...alice, label: "Alice" });

    assert.equal(await keyOf(alice.address), alice.privateKey);
    assert.equal(keys.isOfChain(alice.address), true);
    await keys.removeOfChains((chain) => chain === CHAIN);

    assert.equal(secrets.kept.size, 0);
    await assert.rejects(keyOf(alice.address), code("SIGNING_KEY_MISSING"));
  });
});
