import assert from "node:assert/strict";
import { ChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { Masking } from "../../../../src/host/log/masking.ts";
import { channels, loadWithEditor } from "../../../support/fakes/fake-editor.ts";

type TestedModule = typeof import("../../../../src/host/log/log.ts");

const SECRET = "c0ffee".repeat(4);
const LEVELS = ["trace", "debug", "info", "warn", "error"] as const;

describe("OutputLog", () => {
  let OutputLog: TestedModule["OutputLog"];

  before(async () => {
    ({ OutputLog } = await loadWithEditor<TestedModule>("src/host/log/log.ts"));
  });
  beforeEach(() => channels.splice(0));

  function openLog() {
    const masking = new Masking();
    masking.remember(SECRET);
    const log = new OutputLog(masking);
    const [channel = assert.fail("no channel was made")] = channels;
    return { log, channel };
  }

  it("writes masked lines at their level", () => {
    const { log, channel } = openLog();

    for (const level of LEVELS) log[level](`${level} of ${SECRET}`);

    assert.deepEqual(channel.options, { log: true });
    assert.deepEqual(
      channel.lines,
      LEVELS.map((level) => [level, `${level} of ***`]),
    );
  });

  it("writes masked causes of an error", () => {
    const { log, channel } = openLog();

    log.error("No.", new ChainError("NETWORK_UNKNOWN", { network: SECRET }, { cause: new Error(`in ${SECRET}`) }));

    const [[level, text = ""] = []] = channel.lines;
    assert.equal(level, "error");
    assert.match(text, /^No\.\nNETWORK_UNKNOWN: [\s\S]*\ncaused by [\s\S]*in \*\*\*/);
    assert.ok(!text.includes(SECRET));
  });
});
