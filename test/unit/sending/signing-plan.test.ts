import assert from "node:assert/strict";
import type { Account } from "../../../packages/client/src/gateway/gateway.ts";
import type { NetworkProfile } from "../../../packages/client/src/gateway/network.ts";
import { type AccountPermissions, maskOf, ownKeyAlone } from "../../../packages/client/src/permissions/permissions.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { foreignText } from "../../../packages/tron/src/primitives/plain-text.ts";
import type { Intent } from "../../../packages/tron/src/transaction/intent.ts";
import { editor, loadWithEditor } from "../../support/fakes/fake-editor.ts";
import { profileAt } from "../../support/fakes/gateway-fixtures.ts";
import { ALICE, BOB, TRANSFER } from "../../support/tracking/tracked.ts";

type PlanModule = typeof import("../../../src/sending/signing-plan.ts");
const FOREIGN = parseAddress(`41${"ee".repeat(20)}`);
const keys = (...all: readonly Address[]) => all.map((address) => ({ address, weight: 1n }));
const active = (id: number, name: string, ...all: readonly Address[]) => ({
  id,
  name: foreignText(name),
  threshold: 1n,
  keys: keys(...all),
  operations: maskOf([1]),
});
const owner = (threshold: bigint, ...all: readonly Address[]) => ({
  id: 0,
  name: foreignText("owner"),
  threshold,
  keys: keys(...all),
});

describe("planSigning", () => {
  let parts: PlanModule;

  before(async () => {
    parts = await loadWithEditor<PlanModule>("src/sending/signing-plan.ts");
  });

  beforeEach(() => editor.reset());

  const plan = (permissions: AccountPermissions | undefined, more: Partial<Intent> = {}, ours = [ALICE, BOB]) => {
    const account: Account = { address: ALICE, balance: sun(1n), ...(permissions && { permissions }) };
    const listOn = () => ours.map((address) => ({ address, label: "someone", watchOnly: false }));
    const network: NetworkProfile = profileAt("https://one.test");
    const intent = { ...TRANSFER, ...more } as Intent;
    return parts.planSigning({ listOn }, { network, intent, nameOf: () => undefined, unattended: true }, account);
  };

  it("uses the own key when it suffices or no permissions are known", async () => {
    for (const permissions of [undefined, ownKeyAlone(ALICE)]) {
      const planned = await plan(permissions);
      assert.deepEqual([planned?.signers, planned?.isUsual, planned?.intent.permissionId], [[ALICE], true, undefined]);
    }
    await assert.rejects(plan(ownKeyAlone(ALICE), {}, [BOB]), { code: "SIGNING_KEY_MISSING" });
  });

  it("assumes the own key and reports it when the gateway returns no permissions", async () => {
    const account: Account = { address: ALICE, balance: sun(1n), missingPath: "/wallet/getaccount" };
    const network = profileAt("https://one.test");
    const listOn = () => [{ address: ALICE, label: "Alice", watchOnly: false }];
    const planFor = (more: Partial<Intent>) => {
      const intent = { ...TRANSFER, ...more } as Intent;
      return parts.planSigning({ listOn }, { network, intent, nameOf: () => undefined, unattended: true }, account);
    };

    const planned = await planFor({});
    assert.deepEqual([planned?.signers, planned?.missingPath], [[ALICE], "/wallet/getaccount"]);
    await assert.rejects(planFor({ permissionId: 2 }), {
      code: "PATH_NOT_SERVED",
      message: /does not serve \/wallet\/getaccount, which is needed for the permissions of an account/,
    });
  });

  it("uses several keys when one is not enough", async () => {
    const planned = await plan({ owner: owner(2n, ALICE, BOB, FOREIGN), actives: [] });

    assert.deepEqual([planned?.signers, planned?.isUsual], [[ALICE, BOB], false]);
  });

  it("uses the owner permission for a program unless it names another", async () => {
    const permissions = { owner: owner(1n, FOREIGN), actives: [active(2, "pay", BOB)] };

    await assert.rejects(plan(permissions), {
      code: "PERMISSION_REFUSED",
      message: /You have no key in the permission owner \(0\)\. .* “pay” \(2\) allows it/,
    });
    const planned = await plan(permissions, { permissionId: 2 });
    assert.deepEqual([planned?.signers, planned?.intent.permissionId], [[BOB], 2]);
  });

  it("rejects when local keys are missing", async () => {
    await assert.rejects(plan({ owner: owner(2n, ALICE, FOREIGN), actives: [] }), {
      code: "WEIGHT_TOO_LOW",
      message: /weight of 1 of the 2/,
    });
    await assert.rejects(plan({ owner: owner(1n), actives: [] }), { code: "PERMISSION_REFUSED" });
    await assert.rejects(plan({ owner: owner(1n, ALICE), actives: [active(2, "pay", BOB)] }, { permissionId: 1 }), {
      code: "PERMISSION_REFUSED",
    });
  });
});
