import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TronWeb, type Types, utils } from "tronweb";
import { parseConfigFileTextToJson } from "typescript";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";

const samples = join(import.meta.dirname, "..", "..", "samples");

interface Artifact {
  readonly abi: Types.ContractAbiInterface;
  readonly devdoc: { readonly methods: { readonly [signature: string]: { readonly [tag: string]: string } } };
}
interface Call {
  readonly label?: string;
  readonly contract: string;
  readonly function: string;
  readonly arguments: readonly unknown[];
  readonly callValue?: number;
  readonly feeLimit?: number;
  readonly caller?: string;
}
interface Deployments {
  readonly genesis: string;
  readonly contracts: { readonly [name: string]: { readonly address: string } };
}
type People = { readonly [name: string]: { readonly address: string; readonly tronWeb: TronWeb } };

/** Scripts of the sample workspace, which are plain JavaScript. */
const scripts = {
  deploy: async (): Promise<{ deploy(baseUrl: string): Promise<Deployments>; artifactOf(name: string): Artifact }> =>
    await import(join(samples, "scripts", "deploy.mjs")),
  chain: async (): Promise<{
    people(baseUrl: string): Promise<People>;
    receiptOf(baseUrl: string, tronWeb: TronWeb, txId: string): Promise<Types.TransactionInfo>;
  }> => await import(join(samples, "scripts", "local-chain.mjs")),
  visit: async (): Promise<{
    visit(baseUrl: string, deployed: Deployments, say: (line: string) => void): Promise<void>;
  }> => await import(join(samples, "scripts", "visit.mjs")),
};

/** Expected failures of calls, from their comments. */
const FAILURES: { readonly [label: string]: RegExp } = {
  "A fee limit that is too small": /^OUT_OF_ENERGY$/,
  "Bob may not grow leaves": /^OnlyOwner\(Bob,Alice\)$/,
  "Grace has no leaves": /^NotEnoughLeaves\(Grace,0,1000000\)$/,
  "Grace may not take Bob's leaves": /^NotAllowed\(Grace,0,1000000\)$/,
  "Three cups for too little": /^Underpaid\(Bob,Sencha,2,Oolong,1,\d+,5000000,\d+\)$/,
  "Nothing, please": /^NothingOrdered\(\)$/,
  "Bob may not change the price": /^OnlyOwner\(Bob,Alice\)$/,
  "Fifty seats": /^Error\(The tea house has twelve seats\.\)$/,
  "Bob brings back more than he had": /^Panic\(17\)$/,
  "Grace has approved nothing": /^NotAllowed\(TeaHouse,0,1000000\)$/,
  "Coins that nobody asked for": /^REVERT$/,
};

