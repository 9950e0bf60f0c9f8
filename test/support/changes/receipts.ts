import type { BindingContext } from "../../../packages/client/src/call-sites/bind-call.ts";
import { bindCall } from "../../../packages/client/src/call-sites/bind-call.ts";
import { costName } from "../../../packages/client/src/call-sites/cost-history.ts";
import { callSitesInCallFile, setupSitesInCallFile } from "../../../packages/client/src/call-sites/find-call-sites.ts";
import { executeSetupStep } from "../../../packages/client/src/call-tests/setup-step.ts";
import type { CodeIntent } from "../../../packages/client/src/estimates/call-estimate.ts";
import { type LocalChain, startLocalChain } from "../../../packages/local-chain/src/main.ts";
import { UnsignedChain } from "../../../packages/node/src/setup-chain.ts";
import { constructorOf, functionsOf } from "../../../packages/tron/src/abi/contract-functions.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { gatewayAt } from "../fakes/gateway-fixtures.ts";

const NAMES = ["Alice", "Bob", "Carol", "Dave"];

/** Chain that executes the setup and the calls of a call file, and returns the energy of their receipts. */
export class ReceiptChain {
  readonly #chain: LocalChain;
  readonly #gateway: ReturnType<typeof gatewayAt>;

  private constructor(chain: LocalChain) {
    this.#chain = chain;
    this.#gateway = gatewayAt(chain.baseUrl);
  }

  static async start(): Promise<ReceiptChain> {
    return new ReceiptChain(
      await startLocalChain({ blockTimeMs: 0, accounts: NAMES.length, witnesses: 1, likeMainnet: true }),
    );
  }

  async close(): Promise<void> {
    await this.#gateway[Symbol.asyncDispose]();
    await this.#chain.close();
  }

  /** Returns the energy of each step and call by its name. Each call starts from the state after the setup. */
  async energyOf(callFile: string, artifact: string): Promise<ReadonlyMap<string, bigint>> {
    const energy = new Map<string, bigint>();
    const unsigned = new UnsignedChain(this.#chain.baseUrl, this.#gateway.gateway);
    let context = this.#contextOf(artifact);
    await this.#post("/local/snapshot", { id: "start" });
    for (const site of setupSitesInCallFile(callFile)) {
      const step = await executeSetupStep(unsigned, site, context, { nameOf: () => undefined });
      if (step.kind === "failed") throw new Error(step.reason);
      energy.set(costName(step.bound), await this.#energyOfNewest());
      context = step.context;
    }
    for (const site of callSitesInCallFile(callFile)) {
      const bound = bindCall(site, context);
      if (bound.kind !== "bound") throw new Error(JSON.stringify(bound));
      energy.set(costName(bound), await this.#energyOf(unsigned, bound.intent));
    }
    await this.#post("/local/restore", { id: "start" });
    return energy;
  }

  async #energyOf(unsigned: UnsignedChain, intent: CodeIntent): Promise<bigint> {
    return await unsigned.isolated(async () => {
      const outcome = await unsigned.execute(intent);
      if (outcome.kind === "failed") throw new Error(`${outcome.result} ${outcome.message}`);
      return await this.#energyOfNewest();
    });
  }

  async #energyOfNewest(): Promise<bigint> {
    const { transactions } = await this.#post("/wallet/getnowblock", {});
    const [{ txID }] = transactions as unknown as readonly [{ txID: string }];
    const { receipt } = await this.#post("/wallet/gettransactioninfobyid", { value: txID });
    return BigInt(Object(receipt).energy_usage_total);
  }

  async #post(path: string, body: JsonObject): Promise<JsonObject> {
    const response = await fetch(this.#chain.baseUrl + path, { method: "POST", body: JSON.stringify(body) });
    return (await response.json()) as JsonObject;
  }

  #contextOf(artifact: string): BindingContext {
    const { contractName: name, abi, bytecode } = JSON.parse(artifact);
    const creation = { ...constructorOf(abi), signature: "constructor", outputs: [] };
    const known = { name, origin: name, abi, functions: functionsOf(abi), creation, bytecode: bytecode.slice(2) };
    const contract = { ...known, address: undefined, addressSource: "" };
    const addressOf = (text: string): Address | undefined => {
      const account = this.#chain.ready.accounts[NAMES.indexOf(text)];
      return account && parseAddress(account.hex);
    };
    const contractsNamed = (text: string) => (text === name ? [contract] : []);
    return {
      contractsNamed,
      contractsAt: () => [],
      contractsWith: () => [],
      addressOf,
      caller: undefined,
      answer: () => undefined,
    };
  }
}
