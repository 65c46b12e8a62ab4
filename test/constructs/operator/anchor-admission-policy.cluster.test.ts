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
/** Whatever was made, to be removed in the opposite order. */
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
  /is the operator's, which rotates the trust anchor by the TrustAnchor linkerd.*shows as SIGNING, and only then delete the TrustAnchor/;

describe('while a TrustAnchor exists', () => {
  let trustAnchor: KubeObject;

  beforeAll(async () => {
    trustAnchor = await cluster.apply({
      apiVersion: 'config.linkerd.io/v1alpha1',
      kind: 'TrustAnchor',
      metadata: { name: 'linkerd' },
      spec: {},
    });
    // The API server takes a policy and its parameter up within a second or two.
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
    ['pointing the signer elsewhere', () => cluster.apply(signer('mine'), { force: true })],
    ['another anchor', () => cluster.apply(certificate('linkerd-trust-anchor-2', namespace))],
    ['changing one', () => cluster.apply(certificate('linkerd-trust-anchor-1', namespace, '25h'), { force: true })],
    ['deleting an anchor', () => cluster.delete(certificate('linkerd-trust-anchor-1', namespace))],
    ['changing the anchors that are kept', () => cluster.apply(anchors(namespace, { a: 'c' }), { force: true })],
    ['taking some out', () => cluster.patch(anchors(namespace, {}), { metadata: { labels: { some: 'label' } } })],
    ['deleting them', () => cluster.delete(anchors(namespace, {}))],
  ])('%s is refused', async (_what, act) => {
    await expect(act()).rejects.toThrow(REFUSED);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['the operator points the signer elsewhere', () => operator.apply(signer('linkerd-trust-anchor-2'))],
    ['the operator changes an anchor', () => operator.apply(certificate('linkerd-trust-anchor-1', namespace, '26h'))],
    ['annotations of the signer', () => cluster.patch(signer(''), { metadata: { annotations: { some: 'note' } } })],
    [
      'labels of an anchor',
      () =>
        cluster.patch(certificate('linkerd-trust-anchor-1', namespace), { metadata: { labels: { some: 'label' } } }),
    ],
    [
      "an anchor's status",
      () =>
        cluster.patch(
          certificate('linkerd-trust-anchor-1', namespace),
          { status: { revision: 2 } },
          { subresource: 'status' },
        ),
    ],
    ['another ConfigMap', () => make({ ...anchors(namespace, {}), metadata: { name: 'other', namespace } })],
    ['another Certificate', () => make(certificate('other', namespace))],
    ['the anchor that was there before', () => make(certificate('linkerd-trust-anchor', namespace))],
    ['pruning the signer, which the operator makes again', () => cluster.delete(signer(''))],
    ['an issuer of others', () => make({ ...signer('other'), metadata: { name: 'other-issuer' } })],
  ])('%s: accepted', async (_what, act) => {
    await act();
  });

  test('objects in other namespaces are accepted', async () => {
    const other = await cluster.namespace('other');
    await cluster.apply(anchors(other, { a: 'b' }));
    await cluster.apply(certificate('linkerd-trust-anchor-1', other));
  });

  test('the deletion of a namespace deletes its objects', async () => {
    const cleaner = cluster.as({
      user: 'system:serviceaccount:kube-system:namespace-controller',
      groups: ['system:masters'],
    });
    await cleaner.delete(anchors(namespace, {}));
    made.push(await operator.apply(anchors(namespace, { a: 'b' })));
  });
});

