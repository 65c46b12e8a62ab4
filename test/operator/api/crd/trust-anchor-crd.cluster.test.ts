import {
  BRIDGE_DEFAULTS,
  MAX_COMMON_NAME_LENGTH,
  MAX_MEMBERS,
  TRUST_ANCHOR_DEFAULTS,
  type TrustAnchorSpec,
} from '#anchor/trust-anchor';
import { trustAnchorDefinition } from '#lib/constructs/operator/operated-anchor';
import type { CustomResourceDefinition } from '#operator/api/crd/custom-resource-definition';
import { type Cluster, sharedCluster } from '#test/support/cluster/cluster';
import type { KubeObject } from '#test/support/cluster/objects';

const CRD = trustAnchorDefinition() as object as KubeObject & CustomResourceDefinition;
let cluster: Cluster;

beforeAll(async () => {
  cluster = await sharedCluster();
  await cluster.apply(CRD);
});

function anchor(spec: object, name = 'linkerd'): KubeObject {
  return { apiVersion: 'config.linkerd.io/v1alpha1', kind: 'TrustAnchor', metadata: { name }, spec };
}

/** Returns a spec as the API server would store it. */
async function accepted(spec: object): Promise<TrustAnchorSpec> {
  return (await cluster.create(anchor(spec), { dryRun: true })).spec as TrustAnchorSpec;
}

test('a second apply of the CRD of TrustAnchors changes nothing', async () => {
  const [first, second] = [await cluster.apply(CRD), await cluster.apply(CRD)];
  expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
});

test('Argo CD does not prune the CRD of TrustAnchors', () => {
  expect(CRD.metadata.annotations?.['argocd.argoproj.io/sync-options']).toBe('Prune=false,Delete=false');
});

test('kubectl get shows the important columns of TrustAnchors', () => {
  const [version] = CRD.spec.versions;
  expect(version?.additionalPrinterColumns.map(({ name }) => name)).toEqual([
    'Phase',
    'Anchors',
    'Signing',
    'Next Rotation',
    'Laggards',
    'Slack',
    'Exposed',
    'Age',
  ]);
});

test('an empty spec of a TrustAnchor gets the defaults', async () => {
  expect(await accepted({})).toEqual(TRUST_ANCHOR_DEFAULTS);
});

test('nested parts of a TrustAnchor get the defaults', async () => {
  const { laggards } = await accepted({ laggards: { policy: 'Never' } });
  expect(laggards).toEqual({ ...TRUST_ANCHOR_DEFAULTS.laggards, policy: 'Never' });
});

const WINDOW = { start: '02:00', duration: '4h' };

const PEM = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

test('a given signer of a bridge gets the other defaults', async () => {
  expect((await accepted({ bridge: {} })).bridge).toEqual(BRIDGE_DEFAULTS);
});

test.each<[string, object]>([
  ['a bridge by request, and its answer', { bridge: { signedBy: 'Request', certificate: PEM } }],
  ['a bridge by request with ifUnsigned Wait', { bridge: { signedBy: 'Request', ifUnsigned: 'Wait' } }],
  ['RSA 2048', { privateKey: { algorithm: 'RSA', size: 2048 } }],
  ['RSA 4096', { privateKey: { algorithm: 'RSA', size: 4096 } }],
  ['windows on every day and on some days', { windows: [WINDOW, { ...WINDOW, days: ['Sat', 'Sun'], start: '23:59' }] }],
  ['a window of a week', { windows: [{ ...WINDOW, duration: '168h' }] }],
  ['ignored namespaces', { laggards: { ignoredNamespaces: ['tenant'] } }],
  ['members', { cluster: 'a', members: ['b', 'c'] }],
  ['a named cluster without members', { cluster: 'a', members: [] }],
  ['the highest number of members', { cluster: 'a', members: labels(MAX_MEMBERS) }],
  ['the longest common name', { commonName: 'x'.repeat(MAX_COMMON_NAME_LENGTH) }],
  ['a clock skew allowance of zero', { clockSkewAllowance: '0s' }],
  ['fractions and units of durations', { issuanceLifetime: '1.5h30m', propagationDelay: '1m30s500ms' }],
  ['the shortest renewBefore', { renewBefore: '24h6m20s' }],
  ['probes that only report', { probes: 'Report' }],
  ['all requests to the operator together', { paused: true, abort: true, acceptUnseenProxies: true, rotateNow: '1' }],
])('the API server accepts %s', async (_name, spec) => {
  expect(await accepted(spec)).toMatchObject(spec);
});

