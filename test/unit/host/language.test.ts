import assert from "node:assert/strict";
import { config } from "@vscode/l10n";
import { LOCAL_NETWORK_NAME, networkLabel } from "../../../packages/client/src/gateway/network.ts";
import { l10n, loadWithEditor } from "../../support/fakes/fake-editor.ts";

type TestedModule = typeof import("../../../src/host/language.ts");

describe("t", () => {
  afterEach(() => {
    config({ contents: {} });
    Object.assign(l10n, { bundle: undefined });
  });

  it("shows the local chain by its translated name, whose key stays in data", async () => {
    Object.assign(l10n, { bundle: { "Local chain": "本地链", "Network: {0}": "网络：{0}" } });
    const { t } = await loadWithEditor<TestedModule>("src/host/language.ts");

    assert.equal(t`Network: ${LOCAL_NETWORK_NAME}`, "网络：本地链");
    assert.equal(t`Network: ${"Nile"}`, "网络：Nile");
    assert.deepEqual([LOCAL_NETWORK_NAME, networkLabel("Nile")], ["Local chain", "Nile"]);
  });
});
