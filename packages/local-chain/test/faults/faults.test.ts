import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { testChain } from "../../../../test/support/chain/test-chain.ts";
import type { Json } from "../../../tron/src/primitives/json.ts";
import { Trigger } from "../../src/faults/fault.ts";
import { faultTypes } from "../../src/faults/fault-types.ts";

describe("fault control", () => {
  const refused: readonly (readonly [what: string, body: Json, message: RegExp])[] = [
    ["no list", { name: "latency" }, /has to be a list of faults/],
    ["an item that is not an object", [1], /A fault has to be a JSON object/],
    ["an unknown fault", [{ name: "sunshine" }], /no fault "sunshine".*latency, connection-refused/],
    ["a fault without a name", [{}], /no fault null/],
    ["a missing parameter", [{ name: "latency" }], /latency: ms has to be an integer from 1 to 600000, not null/],
    ["a wrong choice", [{ name: "rate-limit", form: "x" }], /form has to be "seconds" or "date" or "none", not "x"/],
    ["an unknown field", [{ name: "lost-answer", ms: 3, x: 1 }], /lost-answer has no "ms", "x"/],
    ["a rate above one", [{ name: "lost-answer", rate: 2 }], /rate has to be a number from 0 to 1, not 2/],
    ["a count of 0", [{ name: "lost-answer", count: 0 }], /count has to be an integer from 1/],
    ["a path that is not text", [{ name: "lost-answer", path: [1] }], /path has to be a text or a list of texts/],
    ["a path for blocks", [{ name: "solidification-stopped", path: "/x" }], /solidification-stopped has no "path"/],
    ["a status of success", [{ name: "http-status", status: 200 }], /status has to be .* 400 to 599, not 200/],
    ["a seed that is not text", { faults: [], seed: 1 }, /seed has to be a text/],
    ["too many faults", Array.from({ length: 101 }, () => ({ name: "lost-answer" })), /100 faults at once/],
  ];
  it("refuses invalid faults, and leaves the active ones unchanged", async () => {
    const chain = await testChain();
    await chain.ask("/local/faults", [{ name: "pool-full" }]);
    for (const [what, body, message] of refused) {
      assert.match(String((await chain.ask("/local/faults", body)).error), message, what);
      assert.ok(JSON.stringify(chain.simulation.faults.report()).includes('"pool-full"'), what);
    }
  });

  it("reports active faults with defaults and hits, and an empty list ends them", async () => {
    const chain = await testChain();
    const shown = await chain.ask("/local/faults", {
      faults: [{ name: "http-status", rate: 0.5, path: ["/a", "/b*"] }, { name: "reorganisation" }],
      seed: "s",
    });
    assert.deepEqual(shown, {
      seed: "s",
      faults: [
        { name: "http-status", status: 503, rate: 0.5, path: ["/a", "/b*"], hits: 0 },
        { name: "reorganisation", blocks: 1, transactions: "return", rate: 1, count: 1, hits: 0 },
      ],
    });
    assert.deepEqual(await chain.ask("/local/faults", []), { seed: "", faults: [] });
  });

  it("is not affected by faults", async () => {
    const chain = await testChain();
    await chain.ask("/local/faults", [{ name: "reset-before" }]);
    await assert.rejects(chain.ask("/wallet/getnowblock"), /a reset/);
    assert.deepEqual(await chain.ask("/local/faults", []), { seed: "", faults: [] });
    assert.notEqual((await chain.ask("/wallet/getnowblock")).blockID, undefined);
  });

  it("applies several faults in list order, the first farthest from the node", async () => {
    const chain = await testChain();
    const hits = async (names: readonly string[]): Promise<readonly unknown[]> => {
      await chain.ask(
        "/local/faults",
        names.map((name) => ({ name })),
      );
      await assert.rejects(chain.ask("/wallet/getnowblock"));
      return (chain.simulation.faults.report() as { faults: { hits: number }[] }).faults.map((it) => it.hits);
    };
    assert.deepEqual(await hits(["reset-before", "lost-answer"]), [1, 0]);
    assert.deepEqual(await hits(["lost-answer", "reset-before"]), [1, 1]);
  });

  it("accepts every example of the documentation, which has one for each fault", async () => {
    const chain = await testChain();
    const text = readFileSync("docs/local-chain.md", "utf8");
    const examples = [...text.matchAll(/^\| `(\{"name": .*?\})` \|/gm)].map(([, it = ""]) => JSON.parse(it));
    const { faults } = await chain.ask("/local/faults", examples);
    const names = (faults as readonly { name: string }[]).map(({ name }) => name);
    assert.deepEqual(
      names,
      faultTypes.map(({ name }) => name),
    );
    assert.equal(new Set(names).size, names.length);
  });

  it("fires in proportion to its rate, reproducibly by seed", () => {
    const drawn = (seed: string): readonly boolean[] => {
      const trigger = new Trigger({ rate: 0.5, count: undefined, paths: undefined, seed });
      return Array.from({ length: 200 }, () => trigger.fires());
    };
    assert.deepEqual(drawn("a"), drawn("a"));
    assert.notDeepEqual(drawn("a"), drawn("b"));
    const fired = drawn("a").filter(Boolean).length;
    assert.ok(fired > 60 && fired < 140, String(fired));
  });

  it("matches paths with stars for any text", () => {
    const cases: readonly (readonly [pattern: string, path: string, fits: boolean])[] = [
      ["/wallet/getnowblock", "/wallet/getnowblock", true],
      ["/wallet/getnowblock", "/wallet/getnowblocks", false],
      ["/wallet/*", "/wallet/getnowblock", true],
      ["/wallet/*", "/walletsolidity/getnowblock", false],
      ["*block*", "/wallet/getblockbynum", true],
      ["*/get*num", "/wallet/getblockbynum", true],
      ["*/get*num", "/wallet/getnum/x", false],
      ["ab*ba", "aba", false],
      ["*", "", true],
    ];
    for (const [pattern, path, expected] of cases) {
      const trigger = new Trigger({ rate: 1, count: undefined, paths: [pattern], seed: "" });
      assert.equal(trigger.matches(path), expected, `${pattern} and ${path}`);
    }
  });
});
