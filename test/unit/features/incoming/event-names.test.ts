import assert from "node:assert/strict";
import { topicOf } from "../../../../packages/tron/src/abi/abi-signature.ts";
import { loadWithEditor } from "../../../support/fakes/fake-editor.ts";

type TestedModule = typeof import("../../../../src/features/incoming/watch-events.ts");
const { EventNames } = await loadWithEditor<TestedModule>("src/features/incoming/watch-events.ts");

describe("EventNames", () => {
  const topic = topicOf("Paid(uint256)");

  it("names an event by the ABI that its watch stores", () => {
    const abi = JSON.stringify([{ type: "event", name: "Paid", inputs: [{ name: "amount", type: "uint256" }] }]);

    assert.deepEqual(
      new EventNames()
        .of(abi)
        .lookup(topic)
        .map(({ signature }) => signature),
      ["Paid(uint256)"],
    );
  });

  for (const damaged of ['[{"type":"event","na', '{"type":"event"}', ""])
    it(`names nothing if the stored ABI is damaged: ${damaged || "empty"}`, () => {
      assert.deepEqual(new EventNames().of(damaged).lookup(topic), []);
    });
});
