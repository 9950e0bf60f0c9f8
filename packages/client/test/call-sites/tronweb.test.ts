import assert from "node:assert/strict";
import { findScriptCallSites } from "../../src/call-sites/tronweb.ts";

const only = (source: string) => {
  const [site, ...more] = findScriptCallSites(source);
  assert.ok(site !== undefined && more.length === 0, `${more.length + 1} call sites`);
  return site;
};
const marked = (source: string) => findScriptCallSites(source).map(({ range }) => source.slice(range.start, range.end));

describe("callSitesInScript", () => {
  it("finds a sent method with its arguments and amounts", () => {
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

  it("reads a call over several lines with comments", () => {
    const site = only(
      "token\n  .methods // the token\n  .transfer(\n    to, /* all */\n    1,\n  )\n  .send({\n    feeLimit: 1e6,\n  })",
    );

    assert.equal(site.method.value, "transfer");
    assert.equal(site.arguments?.length, 2);
    assert.equal(site.options.feeLimit?.value, 1_000_000n);
  });

  it("finds calls in the expressions of a template, and none in its text", () => {
    const source = `\`a.x().call() is \${a.y(\`\${b.z().call()}\`).call()} a.w().call()\``;

    assert.deepEqual(marked(source), ["z().call()", `y(\`\${b.z().call()}\`).call()`]);
  });

  it("ignores comments, strings and regular expressions", () => {
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

  it("distinguishes a division from a regular expression", () => {
    assert.deepEqual(marked('total / a.x().call() / 2; if (b) /"/.test(c); a.y().call()'), [
      "x().call()",
      "y().call()",
    ]);
  });

  it("ignores similar code", () => {
    assert.deepEqual(marked("f.call(x); a.send(b); x().send(); new A().call; other.estimateEnergy(a)"), []);
  });

  it("reads address, signature, options and parameters of the builder", () => {
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

  it("reads the address of a contract variable", () => {
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
    assert.deepEqual(target("const t: Contract<A> = await tw.contract().at('TTok'); t.x().send()"), ["t", "TTok"]);
    assert.deepEqual(target("const t = (await tw.contract().at('TTok')) as Contract; t!.x().send()"), ["t", "TTok"]);
    for (const other of [
      "t = make();",
      "function f(t) {}",
      "for (const t of all) {}",
      "const { t } = b;",
      "import t from 'b';",
    ])
      assert.deepEqual(target(`${other} { const t = tw.contract(abi, 'TTok') } t.x().send()`), ["t", undefined], other);
    assert.deepEqual(target("const t = tw.contract(abi, 'TTok'); return <A t={t} b={() => t.x().send()} />"), [
      "t",
      "TTok",
    ]);
  });

  it("reads the address of a contract that is created at the call", () => {
    const address = (source: string) => {
      const found = only(source).target;
      return found.kind === "address" ? found.address.value : found.kind;
    };

    assert.equal(address("await (await tw.contract().at('TTok')).methods.x(1).send()"), "TTok");
    assert.equal(address("return tw.contract(abi, 'TTok').x(1).send()"), "TTok");
    assert.equal(address("this.tw.contract(abi).at('TTok').methods['x'](1).send()"), "TTok");
    assert.equal(address("(await this.open().contract().at('TTok')).x(1).send()"), "expression");
    assert.equal(address("tw.contract(abi, 'TTok').connect(b).x(1).send()"), "expression");
  });

  it("reads constants, and not a shadowed name", () => {
    const limit = (source: string) => only(`${source}\na.x().send({ feeLimit: LIMIT })`).options.feeLimit?.value;

    assert.equal(limit("const COIN = 1_000_000;\nconst LIMIT: number = 100 * COIN;"), 100_000_000n);
    assert.equal(limit("const LIMIT = tronWeb.toSun(15)"), "15000000");
    assert.equal(limit("const LIMIT = 5 as const;"), 5n);
    assert.equal(limit("{ const LIMIT = 5; } const OTHER = 6, LIMIT = 7;"), undefined);
    assert.equal(limit("import { LIMIT } from './limits'; { const LIMIT = 5; }"), undefined);
    assert.equal(limit("const LIMIT = 2n ** 10n"), 1024n);
    assert.equal(limit("let LIMIT = 5"), undefined);
    assert.equal(limit("const LIMIT = 5; const f = (LIMIT) => 1;"), undefined);
    assert.equal(limit("const LIMIT = 5; const { LIMIT } = settings;"), undefined);
    assert.equal(limit("const LIMIT = read();"), undefined);
    assert.equal(limit("const LIMIT = 5 + more;"), undefined);
  });

  it("reads whole numbers as written, and no fraction", () => {
    const value = (written: string) => only(`a.x(${written}).call()`).arguments?.[0]?.value;

    assert.equal(value("1.5e6"), 1_500_000n);
    assert.equal(value("0xff"), 255n);
    assert.equal(value("-3"), -3n);
    assert.equal(value("BigInt('123456789012345678901234567890')"), 123456789012345678901234567890n);
    assert.equal(value("0.5"), undefined);
    assert.equal(value("7 / 2"), undefined);
    assert.deepEqual(value("[1, ['a\\u0041\\n', true]]"), [1n, ["aA\n", true]]);
  });

  it("ignores values that depend on running the code", () => {
    const value = (written: string, before = "") => only(`${before}\na.x(${written}).call()`).arguments?.[0]?.value;

    assert.equal(value("010"), undefined, "eight, or an error");
    assert.equal(value("1234567890123456789"), undefined, "rounded to …800");
    assert.equal(value("1234567890123456789n"), 1_234_567_890_123_456_789n);
    assert.equal(value("Number('1234567890123456789')"), undefined);
    assert.equal(value("BigInt('1_000')"), undefined, "an error");
    assert.equal(value("tronWeb.toSun(10) + 5"), undefined, "a text with a 5 behind it");
    assert.equal(value("tronWeb.toSun(1.5)"), "1500000");
    assert.equal(value(String.raw`"\b\v\f"`), "\b\v\f");
    assert.equal(value(String.raw`"\101"`), undefined);
    assert.equal(value("`two\r\nlines`"), "two\nlines");
    assert.deepEqual(value("list", "const list = [1];"), [1n]);
    for (const change of ["list.push(2)", "list[0] = 2", "list.length = 0", "Object.assign(list, more)"])
      assert.equal(value("list", `const list = [1]; ${change};`), undefined, change);
  });

  it("skips TypeScript syntax", () => {
    const values = (source: string) => only(source).arguments?.map(({ value }) => value);

    assert.deepEqual(values("a.x(5 as bigint, 6!, 'T' satisfies string).call()"), [5n, 6n, "T"]);
    assert.deepEqual(values("a.x(get<Map<string, number>>(b), 5).call()"), [undefined, 5n]);
    assert.deepEqual(values("a.x(b as Record<string, number>, 5).call()"), [undefined, 5n]);
    assert.deepEqual(values("a.x(b < c, d > e).call()"), [undefined, undefined]);
    assert.deepEqual(marked("a!.methods!.x!(1).send(); b.y?.(1).send()"), ["x!(1).send()", "y?.(1).send()"]);
  });

  it("reads the last value of an option, constants, and no value that may be replaced", () => {
    const options = (source: string) => {
      const { unread, ...read } = only(source).options;
      const values = Object.entries(read).map(([name, { value }]) => [name, value]);
      return [Object.fromEntries(values), unread && source.slice(unread.start, unread.end)];
    };

    assert.deepEqual(options("a.x().send({ feeLimit: 1, feeLimit: 2 })"), [{ feeLimit: 2n }, undefined]);
    assert.deepEqual(options("a.x().send({ ['feeLimit']: 1, 'callValue': 2 })"), [
      { feeLimit: 1n, callValue: 2n },
      undefined,
    ]);
    assert.deepEqual(options("a.x().send({ feeLimit: 1, ...more })"), [{}, "...more"]);
    assert.deepEqual(options("a.x().send({ ...more, feeLimit: 1 })"), [{ feeLimit: 1n }, "...more"]);
    assert.deepEqual(options("a.x().send(more)"), [{}, "more"]);
    assert.deepEqual(options("const more = { feeLimit: 1 };\na.x().send(more)"), [{ feeLimit: 1n }, undefined]);
    assert.deepEqual(options("const more = { feeLimit: 1 }; more.feeLimit = 2; a.x().send(more)"), [{}, "more"]);
    assert.deepEqual(options("const more = { feeLimit: 1 }; f((more) => a.x().send(more))"), [{}, "more"]);
    assert.deepEqual(options("const more = { a: { feeLimit: 1 } }.a; a.x().send(more)"), [{}, "more"]);
    assert.deepEqual(options("let more = { feeLimit: 1 }; a.x().send(more)"), [{}, "more"]);
    assert.deepEqual(options("const more: Options = { feeLimit: 1 } as const;\na.x().send(more)"), [
      { feeLimit: 1n },
      undefined,
    ]);
    const twice = "{ const b = 1, more = { feeLimit: 1 }; a.x().send(more) } { const more = { feeLimit: 2 }; }";
    assert.deepEqual(options(twice), [{}, "more"]);
  });

  it("reads builder arguments from variables, in the oldest form, and the caller", () => {
    const built = (rest: string, before = "") => {
      const site = only(`${before}\ntw.transactionBuilder.triggerSmartContract('TTok', 'set(uint256)', ${rest})`);
      const { feeLimit, callValue, from } = site.options;
      return [site.arguments?.map(({ value }) => value), feeLimit?.value, callValue?.value, from?.value];
    };

    const before = "const options = { feeLimit: 9 };\nconst parameters = [{ type: 'uint256', value: 7 }];";
    assert.deepEqual(built("options, parameters, 'TMe'", before), [[7n], 9n, undefined, "TMe"]);
    assert.deepEqual(built("5000, 3, [{ type: 'uint256', value: 7 }], 'TMe'"), [[7n], 5000n, 3n, "TMe"]);
    assert.deepEqual(built("{ feeLimit: 9, from: 'TNot' }, []"), [[], 9n, undefined, undefined]);
    assert.deepEqual(built("{ rawParameter: '00' }, []"), [undefined, undefined, undefined, undefined]);
    assert.deepEqual(built("{}, [{ type: 'uint256', value: 7, ...more }]"), [
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("reports a spread argument list as unknown", () => {
    assert.equal(only("a.x(...rest).send()").arguments, undefined);
  });

  it("keeps a call whose options are being typed", () => {
    assert.deepEqual(marked("a.x(1).send({ feeLimit: 5"), ["x(1).send("]);
    assert.deepEqual(marked("function f() { a.x(1).send( }\nb.y().call()"), ["x(1).send(", "y().call()"]);
  });

  it("reads only the calls in the requested range", () => {
    const source = "a.first().call();\na.second().call();\na.third().call();";

    const sites = findScriptCallSites(source, { start: 20, end: 30 });

    assert.deepEqual(
      sites.map(({ method }) => method.value),
      ["second"],
    );
  });
});
