import assert from "node:assert/strict";
import { wantedInCallFile, wantedInScript } from "../../../../src/core/call-sites/wanted-calls.ts";
import { sendArguments, wantedFrom } from "../../../../src/features/energy-hints/public-estimate.ts";

const call = { contract: "Leaf", function: "transfer" };

describe("a call that another extension asks about", () => {
  it("keeps every digit of its amounts, whichever way they are given", () => {
    const wanted = wantedFrom({ ...call, feeLimit: "9007199254740993", callValue: 5, tokenId: 1_000_001n });

    assert.deepEqual(
      [wanted.feeLimit?.value, wanted.callValue?.value, wanted.tokenId?.value, wanted.tokenValue],
      [9007199254740993n, 5n, 1_000_001n, undefined],
    );
  });

  it("is refused by name when an amount or an argument is none", () => {
    for (const feeLimit of ["15 coins", 1.5, -1, -1n, "", Number.NaN])
      assert.throws(() => wantedFrom({ ...call, feeLimit }), {
        code: "COMMAND_ARGUMENT_MALFORMED",
        message: /^The argument feeLimit cannot be used: it is no whole number/,
      });
    assert.throws(() => wantedFrom({ ...call, arguments: [1.5] }), { code: "COMMAND_ARGUMENT_MALFORMED" });
  });
});

const ADDRESS = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

describe("a written call as it is sent", () => {
  it("goes to the address that its source says", () => {
    const [scripted] = wantedInScript(
      `const leaf = await tronWeb.contract().at("${ADDRESS}");\nawait leaf.methods.transfer("Carol", 5).send({ feeLimit: 15_000_000 });`,
    );
    const [filed] = wantedInCallFile(`{ "calls": [{ "contract": "${ADDRESS}", "function": "transfer" }] }`);

    assert.ok(scripted !== undefined && filed !== undefined);
    assert.equal(scripted.contract.kind, "address");
    assert.equal(sendArguments(scripted).contract, ADDRESS);
    assert.equal(sendArguments(filed).contract, ADDRESS);
  });

  it("keeps every digit of its amounts and arguments, and leaves out what is not said", () => {
    const [call] = wantedInCallFile(
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

  it("leaves the contract and the arguments to be asked for where only running the code would tell", () => {
    const [call] = wantedInScript(`await leaf.methods.transfer(to, 5).send({ feeLimit: 1 });`);

    assert.ok(call !== undefined);
    assert.equal(sendArguments(call).contract, undefined);
    assert.equal(sendArguments(call).arguments, undefined);
  });
});
