import type { Value, Values } from '#base/values';
import { injectorOf } from '#linkerd/injection/injector';
import type { ValueType, ValueTypes } from '#linkerd/injection/value-type';
import { configHash } from '#operator/src/config/values/read-values';
import PATHS from './paths-in-pods.json';

/** Whether the types include one for this path. */
function isTyped(of: ValueTypes, path: string): boolean {
  const [key = '', ...below] = path.split('.');
  return isWithin(Object.hasOwn(of, key) ? of[key] : undefined, below);
}

function isWithin(type: ValueType | undefined, below: readonly string[]): boolean {
  if (type === undefined || below.length === 0) return type !== undefined;
  if (type.is === 'map of') return isWithin(type.each, below.slice(1));
  return type.is === 'anything' || (type.is === 'map' && isTyped(type.of, below.join('.')));
}

function only(path: string, value: Value): Values {
  return path.split('.').reduceRight<Value>((inside, key) => ({ [key]: inside }), value) as Values;
}

// Recorded with the injector of each release: a change of the value in its ConfigMap changed an injected pod.
describe.each(Object.entries(PATHS))('the values that the injector of %s uses in pods', (release, paths) => {
  test('restart workloads after a change', () => {
    const hash = (values: Values) => configHash({ linkerdVersion: release, ...values });
    const passedOver = paths
      .filter((path) => path !== 'linkerdVersion')
      .filter((path) => hash(only(path, 'one')) === hash(only(path, 'other')));
    expect(passedOver).toEqual([]);
  });

  test('have a type for the check of a LinkerdConfig', () => {
    const { types } = injectorOf(release);
    expect(paths.filter((path) => !isTyped(types, path))).toEqual([]);
  });
});
