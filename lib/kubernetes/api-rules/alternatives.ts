import { type Check, forbidden, has, object, required } from './check';

/** Exactly one of some fields, of which each says where something comes from or what is done. */
export function exactlyOne(names: readonly string[], rule: string): Check {
  return object((value, findings) => {
    const set = names.filter((name) => has(value, name));
    const [first, second] = set;
    if (first === undefined) findings.refuseWhole(required(eitherOf(names), rule, 'add one of them'));
    else if (second !== undefined) {
      findings.refuseWhole(forbidden(`${first} is set, and ${rule}`, 'keep one of them'), second);
    }
  });
}

function eitherOf(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** At most one of some fields. */
export function atMostOne(names: readonly string[], rule: string): Check {
  const check = exactlyOne(names, rule);
  const known = new Set(names);
  return object((value, findings) => {
    let count = 0;
    for (const key of Object.keys(value)) if (known.has(key) && has(value, key)) count += 1;
    if (count > 1) check(value, findings);
  });
}