describe("sample workspace", () => {
  let chain: LocalChain;
  let deployed: Deployments;
  let people: People;
  const artifacts = new Map<string, Artifact>();

  before(async () => {
    chain = await startLocalChain({ seed: "samples", blockTimeMs: 0, startTime: Date.now() });
    const { deploy, artifactOf } = await scripts.deploy();
    deployed = await deploy(chain.baseUrl);
    people = await (await scripts.chain()).people(chain.baseUrl);
    for (const name of Object.keys(deployed.contracts)) artifacts.set(name, artifactOf(name));
    await control("snapshot");
  });
  beforeEach(() => control("restore"));
  after(() => chain.close());

  it("has the artifacts that the compiler builds from its contracts", () => {
    const folder = mkdtempSync(join(tmpdir(), "finality-samples-"));
    try {
      // The compiler changes the handling of rejected promises, so it runs in its own process.
      execFileSync(process.execPath, [join(samples, "scripts", "compile.mjs"), folder]);

      const [made, committed] = [folder, join(samples, "build", "contracts")].map(textsOf);
      assert.deepEqual(committed, made);
      assert.deepEqual(Object.keys(made ?? {}), ["Leaf.json", "TeaHouse.json"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }).timeout(20_000);

  it("names the addresses of its contracts, and their chain", async () => {
    const genesis = await tronWebOf("Alice").trx.getBlock(0);

    assert.equal(deployed.genesis, genesis.blockID);
    for (const { address } of Object.values(deployed.contracts)) {
      assert.equal(
        (await tronWebOf("Alice").trx.getContractInfo(address)).smart_contract.contract_address,
        hex(address),
      );
    }
  });

  it("runs its TronWeb script to the end", async () => {
    const lines: string[] = [];
    const { visit } = await scripts.visit();
    await visit(chain.baseUrl, deployed, (line) => lines.push(line));

    const results = lines.flatMap((line) => /(SUCCESS|REVERT|OUT_OF_ENERGY) /.exec(line)?.[1] ?? []);
    assert.deepEqual(results, [...Array(4).fill("SUCCESS"), ...Array(4).fill("REVERT"), "OUT_OF_ENERGY"]);
    assert.equal(lines.at(-1), "The house has taken 8 coins.");
  }).timeout(20_000);

  for (const { file, calls } of callFiles()) {
    it(`has calls in ${file} that end as labelled, and cost their estimate`, async () => {
      let compared = 0;
      for (const call of calls) {
        await control("restore");
        const ending = FAILURES[call.label ?? ""];
        if (call.caller === undefined) assert.equal(await ask(call), true, call.label);
        else if (ending === undefined) compared += await costsWhatWasSaid(call);
        else assert.match(await endingOf(call), ending, call.label);
      }
      process.stdout.write(`      ${file}: ${compared} calls cost what was estimated, to the unit\n`);
      assert.ok(compared >= 5);
    }).timeout(20_000);
  }

  it("has valid arguments in its contracts' comments", async () => {
    let tried = 0;
    for (const [contract, { devdoc }] of artifacts) {
      for (const [signature, { "custom:estimate": tag }] of Object.entries(devdoc.methods)) {
        if (tag === undefined) continue;
        await control("restore");
        await costsWhatWasSaid({ ...JSON.parse(tag), contract, function: signature, feeLimit: 100_000_000 });
        tried += 1;
      }
    }
    assert.ok(tried >= 10, `${tried}`);
  }).timeout(20_000);

  /** Saves or restores the state after the deployment. */
  async function control(what: "snapshot" | "restore"): Promise<void> {
    const body = JSON.stringify({ id: "deployed" });
    const { status } = await fetch(`${chain.baseUrl}/local/${what}`, { method: "POST", body });
    assert.equal(status, 200);
  }

  const tronWebOf = (name: string): TronWeb => {
    const tronWeb = people[name]?.tronWeb;
    assert.ok(tronWeb, `there is no ${name}`);
    return tronWeb;
  };
  const hex = (address: string): string => tronWebOf("Alice").address.toHex(address);
  const faceOf = (contract: string) => {
    const artifact = artifacts.get(contract);
    assert.ok(artifact, `there is no artifact of ${contract}`);
    return new utils.ethersUtils.Interface(artifact.abi as never);
  };

  /** Returns TronWeb's arguments for a call, with addresses in place of names. */
  function prepared({ contract, arguments: values, callValue = 0, feeLimit = 1_000_000, ...call }: Call) {
    const face = faceOf(contract);
    const fragment = face.getFunction(call.function);
    assert.ok(fragment, call.function);
    assert.equal(values.length, fragment.inputs.length, call.function);
    const data = face.encodeFunctionData(fragment, withAddresses(values) as unknown[]);
    return {
      address: deployed.contracts[contract]?.address ?? contract,
      signature: fragment.format(),
      options: { rawParameter: data.slice(10), callValue, feeLimit },
      caller: people[call.caller ?? "Alice"]?.address ?? "",
    };
  }

  function withAddresses(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(withAddresses);
    const address = people[String(value)]?.address ?? (/^T\w{33}$/.test(String(value)) ? String(value) : undefined);
    return address === undefined ? value : `0x${hex(address).slice(2)}`;
  }

  async function ask(call: Call): Promise<boolean> {
    const { address, signature, options, caller } = prepared(call);
    const builder = tronWebOf("Alice").transactionBuilder;
    const { result } = await builder.triggerConstantContract(address, signature, options, [], caller);
    return result.result;
  }

  async function send(call: Call): Promise<Types.TransactionInfo> {
    const { address, signature, options, caller } = prepared(call);
    const tronWeb = tronWebOf(call.caller ?? "");
    const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
      ...[address, signature, options, [], caller],
    );
    assert.equal((await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction))).result, true);
    return (await scripts.chain()).receiptOf(chain.baseUrl, tronWeb, transaction.txID);
  }

  async function costsWhatWasSaid(call: Call): Promise<1> {
    const { address, signature, options, caller } = prepared(call);
    const builder = tronWebOf(call.caller ?? "").transactionBuilder;
    const tried = await builder.triggerConstantContract(address, signature, options, [], caller);
    const { receipt } = await send(call);
    assert.equal(receipt.result, "SUCCESS", call.label);
    assert.equal(receipt.energy_usage_total, tried.energy_used, call.label);
    return 1;
  }

  /** Returns the decoded error with names in place of addresses, or the result of the receipt. */
  async function endingOf(call: Call): Promise<string> {
    const { receipt, contractResult } = await send(call);
    const data = contractResult[0] ?? "";
    const error = [...artifacts.keys()].flatMap((name) =>
      data === "" ? [] : (faceOf(name).parseError(`0x${data}`) ?? []),
    )[0];
    if (error === undefined) return receipt.result ?? "";
    return [...Object.entries(people), ...Object.entries(deployed.contracts)].reduce(
      (text, [name, { address }]) => text.replace(new RegExp(`0x${hex(address).slice(2)}`, "gi"), name),
      `${error.name}(${error.args.map(String).join(",")})`,
    );
  }
});

function textsOf(folder: string): { readonly [file: string]: string } {
  const files = readdirSync(folder).sort();
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}

function callFiles(): { readonly file: string; readonly calls: readonly Call[] }[] {
  return globSync("calls/*.finality.jsonc", { cwd: samples })
    .sort()
    .map((file) => {
      const { config, error } = parseConfigFileTextToJson(file, readFileSync(join(samples, file), "utf8"));
      assert.equal(error, undefined);
      return { file, calls: config.calls };
    });
}
