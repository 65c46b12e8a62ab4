import { isMap, type Values } from '#base/values';
import { checkValues } from '#kubernetes/schemas/schema';
import { CONTROL_PLANE } from '#linkerd/releases/groups/control-plane';
import { releaseOf } from '#linkerd/releases/release';
import { controlPlaneChart } from '#linkerd/renderers/linkerd-control-plane/chart';

const { templates } = CONTROL_PLANE['stable-2.14.10'];
const { pinned } = controlPlaneChart(releaseOf('stable-2.14.10'));

test('the templates of stable-2.14.10 have built-in values only for keys that its chart lacks', () => {
  const known = paths(templates.builtIn).filter((path) => checkValues(pinned, nullAt(path)).length === 0);
  // The schema of the chart has cores among the resources of single proxies, and its templates ignore them.
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
