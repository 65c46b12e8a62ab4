import { Testing } from 'cdk8s';
import {
  anchorAdmissionPolicy,
  anchorAdmissionPolicyBindings,
  requestsAdmissionPolicy,
  rootsAdmissionPolicy,
} from '#lib/constructs/operator/anchor-admission-policy';
import { trustAnchorDefinition } from '#lib/constructs/operator/operated-anchor';
import { IssuerAdmissionPolicy } from '#lib/constructs/pki/issuer-admission-policy';
import type { Client } from '../../support/cluster/client';
import { type Cluster, sharedCluster } from '../../support/cluster/cluster';
import { customResourceDefinition } from '../../support/cluster/crds';
import { type KubeObject, ref } from '../../support/cluster/objects';
import { plainObjects } from '../../support/plain-app';

const SERVICE_ACCOUNT = 'system:serviceaccount:operators:linkerd-reconciler';

let cluster: Cluster;
let namespace: string;
let operator: Client;
/** Created objects, which are deleted in reverse order. */
const made: KubeObject[] = [];

async function make(object: KubeObject): Promise<KubeObject> {
  const created = await cluster.apply(object);
  made.push(created);
  return created;
}

beforeAll(async () => {
  cluster = await sharedCluster();
  for (const kind of ['ClusterIssuer', 'Issuer', 'Certificate', 'CertificateRequest']) {
    await cluster.apply(customResourceDefinition('cert-manager.io', kind));
  }
  await cluster.apply(trustAnchorDefinition() as KubeObject);
  namespace = await cluster.namespace('cert-manager');
  operator = cluster.as({ user: SERVICE_ACCOUNT, groups: ['system:masters'] });
  await make(anchorAdmissionPolicy(namespace, 'operators') as KubeObject);
  await make(rootsAdmissionPolicy(namespace, 'operators') as KubeObject);
  for (const binding of anchorAdmissionPolicyBindings()) await make(binding as KubeObject);
  for (const object of requestsAdmissionPolicy(namespace, 'operators')) await make(object as KubeObject);
});

afterAll(async () => {
  for (const object of made.reverse()) await cluster?.delete(object).catch(() => undefined);
});

const signer = (secretName: string, annotations?: Record<string, string>): KubeObject => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'ClusterIssuer',
  metadata: { name: 'linkerd-identity-issuer', annotations },
  spec: { ca: { secretName } },
});

const certificate = (name: string, at: string, duration = '24h'): KubeObject => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name, namespace: at },
  spec: { secretName: name, duration, commonName: name, issuerRef: { name: 'x' } },
});

const anchors = (at: string, data: Record<string, string>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'linkerd-trust-anchors', namespace: at },
  data,
});

const REFUSED =
  /belongs to the operator, which rotates the trust anchor by the TrustAnchor linkerd.*shows as SIGNING, and then delete the TrustAnchor/;

