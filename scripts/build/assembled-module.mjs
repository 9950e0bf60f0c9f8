/**
 * Replaces the module that assembles WebAssembly by the bytes, because assembling takes 5 ms of each start of the chain.
 *
 * @type {import("esbuild").Plugin}
 */
export const assembledModule = {
  name: "assembled-module",
  setup(build) {
    build.onLoad({ filter: /[/\\]curve[/\\]field-module\.ts$/ }, async ({ path }) => {
      const { fieldModule } = await import(path);
      const bytes = Buffer.from(fieldModule()).toString("base64");
      return { contents: `export const fieldModule = () => Buffer.from("${bytes}", "base64");`, loader: "js" };
    });
  },
};
