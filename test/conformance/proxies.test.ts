import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { type ContractProxy, resolveProxy } from "../../packages/client/src/contracts/proxy.ts";
import type { StorageGateway } from "../../packages/client/src/gateway/gateway.ts";
import type { HttpGateway } from "../../packages/client/src/gateway/http/http-gateway.ts";
import { parseChainId } from "../../packages/client/src/gateway/network.ts";
import { ArtifactIndex } from "../../packages/tron/src/abi/artifacts/artifact-index.ts";
import { functionDataOf, functionsOf } from "../../packages/tron/src/abi/contract-functions.ts";
import { shortAddress } from "../../packages/tron/src/format/short.ts";
import { type Address, toBase58 } from "../../packages/tron/src/primitives/address.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import { hex } from "../../packages/tron/src/primitives/bytes.ts";
import { deployedContractAddress } from "../../packages/tron/src/transaction/contract-types.ts";
import type { Intent } from "../../packages/tron/src/transaction/intent.ts";
import type { ContractRow } from "../../src/features/contracts/contract-rows.view.ts";
import { ChainBench, type Person } from "../support/chain/chain-bench.ts";
import { returning } from "../support/chain/contract-fixture.ts";
import { loadWithEditor } from "../support/fakes/fake-editor.ts";
import { type CompiledContract, compileProxies } from "../support/samples/compiled-proxies.ts";
import { FEE_LIMIT } from "../support/samples/samples.ts";

type ListModule = typeof import("../../src/features/contracts/contract-list.ts");
const { ContractList } = await loadWithEditor<ListModule>("src/features/contracts/contract-list.ts");