function labels(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `m${index}`);
}

test.each<[string, object, RegExp]>([
  ['an answer without a request', { bridge: { certificate: PEM } }, /certificate answers a request/],
  [
    'an answer with a private key',
    { bridge: { signedBy: 'Request', certificate: `${PEM}-----BEGIN PRIVATE KEY-----` } },
    /must not hold a private key/,
  ],
  ['a long answer', { bridge: { signedBy: 'Request', certificate: 'x'.repeat(16_385) } }, /certificate: Too long/],
  ['a bridge by an unknown signer', { bridge: { signedBy: 'Me' } }, /"Key", "Request", "Member"/],
  ['an unknown ifUnsigned', { bridge: { signedBy: 'Request', ifUnsigned: 'Now' } }, /"Restart", "Wait"/],
  ['a typo', { renewbefore: '1h' }, /unknown field "spec.renewbefore"/],
  ['days as a unit', { duration: '3650d' }, /spec.duration/],
  ['a number for a duration', { duration: 24 }, /spec.duration/],
  ['a negative duration', { propagationDelay: '-1m' }, /spec.propagationDelay/],
  ['a duration that Go cannot hold', { duration: '9999999999h' }, /spec.duration/],
  ['a zero duration', { duration: '0s' }, /spec.duration.*longer than 0/],
  ['a zero renewBefore', { renewBefore: '0h' }, /spec.renewBefore.*longer than 0/],
  ['a zero issuanceLifetime', { issuanceLifetime: '0s' }, /spec.issuanceLifetime.*longer than 0/],
  ['a zero propagationDelay', { propagationDelay: '0s' }, /spec.propagationDelay.*longer than 0/],
  ['renewBefore as long as duration', { duration: '8760h' }, /renewBefore must be shorter than duration/],
  ['renewBefore with no time for a rotation', { renewBefore: '24h6m19s' }, /renewBefore must be at least/],
  [
    'a cluster that certifies and is certified',
    { cluster: 'a', members: ['b', 'c'], certifies: [{ cluster: 'c' }], bridge: { signedBy: 'Member', member: 'b' } },
    /must not certify others/,
  ],
  ['members of a cluster without a name', { members: ['b'] }, /members require cluster/],
  ['a cluster that is its own member', { cluster: 'a', members: ['b', 'a'] }, /cluster must not be one of them/],
  ['a duplicate member', { cluster: 'a', members: ['b', 'b'] }, /Duplicate value/],
  ['an invalid name of a member', { cluster: 'a', members: ['B'] }, /spec.members\[0\]/],
  ['too many members', { cluster: 'a', members: labels(MAX_MEMBERS + 1) }, /spec.members: Too many/],
  ['an invalid name of a cluster', { cluster: 'a.b' }, /spec.cluster/],
  ['an ECDSA key that Linkerd rejects', { privateKey: { size: 384 } }, /ECDSA keys of size 256/],
  ['an RSA key that Linkerd rejects', { privateKey: { algorithm: 'RSA', size: 3072 } }, /2048 or 4096/],
  ['an RSA key without a size', { privateKey: { algorithm: 'RSA' } }, /2048 or 4096/],
  ['another kind of key', { privateKey: { algorithm: 'Ed25519', size: 256 } }, /supported values: "ECDSA", "RSA"/],
  ['no workload at a time', { laggards: { maxUnavailableWorkloads: 0 } }, /maxUnavailableWorkloads/],
  ['more workloads than a status names', { laggards: { maxUnavailableWorkloads: 1001 } }, /maxUnavailableWorkloads/],
  ['a restart deadline of zero', { laggards: { progressDeadlineSeconds: 0 } }, /progressDeadlineSeconds/],
  ['a restart deadline over a day', { laggards: { progressDeadlineSeconds: 86_401 } }, /progressDeadlineSeconds/],
  ['an unknown mode of probes', { probes: 'Sometimes' }, /"Gate", "Report"/],
  ['an unknown policy', { laggards: { policy: 'Delete' } }, /"Report", "Restart", "Never"/],
  ['an ignored control plane', { laggards: { ignoredNamespaces: ['a', 'linkerd'] } }, /a rotation always waits for/],
  ['a duplicate ignored namespace', { laggards: { ignoredNamespaces: ['a', 'a'] } }, /Duplicate value/],
  ['a window without a start', { windows: [{ duration: '1h' }] }, /start: Required/],
  ['a window without an end', { windows: [{ start: '02:00' }] }, /duration: Required/],
  ['an invalid time', { windows: [{ ...WINDOW, start: '24:00' }] }, /windows\[0\].start/],
  ['a time with seconds', { windows: [{ ...WINDOW, start: '02:00:00' }] }, /windows\[0\].start/],
  ['an invalid day', { windows: [{ ...WINDOW, days: ['Monday'] }] }, /days\[0\]/],
  ['a duplicate day', { windows: [{ ...WINDOW, days: ['Mon', 'Mon'] }] }, /Duplicate value/],
  ['an empty window', { windows: [{ ...WINDOW, duration: '0s' }] }, /longer than 0/],
  ['a window of more than a week', { windows: [{ ...WINDOW, duration: '169h' }] }, /must be at most 168h/],
  ['too many windows', { windows: Array.from({ length: 33 }, () => WINDOW) }, /spec.windows: Too many/],
  ['an empty common name', { commonName: '' }, /spec.commonName/],
  ['a long common name', { commonName: 'x'.repeat(MAX_COMMON_NAME_LENGTH + 1) }, /spec.commonName: Too long/],
  ['a common name of several lines', { commonName: 'a\nb' }, /spec.commonName/],
  ['an empty rotateNow', { rotateNow: '' }, /spec.rotateNow/],
  ['an invalid namespace', { certManagerNamespace: 'a.b' }, /certManagerNamespace/],
  ['an empty namespace', { controlPlaneNamespace: '' }, /controlPlaneNamespace/],
])('the API server refuses %s', async (_name, spec, message) => {
  await expect(accepted(spec)).rejects.toThrow(message);
});

