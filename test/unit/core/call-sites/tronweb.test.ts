import assert from "node:assert/strict";
import { findScriptCallSites } from "../../../../src/core/call-sites/tronweb.ts";

const only = (source: string) => {
  const [site, ...more] = findScriptCallSites(source);
  assert.ok(site !== undefined && more.length === 0, `${more.length + 1} call sites`);
  return site;
};
const marked = (source: string) => findScriptCallSites(source).map(({ range }) => source.slice(range.start, range.end));

describe("call sites in TypeScript and JavaScript", () => {
  it("finds a method that is sent, with its arguments and what it may cost", () => {
    const source = "await token.methods.transfer('TAbc', 5n).send({ feeLimit: 18_000_000, callValue: 2 });";

    const site = only(source);

    assert.equal(site.form, "send");
    assert.equal(site.method.value, "transfer");
    assert.deepEqual(
      site.arguments?.map(({ value }) => value),
      ["TAbc", 5n],
    );
    assert.equal(site.options.feeLimit?.value, 18_000_000n);
    assert.equal(site.options.callValue?.value, 2n);
    assert.equal(source.slice(site.options.feeLimit?.range.start, site.options.feeLimit?.range.end), "18_000_000");
    assert.deepEqual(marked(source), ["transfer('TAbc', 5n).send({ feeLimit: 18_000_000, callValue: 2 })"]);
  });

  it("finds every form of a call", () => {
    const forms = {
      "a.x(1).send()": "send",
      "a.x(1).call()": "call",
      "a.methods.x(1).call()": "call",
      "a['x(uint256)'](1).send()": "send",
      "a.methods['x(uint256)'](1).call()": "call",
      "(await a.contract().at(b)).x(1).send()": "send",
      "a?.x(1)?.call()": "call",
      "tw.transactionBuilder.triggerSmartContract(a, 'x(uint256)', {}, [])": "triggerSmartContract",
      "tw.transactionBuilder.triggerConstantContract(a, 'x()', {}, [])": "triggerConstantContract",
      "transactionBuilder.estimateEnergy(a, 'x()', {}, [])": "estimateEnergy",
    };

    for (const [source, form] of Object.entries(forms)) assert.equal(only(source).form, form, source);
  });

  it("reads a call that is spread over lines, with comments between", () => {
    const site = only(
      "token\n  .methods // the token\n  .transfer(\n    to, /* all */\n    1,\n  )\n  .send({\n    feeLimit: 1e6,\n  })",
    );

    assert.equal(site.method.value, "transfer");
    assert.equal(site.arguments?.length, 2);
    assert.equal(site.options.feeLimit?.value, 1_000_000n);
  });

  it("finds calls in the values of a template, and none in its words", () => {
    const source = `\`a.x().call() is \${a.y(\`\${b.z().call()}\`).call()} a.w().call()\``;

    assert.deepEqual(marked(source), ["z().call()", `y(\`\${b.z().call()}\`).call()`]);
  });

  it("marks no comment, no text and no regular expression", () => {
    const sources = [
      "// a.x().send()",
      "/* a.x().send() */",
      "'a.x().send()'",
      '"a.x().send()"',
      "`a.x().send()`",
      "b = /a.x().send()/",
    ];

    for (const source of sources) assert.deepEqual(marked(source), [], source);
  });

  it("tells a division from a regular expression", () => {
    assert.deepEqual(marked('total / a.x().call() / 2; if (b) /"/.test(c); a.y().call()'), [
      "x().call()",
      "y().call()",
    ]);
  });

  it("leaves alone what only looks similar", () => {
    assert.deepEqual(marked("f.call(x); a.send(b); x().send(); new A().call; other.estimateEnergy(a)"), []);
  });

  it("reads the builder's address, signature, options and parameters", () => {
    const site = only(
      "tw.transactionBuilder.triggerSmartContract('TTok', 'set(uint256,bool)', { feeLimit: 5 }, [{ type: 'uint256', value: 7 }, { type: 'bool', value: true }], me)",
    );

    assert.equal(site.target.kind === "address" && site.target.address.value, "TTok");
    assert.equal(site.method.value, "set(uint256,bool)");
    assert.equal(site.options.feeLimit?.value, 5n);
    assert.deepEqual(
      site.arguments?.map(({ value }) => value),
      [7n, true],
    );
  });

  it("knows the address of a contract's variable where the source names it", () => {
    const target = (source: string) => {
      const found = only(source).target;
      return found.kind === "variable" ? [found.name, found.address?.value] : found.kind;
    };

    assert.deepEqual(target("const t = await tw.contract().at('TTok'); t.x().send()"), ["t", "TTok"]);
    assert.deepEqual(target("const t = tw.contract(abi, 'TTok'); t.methods.x().send()"), ["t", "TTok"]);
    assert.deepEqual(target("let t = tw.contract(abi, 'T1'); { let t = tw.contract(abi, 'T2') } t.x().send()"), [
      "t",
      undefined,
    ]);
    assert.deepEqual(target("this.token.x().send()"), ["token", undefined]);
    assert.equal(target("get().x().send()"), "expression");
  });

  it("reads constants, and not a name that means something else in between", () => {
    const limit = (source: string) => only(`${source}\na.x().send({ feeLimit: LIMIT })`).options.feeLimit?.value;

    assert.equal(limit("const COIN = 1_000_000;\nconst LIMIT: number = 100 * COIN;"), 100_000_000n);
    assert.equal(limit("const LIMIT = tronWeb.toSun(15)"), 15_000_000n);
    assert.equal(limit("const LIMIT = 2n ** 10n"), 1024n);
    assert.equal(limit("let LIMIT = 5"), undefined);
    assert.equal(limit("const LIMIT = 5; const f = (LIMIT) => 1;"), undefined);
    assert.equal(limit("const LIMIT = 5; const { LIMIT } = settings;"), undefined);
    assert.equal(limit("const LIMIT = read();"), undefined);
    assert.equal(limit("const LIMIT = 5 + more;"), undefined);
  });

  it("reads whole numbers as they are written, and no fraction", () => {
    const value = (written: string) => only(`a.x(${written}).call()`).arguments?.[0]?.value;

    assert.equal(value("1.5e6"), 1_500_000n);
    assert.equal(value("0xff"), 255n);
    assert.equal(value("-3"), -3n);
    assert.equal(value("BigInt('123456789012345678901234567890')"), 123456789012345678901234567890n);
    assert.equal(value("0.5"), undefined);
    assert.equal(value("7 / 2"), undefined);
    assert.deepEqual(value("[1, ['a\\u0041\\n', true]]"), [1n, ["aA\n", true]]);
  });

  it("says that it does not know a list of arguments that is spread", () => {
    assert.equal(only("a.x(...rest).send()").arguments, undefined);
  });

  it("keeps a call whose options are being typed", () => {
    assert.deepEqual(marked("a.x(1).send({ feeLimit: 5"), ["x(1).send("]);
    assert.deepEqual(marked("function f() { a.x(1).send( }\nb.y().call()"), ["x(1).send(", "y().call()"]);
  });

  it("reads only the calls that touch the wanted range", () => {
    const source = "a.first().call();\na.second().call();\na.third().call();";

    const sites = findScriptCallSites(source, { start: 20, end: 30 });

    assert.deepEqual(
      sites.map(({ method }) => method.value),
      ["second"],
    );
  });
});