describe("resolveProxy", function () {
  this.timeout(60_000);
  let bench: ChainBench;
  let alice: Person;
  let compiled: ReadonlyMap<string, CompiledContract>;
  let [first, second]: readonly (Address | undefined)[] = [];

  before(async () => {
    compiled = compileProxies();
    bench = await ChainBench.start();
    alice = bench.person(0);
    first = await deploy("TeaV1");
    second = await deploy("TeaV2");
  });
  after(() => bench[Symbol.asyncDispose]());

  const contract = (name: string): CompiledContract => compiled.get(name) ?? assert.fail(name);

  async function send(intent: Intent): Promise<string> {
    const transaction = bench.signed(intent, [alice]);
    assert.deepEqual(await bench.outcome(transaction), { kind: "accepted" });
    await bench.mine();
    const info = await bench.gateway.headTransactionInfo(transaction.txId);
    assert.equal(info?.receiptResult, "SUCCESS");
    return transaction.txId;
  }

  async function deploy(name: string, ...values: readonly (Address | undefined)[]): Promise<Address> {
    const txId = await send(contract(name).creation(alice.address, ...(values as Address[])));
    return deployedContractAddress(txId as never, alice.address);
  }

  /** Deploys code that runs as it is. */
  async function install(runtime: string): Promise<Address> {
    const txId = await send({ ...contract("TeaV1").creation(alice.address), bytecode: hex(returning(runtime)) });
    return deployedContractAddress(txId as never, alice.address);
  }

  async function upgrade(name: string, address: Address, next: Address | undefined): Promise<void> {
    const fn = functionsOf(contract(name).abi).find(({ signature }) => signature === "upgrade(address)");
    assert.ok(fn && next);
    const call = { owner: alice.address, contract: address, callValue: sun(0n), feeLimit: FEE_LIMIT };
    await send({ kind: "contract-call", ...call, data: functionDataOf(fn, [next]) });
  }

  async function resolve(address: Address, gateway: Partial<StorageGateway> = {}): Promise<ContractProxy | undefined> {
    const { runtimeCode } = (await bench.gateway.deployedContract(address)) ?? {};
    const source = Object.assign(Object.create(bench.gateway) as HttpGateway, {
      constantCall: bench.gateway.constantCall.bind(bench.gateway),
      storageAt: bench.gateway.storageAt.bind(bench.gateway),
      ...gateway,
    });
    return await resolveProxy(source, { address, runtimeCode });
  }

  const withoutStorage = { storageAt: async () => undefined };

  it("reads the implementation of an EIP-1967 proxy from its storage, also after an upgrade", async () => {
    const proxy = await deploy("SlotProxy", first);

    assert.deepEqual(await resolve(proxy), { kind: "eip-1967", implementation: first, source: "storage" });
    await upgrade("SlotProxy", proxy, second);
    assert.deepEqual(await resolve(proxy), { kind: "eip-1967", implementation: second, source: "storage" });
  });

  it("reads the implementation of an EIP-1822 proxy from its storage, also after an upgrade", async () => {
    const proxy = await deploy("ProxiableProxy", first);

    assert.deepEqual(await resolve(proxy), { kind: "eip-1822", implementation: first, source: "storage" });
    await upgrade("ProxiableProxy", proxy, second);
    assert.deepEqual(await resolve(proxy), { kind: "eip-1822", implementation: second, source: "storage" });
  });

  it("asks the beacon of a proxy for the implementation, also after an upgrade of the beacon", async () => {
    const beacon = await deploy("Beacon", first);
    const proxy = await deploy("BeaconProxy", beacon);
    const kind = "eip-1967-beacon";

    assert.deepEqual(await resolve(proxy), { kind, beacon, implementation: first, source: "storage" });
    await upgrade("Beacon", beacon, second);
    assert.deepEqual(await resolve(proxy), { kind, beacon, implementation: second, source: "storage" });
  });

  it("reads the implementation of an EIP-1167 proxy from its code, without a request for storage", async () => {
    const target = first ?? assert.fail();
    const proxy = await install(`363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`);
    const storageAt = async () => assert.fail("storage was read");

    assert.deepEqual(await resolve(proxy, { storageAt }), {
      kind: "eip-1167",
      implementation: target,
      source: "code",
    });
  });

  it("reads EIP-1167 code that pushes an address without its leading zeros", async () => {
    const proxy = await install("363d3d373d3d3d363d61abcd5af43d82803e903d91602b57fd5bf3");

    const implementation = `41${"0".repeat(36)}abcd`;
    assert.deepEqual(await resolve(proxy), { kind: "eip-1167", implementation, source: "code" });
  });

  it("returns undefined for a contract without DELEGATECALL, without a request for storage", async () => {
    const beacon = await deploy("Beacon", first);
    const storageAt = async () => assert.fail("storage was read");

    assert.equal(await resolve(beacon, { storageAt }), undefined);
  });

  it("calls implementation() when the gateway does not serve storage", async () => {
    const proxy = await deploy("OpenSlotProxy", first);

    assert.deepEqual(await resolve(proxy, withoutStorage), {
      kind: "eip-1967",
      implementation: first,
      source: "function",
    });
  });

  it("reports a proxy whose implementation cannot be read", async () => {
    const beacon = await deploy("Beacon", first);

    for (const [name, kind, argument] of [
      ["SlotProxy", "eip-1967", first],
      ["ProxiableProxy", "eip-1822", first],
      ["BeaconProxy", "eip-1967-beacon", beacon],
    ] as const) {
      const proxy = await deploy(name, argument);
      assert.deepEqual(await resolve(proxy, withoutStorage), { kind, implementation: undefined, source: "function" });
    }
  });

  describe("in the Contracts view", () => {
    const network = { name: "Bench", baseUrl: "http://127.0.0.1", local: false, production: false };
    const chain = parseChainId(`${"0".repeat(16)}${"a".repeat(48)}`);
    const ticks = new EventEmitter();
    let rows = (): readonly ContractRow[] => [];
    let list: InstanceType<ListModule["ContractList"]>;
    let changed = (): void => undefined;

    /** Opens a list of one added contract, with its row expanded. The clock moves with `ticks`. */
    async function openList(address: Address): Promise<void> {
      const index = new ArtifactIndex();
      const silent = () => ({ dispose: () => undefined });
      const services = {
        networks: {
          list: () => [network],
          find: () => network,
          get: () => network,
          active: network,
          onDidChange: silent,
        },
        chains: { known: () => chain, networkRefOf: async () => ({ network: network.name, chain }) },
        keys: { nameOf: () => undefined, list: () => [], listOn: () => [], onDidChange: silent },
        transactions: { list: () => [], ready: async () => undefined, get: () => undefined, onDidChange: silent },
        artifacts: { get: async () => ({ index, onDidChange: silent, ready: async () => index }) },
        contractBook: async () => ({
          on: () => [{ chain, address }],
          find: () => undefined,
          isRemoved: () => false,
          isEmpty: false,
          onDidChange: silent,
        }),
        knownNames: { list: () => [], setRecorded: () => undefined },
        names: async () => ({ keep: async () => undefined }),
        gateways: { for: async () => bench.gateway },
        clock: { sleep: () => once(ticks, "tick") },
      };
      list = new ContractList({
        services: services as never,
        isVisible: () => true,
        changed: () => changed(),
        failed: (message, error) => assert.fail(`${message} ${String(error)}`),
      });
      rows = () => (list.rows()[0]?.children?.[0]?.children ?? []) as readonly ContractRow[];
      await list.load();
      list.opened({ kind: "contract", network: network.name, address: toBase58(address) });
    }

    const hasFunction = (name: string): boolean =>
      rows().some(({ children = [] }) => children.some(({ label }) => label.startsWith(`${name}(`)));

    /** Resolves when the view shows this implementation. */
    async function shows(implementation: Address | undefined, name: string): Promise<void> {
      const text = `→ ${shortAddress(implementation ?? assert.fail())}`;
      const isShown = (): boolean =>
        rows().some(({ description }) => description?.startsWith(text)) && hasFunction(name);
      await new Promise<void>((resolve) => {
        changed = () => void (isShown() && resolve());
        changed();
      });
    }

    afterEach(() => list.dispose());

    for (const name of ["SlotProxy", "ProxiableProxy", "BeaconProxy"])
      it(`shows the functions of the implementation of ${name}, and those of the next one after an upgrade`, async () => {
        const beacon = name === "BeaconProxy" ? await deploy("Beacon", first) : undefined;
        const proxy = await deploy(name, beacon ?? first);
        await openList(proxy);
        await shows(first, "brew");
        assert.equal(hasFunction("pour"), false);
        await upgrade(beacon === undefined ? name : "Beacon", beacon ?? proxy, second);
        ticks.emit("tick");
        await shows(second, "pour");

        assert.equal(hasFunction("brew"), false);
      });

    it("reads the functions without parameters of an expanded group, and shows their values", async () => {
      const proxy = await deploy("SlotProxy", first);
      await openList(proxy);
      await shows(first, "brew");
      list.opened(rows().find(({ kind }) => kind === "contractReads") ?? assert.fail());

      await new Promise<void>((resolve) => {
        const shown = () => rows().flatMap(({ children = [] }) => children);
        changed = () =>
          void (shown().some(({ label, description }) => label === "cups()" && description === "= 0") && resolve());
        changed();
      });
    });

    it("shows the functions of the target of an EIP-1167 proxy", async () => {
      const target = first ?? assert.fail();
      await openList(await install(`363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`));

      await shows(target, "brew");
    });
  });
});
