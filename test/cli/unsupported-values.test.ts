import type { Values } from '#base/values';
import { renderChart } from '#lib/cli/render-chart';

const CERTIFICATES: Values = {
  identity: { externalCA: true, issuer: { scheme: 'kubernetes.io/tls' } },
  proxyInjector: { externalSecret: true, injectCaFrom: 'a/b' },
  profileValidator: { externalSecret: true, injectCaFrom: 'a/b' },
  policyValidator: { externalSecret: true, injectCaFrom: 'a/b' },
};
const render = (values: Values, release: Parameters<typeof renderChart>[0]['release']) =>
  renderChart({ chart: 'linkerd-control-plane', release, values: { ...CERTIFICATES, ...values } });

test('renderChart ignores values that only other releases support, with a warning', () => {
  const values = {
    egress: { globalEgressNetworkNamespace: 'egress' },
    podMonitor: { proxy: { honorTimestamps: true } },
  };
  const rendered = render(values, 'stable-2.14.10');
  expect('warnings' in rendered && rendered.warnings).toMatchObject(
    ['values.egress', 'values.podMonitor.proxy.honorTimestamps'].map((path) => ({
      code: 'value-ignored',
      cause: 'release',
      about: path,
      parameters: { path, release: 'stable-2.14.10', known: 'edge-26.8.3' },
    })),
  );
  const plain = render({}, 'stable-2.14.10');
  const withoutConfig = (result: typeof plain) =>
    'objects' in result &&
    JSON.stringify(result.objects.filter(({ kind }) => kind !== 'ConfigMap')).replace(/"checksum[^,}]*/g, '');
  expect(withoutConfig(rendered)).toBe(withoutConfig(plain));
});

test('renderChart ignores a value of an earlier release, with a warning', () => {
  const rendered = render({ proxyInit: { image: { version: 'v2.4.3' } } }, undefined);
  const cause = 'removed';
  expect('warnings' in rendered && rendered.warnings).toMatchObject([{ cause, about: 'values.proxyInit.image' }]);
  const older = render({ proxyInit: { image: { version: 'v2.4.3' } } }, 'stable-2.14.10');
  expect('warnings' in older && older.warnings).toEqual([]);
});

test('renderChart refuses values that no release reads, and reports all other problems', () => {
  const rendered = render({ egress: {}, egres: {}, controllerReplicas: 'three' }, 'stable-2.14.10');
  expect('problems' in rendered && rendered.problems.map(({ about }) => about).sort()).toEqual([
    'values.controllerReplicas',
    'values.egres',
  ]);
});

test('renderChart gives no warning for values that the release supports', () => {
  expect(render({ egress: {} }, 'edge-26.8.3')).toMatchObject({ warnings: [] });
});
