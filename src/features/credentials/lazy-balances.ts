/** What is needed when somebody looks at accounts first. */
export { Balances } from "./balances.ts";
export { detailRows } from "./detail-rows.view.ts";