describe('while a TrustAnchor exists, the API server', () => {
  let trustAnchor: KubeObject;

  beforeAll(async () => {
    trustAnchor = await cluster.apply({
      apiVersion: 'config.linkerd.io/v1alpha1',
      kind: 'TrustAnchor',
      metadata: { name: 'linkerd' },
      spec: {},
    });
    // The API server applies a policy and its parameter after a second or two.
    await cluster.eventually(() => expect(cluster.apply(signer('mine'), { dryRun: true })).rejects.toThrow(REFUSED));
    for (const object of [
      signer('linkerd-trust-anchor-1'),
      certificate('linkerd-trust-anchor-1', namespace),
      anchors(namespace, { a: 'b' }),
    ]) {
      made.push(await operator.apply(object));
    }
  });

  afterAll(() => cluster.delete(trustAnchor));

  test.each<[string, () => Promise<unknown>]>([
    ['another Secret of the signer', () => cluster.apply(signer('mine'), { force: true })],
    ['a new trust anchor', () => cluster.apply(certificate('linkerd-trust-anchor-2', namespace))],
    ['a changed anchor', () => cluster.apply(certificate('linkerd-trust-anchor-1', namespace, '25h'), { force: true })],
    ['the deletion of an anchor', () => cluster.delete(certificate('linkerd-trust-anchor-1', namespace))],
    ['a change of the ConfigMap of anchors', () => cluster.apply(anchors(namespace, { a: 'c' }), { force: true })],
    [
      'a label on the ConfigMap of anchors',
      () => cluster.patch(anchors(namespace, {}), { metadata: { labels: { some: 'label' } } }),
    ],
    ['the deletion of the ConfigMap of anchors', () => cluster.delete(anchors(namespace, {}))],
  ])('refuses %s by a user', async (_what, act) => {
    await expect(act()).rejects.toThrow(REFUSED);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['another Secret of the signer by the operator', () => operator.apply(signer('linkerd-trust-anchor-2'))],
    ['a changed anchor of the operator', () => operator.apply(certificate('linkerd-trust-anchor-1', namespace, '26h'))],
    ['annotations on the signer', () => cluster.patch(signer(''), { metadata: { annotations: { some: 'note' } } })],
    [
      'labels on an anchor',
      () =>
        cluster.patch(certificate('linkerd-trust-anchor-1', namespace), { metadata: { labels: { some: 'label' } } }),
    ],
    [
      'the status of an anchor',
      () =>
        cluster.patch(
          certificate('linkerd-trust-anchor-1', namespace),
          { status: { revision: 2 } },
          { subresource: 'status' },
        ),
    ],
    ['another ConfigMap', () => make({ ...anchors(namespace, {}), metadata: { name: 'other', namespace } })],
    ['another Certificate', () => make(certificate('other', namespace))],
    ['an anchor without a number', () => make(certificate('linkerd-trust-anchor', namespace))],
    ['the deletion of the signer, which the operator creates again', () => cluster.delete(signer(''))],
    ['another ClusterIssuer', () => make({ ...signer('other'), metadata: { name: 'other-issuer' } })],
  ])('accepts %s', async (_what, act) => {
    await act();
  });

  test('accepts objects in other namespaces', async () => {
    const other = await cluster.namespace('other');
    await cluster.apply(anchors(other, { a: 'b' }));
    await cluster.apply(certificate('linkerd-trust-anchor-1', other));
  });

  test('lets the namespace controller delete objects with their namespace', async () => {
    const cleaner = cluster.as({
      user: 'system:serviceaccount:kube-system:namespace-controller',
      groups: ['system:masters'],
    });
    await cleaner.delete(anchors(namespace, {}));
    made.push(await operator.apply(anchors(namespace, { a: 'b' })));
  });
});

