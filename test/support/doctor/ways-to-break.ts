import { DAY, HOUR } from '#base/time-units';
import { issueCertificate, type KeyPair } from '../cluster/certificates';
import { customResourceDefinition } from '../cluster/crds';
import { type KubeObject, type Reference, ref } from '../cluster/objects';
import type { BreakableMesh } from './breakable-mesh';

/** A way to break a mesh, and the cause that the doctor must find. */
export interface WayToBreak {
  readonly title: string;
  readonly breakIt: (mesh: BreakableMesh) => Promise<void>;
  readonly code: string;
  /** Parameters of the cause that the test compares. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The codes from the cause to the symptom, in order. */
  readonly chain: readonly string[];
}

const workload = (name: string, namespace: string) => ref('apps/v1', 'Deployment', name, namespace);
const CERT_MANAGER = workload('cert-manager', 'cert-manager');
const IDENTITY = workload('linkerd-identity', 'linkerd');
const INJECTOR = workload('linkerd-proxy-injector', 'linkerd');
const DESTINATION = workload('linkerd-destination', 'linkerd');
const ISSUER = ref('cert-manager.io/v1', 'Certificate', 'linkerd-identity-issuer', 'linkerd');
const ROOTS = ref('v1', 'ConfigMap', 'linkerd-identity-trust-roots', 'linkerd');
const WEBHOOK = ref(
  'admissionregistration.k8s.io/v1',
  'MutatingWebhookConfiguration',
  'linkerd-proxy-injector-webhook-config',
);
const NODES = ['node-a', 'node-b', 'node-c'].map((name) => ref('v1', 'Node', name));
const NONE = { spec: { replicas: 0 } };

const inFuture = (time: number) => new Date(Date.now() + time);
const encoded = (pem: string) => Buffer.from(pem).toString('base64');

/** The key pair of the trust anchor, which the fake cert-manager created. */
async function anchorOf({ cluster }: BreakableMesh): Promise<KeyPair> {
  const { data } = await cluster.get(ref('v1', 'Secret', 'linkerd-trust-anchor', 'cert-manager'));
  const text = (key: string) => Buffer.from(data[key], 'base64').toString();
  return { cert: text('tls.crt'), key: text('tls.key') };
}

interface IssuerLife {
  readonly from?: number;
  readonly to: number;
  readonly signer?: KeyPair;
}

/** Changes the status as if cert-manager's last issuance had resulted in another identity issuer. */
async function reissue(mesh: BreakableMesh, { from = -3 * DAY, to, signer }: IssuerLife): Promise<void> {
  const { cert } = issueCertificate({
    commonName: 'identity.linkerd.cluster.local',
    ca: true,
    issuer: signer ?? (await anchorOf(mesh)),
    notBefore: inFuture(from),
    notAfter: inFuture(to),
  });
  const requests = await mesh.cluster.list('cert-manager.io/v1', 'CertificateRequest', { namespace: 'linkerd' });
  const request = requests.find(
    ({ metadata }) => metadata.annotations?.['cert-manager.io/certificate-name'] === ISSUER.metadata.name,
  ) as KubeObject;
  await mesh.change(
    ref('cert-manager.io/v1', 'CertificateRequest', request.metadata.name ?? '', 'linkerd'),
    { status: { certificate: encoded(cert) } },
    'status',
  );
  const times = { notAfter: inFuture(to).toISOString(), renewalTime: inFuture(to - DAY).toISOString() };
  await mesh.change(ISSUER, { status: times }, 'status');
}

const expire = (mesh: BreakableMesh) => reissue(mesh, { to: -HOUR });

async function closeNodes(mesh: BreakableMesh, patch: object): Promise<void> {
  for (const node of NODES) await mesh.change(node, patch);
}

async function changeCas(mesh: BreakableMesh, caBundle: string): Promise<void> {
  const { webhooks } = await mesh.cluster.get(WEBHOOK);
  const changed = webhooks.map((one: KubeObject) => ({ ...one, clientConfig: { ...one.clientConfig, caBundle } }));
  await mesh.change(WEBHOOK, { webhooks: changed });
}

/** Waits until the API server has refused a pod, which controllers report in the status. */
export async function refused(mesh: BreakableMesh, deployment: Reference): Promise<void> {
  await mesh.cluster.eventually(async () => {
    const { status } = await mesh.cluster.get(deployment);
    expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'ReplicaFailure', status: 'True' }));
  });
}

