/**
 * Maximum nesting of data that is read and written: manifests have about 20 levels, CustomResourceDefinitions about 60.
 * Readers and writers recurse, and use up to 1 KB of stack for each level; the stack of Node.js has 984 KB. Some
 * releases of Node.js abort if a regular expression is compiled near the end of the stack.
 */
export const MAX_DEPTH = 200;
