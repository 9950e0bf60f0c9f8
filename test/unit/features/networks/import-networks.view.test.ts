import assert from "node:assert/strict";
import {
  foundItems,
  importedText,
  keysQuestion,
  profileFields,
} from "../../../../src/features/networks/import-networks.view.ts";

describe("profileFields", () => {
  it("uses the preset of the host", () => {
    const fields = profileFields({ name: "main", url: "https://api.trongrid.io/jsonrpc" }, []);

    assert.deepEqual(
      [fields.name, fields.baseUrl, fields.production, fields.apiKeyHeader, fields.explorerUrl],
      ["main", "https://api.trongrid.io", true, "TRON-PRO-API-KEY", "https://tronscan.org"],
    );
    assert.equal(profileFields({ name: "main", url: "https://nile.trongrid.io" }, []).production, false);
  });

  it("A2: marks real money unless it is on this computer or a public test network", () => {
    const production = (name: string, url: string, solidityUrl?: string) =>
      profileFields({ name, url, ...(solidityUrl === undefined ? {} : { solidityUrl }) }, []).production;

    for (const name of ["main", "contest", "my-testnet", "dev_1", "nile", "shasta", "local"]) {
      for (const url of ["https://node.example.org", "https://api.trongrid.io", "https://api.trongrid.io."]) {
        assert.equal(production(name, url), true, `${name} ${url}`);
      }
    }
    assert.equal(production("nile", "https://nile.trongrid.io", "https://api.trongrid.io"), true);
    assert.equal(production("main", "https://nile.trongrid.io"), false);
    assert.equal(production("main", "http://127.0.0.1:9090"), false);
    assert.equal(production("main", "http://127.example.org"), true);
    assert.equal(profileFields({ name: "Nile", url: "https://a.test" }, ["nile"]).name, "Nile 2");
  });

  it("foundItems deselects known URLs, and escapes names", () => {
    const items = foundItems(
      [
        { name: "nile", url: "https://nile.trongrid.io/" },
        { name: "evil\u202E\n[x](command:y)", url: "https://b.test" },
      ],
      [{ name: "Mine", baseUrl: "https://nile.trongrid.io" }],
    );

    assert.deepEqual(
      items.map(({ picked, description }) => [picked, description]),
      [
        [false, "already added as Mine"],
        [true, "counts as real money"],
      ],
    );
    assert.doesNotMatch(items[1]?.label ?? "", /\u202E|\n/);
  });
});

describe("import texts", () => {
  it("importedText names added, refused and unknown networks, and keysQuestion only the number of keys", () => {
    assert.equal(
      importedText(["nile"], [{ name: "main", reason: "http is not encrypted: use https" }], ["dev"]),
      "Added: nile. Not main: http is not encrypted: use https. Unknown, because the file computes it: dev.",
    );
    assert.equal(importedText([], [], []), "No network was added.");
    assert.equal(keysQuestion("tronbox.js", 1).title, "tronbox.js contains 1 private key. Import it as an account?");
    assert.equal(keysQuestion(".env", 3).title, ".env contains 3 private keys. Import them as accounts?");
  });
});
