import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkValues } from '../../../../lib/kubernetes/schemas/schema';
import { isMap, mergeValues, type Values } from '../../../../lib/kubernetes/values';
import { controlPlaneChart } from '../../../../lib/linkerd/charts/linkerd-control-plane/chart';
import { chartDefaults } from '../../../../lib/linkerd/releases/chart-defaults';
import { CONTROL_PLANE } from '../../../../lib/linkerd/releases/groups/control-plane';
import { releaseOf } from '../../../../lib/linkerd/releases/release';
import { fingerprintOfAll, type MixedVariant } from '../../../../tools/conformance/mixed';
import { chartConformance } from '../../../support/chart-conformance';
import { controlPlaneOf } from './fixture';

const { templates } = CONTROL_PLANE['stable-2.14.10'];
const chart = { ...controlPlaneChart(releaseOf('stable-2.14.10')), native: controlPlaneOf(templates) };

describe('the control plane of stable-2.14.10 is what its chart renders', () => {
  const { variants, refused, differences } = chartConformance(chart);

  test('for nearly two hundred variants of values, of which the chart refuses three', () => {
    expect(variants).toHaveLength(188);
    expect(refused).toEqual(['scenario:inject-both', 'scenario:inject-and-bundle', 'scenario:external-without-ca']);
  });

  test.each(variants)('$name', (variant) => expect(differences(variant)).toEqual([]));
});

describe('with many values at once', () => {
  const file = join(__dirname, '../../../conformance/linkerd-control-plane-stable-2.14.10-mixed.jsonl');
  const [first = '{}', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const { baseValues } = JSON.parse(first) as { baseValues: Values };
  const defaults = mergeValues(chartDefaults(chart.pinned), baseValues);
  const results = lines.map((line) => {
    const { name, values, objects } = JSON.parse(line) as MixedVariant;
    const all = mergeValues(defaults, values);
    const refused = chart.native.check(all).length > 0;
    const rendered = refused ? undefined : fingerprintOfAll(chart.native.render(all, { namespace: 'linkerd' }));
    return { name, objects, rendered };
  });

  test('it is so, too, and what the chart refuses is refused', () => {
    expect(results).toHaveLength(96);
    expect(results.filter(({ objects, rendered }) => objects !== rendered).map(({ name }) => name)).toEqual([]);
    expect(results.filter(({ objects }) => objects === undefined).length).toBeGreaterThan(5);
  });
});

test('nothing is built in that the chart has a value for', () => {
  const known = paths(templates.builtIn).filter((path) => checkValues(chart.pinned, nullAt(path)).length === 0);
  // It takes cores among the resources of single proxies, and does nothing with them.
  const single = ['destinationProxyResources', 'identityProxyResources', 'proxyInjectorProxyResources'];
  expect(known).toEqual(single.map((key) => `${key}.cores`));
});

function paths(values: Values, prefix = ''): readonly string[] {
  return Object.entries(values).flatMap(([key, value]) =>
    isMap(value) ? paths(value, `${prefix}${key}.`) : [`${prefix}${key}`],
  );
}

const nullAt = (path: string): Values =>
  path.split('.').reduceRight<Values | null>((inside, key) => ({ [key]: inside }), null) ?? {};
