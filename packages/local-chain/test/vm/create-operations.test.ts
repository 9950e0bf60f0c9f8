import assert from "node:assert/strict";
import { type ContractFixture, contractFixture } from "../../../../test/support/chain/contract-fixture.ts";
import { RETURN_TOP } from "./bytecode.ts";

/** Init code that stops at once, so the new contract has no code. */
const EMPTY_CREATIONS = {
  CREATE: "5f5f5ff0",
  CREATE2: "60055f5f5ff5",
} as const;

describe("CREATE and CREATE2", () => {
  let contracts: ContractFixture;

  before(async () => {
    contracts = await contractFixture();
  });

  for (const [name, creation] of Object.entries(EMPTY_CREATIONS)) {
    it(`N1: ${name} pushes the address with its prefix, 21 bytes`, async () => {
      const factory = await contracts.install(`${creation}${RETURN_TOP}`);
      const { result, returned, info } = await contracts.call(factory);
      const [{ transferTo_address: created } = {}] = info.internal_transactions as { transferTo_address: string }[];
      assert.equal(result, "SUCCESS");
      assert.match(returned, /^0{22}41[0-9a-f]{40}$/u);
      assert.equal(returned, created?.padStart(64, "0"));
    });

    it(`N1: ${name} pushes a word that other operations accept as the contract's address`, async () => {
      // Calls the new contract with one unit of the coin and returns its balance through BALANCE.
      const factory = await contracts.install(`${creation}5f5f5f5f6001855af15031${RETURN_TOP}`);
      const { result, returned, info } = await contracts.call(factory, "", { value: 1 });
      const [made, payment] = info.internal_transactions as { transferTo_address: string }[];
      assert.equal(result, "SUCCESS");
      assert.equal(BigInt(`0x${returned}`), 1n);
      assert.equal(payment?.transferTo_address, made?.transferTo_address);
    });

    it(`N1: ${name} in a constant call pushes the address with its prefix`, async () => {
      const { constant_result } = await contracts.constant(`${creation}${RETURN_TOP}`);
      assert.match(String((constant_result as readonly string[])[0]), /^0{22}41[0-9a-f]{40}$/u);
    });

    it(`N1: ${name} makes arithmetic on the address as expensive as on 21 bytes`, async () => {
      const raised = (code: string): Promise<number> => energyOf(`${code}60020a00`);
      const masked = `${creation}73${"ff".repeat(20)}16`;
      // EXP costs 10 units per byte of its exponent; PUSH20 and AND cost 3 each.
      assert.equal((await raised(creation)) - (await raised(masked)), 10 - 6);
    });
  }

  it("N1: push 0 when the contract is not created", async () => {
    const factory = await contracts.install(`60fe5f5360015f5ff0${RETURN_TOP}`);
    assert.equal(BigInt(`0x${(await contracts.call(factory)).returned}`), 0n);
  });

  async function energyOf(code: string): Promise<number> {
    return (await contracts.call(await contracts.install(code))).energy;
  }
});
