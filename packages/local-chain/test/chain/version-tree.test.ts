import assert from "node:assert/strict";
import { dice } from "../../../../test/support/random/dice.ts";
import { combineMaps, type Version, VersionTree } from "../../src/chain/version-tree.ts";

type Diff = Map<string, number | undefined>;

/** Map with versions that is changed in place. */
class VersionedMap {
  readonly values = new Map<string, number>();
  /** Number of entries in applied differences. */
  work = 0;
  readonly versions = new VersionTree<Diff>({
    none: () => new Map(),
    isNone: (diff) => diff.size === 0,
    inverse: (diff) => new Map([...diff.keys()].map((key) => [key, this.values.get(key)])),
    apply: (diff) => {
      this.work += diff.size;
      for (const [key, value] of diff) {
        if (value === undefined) this.values.delete(key);
        else this.values.set(key, value);
      }
    },
    combine: (later, earlier) => combineMaps(later, earlier),
  });

  set(key: string, value: number | undefined): void {
    const { recorder } = this.versions;
    if (recorder !== undefined && !recorder.has(key)) recorder.set(key, this.values.get(key));
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, value);
  }
}

describe("VersionTree", () => {
  const sorted = (map: ReadonlyMap<string, number>): readonly (readonly [string, number])[] => [...map].sort();

  for (const seed of [1, 2, 3, 4]) {
    it(`restores versions exactly in any order of changes, restores and releases (seed ${seed})`, () => {
      const roll = dice(seed);
      const map = new VersionedMap();
      const taken: { readonly version: Version<Diff>; readonly copy: ReadonlyMap<string, number> }[] = [];
      for (let step = 0; step < 3_000; step += 1) {
        const choice = roll(10);
        const at = roll(Math.max(1, taken.length));
        if (choice < 6) map.set(`key ${roll(30)}`, roll(4) === 0 ? undefined : roll(1_000));
        else if (choice === 6) taken.push({ version: map.versions.take(), copy: new Map(map.values) });
        else if (choice < 9) {
          const one = taken[at];
          if (one === undefined) continue;
          map.versions.restore(one.version);
          assert.deepEqual(sorted(map.values), sorted(one.copy), `step ${step}`);
        } else {
          const [one] = taken.splice(at, 1);
          if (one !== undefined) map.versions.release(one.version);
        }
      }
      for (const { version, copy } of [...taken].reverse()) {
        map.versions.restore(version);
        assert.deepEqual(sorted(map.values), sorted(copy));
        map.versions.release(version);
      }
      assert.equal(map.versions.recorder, undefined);
    });
  }

  it("does work in proportion to the changes", () => {
    const map = new VersionedMap();
    for (let key = 0; key < 10_000; key += 1) map.set(`key ${key}`, key);
    const version = map.versions.take();
    map.set("key 7", 0);
    map.set("new", 1);
    map.versions.restore(version);
    assert.deepEqual([map.work, map.values.get("key 7"), map.values.has("new")], [2, 7, false]);
  });

  it("returns the same version while nothing changes", () => {
    const map = new VersionedMap();
    const first = map.versions.take();
    assert.equal(map.versions.take(), first);
    map.set("key", 1);
    assert.notEqual(map.versions.take(), first);
  });
});
