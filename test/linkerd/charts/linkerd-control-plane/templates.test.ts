import type { PodSpec } from '../../../../imports/kubernetes';
import type { Values } from '../../../../lib/kubernetes/values';
import type { ControlPlaneTemplates } from '../../../../lib/linkerd/releases/groups/control-plane';
import { chartValues, controlPlaneOf, NEWEST, podIn } from './fixture';

const pod = (values: Values, templates: Partial<ControlPlaneTemplates>): PodSpec =>
  podIn(
    controlPlaneOf({ ...NEWEST, ...templates }).render(chartValues(values), { namespace: 'linkerd' }),
    'destination',
  ).spec ?? { containers: [] };
const proxyOf = (spec: PodSpec) =>
  [...spec.containers, ...(spec.initContainers ?? [])].find(({ name }) => name === 'linkerd-proxy');
const problems = (values: Values, templates: Partial<ControlPlaneTemplates>) =>
  controlPlaneOf({ ...NEWEST, ...templates })
    .check(chartValues(values))
    .map(({ about, what }) => about ?? what);

const TRACING: Values = {
  clusterDomain: 'k8s.corp',
  identityTrustDomain: 'trust.corp',
  proxy: {
    tracing: {
      enabled: true,
      collector: { endpoint: 'a.b:4317', meshIdentity: { serviceAccountName: 'a', namespace: 'b' } },
    },
  },
};

describe('initImage', () => {
  const init = (values: Values, initImage: ControlPlaneTemplates['initImage']) =>
    pod(
      { proxyInit: { image: { name: 'registry/init', version: 'v2.4.3', pullPolicy: '' } }, ...values },
      { initImage },
    ).initContainers?.find(({ name }) => name === 'linkerd-init');

  test('own: an image of its own', () => {
    expect(init({}, 'own')).toMatchObject({ image: 'registry/init:v2.4.3', imagePullPolicy: 'IfNotPresent' });
    expect(init({}, 'own')).not.toHaveProperty('command');
  });

  test('proxy: a program of the image of the proxy', () => {
    expect(init({}, 'proxy')).toMatchObject({
      image: 'cr.l5d.io/linkerd/proxy:edge-26.8.3',
      command: ['/usr/lib/linkerd/linkerd2-proxy-init'],
    });
  });

  test('an image of its own must have a version, unless the CNI plugin takes its place', () => {
    const values = { proxyInit: { image: { name: 'a', version: '' } } };
    expect(problems(values, { initImage: 'own' })).toEqual(['values.proxyInit.image.version']);
    expect(problems({ ...values, cniEnabled: true }, { initImage: 'own' })).toEqual([]);
    expect(problems({ proxyInit: { image: null } }, { initImage: 'own' })).toEqual(['values.proxyInit.image']);
    expect(problems(values, { initImage: 'proxy' })).toEqual([]);
  });
});

test.each([true, false])('podInfo %s: proxies that trace know the labels of their pods, or not', (podInfo) => {
  const spec = pod(TRACING, { podInfo });
  expect(spec.volumes?.some(({ name }) => name === 'linkerd-podinfo')).toBe(podInfo);
  expect(proxyOf(spec)?.volumeMounts?.some(({ name }) => name === 'linkerd-podinfo')).toBe(podInfo);
});

test.each([
  ['clusterDomain', 'k8s.corp'],
  ['trustDomain', 'trust.corp'],
] as const)('traceCollectorDomain %s: the collector is known by it', (traceCollectorDomain, domain) => {
  const name = proxyOf(pod(TRACING, { traceCollectorDomain }))?.env?.find(
    (variable) => variable.name === 'LINKERD2_PROXY_TRACE_COLLECTOR_SVC_NAME',
  );
  expect(name?.value).toBe(`a.b.serviceaccount.identity.linkerd.${domain}`);
});

test('nativeSidecarRefusesWait: native sidecars and waiting exclude each other', () => {
  const values = { proxy: { nativeSidecar: true, waitBeforeExitSeconds: 5 } };
  const about = ['values.proxy.waitBeforeExitSeconds'];
  expect(problems(values, { nativeSidecarRefusesWait: true })).toEqual(about);
  expect(problems(values, { nativeSidecarRefusesWait: false })).toEqual([]);
  const ordinary = { proxy: { nativeSidecar: false, waitBeforeExitSeconds: 5 } };
  expect(problems(ordinary, { nativeSidecarRefusesWait: true })).toEqual([]);
});
