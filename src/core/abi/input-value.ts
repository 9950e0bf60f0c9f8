/**
 * A value as a person or a source gives it, before anybody knows its ABI type: numbers may be texts, addresses may be
 * names of accounts, and a tuple is a list or an object with the names of its fields.
 */
export type InputValue = bigint | string | boolean | readonly InputValue[] | { readonly [name: string]: InputValue };
