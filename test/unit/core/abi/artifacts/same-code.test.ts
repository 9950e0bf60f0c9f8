import assert from "node:assert/strict";
import { isCreatedFrom } from "../../../../../src/core/abi/artifacts/same-code.ts";

const CODE = "6080604052348015600e575f80fd5b50603e80601a5f395ff3fe60806040525f80fdfe";
const metadata = (sources: string): string => {
  const map = `a2646970667358221220${sources.repeat(64)}64736f6c63430008180033`.slice(0, -4);
  return `${map}${(map.length / 2).toString(16).padStart(4, "0")}`;
};
const ARTIFACT = CODE + metadata("a");
const ARGUMENT = `${"0".repeat(62)}2a`;

describe("the code of a contract and of an artifact", () => {
  it("are the same when the chain's begins with the artifact's and arguments follow", () => {
    assert.equal(isCreatedFrom(ARTIFACT + ARGUMENT, ARTIFACT), true);
    assert.equal(isCreatedFrom(ARTIFACT.toUpperCase(), ARTIFACT), true);
  });

  it("are the same when the compiler only knew other sources, such as another comment", () => {
    assert.equal(isCreatedFrom(CODE + metadata("b") + ARGUMENT, ARTIFACT), true);
  });

  it("are different when one byte of the code is", () => {
    assert.equal(isCreatedFrom(ARTIFACT.replace("603e", "603f"), ARTIFACT), false);
  });

  it("are different when the chain's is shorter, or nothing", () => {
    assert.equal(isCreatedFrom(CODE.slice(0, 20), ARTIFACT), false);
    assert.equal(isCreatedFrom("", ARTIFACT), false);
  });

  it("are compared to the last byte when no metadata are at the end", () => {
    assert.equal(isCreatedFrom(CODE, CODE), true);
    assert.equal(isCreatedFrom(`${CODE.slice(0, -2)}00`, CODE), false);
    assert.equal(isCreatedFrom("60016002", "60016003"), false);
  });
});
