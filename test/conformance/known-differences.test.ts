import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type DifferingCase, reasonFor, reasons } from "../support/recorded/known-differences.ts";

const read = (name: string): string => readFileSync(join(import.meta.dirname, "../../docs", name), "utf8");
const listed = read("differences.md");
const listed482 = read("differences-4.8.2.md");
/** Maximum share of differing cases. Their number depends on the load of the recording machine. */
const MOST = 0.012;

describe("known differences from a real node", () => {
  const differing = (name: string, recorded: string, got: string, field = "json.Error"): DifferingCase => ({
    file: "http.json",
    name,
    brokeOff: false,
    differences: [[1, "", field, recorded, got]],
  });

  it("are listed with existing reasons", () => {
    const headings = [...`${listed}${listed482}`.matchAll(/^## (\S+) \((\w+), (\d+)\)$/gm)];
    assert.ok(headings.length > 0);
    for (const [, key, kind] of headings) {
      const reason = reasons.find((it) => it.key === key);
      assert.equal(kind, key === "broke-off" ? "recording" : reason?.kind, key);
    }
  });

  it("are about one case in a hundred, without known defects", () => {
    const [, all = 0] = /^(\d+) cases/m.exec(listed)?.map(Number) ?? [];
    const sizes = [...listed.matchAll(/^## \S+ \((\w+), (\d+)\)$/gm)].filter(([, kind]) => kind !== "recording");
    const sum = sizes.reduce((count, [, , size]) => count + Number(size), 0);
    assert.ok(all > 28_000 && sum <= all * MOST, `${sum} of ${all}`);
    for (const text of [listed, listed482]) assert.match(text, / 0 known defects, 0 unexplained\.$/m);
  });

  it("are not excused by the message of another reason", () => {
    const name = "/wallet/createtransaction valid";
    assert.equal(reasonFor(differing(name, "This name is existed", "(absent)")), undefined);
    assert.equal(reasonFor(differing(name, "<$bn>", "(absent)")), undefined);
    assert.equal(reasonFor(differing(name, "true", "false", "json.result")), undefined);
    const list = "/wallet/getassetissuelist valid";
    assert.equal(reasonFor(differing(list, "false", "true", "json.result")), undefined);
  });

  it("are excused when their reason applies", () => {
    const reason = reasonFor(differing("/wallet/updateaccount valid", "This name is existed", "(absent)"));
    assert.equal(typeof reason === "object" && reason.key, "name-taken");
    assert.equal(reasonFor({ ...differing("x", "a", "b"), brokeOff: true }), "broke-off");
  });
});
