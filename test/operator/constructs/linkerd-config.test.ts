import { Duration } from 'cdk8s';
import { LinkerdConfig, type LinkerdConfigProps, LinkerdControlPlane, ReconcilerOperator } from '../../../lib';
import { linkerdConfigCrd } from '../../../operator/api/crd/linkerd-config-crd';
import { addPki } from '../../support/control-plane-fixture';
import { build, buildOperator } from './fixture';

const HERE = 'linkerd-reconciler';

const configure = (props: Partial<LinkerdConfigProps> = {}) =>
  buildOperator({}, {}, (operator, cluster) => {
    new LinkerdConfig(cluster, 'config', { operator, ...props });
  });

test('by default the configuration is kept as it was installed', () => {
  const { objects, problems } = configure();
  expect(problems).toEqual([]);
  expect(objects.get(`${HERE}/linkerdconfig.linkerd`)).toMatchObject({
    apiVersion: 'config.linkerd.io/v1alpha1',
    metadata: { name: 'linkerd' },
    spec: {
      controlPlaneNamespace: 'linkerd',
      configMapName: 'linkerd-config',
      deletionPolicy: 'Retain',
      maxUnavailableWorkloads: 1,
      progressDeadlineSeconds: 600,
    },
  });
});

test('it is of the kind that the CRD defines', () => {
  const { apiVersion, kind, spec, metadata } = configure().objects.get(`${HERE}/linkerdconfig.linkerd`);
  const definition = linkerdConfigCrd().spec;
  expect([apiVersion, kind]).toEqual([`${definition.group}/${definition.versions[0]?.name}`, definition.names.kind]);
  expect(metadata.namespace).toBeUndefined();
  const { properties } = definition.versions[0]?.schema.openAPIV3Schema ?? {};
  expect(Object.keys(properties?.spec?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(spec)));
});

test('props arrive', () => {
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

test('it comes when the webhooks are there that it is checked by', () => {
  const { objects } = configure();
  const wave = (file: string) =>
    Number(objects.get(`${HERE}/${file}`).metadata.annotations['argocd.argoproj.io/sync-wave'] ?? 0);
  const webhooks = ['mutating', 'validating'].map((kind) => wave(`${kind}webhookconfiguration.linkerd-reconciler`));
  expect(wave('linkerdconfig.linkerd')).toBeGreaterThan(Math.max(...webhooks));
});

test('values that the chart does not have are refused, with the one that was meant', () => {
  const values = { proxy: { loglevel: 'debug' } } as object;
  expect(configure({ values }).problems).toEqual([expect.stringMatching(/values\.proxy\.loglevel.*logLevel/s)]);
});

test('values are checked against those of the CNI plugin', () => {
  const { problems } = buildOperator({}, { cni: {} }, (operator, cluster) => {
    new LinkerdConfig(cluster, 'config', { operator, values: { proxy: { uid: 3000 } } });
  });
  expect(problems).toEqual([
    expect.stringContaining("values.proxy.uid is 3000, but the CNI plugin's proxyUID is 2102"),
  ]);
});

test('values of components are let through with a warning', () => {
  const { problems, warnings } = configure({ values: { controllerReplicas: 3 } });
  expect(problems).toEqual([]);
  expect(warnings).toContainEqual(expect.stringContaining('values sets controllerReplicas'));
});

test.each([
  [{ name: 'Not A Name' }, 'name is "Not A Name"'],
  [{ maxUnavailableWorkloads: 0 }, 'maxUnavailableWorkloads is 0'],
  [{ maxUnavailableWorkloads: 1_001 }, 'maxUnavailableWorkloads is 1001'],
  [{ maxUnavailableWorkloads: 1.5 }, 'maxUnavailableWorkloads is 1.5'],
  [{ progressDeadline: Duration.millis(1500) }, 'progressDeadline in seconds is 1.5'],
])('%j is refused', (props, what) => {
  expect(configure(props).problems).toEqual([expect.stringContaining(what)]);
});

test('one without an operator says where to get one, and hides no other problem', () => {
  const { problems } = buildOperator({ replicas: 0 }, {}, (_, cluster) => {
    new LinkerdConfig(cluster, 'config', { operator: undefined as unknown as ReconcilerOperator });
  });
  expect(problems).toEqual([
    expect.stringContaining('replicas is 0'),
    expect.stringContaining('operator is undefined'),
  ]);
});

test('a release whose values it does not know is refused', () => {
  const { problems } = build((cluster) => {
    const controlPlane = new LinkerdControlPlane(cluster, 'linkerd', { ...addPki(cluster), version: 'stable-2.14.10' });
    const operator = new ReconcilerOperator(cluster, 'operator', { controlPlane });
    // @ts-expect-error the compiler refuses it as well
    new LinkerdConfig(cluster, 'config', { operator });
  });
  expect(problems).toEqual([expect.stringContaining('The control plane is of stable-2.14.10')]);
});

test('nulls, which take away what the installation says, are written', () => {
  const values = { proxy: { accessLog: null, logLevel: 'debug' }, podAnnotations: { a: 'b' } };
  const { objects, problems } = configure({ values });
  expect(problems).toEqual([]);
  expect(objects.get(`${HERE}/linkerdconfig.linkerd`).spec.values).toEqual(values);
});