describe('for objects with the label of trust roots, the API server', () => {
  const LABEL = 'cdk8s-linkerd/trust-anchor';
  const A_ROOT = /has the label cdk8s-linkerd\/trust-anchor of trust roots, .*previous of the trust anchor in Git/;
  const root = (kind: string, name: string, role: string | undefined, at = namespace): KubeObject => ({
    apiVersion: 'v1',
    kind,
    metadata: { name, namespace: at, ...(role !== undefined && { labels: { [LABEL]: role } }) },
    data: { 'ca-bundle.crt': 'eA==' },
  });
  const as = (user: string, ...groups: string[]): Client => cluster.as({ user, groups: ['system:masters', ...groups] });
  const certManager = (): Client =>
    as(`system:serviceaccount:${namespace}:any-name`, `system:serviceaccounts:${namespace}`);
  let trustAnchor: KubeObject;

  beforeAll(async () => {
    trustAnchor = await cluster.apply({
      apiVersion: 'config.linkerd.io/v1alpha1',
      kind: 'TrustAnchor',
      metadata: { name: 'linkerd' },
      spec: {},
    });
    const probe = (): Promise<unknown> => cluster.apply(root('ConfigMap', 'probe', 'current'), { dryRun: true });
    await cluster.eventually(() => expect(probe()).rejects.toThrow(A_ROOT));
    for (const kind of ['ConfigMap', 'Secret']) {
      made.push(await operator.apply(root(kind, 'there', 'current')));
      made.push(await operator.apply(root(kind, 'old', 'previous')));
      made.push(await operator.apply(root(kind, 'older', 'previous')));
      made.push(await cluster.apply(root(kind, 'plain', undefined)));
    }
  });

  afterAll(() => cluster.delete(trustAnchor));

  describe.each(['ConfigMap', 'Secret'])('as a %s', (kind) => {
    const label = (name: string, role: string | null) =>
      cluster.patch(root(kind, name, undefined), { metadata: { labels: { [LABEL]: role } } });

    test.each<[string, () => Promise<unknown>]>([
      ['a new root', () => cluster.apply(root(kind, 'new', 'current'))],
      ['a new previous root', () => cluster.apply(root(kind, 'new', 'previous'))],
      ['the label on an existing object', () => label('plain', 'signing')],
      ['other data', () => cluster.patch(root(kind, 'there', undefined), { data: { 'ca-bundle.crt': 'eQ==' } })],
      ['another role', () => label('there', 'previous')],
      ['the removal of the label', () => label('there', null)],
      ['data of a previous root', () => cluster.patch(root(kind, 'old', undefined), { data: { more: 'eQ==' } })],
      ['the deletion of a root', () => cluster.delete(root(kind, 'there', undefined))],
      [
        'a new root by a ServiceAccount of another namespace',
        () =>
          as('system:serviceaccount:shop:cert-manager', 'system:serviceaccounts:shop').apply(
            root(kind, 'new', 'current'),
          ),
      ],
    ])('refuses %s', async (_what, act) => {
      await expect(act()).rejects.toThrow(A_ROOT);
    });

    test.each<[string, () => Promise<unknown>]>([
      [
        'an annotation by any user',
        () => cluster.patch(root(kind, 'there', undefined), { metadata: { annotations: { some: 'note' } } }),
      ],
      ['an object without the label', () => cluster.apply(root(kind, 'plain', undefined))],
      ['a value of the label that is not a role', () => label('plain', 'other')],
      ['the removal of the label of a previous root', () => label('older', null)],
      ['the deletion of a previous root', () => cluster.delete(root(kind, 'old', undefined))],
      ['a root of cert-manager', () => certManager().apply(root(kind, 'of-cert-manager', 'current'))],
      ['the deletion of a root by cert-manager', () => certManager().delete(root(kind, 'of-cert-manager', undefined))],
      [
        'a previous root by Argo CD',
        () => as('system:serviceaccount:argocd:argocd-application-controller').apply(root(kind, 'of-git', 'previous')),
      ],
      [
        'the deletion of a root by Argo CD',
        () => as('system:serviceaccount:argocd:argocd-application-controller').delete(root(kind, 'of-git', undefined)),
      ],
      [
        'a previous root by Argo CD of another cluster, and its deletion',
        async () => {
          const remote = as('system:serviceaccount:kube-system:argocd-manager');
          await remote.apply(root(kind, 'of-remote-git', 'previous'));
          await remote.delete(root(kind, 'of-remote-git', undefined));
        },
      ],
      ['a change of a root by the operator', () => operator.apply(root(kind, 'there', 'signing'), { force: true })],
      [
        'the deletion of a root with its namespace',
        () => as('system:serviceaccount:kube-system:namespace-controller').delete(root(kind, 'there', undefined)),
      ],
    ])('accepts %s', async (_what, act) => {
      await act();
    });

    test('accepts objects in other namespaces', async () => {
      await cluster.apply(root(kind, 'new', 'current', await cluster.namespace('other')));
    });
  });
});

test('after the deletion of the TrustAnchor, any user may change the signer', async () => {
  await cluster.eventually(() => cluster.apply(signer('mine'), { force: true }));
});

