import { checkKnownKind } from '#lib/checks/known-kinds';
import { facts } from '../support/findings';

const problems = (apiVersion: string, kind: string) =>
  checkKnownKind({ apiVersion, kind, metadata: { name: 'a' } }).map(facts);

test.each([
  ['v1', 'configmap', 'v1', 'ConfigMap'],
  ['apps/v1', 'Deploymnet', 'apps/v1', 'Deployment'],
  ['v1', 'Deployment', 'apps/v1', 'Deployment'],
  ['app/v1', 'Deployment', 'apps/v1', 'Deployment'],
  ['batch/v1beta1', 'CronJob', 'batch/v1', 'CronJob'],
  ['cert-manager.io/v1alpha2', 'Certificate', 'cert-manager.io/v1', 'Certificate'],
  ['certmanager.io/v1', 'Certificate', 'cert-manager.io/v1', 'Certificate'],
  ['policy.linkerd.io/v1alpha0', 'Server', 'policy.linkerd.io/v1beta3', 'Server'],
])('checkKnownKind refuses %s %s and proposes %s %s', (apiVersion, kind, meantVersion, meantKind) => {
  expect(problems(apiVersion, kind)).toMatchObject([{ finding: 'kind-unknown/unserved', meantVersion, meantKind }]);
});

test.each([
  ['v1', 'ConfigMap'],
  ['policy.linkerd.io/v1beta1', 'Server'],
  ['autoscaling/v1', 'HorizontalPodAutoscaler'],
  ['gateway.networking.k8s.io/v1alpha2', 'GRPCRoute'],
])('checkKnownKind accepts %s %s, which Kubernetes or a chart serves', (apiVersion, kind) => {
  expect(problems(apiVersion, kind)).toEqual([]);
});

test('checkKnownKind accepts a version that is newer than all known ones', () => {
  expect(problems('cert-manager.io/v2', 'Certificate')).toEqual([]);
});

// Kinds without a schema in `imports/`, whose groups have other kinds in `imports/`.
test.each([
  ['v1', 'Event'],
  ['v1', 'Node'],
  ['v1', 'ReplicationController'],
  ['apps/v1', 'ControllerRevision'],
  ['networking.k8s.io/v1', 'IPAddress'],
  ['networking.k8s.io/v1', 'ServiceCIDR'],
  ['coordination.k8s.io/v1beta1', 'LeaseCandidate'],
  ['gateway.networking.k8s.io/v1alpha2', 'TLSRoute'],
  ['gateway.networking.k8s.io/v1alpha2', 'TCPRoute'],
  ['gateway.networking.k8s.io/v1alpha2', 'UDPRoute'],
  ['gateway.networking.k8s.io/v1', 'Gateway'],
  ['monitoring.coreos.com/v1', 'Prometheus'],
  ['monitoring.coreos.com/v1', 'Probe'],
  ['traefik.io/v1alpha1', 'IngressRouteTCP'],
  ['traefik.io/v1alpha1', 'MiddlewareTCP'],
  ['policy.linkerd.io/v1beta1', 'ServerAuthorization'],
  ['argoproj.io/v1alpha1', 'Rollout'],
])('checkKnownKind does not take %s %s for a typo of another kind', (apiVersion, kind) => {
  expect(problems(apiVersion, kind)).toEqual([]);
});

test.each([
  ['example.com/v1', 'Deployment'],
  ['batch.volcano.sh/v1alpha1', 'Job'],
  ['networking.istio.io/v1', 'Ingress'],
  ['serving.knative.dev/v1', 'Service'],
  ['traefik.containo.us/v1alpha1', 'IngressRoute'],
])('checkKnownKind does not take %s %s for a kind of another group', (apiVersion, kind) => {
  expect(problems(apiVersion, kind)).toEqual([]);
});
