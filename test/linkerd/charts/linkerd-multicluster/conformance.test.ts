import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeValues, type Values } from '../../../../lib/kubernetes/values';
import { fingerprintOfAll, type MixedVariant } from '../../../../tools/conformance/mixed';
import { chartConformance } from '../../../support/chart-conformance';
import { chart } from './fixture';

describe('the multi-cluster extension of edge-26.8.3 is what its chart renders', () => {
  const { variants, refused, differences } = chartConformance(chart());

  test('for more than a hundred variants of values, of which the chart refuses what it cannot look into', () => {
    expect(variants).toHaveLength(118);
    expect(refused).toEqual([
      '+controllers without a name',
      'controllerDefaults null',
      'gateway.probe null',
      'localServiceMirror.image null',
    ]);
  });

  test.each(variants)('$name', (variant) => expect(differences(variant)).toEqual([]));
});

describe('with many values at once, some of them null or empty', () => {
  const file = join(__dirname, '../../../conformance/linkerd-multicluster-edge-26.8.3-mixed.jsonl');
  const [first = '{}', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const { baseValues } = JSON.parse(first) as { baseValues: Values };
  const { defaults, native, namespace } = chart();
  const results = lines.map((line) => {
    const { name, values, objects } = JSON.parse(line) as MixedVariant;
    const all = mergeValues(mergeValues(defaults, baseValues), values);
    const isRefused = native.check(all).length > 0;
    const ours = isRefused ? undefined : fingerprintOfAll(native.render(all, { namespace }));
    return { name, theirs: objects, ours };
  });

  test('it renders what the chart renders', () => {
    expect(results).toHaveLength(160);
    const different = results.filter(({ theirs, ours }) => theirs && ours && theirs !== ours);
    expect(different.map(({ name }) => name)).toEqual([]);
  });

  test('it renders nothing that the chart refuses', () => {
    const refused = results.filter(({ theirs }) => theirs === undefined);
    expect(refused.length).toBeGreaterThan(5);
    expect(refused.filter(({ ours }) => ours !== undefined)).toEqual([]);
  });

  test('it refuses values that are null or empty, and no others', () => {
    const refused = results.filter(({ theirs, ours }) => theirs !== undefined && ours === undefined);
    expect(refused.filter(({ name }) => !name.startsWith('wild-'))).toEqual([]);
    expect(refused.length).toBeLessThan(25);
  });
});
