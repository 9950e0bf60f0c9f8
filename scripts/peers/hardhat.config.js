import { defineConfig } from "hardhat/config";

const balance = `${10n ** 22n}`;
const accounts = (process.env.BENCH_KEYS ?? "").split(",").map((privateKey) => ({ privateKey, balance }));

export default defineConfig({ networks: { node: { type: "edr-simulated", accounts } } });
