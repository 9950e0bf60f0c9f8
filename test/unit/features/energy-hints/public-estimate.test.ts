import assert from "node:assert/strict";
import { callSitesInCallFile, callSitesInScript } from "../../../../packages/client/src/call-sites/find-call-sites.ts";
import { callSiteFrom, sendArguments } from "../../../../src/features/energy-hints/public-estimate.ts";

const call = { contract: "Leaf", function: "transfer" };

describe("callSiteFrom", () => {
  it("keeps every digit of amounts", () => {
    const callSite = callSiteFrom({ ...call, feeLimit: "9007199254740993", callValue: 5, tokenId: 1_000_001n });

    assert.deepEqual(
      [callSite.feeLimit?.value, callSite.callValue?.value, callSite.tokenId?.value, callSite.tokenValue],
      [9007199254740993n, 5n, 1_000_001n, undefined],
    );
  });

  it("names a malformed amount or argument", () => {
    for (const feeLimit of ["15 coins", 1.5, -1, -1n, "", Number.NaN])
      assert.throws(() => callSiteFrom({ ...call, feeLimit }), {
        code: "COMMAND_ARGUMENT_MALFORMED",
        message: /^The argument feeLimit cannot be used: it is not a whole number/,
      });
    assert.throws(() => callSiteFrom({ ...call, arguments: [1.5] }), { code: "COMMAND_ARGUMENT_MALFORMED" });
  });

  it("T6: rejects numbers that may have lost digits", () => {
    // biome-ignore lint/correctness/noPrecisionLoss: digits are lost on purpose
    const lossy = [12345678901234567890, 9007199254740993, 4503599627370497.5];

    for (const value of lossy) {
      const reason = { code: "COMMAND_ARGUMENT_MALFORMED", message: /as a text, so that it keeps every digit/ };
      for (const name of ["feeLimit", "callValue", "tokenId", "tokenValue"])
        assert.throws(() => callSiteFrom({ ...call, [name]: value }), reason);
      for (const one of [value, [value], { amount: value }])
        assert.throws(() => callSiteFrom({ ...call, arguments: [one] }), reason);
    }
  });
});

const ADDRESS = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

describe("sendArguments", () => {
  it("uses the address of the source", () => {
    const [scripted] = callSitesInScript(
      `const leaf = await tronWeb.contract().at("${ADDRESS}");\nawait leaf.methods.transfer("Carol", 5).send({ feeLimit: 15_000_000 });`,
    );
    const [filed] = callSitesInCallFile(`{ "calls": [{ "contract": "${ADDRESS}", "function": "transfer" }] }`);

    assert.ok(scripted !== undefined && filed !== undefined);
    assert.equal(scripted.contract.kind, "address");
    assert.equal(sendArguments(scripted).contract, ADDRESS);
    assert.equal(sendArguments(filed).contract, ADDRESS);
  });

  it("keeps every digit, and omits absent values", () => {
    const [call] = callSitesInCallFile(
      `{ "network": "Nile", "calls": [{ "label": "Pay", "contract": "Token", "function": "pay", "caller": "Bob",
        "arguments": [123456789012345678901234567890, [true, { "a": -2 }]], "feeLimit": 9007199254740993 }] }`,
    );

    assert.ok(call !== undefined);
    assert.deepEqual(JSON.parse(JSON.stringify(sendArguments(call))), {
      network: "Nile",
      label: "Pay",
      contract: "Token",
      function: "pay",
      from: "Bob",
      arguments: ["123456789012345678901234567890", [true, { a: "-2" }]],
      feeLimit: "9007199254740993",
    });
  });

  it("T9: rejects values that cannot be read", () => {
    const filed = (fields: string) =>
      callSitesInCallFile(`{ "calls": [{ "contract": "Token", "function": "pay", ${fields} }] }`);
    const scripted = (options: string) => callSitesInScript(`await leaf.methods.transfer("Bob", 5).send(${options});`);
    const calls = [
      ...["callValue", "feeLimit", "tokenId", "tokenValue"].flatMap((name) =>
        ['"1.5 coins"', '"nonsense"', "1.5", "null"].flatMap((value) => filed(`"${name}": ${value}`)),
      ),
      ...filed('"caller": 5'),
      ...filed('"callvalue": 5'),
      ...scripted("{ callValue: price() }"),
      ...scripted("{ feeLimit: LIMIT }"),
      ...scripted("options"),
    ];

    assert.equal(calls.length, 21);
    for (const call of calls)
      assert.throws(() => sendArguments(call), { code: "CALL_UNREADABLE", message: /[Ww]rite|A call has no/ });
  });

  it("omits contract and arguments that only running the code would reveal", () => {
    const [call] = callSitesInScript(`await leaf.methods.transfer(to, 5).send({ feeLimit: 1 });`);

    assert.ok(call !== undefined);
    assert.equal(sendArguments(call).contract, undefined);
    assert.equal(sendArguments(call).arguments, undefined);
  });
});