describe('roots of the mesh with the label', () => {
  const LABEL = 'cdk8s-linkerd/trust-anchor';
  const A_ROOT =
    /is a root of the mesh by its label cdk8s-linkerd\/trust-anchor, .*previous of the trust anchor in Git/;
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

  describe.each(['ConfigMap', 'Secret'])('%s', (kind) => {
    const label = (name: string, role: string | null) =>
      cluster.patch(root(kind, name, undefined), { metadata: { labels: { [LABEL]: role } } });

    test.each<[string, () => Promise<unknown>]>([
      ['a new one', () => cluster.apply(root(kind, 'new', 'current'))],
      ['a new one of another role', () => cluster.apply(root(kind, 'new', 'previous'))],
      ['the label for one that is there', () => label('plain', 'signing')],
      ['another content', () => cluster.patch(root(kind, 'there', undefined), { data: { 'ca-bundle.crt': 'eQ==' } })],
      ['another role', () => label('there', 'previous')],
      ['no label any more', () => label('there', null)],
      ['another content of one', () => cluster.patch(root(kind, 'old', undefined), { data: { more: 'eQ==' } })],
      ['deletion', () => cluster.delete(root(kind, 'there', undefined))],
      [
        'a service account of another namespace',
        () =>
          as('system:serviceaccount:shop:cert-manager', 'system:serviceaccounts:shop').apply(
            root(kind, 'new', 'current'),
          ),
      ],
    ])('%s is refused', async (_what, act) => {
      await expect(act()).rejects.toThrow(A_ROOT);
    });

    test.each<[string, () => Promise<unknown>]>([
      [
        'an annotation, by anybody',
        () => cluster.patch(root(kind, 'there', undefined), { metadata: { annotations: { some: 'note' } } }),
      ],
      ['what has no such label', () => cluster.apply(root(kind, 'plain', undefined))],
      ['a value that is no role', () => label('plain', 'other')],
      ['a previous one that loses its label', () => label('older', null)],
      ['a previous one that is deleted', () => cluster.delete(root(kind, 'old', undefined))],
      ["cert-manager's, under any account", () => certManager().apply(root(kind, 'of-cert-manager', 'current'))],
      ['that cert-manager deletes', () => certManager().delete(root(kind, 'of-cert-manager', undefined))],
      [
        "Argo CD's",
        () => as('system:serviceaccount:argocd:argocd-application-controller').apply(root(kind, 'of-git', 'previous')),
      ],
      [
        'that Argo CD prunes',
        () => as('system:serviceaccount:argocd:argocd-application-controller').delete(root(kind, 'of-git', undefined)),
      ],
      ["the operator's", () => operator.apply(root(kind, 'there', 'signing'), { force: true })],
      [
        'that goes with its namespace',
        () => as('system:serviceaccount:kube-system:namespace-controller').delete(root(kind, 'there', undefined)),
      ],
    ])('%s: accepted', async (_what, act) => {
      await act();
    });

    test('objects in other namespaces are accepted', async () => {
      await cluster.apply(root(kind, 'new', 'current', await cluster.namespace('other')));
    });
  });
});

test('after the deletion of the TrustAnchor, everybody may change its objects', async () => {
  await cluster.eventually(() => cluster.apply(signer('mine'), { force: true }));
});

describe('requests for certificates of anchors', () => {
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
    ['without a kind', ANCHOR, 'other'],
    ['with one', { ...ANCHOR, kind: 'Issuer', group: 'cert-manager.io' }, 'other'],
    ['that names no Certificate', ANCHOR, undefined],
    ['by the anchor that was there before', { name: 'linkerd-trust-anchor' }, 'other'],
  ])('%s: refused', async (_what, issuer, name) => {
    await expect(ask(request(issuer, namespace, name))).rejects.toThrow(/only trust anchors may be certified/);
  });

  test('to the ClusterIssuers of the mesh are refused as before', async () => {
    const issuer = { name: 'linkerd-identity-issuer', kind: 'ClusterIssuer' };
    await expect(ask(request(issuer, namespace, 'linkerd-trust-anchor-1'))).rejects.toThrow(
      /may not use the mesh's ClusterIssuer linkerd-identity-issuer/,
    );
  });

  test.each<[string, object, string | undefined]>([
    ['of the next anchor', ANCHOR, 'linkerd-trust-anchor-2'],
    ['to another issuer', { name: 'other' }, 'other'],
    ['to another kind of issuer', { ...ANCHOR, kind: 'Vault', group: 'example.org' }, 'other'],
  ])('%s: accepted', async (_what, issuer, name) => {
    await ask(request(issuer, namespace, name));
  });

  test('of an anchor of another cluster are accepted from the operator', async () => {
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

  test('Issuers of that name elsewhere are not those of anchors', async () => {
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

test('the operator answers requests to the TrustAnchor, and no others', async () => {
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
  // A policy is in force a moment after it was made.
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
