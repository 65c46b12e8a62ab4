import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { type FakeCertManager, startFakeCertManager } from '../support/anchor/fake-cert-manager';
import { verifyChain } from '../support/anchor/trust';
import { verifyWithGo } from '../support/anchor/verify-with-go';
import { issueCertificate } from '../support/cluster/certificates';
import { type OwnCluster, startCluster } from '../support/cluster/cluster';
import { customResourceDefinition } from '../support/cluster/crds';
import { type KubeObject, ref } from '../support/cluster/objects';
import { pemBlocks } from '../support/cluster/pem';

const API = 'cert-manager.io/v1';
const NAMESPACE = 'cert-manager';

let cluster: OwnCluster;
let certManager: FakeCertManager;
beforeAll(async () => {
  cluster = await startCluster({ controllers: false });
  for (const kind of ['Certificate', 'CertificateRequest', 'Issuer', 'ClusterIssuer']) {
    await cluster.apply(customResourceDefinition('cert-manager.io', kind));
  }
  for (const name of [NAMESPACE, 'linkerd']) {
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  certManager = startFakeCertManager(cluster, { hourMs: 1_000, backoffMs: 60_000 });
  await cluster.apply({ ...ref(API, 'Issuer', 'self', NAMESPACE), spec: { selfSigned: {} } });
});
afterAll(async () => {
  await certManager?.stop();
  await cluster?.stop();
});

/** The Certificate of an anchor, as the operator makes it. */
function anchor(name: string, spec: object = {}): KubeObject {
  return {
    ...ref(API, 'Certificate', name, NAMESPACE),
    spec: {
      secretName: name,
      isCA: true,
      commonName: `${name}.root`,
      duration: '87600h',
      issuerRef: { name: 'self', kind: 'Issuer', group: 'cert-manager.io' },
      privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Never' },
      usages: ['cert sign', 'crl sign'],
      renewal: { policy: 'Disabled' },
      ...spec,
    },
  };
}

function caIssuer(name: string, secretName = name): KubeObject {
  return { ...ref(API, 'Issuer', name, NAMESPACE), spec: { ca: { secretName } } };
}

/** Waits until a Certificate is ready, at a revision if one is given, and returns it with what its Secret holds. */
async function issued(name: string, revision = 1, namespace = NAMESPACE) {
  return cluster.eventually(
    async () => {
      const certificate = await cluster.get(ref(API, 'Certificate', name, namespace));
      const { conditions = [], ...status } = certificate.status ?? {};
      expect(conditions.map((one: { type: string; status: string }) => `${one.type} ${one.status}`)).toEqual([
        'Ready True',
      ]);
      expect(status.revision).toBe(revision);
      const secret = await cluster.get(ref('v1', 'Secret', certificate.spec.secretName, namespace));
      const text = (key: string) => Buffer.from(secret.data[key] ?? '', 'base64').toString();
      const [chain, root, key] = [text('tls.crt'), text('ca.crt'), text('tls.key')];
      const certificates = pemBlocks(chain).map((raw) => new X509Certificate(raw));
      return { certificate, secret, status, chain, root, key, certificates, first: certificates[0] as X509Certificate };
    },
    { timeoutMs: 10_000 },
  );
}

const publicKeyOf = (key: string) => createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'pem' });
const namesOf = (certificates: readonly X509Certificate[]) =>
  certificates.map(({ subject, issuer }) => `${subject} by ${issuer}`.replaceAll('CN=', ''));

