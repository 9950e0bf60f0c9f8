import assert from "node:assert/strict";
import { hintHover, hintLine } from "../../../../src/features/energy-hints/hint.view.ts";
import { sample } from "../../../../test/support/samples/samples.ts";
import type { JsonAbiEntry } from "../../../tron/src/abi/abi-index.ts";
import { constructorOf, functionsOf } from "../../../tron/src/abi/contract-functions.ts";
import { type Address, parseAddress, toBase58 } from "../../../tron/src/primitives/address.ts";
import { rawText } from "../../../tron/src/primitives/plain-text.ts";
import { serialisedAbi } from "../../../tron/src/transaction/intent-contract.ts";
import {
  type BindingContext,
  type BoundCall,
  bindCall,
  type KnownContract,
  type UnboundCall,
} from "../../src/call-sites/bind-call.ts";
import type { CallSite } from "../../src/call-sites/call-site.ts";
import { callSitesInCallFile, callSitesInScript, callSitesInSolidity } from "../../src/call-sites/find-call-sites.ts";

const addressAt = (number: number): Address => parseAddress(`41${number.toString(16).padStart(40, "0")}`);
const [ALICE, BOB, LEAF, HOUSE, OTHER] = [1, 2, 3, 4, 5].map(addressAt) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const PEOPLE: Readonly<Record<string, Address>> = { Alice: ALICE, Bob: BOB };

function contract(name: string, abi: readonly JsonAbiEntry[], change: Partial<KnownContract> = {}): KnownContract {
  const creation = { ...constructorOf(abi), signature: "constructor", outputs: [] };
  const place = { address: undefined, addressSource: "", bytecode: undefined };
  return { name, origin: `build/${name}.json`, abi, functions: functionsOf(abi), creation, ...place, ...change };
}

const leaf = contract("Leaf", sample("Leaf").abi, {
  address: LEAF,
  addressSource: "according to deployments/local.json",
});
const house = contract("TeaHouse", sample("TeaHouse").abi, {
  address: HOUSE,
  addressSource: "it was deployed from here",
});

interface Fixture {
  readonly contracts?: readonly KnownContract[];
  readonly answers?: Readonly<Record<string, string>>;
  readonly caller?: BindingContext["caller"];
}

function contextOf(fixture: Fixture = {}): BindingContext {
  const { contracts = [leaf, house], answers = {} } = fixture;
  const addressOf = (text: string): Address | undefined =>
    PEOPLE[text] ?? (/^(T\w{33}|41\w{40})$/.test(text) ? parseAddress(text) : undefined);
  return {
    addressOf,
    caller: "caller" in fixture ? fixture.caller : { name: "Alice", address: ALICE },
    contractsNamed: (name) => contracts.filter((one) => one.name === name),
    contractsAt: (address) => contracts.filter((one) => one.address === address),
    contractsWith: (name) => contracts.filter(({ functions }) => functions.some((one) => rawText(one.name) === name)),
    answer: (key) => answers[key],
  };
}

function textOf(it: BoundCall | UnboundCall): string {
  return it.kind === "bound" ? `bound to ${it.contract.name}.${it.called.signature}` : JSON.stringify(it);
}

function only(calls: readonly CallSite[]): CallSite {
  assert.equal(calls.length, 1);
  return calls[0] ?? assert.fail();
}

const script = (source: string, fixture?: Fixture): BoundCall | UnboundCall =>
  bindCall(only(callSitesInScript(source)), contextOf(fixture));

