/**
 * Ends of names whose values are secrets, as part of a pattern that ignores case. Nobody calls anything else by the short
 * ones, if no letter stands before them.
 */
export const SECRET_NAMES =
  '(?:password|passwd|passphrase|(?<![a-z])(?:pass|pwd)|(?<!ServiceAccount)token|api[-_]?key|access[-_]?key|secret[-_]?key|client[-_]?secret|private[-_]?key|keyPEM|credentials)';
