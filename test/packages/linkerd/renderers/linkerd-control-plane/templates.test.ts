import type { Values } from '#base/values';
import type { PodSpec } from '#imports/kubernetes';
import type { ControlPlaneTemplates } from '#linkerd/releases/groups/control-plane';
import { chartValues, controlPlaneOf, NEWEST, podIn } from './fixture';

// The conformance tests do not cover features of releases between 2.14 and the newest, and the rules about them.

type Templates = Partial<ControlPlaneTemplates>;

const NO_VERSION = { controllerImageVersion: 'v1', proxy: { image: { version: 'v1' } }, linkerdVersion: '' };
const OWN_POLICY = { policyController: { image: { name: 'registry/policy', version: '', pullPolicy: 'Always' } } };
const INIT_WITHOUT_VERSION = { proxyInit: { image: { name: 'a', version: '' } } };
const WITHOUT_SETTINGS = {
  destinationController: null,
  identity: { podAnnotations: null },
  podAnnotations: null,
  controller: null,
  enablePodDisruptionBudget: true,
};
const INIT_RESOURCES = { proxyInit: { resources: { cpu: { limit: '100m' } } } };
const NATIVE_WAIT = { proxy: { nativeSidecar: true, waitBeforeExitSeconds: 5 } };

test.each<[Templates, Values, readonly string[]]>([
  [{ policyImage: 'own' }, { policyController: { image: null } }, ['policyController.image']],
  [{ policyImage: 'own' }, { ...NO_VERSION, ...OWN_POLICY }, ['linkerdVersion']],
  [{}, { ...NO_VERSION, ...OWN_POLICY }, []],
  [{ componentSettings: false }, WITHOUT_SETTINGS, []],
  [{}, WITHOUT_SETTINGS, ['destinationController', 'identity.podAnnotations', 'podAnnotations', 'controller']],
  [{ proxyBounds: false }, { proxy: { metrics: null, livenessProbe: null, readinessProbe: null, logLevel: null } }, []],
  [{ initResources: 'own' }, { cniEnabled: true }, ['proxyInit.resources']],
  [{ initResources: 'own' }, { ...INIT_RESOURCES, proxy: { resources: null } }, []],
  [
    { initResources: 'own' },
    { ...INIT_RESOURCES, proxy: { resources: null }, identityProxyResources: { cpu: { limit: '1' } } },
    ['proxy.resources'],
  ],
  [{ closeWaitNeedsRoot: false }, { proxyInit: { closeWaitTimeoutSecs: 3 } }, []],
  [{}, { proxyInit: { closeWaitTimeoutSecs: 3 } }, ['proxyInit.closeWaitTimeoutSecs']],
  [{ closeWaitNeedsRoot: false }, { proxyInit: { iptablesMode: 'ebpf' } }, ['proxyInit.iptablesMode']],
  [{ egressAndExternalWorkloads: false }, { egress: null }, []],
  [{ initImage: 'own' }, INIT_WITHOUT_VERSION, ['proxyInit.image.version']],
  [{ initImage: 'own' }, { ...INIT_WITHOUT_VERSION, cniEnabled: true }, []],
  [{ initImage: 'own' }, { proxyInit: { image: null } }, ['proxyInit.image']],
  [{ initImage: 'proxy' }, INIT_WITHOUT_VERSION, []],
  [{ nativeSidecarRefusesWait: true }, NATIVE_WAIT, ['proxy.waitBeforeExitSeconds']],
  [{ nativeSidecarRefusesWait: false }, NATIVE_WAIT, []],
  [{ nativeSidecarRefusesWait: true }, { proxy: { nativeSidecar: false, waitBeforeExitSeconds: 5 } }, []],
])('templates with the features %j and the values %j refuse the paths %j', (templates, values, paths) => {
  const problems = controlPlaneOf({ ...NEWEST, ...templates }).check(chartValues(values));
  expect(problems.map(({ about }) => about)).toEqual(paths.map((path) => `values.${path}`));
});

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

/** Returns the pod of the destination controller with tracing, and its proxy. */
function traced(templates: Templates) {
  const objects = controlPlaneOf({ ...NEWEST, ...templates }).render(chartValues(TRACING), { namespace: 'linkerd' });
  const pod: PodSpec = podIn(objects, 'destination').spec ?? { containers: [] };
  const proxy = [...pod.containers, ...(pod.initContainers ?? [])].find(({ name }) => name === 'linkerd-proxy');
  return { pod, proxy };
}

test.each([true, false])('with podInfo %s, tracing proxies mount the labels of their pods or not', (podInfo) => {
  const { pod, proxy } = traced({ podInfo });
  expect(pod.volumes?.some(({ name }) => name === 'linkerd-podinfo')).toBe(podInfo);
  expect(proxy?.volumeMounts?.some(({ name }) => name === 'linkerd-podinfo')).toBe(podInfo);
});

test.each([
  ['clusterDomain', 'k8s.corp'],
  ['trustDomain', 'trust.corp'],
] as const)(
  'the identity of the trace collector has the domain that traceCollectorDomain names: %s',
  (traceCollectorDomain, domain) => {
    const name = traced({ traceCollectorDomain }).proxy?.env?.find(
      (variable) => variable.name === 'LINKERD2_PROXY_TRACE_COLLECTOR_SVC_NAME',
    );
    expect(name?.value).toBe(`a.b.serviceaccount.identity.linkerd.${domain}`);
  },
);
