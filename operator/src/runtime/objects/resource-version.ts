const DECIMAL = /^[1-9]\d*$/;

/**
 * Tells whether a version of an object is later than another of the same object. The API server's versions are decimal
 * numbers that grow (KEP-5504); about anything else nothing is known, and what comes later counts as later.
 */
export function isLaterVersion(version: string | undefined, than: string | undefined): boolean {
  if (version === undefined || than === undefined) return true;
  if (!DECIMAL.test(version) || !DECIMAL.test(than)) return version !== than;
  return version.length === than.length ? version > than : version.length > than.length;
}

/** Tells whether a version is certain to be later than another, which no version is that is not a number. */
export function isKnownLater(version: string | undefined, than: string | undefined): boolean {
  if (version === undefined || than === undefined || !DECIMAL.test(version) || !DECIMAL.test(than)) return false;
  return isLaterVersion(version, than);
}
