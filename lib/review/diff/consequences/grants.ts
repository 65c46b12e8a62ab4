/** The differences of two lists of grants, each written as a text. */
export interface GrantChanges {
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

/** Compares grants by their texts. */
export function grantChanges(before: readonly string[], after: readonly string[]): GrantChanges {
  const [old, next] = [new Set(before), new Set(after)];
  return {
    gained: [...next].filter((grant) => !old.has(grant)).sort(),
    lost: [...old].filter((grant) => !next.has(grant)).sort(),
  };
}
