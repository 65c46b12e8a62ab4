import { Duration } from 'cdk8s';
import {
  type ControlPlaneValues,
  type GivenRelease,
  LinkerdConfig,
  type LinkerdConfigProps,
  LinkerdControlPlane,
  type LinkerdVersion,
  ReconcilerOperator,
  Release,
} from '#lib';
import { addPki } from '../../support/control-plane-fixture';
import { linkerdCharts } from '../../support/linkerd-charts';
import { type Built, build, buildOperator } from './fixture';

const HERE = 'linkerd-reconciler';

const configure = (props: Partial<LinkerdConfigProps> = {}) =>
  buildOperator({}, {}, (operator, cluster) => {
    new LinkerdConfig(cluster, 'config', { operator, ...props });
  });

test('a LinkerdConfig contains its props', () => {
  const { objects, problems } = configure({
    name: 'other',
    values: { proxy: { logLevel: 'debug' }, policyController: { logLevel: 'info' } },
    deletionPolicy: 'Restore',
    maxUnavailableWorkloads: 3,
    progressDeadline: Duration.minutes(20),
  });
  expect(problems).toEqual([]);
  expect(objects.get(`${HERE}/linkerdconfig.other`).spec).toMatchObject({
    values: { proxy: { logLevel: 'debug' }, policyController: { logLevel: 'info' } },
    deletionPolicy: 'Restore',
    maxUnavailableWorkloads: 3,
    progressDeadlineSeconds: 1200,
  });
});

test('a LinkerdConfig refuses unknown values, and suggests known ones', () => {
  const values = { proxy: { loglevel: 'debug' } } as object;
  expect(configure({ values }).problems).toEqual([expect.stringMatching(/values\.proxy\.loglevel.*logLevel/s)]);
});

test('a LinkerdConfig is checked against the values of the CNI plugin', () => {
  const { errors } = buildOperator({}, { cni: {} }, (operator, cluster) => {
    new LinkerdConfig(cluster, 'config', { operator, values: { proxy: { uid: 3000 } } });
  });
  expect(errors).toMatchObject([
    { code: 'cni-mismatch', parameters: { path: 'proxy.uid', here: '3000', key: 'proxyUID', there: '2102' } },
  ]);
});

test.each([
  [{ maxUnavailableWorkloads: 0 }, 'maxUnavailableWorkloads', 0],
  [{ maxUnavailableWorkloads: 1_001 }, 'maxUnavailableWorkloads', 1001],
  [{ maxUnavailableWorkloads: 1.5 }, 'maxUnavailableWorkloads', 1.5],
  [{ progressDeadline: Duration.millis(1500) }, 'progressDeadline in seconds', 1.5],
])('a LinkerdConfig refuses %j', (props, field, value) => {
  expect(configure(props).errors).toMatchObject([{ code: 'operator-setting-refused', parameters: { field, value } }]);
});

test('a LinkerdConfig refuses an invalid name', () => {
  expect(configure({ name: 'Not A Name' }).problems).toEqual([
    expect.stringMatching(/^name is "Not A Name"/),
    expect.stringMatching(/^LinkerdConfig Not A Name: metadata.name is "Not A Name"/),
  ]);
});

test('a LinkerdConfig without an operator is reported together with other problems', () => {
  const { errors } = buildOperator({ replicas: 0 }, {}, (_, cluster) => {
    new LinkerdConfig(cluster, 'config', { operator: undefined as unknown as ReconcilerOperator });
  });
  expect(errors).toMatchObject([
    { code: 'operator-setting-refused', parameters: { replicas: 0 } },
    { code: 'operator-missing' },
  ]);
});

const configureRelease = <V extends LinkerdVersion>(version: GivenRelease<V>, values: ControlPlaneValues<V>) =>
  build((cluster) => {
    const controlPlane = new LinkerdControlPlane<V>(cluster, 'linkerd', { ...addPki(cluster), version });
    const operator = new ReconcilerOperator<V>(cluster, 'operator', { controlPlane });
    new LinkerdConfig(cluster, 'config', { operator, values });
  });

describe('with a control plane of another release than the default,', () => {
  const definitionOf = ({ objects }: Built) =>
    objects.get(`${HERE}/customresourcedefinition.linkerdconfigs.config.linkerd.io`).spec.versions[0].schema
      .openAPIV3Schema.properties.spec.properties.values;

  test.each<LinkerdVersion>(['stable-2.14.10', 'edge-25.10.7', '2.20'])(
    'such as %s, the CRD has the values of that release',
    (version) => {
      const built = configureRelease(version, { proxy: { logLevel: 'debug' } });
      expect(built.problems).toEqual([]);
      const { proxyInit, proxy } = definitionOf(built).properties;
      const isOld = version !== '2.20';
      expect(Object.keys(proxyInit.properties).includes('image')).toBe(isOld);
      expect(Object.keys(proxy.properties).includes('tracing')).toBe(version !== 'stable-2.14.10');
    },
  );

  test('the compiler and synth refuse values that the release lacks', () => {
    // @ts-expect-error 2.14 has no such value
    const { problems } = configureRelease('stable-2.14.10', { proxy: { nativeSidecar: true } });
    expect(problems).toEqual([expect.stringContaining('values.proxy.nativeSidecar')]);
    // @ts-expect-error the init container uses the image of the proxy since edge-25.11.3
    const gone = configureRelease('edge-25.11.3', { proxyInit: { image: { version: 'v2.4.3' } } });
    expect(gone.problems).toEqual([expect.stringContaining('values.proxyInit.image')]);
  });

  test('the values are checked as the injector of that release reads them', () => {
    const values = { proxyInit: { image: { version: 'a"b' } } };
    expect(configureRelease('edge-25.10.7', values).problems).toEqual([
      expect.stringContaining('values.proxyInit.image.version is "a\\"b"'),
    ]);
    expect(configureRelease('stable-2.14.10', { networkValidator: { connectAddr: '' } }).problems).toEqual([
      expect.stringContaining('values.networkValidator.connectAddr is ""'),
    ]);
  });

  test('synth warns of values that only components of that release have', () => {
    const { problems, warnings } = configureRelease('stable-2.14.10', { controlPlaneTracing: true });
    expect(problems).toEqual([]);
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: 'config-values-unused', parameters: { paths: 'controlPlaneTracing' } }),
    );
  });

  test('the CRD for an unknown release has its name and the values of injectorLike', () => {
    const built = configureRelease(
      Release.fromCharts(linkerdCharts({ version: 'edge-25.11.9' }), 'edge-25.11.9', { injectorLike: 'edge-25.10.7' }),
      { proxyInit: { image: { version: 'v2.4.4' } } },
    );
    expect(built.problems).toEqual([]);
    expect(definitionOf(built).description).toContain('(edge-25.11.9)');
    expect(definitionOf(built).properties.proxyInit.properties).toHaveProperty('image');
  });
});

test('a LinkerdConfig keeps nulls, which remove values of the installation', () => {
  const values = { proxy: { accessLog: null, logLevel: 'debug' }, podAnnotations: { a: 'b' } };
  const { objects, problems } = configure({ values });
  expect(problems).toEqual([]);
  expect(objects.get(`${HERE}/linkerdconfig.linkerd`).spec.values).toEqual(values);
});
