import { type Check, has, object, REFUSES } from './check';

/** Exactly one of some fields, of which each says where something comes from or what is done. */
export function exactlyOne(names: readonly string[], what: string): Check {
  return object((value, findings) => {
    const set = names.filter((name) => has(value, name));
    if (set.length === 1) return;
    findings.refuseWhole({
      code: 'not-exactly-one',
      says: set.length === 0 ? `has none of ${names.join(', ')}` : `has ${set.join(' and ')}`,
      why: `${REFUSES}: ${what}`,
      fix: set.length === 0 ? 'add one of them' : 'keep one of them',
    });
  });
}

/** At most one of some fields. */
export function atMostOne(names: readonly string[], what: string): Check {
  const check = exactlyOne(names, what);
  const known = new Set(names);
  return object((value, findings) => {
    let count = 0;
    for (const key of Object.keys(value)) if (known.has(key) && has(value, key)) count += 1;
    if (count > 1) check(value, findings);
  });
}