async function gone(mesh: BreakableMesh, deployment: Reference): Promise<void> {
  await mesh.cluster.eventually(async () => {
    const { status } = await mesh.cluster.get(deployment);
    expect(status.readyReplicas ?? 0).toBe(0);
  });
}

/** Ways to break a mesh: mistakes of administrators, and failures of a cluster. */
export const WAYS_TO_BREAK: readonly WayToBreak[] = [
  {
    title: 'cert-manager is scaled to 0, and the identity issuer has expired',
    breakIt: async (mesh) => {
      await mesh.change(CERT_MANAGER, NONE);
      await expire(mesh);
      await gone(mesh, CERT_MANAGER);
    },
    code: 'workload-scaled-down',
    parameters: { workload: 'Deployment cert-manager/cert-manager', manager: 'test' },
    chain: ['renewals-stopped', 'certificate-expired', 'identity-stopped'],
  },
  {
    title: 'the Deployment of cert-manager is deleted',
    breakIt: (mesh) => mesh.remove(CERT_MANAGER),
    code: 'workload-missing',
    parameters: { workload: 'Deployment cert-manager/cert-manager' },
    chain: ['renewals-stopped'],
  },
  {
    title: 'all nodes are tainted when cert-manager restarts',
    breakIt: async (mesh) => {
      await closeNodes(mesh, { spec: { taints: [{ key: 'maintenance', effect: 'NoSchedule' }] } });
      await mesh.restart('cert-manager', 'cert-manager');
      await gone(mesh, CERT_MANAGER);
    },
    code: 'nodes-closed',
    parameters: { taints: 'maintenance' },
    chain: ['pods-unscheduled', 'workload-unavailable', 'renewals-stopped'],
  },
  {
    title: 'all nodes are cordoned when identity restarts',
    breakIt: async (mesh) => {
      await closeNodes(mesh, { spec: { unschedulable: true } });
      await mesh.restart('linkerd-identity', 'linkerd');
      await gone(mesh, IDENTITY);
    },
    code: 'nodes-closed',
    parameters: { cordoned: 'node-a, node-b, node-c' },
    chain: ['pods-unscheduled', 'workload-unavailable', 'identity-stopped'],
  },
  {
    title: 'a quota of no pods is set when cert-manager restarts',
    breakIt: async (mesh) => {
      await mesh.add({ ...ref('v1', 'ResourceQuota', 'savings', 'cert-manager'), spec: { hard: { pods: '0' } } });
      await mesh.cluster.eventually(async () => {
        const { status } = await mesh.cluster.get(ref('v1', 'ResourceQuota', 'savings', 'cert-manager'));
        expect(status.hard).toEqual({ pods: '0' });
      });
      await mesh.restart('cert-manager', 'cert-manager');
      await refused(mesh, CERT_MANAGER);
    },
    code: 'quota-exhausted',
    parameters: { quota: 'cert-manager/savings', resources: 'pods 0' },
    chain: ['pods-refused', 'workload-unavailable', 'renewals-stopped'],
  },
  {
    title: 'the namespace of the control plane enforces a stricter pod security when identity restarts',
    breakIt: async (mesh) => {
      const namespace = ref('v1', 'Namespace', 'linkerd');
      await mesh.change(namespace, { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } });
      const privileged = [{ op: 'add', path: '/spec/template/spec/hostNetwork', value: true }];
      await mesh.change(IDENTITY, privileged);
      await mesh.restart('linkerd-identity', 'linkerd');
      await refused(mesh, IDENTITY);
    },
    code: 'pod-security-refuses',
    parameters: { namespace: 'linkerd', level: 'restricted' },
    chain: ['pods-refused', 'workload-unavailable', 'identity-stopped'],
  },
  {
    title: 'a finalizer blocks the deletion of a namespace of the mesh',
    breakIt: async (mesh) => {
      const namespace = ref('v1', 'Namespace', 'linkerd-extra');
      const held = workload('held', 'linkerd-extra');
      await mesh.add(namespace);
      await mesh.add({
        ...held,
        metadata: { ...held.metadata, labels: { 'linkerd.io/extension': 'extra' }, finalizers: ['example.com/hold'] },
        spec: {
          replicas: 0,
          selector: { matchLabels: { app: 'held' } },
          template: { metadata: { labels: { app: 'held' } }, spec: { containers: [{ name: 'held', image: 'x:1' }] } },
        },
      });
      await mesh.cluster.delete(namespace);
      await mesh.cluster.eventually(async () => {
        const { status } = await mesh.cluster.get(namespace);
        expect(status.conditions).toContainEqual(
          expect.objectContaining({ type: 'NamespaceFinalizersRemaining', status: 'True' }),
        );
      });
    },
    code: 'namespace-terminating',
    parameters: { namespace: 'linkerd-extra', message: expect.stringContaining('example.com/hold') },
    chain: [],
  },
  {
    title: 'the image of destination cannot be pulled',
    breakIt: async (mesh) => {
      const pods = await mesh.cluster.list('v1', 'Pod', { namespace: 'linkerd' });
      const pod = pods.find(({ metadata }) => metadata.name?.startsWith('linkerd-destination-'));
      const state = { waiting: { reason: 'ImagePullBackOff', message: 'no such tag' } };
      const container = { name: 'destination', ready: false, image: 'x:1', imageID: '', restartCount: 0, state };
      await mesh.change(
        ref('v1', 'Pod', pod?.metadata.name ?? '', 'linkerd'),
        { status: { conditions: [{ type: 'Ready', status: 'False' }], containerStatuses: [container] } },
        'status',
      );
      await gone(mesh, DESTINATION);
    },
    code: 'image-unpullable',
    parameters: { workload: 'Deployment linkerd/linkerd-destination', image: 'x:1', message: 'no such tag' },
    chain: ['workload-unavailable', 'destination-stopped'],
  },
  {
    title: 'the ClusterIssuer is deleted, and the identity issuer has expired',
    breakIt: async (mesh) => {
      await mesh.remove(ref('cert-manager.io/v1', 'ClusterIssuer', 'linkerd-identity-issuer'));
      await expire(mesh);
    },
    code: 'issuer-missing',
    parameters: { issuer: 'ClusterIssuer linkerd-identity-issuer', certificate: 'linkerd/linkerd-identity-issuer' },
    chain: ['certificate-expired', 'identity-stopped'],
  },
  {
    title: 'the ClusterIssuer is not ready, and a renewal is overdue',
    breakIt: async (mesh) => {
      await mesh.change(
        ref('cert-manager.io/v1', 'ClusterIssuer', 'linkerd-identity-issuer'),
        { status: { conditions: [{ type: 'Ready', status: 'False', reason: 'ErrGetKeyPair', message: 'no key' }] } },
        'status',
      );
      await reissue(mesh, { to: 20 * HOUR });
    },
    code: 'issuer-not-ready',
    parameters: { issuer: 'ClusterIssuer linkerd-identity-issuer', message: 'no key' },
    chain: ['certificate-renewal-overdue'],
  },
  {
    title: 'a policy engine denies the request of the identity issuer',
    breakIt: async (mesh) => {
      await mesh.add({
        ...ref('cert-manager.io/v1', 'CertificateRequest', 'linkerd-identity-issuer-9', 'linkerd'),
        metadata: {
          name: 'linkerd-identity-issuer-9',
          namespace: 'linkerd',
          annotations: {
            'cert-manager.io/certificate-name': 'linkerd-identity-issuer',
            'cert-manager.io/certificate-revision': '9',
          },
        },
        spec: { request: encoded('x'), issuerRef: { name: 'linkerd-identity-issuer', kind: 'ClusterIssuer' } },
        status: { conditions: [{ type: 'Denied', status: 'True', reason: 'policy', message: 'not approved' }] },
      });
      await reissue(mesh, { to: 20 * HOUR });
    },
    code: 'request-refused',
    parameters: { certificate: 'linkerd/linkerd-identity-issuer', reason: 'policy', message: 'not approved' },
    chain: ['certificate-renewal-overdue'],
  },
  {
    title: 'the clock of the node of cert-manager is an hour ahead',
    breakIt: (mesh) => reissue(mesh, { from: HOUR, to: 3 * DAY }),
    code: 'certificate-not-valid-yet',
    parameters: { certificate: 'linkerd/linkerd-identity-issuer' },
    chain: ['identity-stopped'],
  },
  {
    title: 'trust-manager is scaled to 0 when another root signs the identity issuer',
    breakIt: async (mesh) => {
      const trustManager = workload('trust-manager', 'cert-manager');
      await mesh.change(trustManager, NONE);
      await reissue(mesh, { to: DAY, signer: issueCertificate({ commonName: 'new root', ca: true }) });
      await gone(mesh, trustManager);
    },
    code: 'workload-scaled-down',
    parameters: { workload: 'Deployment cert-manager/trust-manager' },
    chain: ['issuer-untrusted', 'identity-stopped'],
  },
  {
    title: 'the Secret of the trust anchor loses its label, and the roots are deleted',
    breakIt: async (mesh) => {
      const anchor = ref('v1', 'Secret', 'linkerd-trust-anchor', 'cert-manager');
      await mesh.change(anchor, { metadata: { labels: { 'cdk8s-linkerd/trust-anchor': null } } });
      await mesh.remove(ROOTS);
      const bundle = ref('trust.cert-manager.io/v1alpha1', 'Bundle', 'linkerd-identity-trust-roots');
      await mesh.keep(bundle);
      mesh.trustManager.resume();
      await mesh.cluster.eventually(async () => {
        const { status } = await mesh.cluster.get(bundle);
        expect(status.conditions[0].status).toBe('False');
      });
      await mesh.trustManager.pause();
    },
    code: 'roots-not-synced',
    parameters: { reason: 'SourceNotFound' },
    chain: ['trust-roots-missing', 'identity-stopped'],
  },
  {
    title: 'the last root in the bundle has expired',
    breakIt: async (mesh) => {
      const old = issueCertificate({
        commonName: 'root',
        ca: true,
        notBefore: inFuture(-DAY),
        notAfter: inFuture(-HOUR),
      });
      await mesh.change(ROOTS, { data: { 'ca-bundle.crt': old.cert } });
    },
    code: 'roots-expired',
    parameters: {},
    chain: ['identity-stopped'],
  },
  {
    title: 'the Deployment of the injector is deleted',
    breakIt: async (mesh) => {
      await mesh.remove(INJECTOR);
      await mesh.cluster.eventually(async () => {
        const slices = await mesh.cluster.list('discovery.k8s.io/v1', 'EndpointSlice', { namespace: 'linkerd' });
        const own = slices.filter(({ metadata }) => metadata.name?.startsWith('linkerd-proxy-injector-'));
        expect(own.flatMap(({ endpoints }) => endpoints ?? [])).toEqual([]);
      });
    },
    code: 'workload-missing',
    parameters: { workload: 'Deployment linkerd/linkerd-proxy-injector' },
    chain: ['webhook-unreachable', 'injection-stopped'],
  },
  {
    title: 'the Service of the injector is deleted, and pods of tenants restart',
    breakIt: async (mesh) => {
      await mesh.remove(ref('v1', 'Service', 'linkerd-proxy-injector', 'linkerd'));
      await mesh.cluster.eventually(async () => {
        const slices = await mesh.cluster.list('discovery.k8s.io/v1', 'EndpointSlice', { namespace: 'linkerd' });
        expect(slices.filter(({ metadata }) => metadata.name?.startsWith('linkerd-proxy-injector-'))).toEqual([]);
      });
      await mesh.restart('web', 'shop');
      await refused(mesh, workload('web', 'shop'));
    },
    code: 'webhook-unreachable',
    parameters: {
      webhook: `MutatingWebhookConfiguration ${WEBHOOK.metadata.name}`,
      service: 'linkerd/linkerd-proxy-injector',
    },
    chain: ['injection-stopped', 'pods-refused'],
  },
  {
    title: 'the selector of the injector is changed, so that its Service has no endpoint',
    breakIt: async (mesh) => {
      await mesh.change(ref('v1', 'Service', 'linkerd-proxy-injector', 'linkerd'), {
        spec: { selector: { app: 'x' } },
      });
      await mesh.cluster.eventually(async () => {
        const slices = await mesh.cluster.list('discovery.k8s.io/v1', 'EndpointSlice', { namespace: 'linkerd' });
        const own = slices.filter(({ metadata }) => metadata.name?.startsWith('linkerd-proxy-injector-'));
        expect(own.flatMap(({ endpoints }) => endpoints ?? [])).toEqual([]);
      });
    },
    code: 'webhook-unreachable',
    parameters: { service: 'linkerd/linkerd-proxy-injector', name: 'linkerd-proxy-injector' },
    chain: ['injection-stopped'],
  },
  {
    title: 'the CA of the injector is replaced by an unrelated CA',
    breakIt: async (mesh) => {
      const { cert } = issueCertificate({ commonName: 'webhooks', ca: true });
      await changeCas(mesh, encoded(cert));
    },
    code: 'webhook-ca-wrong',
    parameters: { webhook: `MutatingWebhookConfiguration ${WEBHOOK.metadata.name}` },
    chain: ['injection-stopped'],
  },
  {
    title: 'cainjector is scaled to 0, and an apply has emptied the CA of the injector',
    breakIt: async (mesh) => {
      const cainjector = workload('cert-manager-cainjector', 'cert-manager');
      await mesh.change(cainjector, NONE);
      await changeCas(mesh, '');
      await gone(mesh, cainjector);
    },
    code: 'workload-scaled-down',
    parameters: { workload: 'Deployment cert-manager/cert-manager-cainjector' },
    chain: ['webhook-ca-missing', 'injection-stopped'],
  },
  {
    title: 'the webhook of the injector is deleted, and a policy refuses pods without a proxy',
    breakIt: async (mesh) => {
      await mesh.remove(WEBHOOK);
      await mesh.change(workload('web', 'shop'), [{ op: 'remove', path: '/spec/template/spec/containers/1' }]);
      await refused(mesh, workload('web', 'shop'));
    },
    code: 'webhook-missing',
    parameters: { webhook: `MutatingWebhookConfiguration ${WEBHOOK.metadata.name}` },
    chain: ['injection-stopped', 'policy-refuses-pods', 'pods-refused'],
  },
  {
    title: 'a meshed namespace loses its annotation',
    breakIt: (mesh) =>
      mesh.change(ref('v1', 'Namespace', 'shop'), { metadata: { annotations: { 'linkerd.io/inject': null } } }),
    code: 'namespace-injection-differs',
    parameters: { namespace: 'shop' },
    chain: [],
  },
  {
    title: 'the webhook of another product fails, and refuses pods',
    breakIt: async (mesh) => {
      await mesh.add({
        ...ref('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'other-product'),
        webhooks: [
          {
            name: 'pods.other.example.com',
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
            failurePolicy: 'Fail',
            clientConfig: { service: { namespace: 'other', name: 'other' } },
            rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
          },
        ],
      });
      await mesh.restart('linkerd-destination', 'linkerd');
      await refused(mesh, DESTINATION);
    },
    code: 'webhook-unreachable',
    parameters: { webhook: 'ValidatingWebhookConfiguration other-product', service: 'other/other' },
    chain: ['pods-refused', 'workload-unavailable', 'destination-stopped'],
  },
  {
    title: 'a CustomResourceDefinition of Linkerd is deleted',
    breakIt: async (mesh) => {
      await mesh.remove(customResourceDefinition('policy.linkerd.io', 'Server'));
      await mesh.cluster.eventually(async () => {
        await expect(mesh.cluster.list('policy.linkerd.io/v1beta3', 'Server')).rejects.toThrow();
      });
    },
    code: 'kinds-missing',
    parameters: { kinds: 'servers.policy.linkerd.io' },
    chain: [],
  },
  {
    title: 'no replica of the operator is the leader',
    breakIt: (mesh) =>
      mesh.add({
        ...ref('coordination.k8s.io/v1', 'Lease', 'linkerd-reconciler', 'linkerd-reconciler'),
        spec: {
          holderIdentity: 'linkerd-reconciler-old',
          leaseDurationSeconds: 15,
          renewTime: inFuture(-HOUR).toISOString().replace('Z', '000Z'),
        },
      }),
    code: 'leader-missing',
    parameters: { workload: 'Deployment linkerd-reconciler/linkerd-reconciler', holder: 'linkerd-reconciler-old' },
    chain: [],
  },
  {
    title: 'Argo CD cannot sync the control plane, and the Deployment of destination is gone',
    breakIt: async (mesh) => {
      await mesh.add({
        ...ref('argoproj.io/v1alpha1', 'Application', 'home-linkerd', 'default'),
        spec: { project: 'x', destination: { name: 'home', namespace: 'linkerd' }, source: { repoURL: 'x' } },
        status: {
          sync: { status: 'OutOfSync' },
          operationState: {
            phase: 'Failed',
            message: 'one or more objects failed to apply',
            operation: {},
            startedAt: inFuture(-HOUR).toISOString(),
            finishedAt: inFuture(-HOUR).toISOString(),
          },
        },
      });
      await mesh.remove(DESTINATION);
    },
    code: 'application-sync-failed',
    parameters: { name: 'home-linkerd', message: 'one or more objects failed to apply' },
    chain: ['workload-missing', 'destination-stopped'],
  },
  {
    title: 'the TrustAnchor is overdue',
    breakIt: (mesh) =>
      mesh.add({
        ...ref('config.linkerd.io/v1alpha1', 'TrustAnchor', 'linkerd'),
        spec: {},
        status: {
          conditions: [
            {
              type: 'Degraded',
              status: 'True',
              reason: 'Overdue',
              message: 'it is late',
              lastTransitionTime: inFuture(-HOUR).toISOString(),
            },
          ],
        },
      }),
    code: 'trust-anchor-degraded',
    parameters: { reason: 'Overdue', message: 'it is late' },
    chain: [],
  },
];
