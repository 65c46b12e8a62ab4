const DECIMAL = /^[1-9]\d*$/;

/**
 * Whether a version of an object is later than another of the same object. The API server's versions are growing
 * decimal numbers (KEP-5504); for other versions, the one received later counts as later.
 */
export function isLaterVersion(version: string | undefined, than: string | undefined): boolean {
  if (version === undefined || than === undefined) return true;
  if (!DECIMAL.test(version) || !DECIMAL.test(than)) return version !== than;
  return version.length === than.length ? version > than : version.length > than.length;
}

/** Whether a version is certainly later than another; false unless both are numbers. */
export function isKnownLater(version: string | undefined, than: string | undefined): boolean {
  if (version === undefined || than === undefined || !DECIMAL.test(version) || !DECIMAL.test(than)) return false;
  return isLaterVersion(version, than);
}
