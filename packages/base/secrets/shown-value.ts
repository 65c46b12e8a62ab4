import { isObject } from '../is-object';
import { memberAt } from '../json-pointer';
import { showValue } from '../value-path';
import { isSecret, isSecretFlag } from './secret-names';
import { secretReplacer } from './secret-walk';

const HIDDEN = '<hidden>';

/** The words in messages in place of a secret. */
export const HIDDEN_VALUE = 'a value that is hidden here';

/**
 * Returns a function that formats the value at a place in data for messages, shortened and without secrets. A value may
 * also be secret by the name of its field, or of its item: `{ name: PASSWORD, value: 1234 }`.
 */
export function shownIn(data: unknown): (path: readonly string[]) => string {
  let safe: unknown;
  return (path) => {
    safe ??= secretReplacer(() => HIDDEN)(data);
    // Values below a secret are secret, too.
    const shown = path.reduce((holder, key, index) => {
      if (holder === HIDDEN) return holder;
      return index === path.length - 1 ? safeMember(holder, key) : memberAt(holder, key);
    }, safe);
    return shown === HIDDEN ? HIDDEN_VALUE : showValue(withoutNamed(shown));
  };
}

/** Hides maps and lists whose names mark them as secret. */
function withoutNamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((_, index) => withoutNamed(safeMember(value, `${index}`)));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.keys(value).map((key) => [key, withoutNamed(safeMember(value, key))]));
}

function safeMember(holder: unknown, key: string): unknown {
  const value = memberAt(holder, key);
  if (typeof value !== 'object' || value === null) return value;
  const isHidden = Array.isArray(holder) ? isSecretFlag(holder[Number(key) - 1], 'any 1') : isSecret(key, 'any 1');
  return isHidden ? HIDDEN : value;
}
