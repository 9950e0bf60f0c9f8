import assert from "node:assert/strict";
import { type MenuState, menuItems } from "../../../../src/features/status-menu/status-menu.view.ts";

const labelsOf = (state: MenuState): readonly string[] =>
  menuItems(state).map((it) => (it.kind === "group" ? `# ${it.label}` : it.label));

describe("menuItems", () => {
  it("offers the first steps when there is no network", () => {
    const state = {
      network: undefined,
      hasNetwork: false,
      isLocalChainRunning: false,
      isLocalStopped: false,
      isLocalDisconnected: false,
      canSend: false,
    };

    assert.deepEqual(labelsOf(state), [
      ...["# No active network", "Switch Network…", "Add Network…"],
      ...["# Transactions", "Show Transactions"],
      ...["# Local chain", "Start Local Chain"],
      ...["# Help", "Open Documentation…", "Show Log", "Open Settings"],
    ]);
  });

  it("offers to send, call and control the chain on the running local chain", () => {
    const state = {
      network: "Local chain",
      hasNetwork: true,
      isLocalChainRunning: true,
      isLocalStopped: false,
      isLocalDisconnected: false,
      canSend: true,
    };

    assert.deepEqual(labelsOf(state), [
      ...["# Network: Local chain", "Switch Network…", "Test Connection"],
      ...["# Transactions", "Send Coins…", "Call Contract…", "Read Contract…", "Track Transaction…"],
      "Show Transactions",
      ...["# Local chain", "Local Chain Faults…", "Mine Blocks…", "Stop Local Chain"],
      ...["# Help", "Open Documentation…", "Show Log", "Open Settings"],
    ]);
  });

  it("offers to start the chosen local chain first while it does not run", () => {
    const stopped = { isLocalChainRunning: false, isLocalStopped: true, isLocalDisconnected: false };
    const labels = labelsOf({ network: undefined, hasNetwork: true, ...stopped, canSend: false });

    assert.deepEqual(labels.slice(0, 4), [
      ...["# Local chain is not running", "Start Local Chain", "Switch Network…"],
      "# Transactions",
    ]);
    assert.equal(labels.filter((it) => it === "Start Local Chain").length, 1);
  });

  it("reports that the window is disconnected from the local chain", () => {
    const state = { isLocalChainRunning: false, isLocalStopped: true, isLocalDisconnected: true };
    const [title, first] = labelsOf({ network: undefined, hasNetwork: true, ...state, canSend: false });

    assert.deepEqual([title, first], ["# Disconnected from local chain", "Start Local Chain"]);
  });

  it("offers nothing that signs when no account can sign", () => {
    const state = {
      network: "Nile",
      hasNetwork: true,
      isLocalChainRunning: false,
      isLocalStopped: false,
      isLocalDisconnected: false,
      canSend: false,
    };

    assert.deepEqual(
      labelsOf(state).filter((label) => /Send|Call/.test(label)),
      [],
    );
  });
});