function bound(source: string, fixture?: Fixture): BoundCall {
  const it = script(source, fixture);
  assert.ok(it.kind === "bound", textOf(it));
  for (const one of it.assumptions) assert.match(one, /^[A-Z\w"].*\.$/, "an assumption is a sentence");
  return it;
}

function reasonOf(it: BoundCall | UnboundCall): string {
  assert.equal(it.kind, "wrong", textOf(it));
  return it.kind === "wrong" ? it.reason : "";
}

function missingOf(it: BoundCall | UnboundCall) {
  assert.ok(it.kind === "missing", textOf(it));
  return it.missing;
}

const SEND = "({ feeLimit: 1_000_000 })";

describe("bindCall contract", () => {
  it("finds the artifact by address, by a mention or by name", () => {
    for (const [source, why] of [
      [`const a = tw.contract(abi, "${toBase58(LEAF)}"); a.approve("Bob", 1).send${SEND};`, undefined],
      [`const a = tw.contract(abi, contracts.Leaf.address); a.approve("Bob", 1).send${SEND};`, /mentions it/],
      [`leaf.methods.totalSupply().call();`, /has its name/],
      [`a.methods.steep(1).send${SEND};`, /with steep\./],
    ] as const) {
      const { contract: found, assumptions } = bound(source);
      assert.equal(found.name, source.includes("steep") ? "TeaHouse" : "Leaf");
      if (why !== undefined) assert.match(assumptions.join(" "), why, source);
    }
  });

  it("asks once when several contracts are possible, and uses the answer", () => {
    const second = contract("Leaf2", sample("Leaf").abi, {
      address: OTHER,
      addressSource: "deployments/two.json says so",
    });
    const contracts = [leaf, second];
    const [missing] = missingOf(script(`a.approve("Bob", 1).send${SEND}`, { contracts }));
    assert.ok(missing?.kind === "contract");
    assert.deepEqual([missing.names, missing.question], [["Leaf", "Leaf2"], "Which contract is a?"]);

    const reported = bound(`a.approve("Bob", 1).send${SEND}`, { contracts, answers: { [missing.key]: "Leaf2" } });
    assert.equal(reported.contract.name, "Leaf2");
    assert.equal(reported.assumptions[0], "a is Leaf2, as you entered.");
  });

  it("accepts an unknown address with a function signature", () => {
    const it = bound(
      `tw.transactionBuilder.triggerSmartContract("${toBase58(OTHER)}", "poke(uint256)", {}, [{ type: "uint256", value: 1 }])`,
      { contracts: [] },
    );

    assert.ok(it.intent.kind === "contract-call" && it.intent.contract === OTHER);
    assert.match(it.assumptions.join(" "), /No artifact has poke\(uint256\): the signature in the source is used\./);
  });

  it("returns the next step without a contract or without a deployment on this network", () => {
    const callFile = (name: string) =>
      only(callSitesInCallFile(`{ "calls": [{ "contract": "${name}", "function": "totalSupply", "arguments": [] }] }`));
    const nowhere = { ...leaf, address: undefined };

    assert.match(
      reasonOf(bindCall(callFile("Lief"), contextOf())),
      /^"Lief" is neither a contract name nor an address;/,
    );
    assert.equal(
      reasonOf(bindCall(callFile("Leaf"), contextOf({ contracts: [nowhere] }))),
      "no deployment of Leaf is known on this network; deploy it first",
    );
    const twice = bindCall(callFile("Leaf"), contextOf({ contracts: [nowhere, leaf] }));
    assert.ok(twice.kind === "bound" && twice.intent.kind === "contract-call" && twice.intent.contract === LEAF);
  });

  it("deploys a contract whose constructor a call file names", () => {
    const file =
      '{ "calls": [{ "contract": "Leaf", "function": "constructor", "arguments": ["7"], "caller": "Bob" }] }';
    const compiled = { ...leaf, bytecode: "6001" };

    const deployed = bindCall(only(callSitesInCallFile(file)), contextOf({ contracts: [compiled] }));

    assert.ok(deployed.kind === "bound" && deployed.intent.kind === "contract-creation");
    assert.deepEqual([deployed.intent.owner, deployed.intent.bytecode], [BOB, `6001${"7".padStart(64, "0")}`]);
  });

  it("asks for the bytecode of a deployment first, and adds ABI and arguments", () => {
    const source = "contract Leaf { constructor(uint256 supply) {} }";
    const callSite = only(callSitesInSolidity(source));
    const answers = { "argument Leaf.constructor 0": "1000" };
    const [missing] = missingOf(bindCall(callSite, contextOf({ answers })));
    assert.deepEqual([missing?.kind, missing?.key], ["bytecode", "Leaf"]);

    const { intent } = bindCall(
      callSite,
      contextOf({ answers, contracts: [{ ...leaf, bytecode: "6000" }] }),
    ) as BoundCall;
    assert.ok(intent.kind === "contract-creation");
    assert.equal(intent.bytecode, `6000${(1000).toString(16).padStart(64, "0")}`);
    assert.equal(intent.abi, serialisedAbi(leaf.abi));
  });
});

describe("bindCall function", () => {
  const overloaded = contract(
    "Leaf",
    [["uint256"], ["address"], ["uint256", "uint256"]].map((types) => ({
      type: "function",
      name: "give",
      stateMutability: "nonpayable",
      outputs: [],
      inputs: types.map((type, at) => ({ name: `a${at}`, type })),
    })),
    { address: LEAF },
  );
  const contracts = [overloaded];

  it("chooses the function by the number of arguments or by the types of the source", () => {
    assert.equal(bound(`leaf.give(1, 2).send${SEND}`, { contracts }).called.signature, "give(uint256,uint256)");
    const bySignature = `leaf["give(address)"]("Bob").send${SEND}`;
    assert.equal(bound(bySignature, { contracts }).called.signature, "give(address)");
    const [callSite] = callSitesInSolidity("contract Leaf { function give(address to) external {} }").filter(
      ({ kind }) => kind === "call",
    );
    assert.ok(callSite);
    const answers = { "argument Leaf.give(address) 0": "Bob" };
    const it = bindCall(callSite, contextOf({ contracts, answers }));
    assert.ok(it.kind === "bound" && it.called.signature === "give(address)");
  });

  it("compares only types that the source does not declare itself", () => {
    const inputs = [
      ["(uint256)", "uint256"],
      ["uint8", "address"],
      ["address", "bytes"],
    ];
    const abi = inputs.map(([first = "", second = ""]) => ({
      type: "function",
      name: "give",
      stateMutability: "nonpayable",
      outputs: [],
      inputs: [
        first.startsWith("(")
          ? { name: "a", type: "tuple", components: [{ name: "x", type: "uint256" }] }
          : { name: "a", type: first },
        { name: "b", type: second },
      ],
    }));
    const called = (parameters: string): string => {
      const [callSite] = callSitesInSolidity(`contract Leaf { function give(${parameters}) external {} }`);
      assert.ok(callSite);
      const context = contextOf({ contracts: [contract("Leaf", abi, { address: LEAF })] });
      return missingOf(bindCall(callSite, context))[0]?.key ?? "";
    };

    assert.equal(called("Line calldata a, uint b"), "argument Leaf.give((uint256),uint256) 0");
    assert.equal(called("Kind a, address b"), "argument Leaf.give(uint8,address) 0");
    assert.equal(called("Token a, bytes calldata b"), "argument Leaf.give(address,bytes) 0");
  });

  it("requires a signature when several functions are possible, and lists the functions when none is", () => {
    assert.equal(
      reasonOf(script(`leaf.give(1).send${SEND}`, { contracts })),
      "several functions have this name; write one of give(uint256), give(address)",
    );
    const callSite = only(
      callSitesInCallFile('{ "calls": [{ "contract": "Leaf", "function": "melt", "arguments": [] }] }'),
    );
    assert.match(
      reasonOf(bindCall(callSite, contextOf())),
      /^Leaf has no function "melt" that takes these arguments; it has /,
    );
  });

  it("refuses a function name that only running the code would give", () => {
    const source = `tw.transactionBuilder.triggerSmartContract("${toBase58(LEAF)}", name, {}, [])`;
    assert.match(reasonOf(script(source)), /cannot be read without running the code/);
  });
});

describe("bindCall arguments", () => {
  it("are literals and constants of the file", () => {
    const it = bound(`const TO = "${toBase58(BOB)}"; const UNIT = 1_000_000; leaf.transfer(TO, 25 * UNIT).send${SEND}`);

    assert.deepEqual(it.arguments, [toBase58(BOB), 25_000_000n]);
    assert.equal(it.limit.feeLimit, 1_000_000n);
  });

  it("are requested when a constant may have another value at the call", () => {
    const source = `const N = 1; { const N = 2; leaf.transfer("Bob", N).send${SEND} }`;

    const [missing, ...more] = missingOf(script(source));

    assert.ok(missing?.kind === "argument" && more.length === 0);
    assert.equal(missing.question, "transfer: value (uint256), in the source N");
    const reported = bound(source, { answers: { [missing.key]: "7" } });
    assert.deepEqual(reported.arguments, ["Bob", "7"]);
    assert.ok(reported.assumptions.includes("value is 7, as you entered."));
  });

  it("are accounts by variable name, with an assumption", () => {
    const it = bound(`leaf.transfer(bob.address, 1).send${SEND}`);

    assert.equal(it.arguments[0], BOB);
    assert.match(it.assumptions.join(" "), /bob\.address is the name of the account Bob \(T\w{33}\)\./);
  });

  it("are requested together, each with its own key", () => {
    const missing = missingOf(script(`leaf.transfer(somebody, amount()).send${SEND}`));

    assert.equal(new Set(missing.map(({ key }) => key)).size, 2);
    assert.deepEqual(
      missing.map((one) => one.kind === "argument" && one.type),
      ["address", "uint256"],
    );
  });

  it("must match the function in number and types", () => {
    const reason = reasonOf(script(`leaf["transfer(address,uint256)"]("Bob").send${SEND}`));
    assert.match(reason, /needs 2 arguments, but there is 1$/);
    assert.match(reasonOf(script(`leaf.transfer("Nobody", -1).send${SEND}`)), /^to: .*; value: /);
    const words = { abi: undefined, marginPercent: 20n, nameOf: () => undefined };
    const { text, icon } = hintLine({ kind: "unbound", reason }, words);
    assert.equal(text, "not available: transfer(address,uint256) needs 2 arguments, but there is 1");
    assert.equal(icon, "circle-slash");
    assert.deepEqual(hintHover({ kind: "unbound", reason }, words)?.problems, [`${reason}.`]);
  });
});

describe("bindCall caller and amounts", () => {
  it("use the named caller, or the chosen account with an assumption", () => {
    const named = bound(`leaf.transfer("Bob", 1).send({ feeLimit: 1, from: "${toBase58(BOB)}" })`);
    const chosen = bound(`leaf.transfer("Bob", 1).send${SEND}`);
    const unreadable = bound(`leaf.transfer("Bob", 1).send({ feeLimit: 1, from: accounts[3] })`);

    assert.equal(named.intent.owner, BOB);
    assert.ok(named.assumptions.every((one) => !one.startsWith("Caller")));
    assert.equal(chosen.intent.owner, ALICE);
    assert.match(
      chosen.assumptions.join(" "),
      /Caller Alice \(T\w{33}\), the chosen account: the source names no caller\./,
    );
    assert.match(unreadable.assumptions.join(" "), /accounts\[3\] cannot be read without running the code\./);
  });

  it("return the next step when no account can call", () => {
    const file = '{ "calls": [{ "contract": "Leaf", "function": "totalSupply", "arguments": [], "caller": "Zoe" }] }';

    assert.equal(
      reasonOf(bindCall(only(callSitesInCallFile(file)), contextOf())),
      '"Zoe" is neither an account name nor an address',
    );
    assert.equal(
      reasonOf(script(`leaf.transfer("Bob", 1).send${SEND}`, { caller: undefined })),
      "there is no account for the call; add one",
    );
  });

  it("use the written fee limit or the default of TronWeb", () => {
    const written = bound(`leaf.transfer("Bob", 1).send${SEND}`);
    const usual = bound(`leaf.transfer("Bob", 1).send()`);
    const reading = bound(`leaf.totalSupply().call()`);

    assert.deepEqual([written.limit.feeLimit, written.limit.isReal], [1_000_000n, true]);
    assert.deepEqual([usual.limit.feeLimit, usual.limit.isReal, usual.limit.range], [150_000_000n, true, undefined]);
    assert.ok(usual.assumptions.includes("feeLimit is not set: TronWeb uses 150 coins."));
    assert.equal(reading.limit.isReal, false);
  });

  it("request amounts that cannot be read, in sun or with a unit", () => {
    const source = `house.tip("Bob").send({ feeLimit: LIMIT, callValue: price() })`;
    const missing = missingOf(script(source));
    assert.deepEqual(
      missing.map(({ question }) => question),
      ["feeLimit in sun, in the source LIMIT", "callValue in sun, in the source price()"],
    );

    const [first, second] = missing.map(({ key }) => key);
    const answers = { [first ?? ""]: "15 coins", [second ?? ""]: "7" };
    const { intent } = bound(source, { answers });
    assert.deepEqual([intent.feeLimit, intent.callValue], [15_000_000n, 7n]);
    assert.equal(missingOf(script(source, { answers: { ...answers, [first ?? ""]: "many" } })).length, 1);
  });

  it("T9: refuse a call when its amount, caller or network cannot be read", () => {
    const fileOf = (fields: string, top = ""): string =>
      `{ ${top} "calls": [{ "contract": "TeaHouse", "function": "tip", "arguments": ["Bob"], ${fields} }] }`;
    const reason = (file: string): string => reasonOf(bindCall(only(callSitesInCallFile(file)), contextOf()));

    for (const name of ["callValue", "feeLimit"])
      for (const value of ['"1.5 coins"', '"nonsense"', "1.5", "-1", "1e6", "null", "true", "[]", '"1,5"', '""'])
        assert.equal(
          reason(fileOf(`"${name}": ${value}`)),
          `Write ${name} as a whole number of sun, such as 1500000 for 1.5 coins`,
          value,
        );
    for (const value of ['"1.5"', "null", '"5 coins"']) {
      assert.match(reason(fileOf(`"tokenId": ${value}`)), /^Write tokenId as a whole number/);
      assert.match(reason(fileOf(`"tokenValue": ${value}`)), /^Write tokenValue as a whole number/);
    }
    for (const value of ["5", '""', "null"]) {
      assert.equal(reason(fileOf(`"caller": ${value}`)), "Write a string in quotes here");
      assert.equal(reason(fileOf('"label": "A"', `"network": ${value},`)), "Write a string in quotes here");
    }
    assert.match(reason(fileOf('"callvalue": 5')), /^A call has no "callvalue"/);
    assert.match(reason(fileOf('"label": "A"', '"netwrok": "Nile",')), /^A call file has no "netwrok"/);
    assert.match(reason(fileOf('"callValue": 5, "callValue": 0')), /^"callValue" occurs twice here/);
    assert.match(reason(fileOf('"callValue": 5 "feeLimit": 6')), /^This is not JSON with comments/);
  });

  it("T9: bind the calls beside one that cannot be read", () => {
    const tip = '"contract": "TeaHouse", "function": "tip", "arguments": ["Bob"]';
    const calls = callSitesInCallFile(`{ "calls": [{ ${tip}, "callValue": "x" }, { ${tip}, "callValue": 5 }] }`);

    assert.deepEqual(
      calls.map((call) => bindCall(call, contextOf()).kind),
      ["wrong", "bound"],
    );
  });

  it("T9: refuse text as an amount in a script or a sample", () => {
    assert.equal(
      reasonOf(script('house.tip("Bob").send({ callValue: "nonsense" })')),
      'callValue "nonsense" cannot be read; write it as a whole number of sun, such as 1500000 for 1.5 coins',
    );
    assert.equal(
      reasonOf(script('house.tip("Bob").send({ callValue: 0, tokenId: "5 coins", tokenValue: 1 })')),
      'tokenId "5 coins" cannot be read; write it as a whole number',
    );
    for (const sample of ['{"callValue": "1.5 coins"}', '{"callvalue": 5}', '{"callValue": 5'])
      assert.equal(
        bindCall(
          only(
            callSitesInSolidity(
              `contract TeaHouse {\n/// @custom:estimate ${sample}\nfunction tip(address who) external payable {} }`,
            ),
          ),
          contextOf(),
        ).kind,
        "wrong",
        sample,
      );
  });

  it("refuse an amount that no chain accepts", () => {
    const reason = (feeLimit: string): string =>
      reasonOf(script(`leaf.transfer("Bob", 1).send({ feeLimit: ${feeLimit} })`));

    assert.equal(reason("-1"), "feeLimit -1 is negative; write 0 or more");
    for (const huge of ["10n ** 30n", "9223372036854775808n"])
      assert.equal(reason(huge), `feeLimit ${huge} is larger than any amount on the chain; write a smaller one`);
    assert.equal(
      bound(`leaf.transfer("Bob", 1).send({ feeLimit: 9223372036854775807n })`).limit.feeLimit,
      2n ** 63n - 1n,
    );
  });

  it("request options that cannot be read", () => {
    const questions = (options: string): readonly string[] =>
      missingOf(script(`house.tip("Bob").send(${options})`)).map(({ question }) => question);

    assert.deepEqual(questions("options"), [
      "feeLimit in sun, in the source options",
      "callValue in sun, in the source options",
    ]);
    assert.deepEqual(questions("{ ...options, feeLimit: 5 }"), ["callValue in sun, in the source ...options"]);
    assert.deepEqual(questions("{ feeLimit: 5, callValue: 5, [name]: 6 }"), [
      "feeLimit in sun, in the source [name]: 6",
      "callValue in sun, in the source [name]: 6",
    ]);
    const { assumptions } = bound(`house.tip("Bob").send({ ...options, feeLimit: 5, callValue: 5 })`);
    assert.ok(assumptions.includes('"...options" cannot be read without running the code. Assumed: no token is sent.'));
    assert.ok(!assumptions.some((one) => one.startsWith("feeLimit is not set")));
  });

  it("omit a value that TronWeb omits, with an assumption", () => {
    const sent = bound(`leaf.transfer("Bob", 1).send({ feeLimit: 5, callValue: 7 })`);
    const built = bound(
      `tw.transactionBuilder.triggerSmartContract("${toBase58(LEAF)}", "transfer(address,uint256)", { feeLimit: 5, callValue: 7 }, [{ type: "address", value: "Bob" }, { type: "uint256", value: 1 }])`,
    );

    assert.equal(sent.intent.callValue, 0n);
    assert.ok(sent.assumptions.includes("TronWeb omits callValue 7: the function is not payable."));
    assert.equal(built.intent.callValue, 7n);
  });

  it("refuse a call of a web server", () => {
    const source = "app.get('/', (req, res) => res.status(200).send({ ok: true })); leaf.burn(1).send();";

    assert.deepEqual(
      callSitesInScript(source).map(({ method }) => method),
      ["burn"],
    );
  });

  it("use the last argument of the builder as the caller, by address or account name", () => {
    const owner = (issuer: string): Address =>
      bound(
        `tw.transactionBuilder.triggerConstantContract("${toBase58(LEAF)}", "totalSupply()", { from: "Alice" }, [], ${issuer})`,
      ).intent.owner;

    assert.equal(owner(`"${toBase58(BOB)}"`), BOB);
    assert.equal(owner("bob.address"), BOB);
    assert.equal(owner("accounts[3]"), ALICE);
  });

  it("include tokens", () => {
    const { intent } = bound(`leaf.transfer("Bob", 1).send({ feeLimit: 1, tokenId: 1000001, tokenValue: 5 })`);

    assert.ok(intent.kind === "contract-call");
    assert.deepEqual([intent.tokenId, intent.tokenValue], [1_000_001n, 5n]);
  });
});
