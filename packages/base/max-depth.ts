/**
 * Maximum nesting of what is read and written: manifests have about twenty levels, CustomResourceDefinitions about sixty.
 * Readers and writers recurse, and a level takes them up to a kilobyte of a stack of 984. Some releases of Node.js abort
 * if a regular expression is compiled near its end, so that nothing may come close to it.
 */
export const MAX_DEPTH = 200;
