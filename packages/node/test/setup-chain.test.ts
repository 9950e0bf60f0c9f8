import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gatewayAt } from "../../../test/support/fakes/gateway-fixtures.ts";
import { type LocalChain, startLocalChain } from "../../local-chain/src/main.ts";
import { functionsOf } from "../../tron/src/abi/contract-functions.ts";
import { encodeCall } from "../../tron/src/abi/encode-abi.ts";
import { type Address, parseAddress } from "../../tron/src/primitives/address.ts";
import { sun } from "../../tron/src/primitives/amount.ts";
import { hex } from "../../tron/src/primitives/bytes.ts";
import { UnsignedChain } from "../src/setup-chain.ts";

const LEAF = JSON.parse(readFileSync(new URL("../../../samples/build/contracts/Leaf.json", import.meta.url), "utf8"));
const SUPPLY = (1_000).toString(16).padStart(64, "0");

describe("embedded chain without signatures", () => {
  let chain: LocalChain;
  let client: ReturnType<typeof gatewayAt>;
  let unsigned: UnsignedChain;
  let owner: Address;

  beforeEach(async () => {
    chain = await startLocalChain({ seed: "setup", blockTimeMs: 0, accounts: 1, witnesses: 1 });
    client = gatewayAt(chain.baseUrl);
    unsigned = new UnsignedChain(chain.baseUrl, client.gateway);
    owner = parseAddress(chain.ready.accounts[0]?.hex ?? "");
  });

  afterEach(async () => {
    await client[Symbol.asyncDispose]();
    await chain.close();
  });

  const common = () => ({ owner, callValue: sun(0n), feeLimit: sun(1_000_000_000n) });
  const deployment = () =>
    ({
      ...common(),
      kind: "contract-creation",
      name: "Leaf",
      bytecode: hex(LEAF.bytecode.replace(/^0x/, "") + SUPPLY),
      abi: hex(""),
      userPercent: 100n,
      originEnergyLimit: 10_000_000n,
    }) as const;
  const transfer = (contract: Address, to: Address, value: bigint) => {
    const parameters = functionsOf(LEAF.abi).find(
      ({ signature }) => signature === "transfer(address,uint256)",
    )?.parameters;
    const data = encodeCall("transfer(address,uint256)", parameters ?? [], [to, value]);
    return { ...common(), kind: "contract-call", contract, data } as const;
  };

  async function deploy(): Promise<Address> {
    const outcome = await unsigned.execute(deployment());
    assert.equal(outcome.kind, "success");
    return (outcome.kind === "success" ? outcome.contract : undefined) ?? assert.fail();
  }

  it("executes deployments and calls in blocks of their own", async () => {
    const { number: before } = await client.gateway.headBlock();
    const contract = await deploy();
    const first = await unsigned.execute(transfer(contract, contract, 1n));
    const again = await unsigned.execute(transfer(contract, contract, 1n));

    assert.deepEqual([first.kind, again.kind], ["success", "success"]);
    assert.equal((await client.gateway.headBlock()).number, before + 3);
  });

  it("returns the revert data of a call that fails, and the code of a refusal", async () => {
    const contract = await deploy();
    const reverted = await unsigned.execute(transfer(contract, contract, 1_001n));
    const refused = await unsigned.execute(transfer(owner, contract, 1n));

    assert.equal(reverted.kind === "failed" && `${reverted.result} ${reverted.data.length > 8}`, "REVERT true");
    assert.equal(refused.kind === "failed" && refused.result, "CONTRACT_VALIDATE_ERROR");
  });

  it("restores the state after an isolated function, also if it fails", async () => {
    const { number: before } = await client.gateway.headBlock();
    let contract: Address | undefined;
    await unsigned.isolated(async () => {
      contract = await deploy();
    });
    await assert.rejects(
      unsigned.isolated(async () => {
        await deploy();
        throw new Error("stopped");
      }),
      /stopped/,
    );

    assert.ok(contract !== undefined);
    assert.equal(await client.gateway.deployedContract(contract), undefined);
    assert.equal((await client.gateway.headBlock()).number, before);
  });

  it("gives coins to an account", async () => {
    const stranger = parseAddress(`41${"77".repeat(20)}`);
    await unsigned.fund(stranger, sun(5_000_000n));

    assert.equal((await client.gateway.account(stranger))?.balance, 5_000_000n);
  });
});
