import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import {
  editor,
  loadWithEditor,
  reportCreated,
  reportDeleted,
  saveDocument,
  Uri,
  workspaceFiles,
} from "../../../support/fakes/fake-editor.ts";
import { controllers, FakeController, FakeRequest, FakeToken } from "../../../support/fakes/fake-tests.ts";

type TestedModule = typeof import("../../../../src/features/test-explorer/test-explorer.ts");
const { TestExplorer } = await loadWithEditor<TestedModule>("src/features/test-explorer/test-explorer.ts");

const PATH = "/project/a.finality.jsonc";
const TEXT = `{
  "calls": [
    { "contract": "A", "function": "f", "expect": { "result": 1 } },
    { "contract": "A", "function": "g" },
    { "label": "Third", "contract": "A", "function": "h", "expect": { "revert": true } }
  ]
}`;
const range = { start: TEXT.indexOf("1 } }"), end: TEXT.indexOf("1 } }") + 1 };

/** A test explorer of one call file. */
async function explorer() {
  editor.reset();
  controllers.length = 0;
  workspaceFiles.clear();
  workspaceFiles.set(PATH, TEXT);
  const requested: (readonly number[])[] = [];
  const counted: boolean[] = [];
  let release = (): void => undefined;
  const state = { hold: undefined as Promise<void> | undefined };
  const created = new TestExplorer({
    chainProgram: "",
    log: { error: () => undefined },
    runCallTests: async function* (_text, indexes, signal, onCoverage) {
      requested.push(indexes);
      counted.push(onCoverage !== undefined);
      await state.hold;
      signal.throwIfAborted();
      const outcome = { kind: "returned", returned: "", energy: 1_234n, events: [] } as never;
      for (const index of indexes) {
        const differences = [{ range, message: "It returns 2.", expected: "1", actual: "2" }];
        yield index === 0
          ? { index, result: { kind: "failed", outcome, differences }, durationMs: 1 }
          : { index, result: { kind: "passed", outcome }, durationMs: 1 };
      }
    },
  });
  await created.scan();
  const controller = controllers[0] ?? new FakeController();
  const file = controller.items.get(`file://${PATH}`) ?? assert.fail("no item of the file");
  return {
    ...{ created, controller, file, requested, counted },
    hold: () => {
      state.hold = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("TestExplorer", () => {
  it("shows the calls with an expectation", async () => {
    const { file } = await explorer();

    assert.deepEqual(
      [...file.children].map(([id, { label }]) => [id, label]),
      [
        ["0", "A.f"],
        ["2", "Third"],
      ],
    );
  });

  it("runs all tests, with the energy of a passed one and the values of a failed one at their line", async () => {
    const { controller } = await explorer();

    await controller.handler(new FakeRequest(), new FakeToken());

    const [run] = controller.runs;
    assert.deepEqual(run?.states, [
      ...["enqueued A.f", "enqueued Third", "started A.f", "started Third"],
      ...["failed A.f", "passed Third"],
    ]);
    assert.deepEqual(run?.output, ["Third: 1,234 energy\r\n"]);
    const [message] = run?.messages ?? [];
    assert.deepEqual([message?.message, message?.expectedOutput, message?.actualOutput], ["It returns 2.", "1", "2"]);
    assert.deepEqual(JSON.parse(JSON.stringify(message?.location)).range.start, { line: 2, character: 62 });
    assert.equal(run?.isEnded, true);
  });

  it("asks for coverage in a run with coverage, and says why there is none", async () => {
    const { controller, counted } = await explorer();

    await controller.handler(new FakeRequest(), new FakeToken());
    await controller.coverageHandler(new FakeRequest(), new FakeToken());

    assert.deepEqual(counted, [false, true]);
    assert.deepEqual(controller.runs[1]?.output.at(-1), "No coverage: only a local chain counts what it executes.\r\n");
    assert.equal(controller.runs[1]?.isEnded, true);
  });

  it("runs one test of a file", async () => {
    const { controller, file, requested } = await explorer();
    const third = file.children.get("2") ?? assert.fail();

    await controller.handler(new FakeRequest([third]), new FakeToken());

    assert.deepEqual(requested, [[2]]);
  });

  it("leaves out excluded tests", async () => {
    const { controller, file, requested } = await explorer();
    const third = file.children.get("2") ?? assert.fail();

    await controller.handler(new FakeRequest(undefined, [third]), new FakeToken());
    await controller.handler(new FakeRequest(undefined, [file]), new FakeToken());

    assert.deepEqual(requested, [[0]]);
  });

  it("ends a cancelled run without results", async () => {
    const { controller, hold, release } = await explorer();
    hold();
    const token = new FakeToken();
    const running = controller.handler(new FakeRequest(), token);
    await settled();

    token.cancel();
    release();
    await running;

    const [run] = controller.runs;
    assert.equal(run?.isEnded, true);
    assert.ok(run?.states.every((state) => /^(?:enqueued|started) /.test(state)));
  });

  it("runs a file again when it is saved, until the continuous run ends", async () => {
    const { controller, requested } = await explorer();
    const token = new FakeToken();

    await controller.handler(new FakeRequest(undefined, undefined, undefined, true), token);
    assert.equal(requested.length, 0);
    saveDocument(Uri.file("/project/other.finality.jsonc"));
    saveDocument(Uri.file(PATH));
    await settled();
    assert.equal(requested.length, 1);

    token.cancel();
    saveDocument(Uri.file(PATH));
    await settled();
    assert.equal(requested.length, 1);
  });

  it("runs nothing in Restricted Mode", async () => {
    const { controller, requested } = await explorer();
    editor.trusted = false;

    await controller.handler(new FakeRequest(), new FakeToken());

    assert.deepEqual(requested, []);
    assert.match(controller.runs[0]?.messages[0]?.message ?? "", /Restricted Mode/);
  });

  it("removes a file whose tests are gone", async () => {
    const { controller, created } = await explorer();
    workspaceFiles.set(PATH, "{}");

    await created.scan();

    assert.equal(controller.items.size, 0);
  });

  it("finds the files of a copied folder, and removes those of a deleted one", async () => {
    const { controller, created } = await explorer();
    const copy = `${tmpdir()}/a.finality.jsonc`;
    workspaceFiles.set(copy, TEXT);
    const isListed = () => controller.items.get(`file://${copy}`) !== undefined;

    reportCreated(Uri.file(tmpdir()));
    while (!isListed()) await settled();
    workspaceFiles.delete(copy);
    reportDeleted(Uri.file(tmpdir()));

    assert.deepEqual([isListed(), controller.items.size], [false, 1]);
    created.dispose();
  });
});