test('a cluster has a single TrustAnchor', async () => {
  const another = cluster.create(anchor({}, 'other'), { dryRun: true });
  await expect(another).rejects.toThrow(/the only TrustAnchor of a cluster is called linkerd/);
});

describe('an existing TrustAnchor', () => {
  let created: KubeObject;

  beforeAll(async () => {
    created = await cluster.create(anchor({}));
  });

  afterAll(() => cluster.delete(created));

  test('keeps its namespaces', async () => {
    await expect(cluster.patch(created, { spec: { controlPlaneNamespace: 'x' } })).rejects.toThrow(/cannot be changed/);
    await expect(cluster.patch(created, { spec: { certManagerNamespace: 'x' } })).rejects.toThrow(/cannot be changed/);
    await cluster.patch(created, { spec: { paused: true } });
  });

  test('keeps the status that the operator writes', async () => {
    const status = {
      observedGeneration: 1,
      phase: 'Stable',
      anchors: [{ generation: 1, key: 'ab', notAfter: '2036-01-01T00:00:00Z', role: 'Signing' }],
      anchorsSummary: '1 (of 10y)',
      nextRotation: '2035-01-01T00:00:00Z',
      slack: '8000h',
      laggards: {
        count: 1,
        pods: 2,
        workloads: [{ workload: 'a/Deployment/b', pods: 2, since: '2026-01-01T00:00:00Z' }],
      },
      restarts: { inProgress: [{ workload: 'a/Deployment/b', since: '2026-01-01T00:00:00Z', unsettled: true }] },
      memory: { bundles: [{ hash: 'x', keys: ['y'], since: 0 }], rotation: { to: 2 } },
    };
    const written = await cluster.patch(created, { status }, { subresource: 'status' });
    expect(written.status).toEqual(status);
  });
});
