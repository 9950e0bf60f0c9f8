import assert from "node:assert/strict";
import { readCallFile, readSampleCall } from "../../src/call-sites/call-file.ts";
import { setupSitesInCallFile } from "../../src/call-sites/find-call-sites.ts";

const messages = (text: string) => readCallFile(text).problems.map(({ message }) => message);

describe("call file", () => {
  it("L13: is a problem of the file, not an exception, when it is nested without end", () => {
    const deep = (levels: number, open: string, close = "") => `${open.repeat(levels)}${close.repeat(levels)}`;
    const texts = [
      deep(100_000, "["),
      deep(100_000, '{"calls":'),
      `{"calls":[{"arguments":${deep(100_000, "[", "]")}}]}`,
      `{"calls":[{"arguments":${deep(1_000, '{"a":', "}")}}]}`,
    ];

    for (const text of texts) {
      const { calls, problems } = readCallFile(text);
      assert.deepEqual(calls, []);
      assert.match(problems[0]?.message ?? "", /nested more than 256 levels deep.*Reduce the nesting/);
      assert.match(readSampleCall(text).problem ?? "", /nested more than 256 levels deep/);
    }
  });

  it("returns its network and its calls with every digit", () => {
    const file = readCallFile(`{
      // reviewed in git
      "network": "Local chain",
      "calls": [{
        "label": "Pay", "contract": "Token", "function": "pay", "caller": "Bob",
        "arguments": ["TXYZ", 123456789012345678901234567890, true, [1, { "a": -2 }]],
        "feeLimit": 15000000, "callValue": "9007199254740993",
      }],
    }`);
    const [call] = file.calls;

    assert.deepEqual(file.problems, []);
    assert.equal(file.network?.value, "Local chain");
    assert.deepEqual(
      [call?.label, call?.contract.value, call?.method.value, call?.caller],
      ["Pay", "Token", "pay", "Bob"],
    );
    assert.deepEqual(
      call?.arguments.map(({ value }) => value),
      ["TXYZ", 123456789012345678901234567890n, true, [1n, { a: -2n }]],
    );
    assert.equal(call?.feeLimit?.value, 15_000_000n);
    assert.equal(call?.callValue?.value, 9007199254740993n);
    assert.equal(call?.tokenValue, undefined);
  });

  it("returns the complete calls of an incomplete file, and what is missing", () => {
    const file = readCallFile('{ "calls": [ { "contract": "A", "function": "f" }, { "contract": "B", ');

    assert.deepEqual(
      file.calls.map(({ contract }) => contract.value),
      ["A"],
    );
    assert.ok(file.problems.some(({ message }) => message === 'This call needs "function", a name or a signature.'));
    assert.ok(file.problems.some(({ message }) => message.startsWith("This is not JSON with comments: ")));
  });

  it("names an unknown key and the known ones", () => {
    assert.deepEqual(messages('{ "privateKey": "x" }'), [
      'A call file has no "privateKey". Allowed: $schema, network, setup, calls.',
    ]);
    assert.match(
      messages('{ "calls": [{ "contract": "A", "function": "f", "key": 1 }] }')[0] ?? "",
      /^A call has no "key"\. Allowed: label, /,
    );
  });

  it("marks a repeated key", () => {
    const text = '{ "calls": [], "calls": [{ "contract": "A", "function": "f", "feeLimit": 1, "feeLimit": 2 }] }';

    const { problems, calls } = readCallFile(text);

    assert.deepEqual(
      problems.map(({ message }) => message),
      ["calls", "feeLimit"].map((name) => `"${name}" occurs twice here. Remove one.`),
    );
    assert.equal(calls[0]?.feeLimit?.value, 2n);
  });

  it("T9: marks a repeated name in a tuple", () => {
    const text = '{ "calls": [{ "contract": "A", "function": "f", "arguments": [{ "a": 1, "a": 2 }] }] }';

    const { calls, problems } = readCallFile(text);

    assert.equal(text.slice(problems[0]?.range.start, problems[0]?.range.end), '"a"');
    assert.equal(calls[0]?.problem, '"a" occurs twice here. Remove one.');
  });

  it("marks amounts and arguments that are not whole numbers", () => {
    const text = '{ "calls": [{ "contract": "A", "function": "f", "feeLimit": 1.5, "arguments": [0.5, null] }] }';

    const { problems } = readCallFile(text);

    assert.deepEqual(
      problems.map(({ range, message }) => [text.slice(range.start, range.end), message]),
      [
        ["0.5", "An argument must be a whole number, a string, true, false, a list or an object."],
        ["null", "An argument must be a whole number, a string, true, false, a list or an object."],
        ["1.5", "Write feeLimit as a whole number of sun, such as 1500000 for 1.5 coins."],
      ],
    );
  });

  it("describes the format for any other JSON", () => {
    assert.deepEqual(messages("[]"), ["A call file must be an object with $schema, network, setup, calls."]);
    assert.deepEqual(messages('{ "calls": 1 }'), ['"calls" must be a list: [ { "contract": …, "function": … } ].']);
    assert.deepEqual(messages('{ "calls": [7] }'), [
      "A call must be an object with label, contract, function, arguments, caller, feeLimit, callValue, tokenId, tokenValue, expect.",
    ]);
    assert.deepEqual(readCallFile("").calls, []);
  });

  it("returns the setup as deployments and calls, with names of the deployed contracts", () => {
    const text = `{ "setup": [
      { "deploy": "Token", "name": "Gold", "arguments": ["Alice", 5], "caller": "Alice", "callValue": 1 },
      { "contract": "Gold", "function": "mint", "arguments": [7] },
      { "deploy": "Token" }
    ] }`;

    const { setup, problems } = readCallFile(text);
    const sites = setupSitesInCallFile(text);

    assert.deepEqual([problems, setup.length], [[], 3]);
    assert.deepEqual(
      sites.map(({ kind, method, contract, deployedAs }) => [kind, method, Object(contract).name, deployedAs]),
      [
        ["deployment", "constructor", "Token", "Gold"],
        ["call", "mint", "Gold", undefined],
        ["deployment", "constructor", "Token", "Token"],
      ],
    );
    assert.deepEqual(
      [sites[0]?.arguments?.map(({ value }) => value), sites[0]?.caller?.value, sites[0]?.callValue?.value],
      [["Alice", 5n], "Alice", 1n],
    );
  });

  it("reads the expectation of a call, and ignores it in the setup", () => {
    const expectation = '"expect": { "energyAtMost": "20000", "events": [{ "event": "Paid" }] }';
    const call = `{ "contract": "A", "function": "f", ${expectation} }`;
    const { calls } = readCallFile(`{ "calls": [${call}, { "contract": "A", "function": "f" }] }`);

    assert.deepEqual([calls[0]?.problem, calls[0]?.expect?.energyAtMost?.value], [undefined, 20_000n]);
    assert.deepEqual([calls[0]?.expect?.events?.items[0]?.name, calls[1]?.expect], ["Paid", undefined]);
    assert.match(messages(`{ "setup": [${call}] }`)[0] ?? "", /^A call has no "expect"\. Allowed: contract, /);
  });

  it("reports an expectation that cannot be checked as a problem of its call", () => {
    const problemOf = (expectation: string): string | undefined =>
      readCallFile(`{ "calls": [{ "contract": "A", "function": "f", "expect": ${expectation} }] }`).calls[0]?.problem;

    for (const [expectation, problem] of [
      ["5", /^An expectation must be an object with result, revert, events, energyAtMost\.$/],
      ['{ "results": 5 }', /^An expectation has no "results"\. Allowed: result, /],
      ['{ "revert": true, "result": 1 }', /^A call that reverts has no result\. Remove "revert" or "result"\.$/],
      ['{ "revert": true, "events": [] }', /^A call that reverts has no events\./],
      ['{ "revert": false }', /^Write true, the text of the revert, or \{ "error": …, "arguments": … \}\.$/],
      ['{ "revert": { "arguments": [] } }', /^This revert needs "error", the name of an error\.$/],
      ['{ "events": {} }', /^"events" must be a list/],
      ['{ "events": [{ "arguments": [] }] }', /^This event needs "event", the name of an event\.$/],
      ['{ "result": 1.5 }', /^A value must be a whole number, /],
      ['{ "result": [null] }', /^A value must be a whole number, /],
      ['{ "energyAtMost": -1 }', /^Write energyAtMost as a whole number, such as 30000\.$/],
    ] as const)
      assert.match(problemOf(expectation) ?? "none", problem, expectation);
  });

  it("reports a setup that cannot be executed", () => {
    assert.match(messages('{ "setup": {} }')[0] ?? "", /^"setup" must be a list/);
    assert.match(messages('{ "setup": [{ "deploy": "" }] }')[0] ?? "", /^Write a string in quotes here/);
    assert.match(messages('{ "setup": [{ "deploy": "A", "as": "B" }] }')[0] ?? "", /^A deployment has no "as"/);
    assert.match(messages('{ "setup": [{ "function": "f" }] }')[0] ?? "", /^This call needs "contract"/);
  });
});
