import assert from "node:assert/strict";
import { editor, loadWithEditor } from "../../../support/fakes/fake-editor.ts";

type TestedModule = typeof import("../../../../src/host/prompts/quick-input.ts");
const { askSteps, quickPickMany, textStep } = await loadWithEditor<TestedModule>("src/host/prompts/quick-input.ts");

describe("quickPickMany", () => {
  const rows = [{ label: "late", picked: true }, { label: "lost" }, { label: "twice", picked: true }];
  const words = { title: "Faults", placeholder: "What should go wrong?" };

  beforeEach(() => editor.reset());

  it("returns the initial selection for an immediate Enter", async () => {
    editor.entersLists = true;

    assert.deepEqual(await quickPickMany(rows, words), [rows[0], rows[2]]);
  });

  it("returns undefined when the user cancels", async () => {
    assert.equal(await quickPickMany(rows, words), undefined);
  });
});

describe("askSteps", () => {
  type EnteredTexts = readonly string[];
  const step =
    (prompt: string, secret = false) =>
    async (soFar: EnteredTexts, place: Parameters<typeof textStep>[0]) => {
      const check = (text: string) =>
        text === "" ? ({ kind: "empty" } as const) : ({ kind: "good", value: text } as const);
      const typed = await textStep(place, { prompt, placeholder: "", check, secret });
      return typed.kind === "value" ? { kind: "value" as const, value: [...soFar, typed.value] } : typed;
    };

  beforeEach(() => editor.reset());

  it("U16: shows a message when the user presses Enter in an empty required input", async () => {
    editor.boxes = [["Enter", "5", "Enter"]];

    assert.deepEqual(await askSteps<EnteredTexts>("Pay", [], [step("Amount?")]), ["5"]);
    assert.deepEqual(editor.validations, ["Enter a value."]);
  });

  it("U24: shows the earlier entry of a step again after Back, also of a later step", async () => {
    editor.boxes = [["Bob", "Enter"], ["7", "Back"], ["Enter"], ["Enter"]];

    assert.deepEqual(await askSteps<EnteredTexts>("Pay", [], [step("To?"), step("Amount?")]), ["Bob", "7"]);
    assert.deepEqual(editor.initialValues, ["", "", "Bob", "7"]);
  });

  it("shows a count from two steps on, unless later steps depend on the answers", async () => {
    const shownCounts = async (steps: Parameters<typeof askSteps<EnteredTexts>>[2]) => {
      editor.reset();
      editor.boxes = [
        ["Bob", "Enter"],
        ["7", "Enter"],
      ];
      await askSteps<EnteredTexts>("Pay", [], steps);
      return editor.counts;
    };

    assert.deepEqual(await shownCounts([step("To?"), step("Amount?")]), ["1/2", "2/2"]);
    assert.deepEqual(await shownCounts([step("To?")]), [""]);
    assert.deepEqual(await shownCounts((soFar) => [step("To?"), ...(soFar.length === 0 ? [] : [step("Amount?")])]), [
      "",
      "",
    ]);
  });

  it("does not store a secret, which the user types again", async () => {
    editor.boxes = [["Bob", "Enter"], ["phrase", "Back"], ["Enter"], ["phrase", "Enter"]];

    await askSteps<EnteredTexts>("Import", [], [step("Name?"), step("Passphrase?", true)]);

    assert.deepEqual(editor.initialValues, ["", "", "Bob", ""]);
  });
});