it('signs an anchor with its own key', async () => {
  await cluster.apply(anchor('own'));
  const { certificates, first, key, chain, root, secret, status } = await issued('own');
  expect(namesOf(certificates)).toEqual(['own.root by own.root']);
  expect(first.ca).toBe(true);
  expect(first.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(key).toMatch(/^-----BEGIN EC PRIVATE KEY-----/);
  expect(root).toBe(chain);
  expect(secret.type).toBe('kubernetes.io/tls');
  expect(secret.metadata.annotations).toMatchObject({
    'cert-manager.io/certificate-name': 'own',
    'cert-manager.io/issuer-name': 'self',
    'cert-manager.io/issuer-kind': 'Issuer',
    'cert-manager.io/issuer-group': 'cert-manager.io',
    'cert-manager.io/common-name': 'own.root',
  });
  expect(Date.parse(status.notAfter) - Date.parse(status.notBefore)).toBe(87_600_000);
  expect(status).not.toHaveProperty('renewalTime');
  expect(status).not.toHaveProperty('nextPrivateKeySecretName');
});

it('leaves the public part, and no key, in the request', async () => {
  await cluster.apply(anchor('told', { revisionHistoryLimit: 2 }));
  const { chain } = await issued('told');
  const request = await cluster.get(ref(API, 'CertificateRequest', 'told-1', NAMESPACE));
  expect(request.metadata.annotations).toMatchObject({
    'cert-manager.io/certificate-name': 'told',
    'cert-manager.io/certificate-revision': '1',
    'cert-manager.io/private-key-secret-name': expect.stringMatching(/^told-/),
  });
  expect(Buffer.from(request.status.certificate, 'base64').toString()).toBe(chain);
  expect(Buffer.from(request.status.ca, 'base64').toString()).toBe(chain);
  expect(Buffer.from(request.spec.request, 'base64').toString()).toMatch(/^-----BEGIN CERTIFICATE REQUEST-----/);
  expect(request.spec).toMatchObject({ isCA: true, usages: ['cert sign', 'crl sign'], duration: '87600h0m0s' });
  const secrets = await cluster.list('v1', 'Secret', { namespace: NAMESPACE });
  expect(secrets.filter(({ metadata }) => metadata.name?.startsWith('told-'))).toEqual([]);
});

it('turns an anchor into a bridge with the same key, and back, and puts it into the chain of what it signs', async () => {
  await cluster.applyAll([anchor('a'), anchor('b', { revisionHistoryLimit: 3 })]);
  const [a, b] = [await issued('a'), await issued('b')];
  await cluster.apply(caIssuer('a'));
  await cluster.patch(ref(API, 'Certificate', 'b', NAMESPACE), { spec: { issuerRef: { name: 'a' } } });
  const bridge = await issued('b', 2);
  expect(namesOf(bridge.certificates)).toEqual(['b.root by a.root']);
  expect(publicKeyOf(bridge.key)).toBe(publicKeyOf(b.key));
  expect(bridge.root).toBe(a.chain);

  await cluster.applyAll([
    { ...ref(API, 'ClusterIssuer', 'identity'), spec: { ca: { secretName: 'b' } } },
    {
      ...anchor('issuer', {
        issuerRef: { name: 'identity', kind: 'ClusterIssuer' },
        commonName: 'identity.linkerd.cluster.local',
        dnsNames: ['identity.linkerd.cluster.local'],
        duration: '48h',
        renewal: undefined,
        renewBefore: '25h',
        privateKey: { algorithm: 'ECDSA', rotationPolicy: 'Always' },
      }),
      metadata: { name: 'issuer', namespace: 'linkerd' },
    },
  ]);
  const issuer = await issued('issuer', 1, 'linkerd');
  expect(namesOf(issuer.certificates)).toEqual(['identity.linkerd.cluster.local by b.root', 'b.root by a.root']);
  expect(issuer.root).toBe(a.chain);
  const leaf = issueCertificate({ commonName: 'web', issuer: { cert: issuer.chain, key: issuer.key } });
  const chain = leaf.cert + issuer.chain;
  for (const roots of [a.chain, b.chain, a.chain + b.chain]) {
    expect(verifyChain(chain, roots)).toBeUndefined();
    expect(verifyWithGo([{ chain, roots, at: new Date() }])).toEqual([undefined]);
  }

  await cluster.patch(ref(API, 'Certificate', 'b', NAMESPACE), { spec: { issuerRef: { name: 'self' } } });
  const again = await issued('b', 3);
  expect(namesOf(again.certificates)).toEqual(['b.root by b.root']);
  expect(publicKeyOf(again.key)).toBe(publicKeyOf(b.key));
  const revisions = await cluster.list(API, 'CertificateRequest', { namespace: NAMESPACE });
  expect(revisions.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(['b-1', 'b-2', 'b-3']));
});

it('renews by hand, with a new key where the policy says so, and keeps the last request only', async () => {
  await cluster.apply(anchor('kept'));
  await cluster.apply(anchor('new', { privateKey: { algorithm: 'ECDSA', rotationPolicy: 'Always' } }));
  const before = [await issued('kept'), await issued('new')] as const;
  for (const name of ['kept', 'new']) await certManager.renew(name, NAMESPACE);
  const after = [await issued('kept', 2), await issued('new', 2)] as const;
  expect(after[0].first.serialNumber).not.toBe(before[0].first.serialNumber);
  expect(publicKeyOf(after[0].key)).toBe(publicKeyOf(before[0].key));
  expect(publicKeyOf(after[1].key)).not.toBe(publicKeyOf(before[1].key));
  await cluster.eventually(async () => {
    const names = (await cluster.list(API, 'CertificateRequest', { namespace: NAMESPACE }))
      .map(({ metadata }) => metadata.name)
      .filter((name) => name?.startsWith('kept-'));
    expect(names).toEqual(['kept-2']);
  });
});

it('puts labels of the template on the Secret and takes them off again, without issuing anew', async () => {
  await cluster.apply(anchor('labelled', { secretTemplate: { labels: { anchor: 'current', other: 'yes' } } }));
  const { secret, first } = await issued('labelled');
  expect(secret.metadata.labels).toMatchObject({ anchor: 'current', other: 'yes' });
  await cluster.patch(secret, { metadata: { labels: { mine: 'stays' } } });
  await cluster.patch(ref(API, 'Certificate', 'labelled', NAMESPACE), {
    spec: { secretTemplate: { labels: { anchor: null } } },
  });
  await cluster.eventually(async () => {
    const { labels } = (await cluster.get(secret)).metadata;
    expect(labels).toEqual({ other: 'yes', mine: 'stays', 'controller.cert-manager.io/fao': 'true' });
  });
  await cluster.patch(ref(API, 'Certificate', 'labelled', NAMESPACE), { spec: { secretTemplate: null } });
  await cluster.eventually(async () => {
    const { labels } = (await cluster.get(secret)).metadata;
    expect(labels).toEqual({ mine: 'stays', 'controller.cert-manager.io/fao': 'true' });
  });
  expect((await issued('labelled')).first.serialNumber).toBe(first.serialNumber);
});

it('lets time pass as fast as it is told to: certificates are renewed, and end', async () => {
  await cluster.apply(anchor('short', { duration: '4h', renewBefore: '2h', renewal: undefined }));
  await cluster.apply(anchor('ends', { duration: '3h' }));
  const { status, first } = await issued('short');
  expect(first.validToDate.getTime() - first.validFromDate.getTime()).toBe(4_000);
  expect(Date.parse(status.renewalTime)).toBe(first.validToDate.getTime() - 2_000);
  await issued('short', 2);
  await cluster.delete(ref(API, 'Certificate', 'short', NAMESPACE));
  const { chain } = await issued('ends');
  await cluster.eventually(() => expect(verifyChain(chain, chain)).toMatch(/has been expired/), { timeoutMs: 5_000 });
  // Nobody looks when nothing changes.
  await issued('ends');
});

it('issues again what differs from its request, and what lost its Secret', async () => {
  await cluster.apply(anchor('changed'));
  await issued('changed');
  const name = ref(API, 'Certificate', 'changed', NAMESPACE);
  await cluster.patch(name, { spec: { commonName: 'other.root' } });
  expect(namesOf((await issued('changed', 2)).certificates)).toEqual(['other.root by other.root']);
  await cluster.patch(name, { spec: { duration: '1000h' } });
  await issued('changed', 3);
  await cluster.patch(name, { spec: { renewBefore: '10h' } });
  await cluster.delete(ref('v1', 'Secret', 'changed', NAMESPACE));
  await issued('changed', 4);
});

it('adopts a Secret that is there already', async () => {
  const pair = issueCertificate({ commonName: 'adopted.root', ca: true });
  await cluster.create({
    ...ref('v1', 'Secret', 'adopted', NAMESPACE),
    type: 'kubernetes.io/tls',
    stringData: { 'tls.crt': pair.cert, 'tls.key': pair.key },
  });
  await cluster.apply(anchor('adopted', { secretTemplate: { labels: { anchor: 'current' } } }));
  await cluster.eventually(async () => {
    const { status } = await cluster.get(ref(API, 'Certificate', 'adopted', NAMESPACE));
    expect(status.conditions).toMatchObject([{ type: 'Ready', status: 'True' }]);
    expect(status).not.toHaveProperty('revision');
    const { data, metadata } = await cluster.get(ref('v1', 'Secret', 'adopted', NAMESPACE));
    expect(Buffer.from(data['tls.crt'], 'base64').toString()).toBe(pair.cert);
    expect(metadata.labels).toMatchObject({ anchor: 'current' });
  });
});

it('fails when told to, waits then, and is not hindered by that when asked by hand', async () => {
  await cluster.apply(anchor('fails'));
  await issued('fails');
  certManager.failNext('fails');
  await certManager.renew('fails', NAMESPACE);
  const name = ref(API, 'Certificate', 'fails', NAMESPACE);
  await cluster.eventually(async () => {
    const { status } = await cluster.get(name);
    expect(status).toMatchObject({ failedIssuanceAttempts: 1, lastFailureTime: expect.any(String) });
    expect(status.conditions).toMatchObject([
      { type: 'Ready' },
      { type: 'Issuing', status: 'False', reason: 'Failed' },
    ]);
  });
  // By the second, as the times are that are compared.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await certManager.renew('fails', NAMESPACE);
  const { status } = await issued('fails', 2);
  expect(status).not.toHaveProperty('failedIssuanceAttempts');
});

it('waits for an issuer that is not ready, or not there', async () => {
  await cluster.apply(anchor('waits', { issuerRef: { name: 'later' } }));
  const request = ref(API, 'CertificateRequest', 'waits-1', NAMESPACE);
  const says = async (message: string) =>
    cluster.eventually(async () => {
      const { status } = await cluster.get(request);
      expect(status.conditions.at(-1)).toMatchObject({ type: 'Ready', status: 'False', reason: 'Pending', message });
    });
  await says('Referenced "Issuer" not found: issuer.cert-manager.io "later" not found');
  await cluster.apply(caIssuer('later'));
  await says('Referenced issuer does not have a Ready status condition');
  await cluster.apply(anchor('later'));
  await issued('waits');
});

it('does nothing while it is paused, and signs late when told to', async () => {
  await certManager.pause();
  await cluster.apply(anchor('late'));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await cluster.get(ref(API, 'Certificate', 'late', NAMESPACE))).not.toHaveProperty('status');
  certManager.setSigningDelay(500);
  certManager.resume();
  const begin = Date.now();
  await issued('late');
  expect(Date.now() - begin).toBeGreaterThan(450);
  certManager.setSigningDelay(0);
});

it('goes on where it was when it starts again', async () => {
  certManager.setSigningDelay(60_000);
  await cluster.apply(anchor('interrupted'));
  await cluster.eventually(() => cluster.get(ref(API, 'CertificateRequest', 'interrupted-1', NAMESPACE)));
  await certManager.stop();
  certManager = startFakeCertManager(cluster, { hourMs: 1_000, backoffMs: 60_000 });
  await issued('interrupted');
});

it('does nothing when there is nothing to do', async () => {
  await cluster.apply(anchor('still'));
  await issued('still');
  // It is renewed by and by.
  await cluster.delete(ref(API, 'Certificate', 'issuer', 'linkerd'));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const versions = async () => (await cluster.list(API, 'Certificate')).map(({ metadata }) => metadata.resourceVersion);
  const before = await versions();
  const signed = certManager.issued.length;
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await versions()).toEqual(before);
  expect(certManager.issued).toHaveLength(signed);
});
