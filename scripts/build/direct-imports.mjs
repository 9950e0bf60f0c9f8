import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path/posix";

const IMPORT = /\b(import|export) (type )?\{([^}]*)\} from "@finality\/([\w-]+)\/([\w-]+)";/g;
const EXPORT = /\bexport (?:type )?\{([^}]*)\} from "(\.[^"]+)";/g;

/**
 * Replaces an import from an entry point of a package with imports from the modules that declare the names.
 *
 * esbuild puts a module into every part of a bundle that can reach it, whatever names the part uses. Through an entry
 * point each part would reach the whole package, and the extension would load all of it when it starts.
 *
 * @param {string} root
 * @returns {import("esbuild").Plugin}
 */
export const directImports = (root) => ({
  name: "direct-imports",
  setup(build) {
    /** @type {Map<string, Map<string, string>>} */
    const entries = new Map();
    const modulesOf = (/** @type {string} */ entry) => {
      const known = entries.get(entry) ?? namesOf(entry);
      entries.set(entry, known);
      return known;
    };
    // Not through the link in node_modules: the modules of a package import each other by path.
    build.onResolve({ filter: /^@finality\// }, ({ path }) => {
      const [, name = "", entry = ""] = path.split("/");
      const { exports } = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
      const target = exports[entry === "" ? "." : `./${entry}`];
      return { path: join(root, "packages", name, target.default ?? target) };
    });
    build.onLoad({ filter: /[/\\](?:src|packages)[/\\].*\.ts$/ }, ({ path }) => {
      if (!path.startsWith(root) || path.includes("node_modules")) return undefined;
      const contents = readFileSync(path, "utf8").replace(IMPORT, (...match) => {
        const [statement, verb, type = "", names, name, entry] = match;
        const modules = modulesOf(join(root, "packages", name, "src", `${entry}.ts`));
        return modules.size === 0 ? statement : directly(modules, `${verb} ${type}`, names.split(","), dirname(path));
      });
      // esbuild knows its own `require`, and puts the module that it names into the bundle.
      const bundled = contents.replace(/^const require = createRequire\(import\.meta\.url\);$/m, "");
      return { contents: inAscii(bundled), loader: "ts" };
    });
  },
});

/**
 * Escapes other characters, which esbuild leaves in tagged templates. V8 needs two bytes for each character of a file
 * that has one of them.
 *
 * @param {string} text
 */
const inAscii = (text) =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/**
 * @param {ReadonlyMap<string, string>} modules - the module that declares each name
 * @param {string} verb
 * @param {readonly string[]} names - with `type` before and `as` behind
 * @param {string} folder - of the importing module. Absolute paths would change the minified names.
 */
function directly(modules, verb, names, folder) {
  return names
    .filter((name) => name.trim() !== "")
    .map((name) => {
      // An import of `{ type Name }` would load the module.
      const type = name.trim().startsWith("type ") && !verb.endsWith("type ") ? "type " : "";
      const plain = name.trim().replace(/^type /, "");
      return `${verb}${type}{${plain}} from "./${relative(folder, modules.get(declared(name)) ?? "")}";`;
    })
    .join("");
}

/**
 * The names that an entry point exports, and the module of each. Empty for a module that is its own entry point.
 *
 * @param {string} entry
 * @returns {Map<string, string>}
 */
function namesOf(entry) {
  try {
    const exported = [...readFileSync(entry, "utf8").matchAll(EXPORT)];
    return new Map(
      exported.flatMap(([, names = "", module = ""]) =>
        names.split(",").map((name) => /** @type {const} */ ([declared(name), join(dirname(entry), module)])),
      ),
    );
  } catch {
    return new Map();
  }
}

/** The name without `type` and without another name for it. @param {string} text */
const declared = (text) =>
  text
    .trim()
    .replace(/^type /, "")
    .replace(/ as .*$/, "");
