import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkKeyId } from "../../packages/client/src/gateway/access/connection-authentication.ts";
import { createAccessTokens, generateJwtKey, parseJwtKey } from "../../packages/client/src/gateway/access/jwt.ts";
import { BROADCAST, endpoints } from "../../packages/client/src/gateway/http/endpoints.ts";
import { createHttpGateway } from "../../packages/client/src/gateway/http/http-gateway.ts";
import { bindToOrigins } from "../../packages/client/src/gateway/network.ts";
import type { JsonObject } from "../../packages/tron/src/primitives/json.ts";
import { commandIds } from "../../src/host/contributions.ts";
import { ChainBench } from "../support/chain/chain-bench.ts";
import { FakeClock } from "../support/fakes/fake-clock.ts";
import { profileAt } from "../support/fakes/gateway-fixtures.ts";

const root = join(import.meta.dirname, "..", "..");
const AUDIENCE = "chain.test";

function publicKeyPem(): string {
  return generateKeyPairSync("rsa", { modulusLength: 2048 })
    .publicKey.export({ type: "spki", format: "pem" })
    .toString();
}

describe("key records of the embedded chain", () => {
  let bench: ChainBench;

  beforeEach(async () => {
    bench = await ChainBench.start();
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  const create = (body: JsonObject) => bench.ask("/local/keys", body);

  it("S89 S10 have an id and a fingerprint from the service, and tokens name the id", async () => {
    const key = await generateJwtKey();
    const first = await create({ name: "laptop", publicKey: key.publicKeyPem });
    const second = await create({ name: "desktop", publicKey: publicKeyPem() });
    assert.deepEqual(Object.keys(first).sort(), ["fingerprint", "id", "name"]);
    assert.equal(first.name, "laptop");
    assert.ok(first.id !== second.id && first.fingerprint !== second.fingerprint && first.id !== first.fingerprint);

    await bench.ask("/local/access", { jwt: { audience: AUDIENCE } });
    const answered = async (keyId: unknown) => {
      const profile = profileAt(bench.chain.baseUrl, { jwt: true, keyId: String(keyId), audience: AUDIENCE });
      const tokens = createAccessTokens(new FakeClock(Date.now()));
      const accessToken = () => tokens.token(profile, key.privateKeyPem);
      const gateway = createHttpGateway(profile, {
        clock: bench.clock,
        accessToken: bindToOrigins(profile, accessToken),
      });
      const probe = gateway.probe().then(
        () => true,
        () => false,
      );
      return probe.finally(() => gateway.close());
    };
    assert.deepEqual([await answered(first.id), await answered(second.id)], [true, false]);
    assert.equal(await answered(first.fingerprint), false);
  });
});

describe("account of a hosted service", () => {
  const paths = [BROADCAST, ...Object.values(endpoints)].map(({ path }) => path);
  const commands = Object.values(commandIds).flat();
  const texts = JSON.parse(readFileSync(join(root, "package.nls.json"), "utf8")) as Readonly<Record<string, string>>;
  const titles = Object.entries(texts).flatMap(([key, text]) => (key.startsWith("command.") ? [text] : []));

  it("S65 S96 is not accessed by the client, which requests paths of the chain only", () => {
    assert.ok(paths.length > 10);
    for (const path of paths) assert.match(path, /^\/(?:(?:wallet|walletsolidity)\/[a-zA-Z]+\d?|jsonrpc)$/);
  });

  it("S65 keeps its key records: no command deletes them, and the message explains it", () => {
    const removal = readFileSync(join(root, "src/features/jwt-keys/jwt-keys.ts"), "utf8");

    assert.deepEqual(
      commands.filter((id) => /record|(delete|revoke|disable).*jwt/i.test(id)),
      [],
    );
    assert.match(removal, /Its private key is deleted\. Its record in the account remains: remove it there too\./);
    assert.doesNotMatch(paths.join(" "), /key|record|jwt/i);
  });

  it("S96 is not changed by commands, which only store the API key that the user enters", () => {
    assert.ok(titles.includes("Set API Key…") && titles.length === commands.length);
    const pretending = titles.filter((title) =>
      /\b(create|generate|get|obtain|request|order|renew)\b.*\bapi key\b|\b(enable|disable|switch|turn|toggle)\b.*\b(jwt|api key|token)/i.test(
        title,
      ),
    );

    assert.deepEqual(pretending, []);
  });

  it("S10 has fingerprints that the client neither computes nor compares", async () => {
    const { privateKeyPem, publicKeyPem: _, ...rest } = await generateJwtKey();
    assert.deepEqual(Object.keys(rest), ["bits"]);
    assert.deepEqual(Object.keys(parseJwtKey(privateKeyPem)).sort(), ["bits", "privateKeyPem", "publicKeyPem"]);

    const fingerprint = "c0ffee".repeat(11).slice(0, 64);
    const { status, sentence } = checkKeyId(profileAt("https://chain.test", { jwt: true, keyId: fingerprint }));
    assert.deepEqual([status, sentence.includes(fingerprint)], ["ok", true]);
  });
});

describe("execution time limit", () => {
  it("S152 comes from the chain's parameters only", async () => {
    await using bench = await ChainBench.start({ parameters: { getMaxCpuTimeOfOneTx: 137 } });

    assert.equal((await bench.gateway.chainParameters()).get("getMaxCpuTimeOfOneTx"), 137n);
    assert.deepEqual(
      clientSources().filter((text) => /cpu.?time\w*["')\]]*\s*[:=,]\s*\d/i.test(text)),
      [],
    );
  });
});

/** Returns all sources except the embedded chain. */
function clientSources(): readonly string[] {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const own = files.filter((file) => file.endsWith(".ts") && !file.startsWith("local-chain"));
  assert.ok(own.length > 100);
  return own.map((file) => readFileSync(join(root, "src", file), "utf8"));
}
