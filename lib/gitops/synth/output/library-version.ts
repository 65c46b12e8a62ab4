/** The version of this library, as in its package.json. */
export const LIBRARY_VERSION = '0.1.0';
