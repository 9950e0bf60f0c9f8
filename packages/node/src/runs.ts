export { FileRunStore } from "./runs/file-run-store.ts";