describe('for requests to the Issuer of a trust anchor, the API server', () => {
  const request = (issuer: object, at: string, certificateName?: string): KubeObject => ({
    apiVersion: 'cert-manager.io/v1',
    kind: 'CertificateRequest',
    metadata: {
      generateName: 'request-',
      namespace: at,
      ...(certificateName !== undefined && { annotations: { 'cert-manager.io/certificate-name': certificateName } }),
    },
    spec: { request: 'eA==', issuerRef: issuer },
  });
  const ask = (object: KubeObject) => cluster.create(object, { dryRun: true });
  const ANCHOR = { name: 'linkerd-trust-anchor-1' };

  beforeAll(async () => {
    const chart = Testing.chart();
    new IssuerAdmissionPolicy(chart, 'policy', {
      namespacesOf: () => ({ 'linkerd-identity-issuer': ['linkerd'] }),
      anchorNamespace: () => namespace,
      certified: () => ({ clusters: ['west'], by: SERVICE_ACCOUNT }),
    });
    for (const object of plainObjects(chart) as KubeObject[]) await make(object);
    await cluster.eventually(() => expect(ask(request(ANCHOR, namespace))).rejects.toThrow(/only trust anchors/));
  });

  test.each<[string, object, string | undefined]>([
    ['an issuerRef without a kind', ANCHOR, 'other'],
    ['an issuerRef with a kind', { ...ANCHOR, kind: 'Issuer', group: 'cert-manager.io' }, 'other'],
    ['an issuerRef without a Certificate', ANCHOR, undefined],
    ['the Issuer linkerd-trust-anchor, which has no number', { name: 'linkerd-trust-anchor' }, 'other'],
  ])('refuses a request of another Certificate with %s', async (_what, issuer, name) => {
    await expect(ask(request(issuer, namespace, name))).rejects.toThrow(/only trust anchors may be certified/);
  });

  test('refuses a request of an anchor to the ClusterIssuer of the mesh', async () => {
    const issuer = { name: 'linkerd-identity-issuer', kind: 'ClusterIssuer' };
    await expect(ask(request(issuer, namespace, 'linkerd-trust-anchor-1'))).rejects.toThrow(
      /may not use the mesh's ClusterIssuer linkerd-identity-issuer/,
    );
  });

  test.each<[string, object, string | undefined]>([
    ['of the next trust anchor', ANCHOR, 'linkerd-trust-anchor-2'],
    ['to another issuer', { name: 'other' }, 'other'],
    ['to another kind of issuer', { ...ANCHOR, kind: 'Vault', group: 'example.org' }, 'other'],
  ])('accepts a request %s', async (_what, issuer, name) => {
    await ask(request(issuer, namespace, name));
  });

  test('accepts requests of the anchors of certified clusters only from the operator', async () => {
    const named = (name: string): KubeObject => {
      const { metadata, ...object } = request(ANCHOR, namespace);
      return { ...object, metadata: { name, namespace } } as KubeObject;
    };
    await operator.create(named('linkerd-trust-anchor-for-west'), { dryRun: true });
    await expect(operator.create(named('linkerd-trust-anchor-for-north'), { dryRun: true })).rejects.toThrow(
      /only trust anchors may be certified/,
    );
    await expect(ask(named('linkerd-trust-anchor-for-west'))).rejects.toThrow(/only trust anchors may be certified/);
  });

  test('accepts requests to an Issuer with the name of an anchor in another namespace', async () => {
    await ask(request(ANCHOR, await cluster.namespace('other'), 'other'));
  });
});

test('the API server accepts the expressions of the policies without a warning', async () => {
  for (const name of ['linkerd-trust-anchor', 'linkerd-trust-roots']) {
    const policy = ref('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', name);
    await cluster.eventually(async () => {
      expect((await cluster.get(policy)).status.typeChecking).toEqual({});
    });
  }
});

test('the API server lets the operator answer requests to the TrustAnchor only', async () => {
  const request = (name: string, issuerRef: object): KubeObject => ({
    ...ref('cert-manager.io/v1', 'CertificateRequest', name, namespace),
    spec: { request: 'AAAA', issuerRef },
  });
  const own = await make(request('own', { group: 'config.linkerd.io', kind: 'TrustAnchor', name: 'linkerd' }));
  const others = [await make(request('other', { name: 'ca' })), await make(request('acme', { group: 'x', name: 'a' }))];
  const answer = ({ metadata: { name, namespace: at } }: KubeObject): KubeObject => ({
    ...ref('cert-manager.io/v1', 'CertificateRequest', name ?? '', at),
    status: { certificate: 'AAAA' },
  });
  const options = { subresource: 'status', fieldManager: 'linkerd-reconciler', force: true } as const;
  // The API server applies a policy a moment after its creation.
  await cluster.eventually(async () => {
    for (const other of others) {
      await expect(operator.apply(answer(other), options)).rejects.toThrow(/only answer requests to the TrustAnchor/);
    }
  });
  await operator.apply(answer(own), options);
  await cluster
    .as({ user: 'cert-manager', groups: ['system:masters'] })
    .apply(answer(others[0] as KubeObject), options);
});
