import { Testing } from 'cdk8s';
import { CertManager } from '#lib/constructs/pki/cert-manager';
import { CertManagerPKI } from '#lib/constructs/pki/cert-manager-pki';
import { TrustAnchor } from '#lib/constructs/pki/trust-anchor';
import { Cluster } from '#lib/gitops/tree/cluster';
import { ruleErrorsIn, ruleFindingsIn } from '../../support/findings';
import { allWarningsOf, externalsOf, fixture, hours, objectOf, objectsOf, pkiChart } from './mesh';

test('the default trust anchor is self-signed, rotated by hand and never pruned', () => {
  const { metadata, spec } = objectOf(pkiChart().chart, 'Certificate', 'linkerd-trust-anchor');
  expect(metadata.annotations).toMatchObject({ 'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false' });
  expect(spec).toMatchObject({
    duration: '87600h',
    renewBefore: '8760h',
    renewal: { policy: 'Disabled' },
    issuerRef: { group: 'cert-manager.io', kind: 'Issuer', name: 'linkerd-trust-root-issuer' },
    secretTemplate: { labels: { 'cdk8s-linkerd/trust-anchor': 'current' } },
  });
});
test('the PKI reads its cluster domain from the Cluster', () => {
  const cluster = new Cluster(Testing.app(), 'home', { domain: 'home.arpa' });
  const certManager = new CertManager(cluster, 'cert-manager');
  const pki = new CertManagerPKI(cluster, 'pki', { certManager, trustDomain: 'mesh.example' });
  expect(pki).toMatchObject({ clusterDomain: 'home.arpa', trustDomain: 'mesh.example' });
  expect(objectOf(cluster, 'Certificate', 'linkerd-trust-anchor').spec).toMatchObject({
    commonName: 'root.linkerd.mesh.example',
  });
  expect(objectOf(cluster, 'Certificate', 'linkerd-webhook-issuer').spec).toMatchObject({
    commonName: 'webhook.linkerd.mesh.example',
  });
});

test('all objects of the PKI are in the namespaces of its props', () => {
  const chart = Testing.chart();
  const certManager = CertManager.fromExisting(chart, 'cert-manager', { namespace: 'certs' });
  new CertManagerPKI(chart, 'pki', { certManager, controlPlaneNamespace: 'mesh' });
  expect(objectsOf(chart).map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? '-'}`)).toEqual([
    'Issuer certs',
    'Certificate certs',
    'ClusterIssuer -',
    'Certificate mesh',
    'Issuer certs',
    'Certificate certs',
    'ClusterIssuer -',
    'ValidatingAdmissionPolicy -',
    'ValidatingAdmissionPolicyBinding -',
    'Namespace -',
  ]);
});

describe('automatic renewal of the trust anchor', () => {
  const trustAnchor = hours(8760, 720);

  test('is off by default, also with another duration', () => {
    const { chart } = pkiChart({ trustAnchor });
    expect(ruleErrorsIn(chart)).toEqual([]);
    expect(objectOf(chart, 'Certificate', 'linkerd-trust-anchor').spec).toMatchObject({
      duration: '8760h',
      renewal: { policy: 'Disabled' },
    });
  });

  test('causes a warning with rotation: automatic-unsafe', () => {
    const { chart } = pkiChart({ trustAnchor: { ...trustAnchor, rotation: 'automatic-unsafe' } }, 'v1.16.1');
    expect(ruleErrorsIn(chart)).toEqual([]);
    expect(allWarningsOf(chart)).toContainEqual(expect.objectContaining({ code: 'anchor-renewal-automatic' }));
    expect(objectOf(chart, 'Certificate', 'linkerd-trust-anchor').spec).not.toHaveProperty('renewal');
  });
});

test('synth reports all wrong durations of the Linkerd blog at once', () => {
  const { chart } = pkiChart(
    {
      trustAnchor: { ...hours(336, 24), rotation: 'automatic-unsafe' },
      identityIssuer: hours(168, 24),
      webhookIssuer: hours(336, 24),
      webhooks: hours(168, 24),
    },
    'v1.16.1',
  );
  expect(ruleFindingsIn(chart).map(({ code, parameters }) => [code, parameters?.proposed])).toEqual([
    ['certificate-outlives-issuer', '{ duration: Duration.days(7), renewBefore: Duration.hours(25) }'],
    ['certificate-outlives-issuer', '{ duration: Duration.days(14), renewBefore: Duration.days(7) }'],
    ['certificate-outlives-issuer', '{ duration: Duration.days(14), renewBefore: Duration.days(7) }'],
  ]);
});

test('an anchor in an existing Secret signs issuers, with a warning about its label', () => {
  const { chart } = pkiChart({ trustAnchor: TrustAnchor.fromSecret({ secretName: 'mesh-root' }) });
  expect(objectOf(chart, 'ClusterIssuer', 'linkerd-identity-issuer').spec).toEqual({ ca: { secretName: 'mesh-root' } });
  expect(objectsOf(chart).map(({ metadata }) => metadata.name)).not.toContain('linkerd-trust-anchor');
  expect(ruleErrorsIn(chart)).toEqual([]);
  expect(externalsOf(chart)).toEqual([{ kind: 'Secret', namespace: 'cert-manager', name: 'mesh-root' }]);
  expect(allWarningsOf(chart)).toMatchObject([
    { code: 'trust-anchor-unlabelled', parameters: { namespace: 'cert-manager', secretName: 'mesh-root' } },
  ]);
});

test('a declared issuer signs the identity issuer without a ClusterIssuer of the PKI', () => {
  const trustAnchor = TrustAnchor.fromClusterIssuer({ name: 'ca-issuer', roots: { secretName: 'root-secret' } });
  const { chart } = pkiChart({ trustAnchor });
  expect(objectOf(chart, 'Certificate', 'linkerd-identity-issuer').spec).toMatchObject({
    issuerRef: { group: 'cert-manager.io', kind: 'ClusterIssuer', name: 'ca-issuer' },
  });
  expect(objectsOf(chart).filter(({ kind }) => kind === 'ClusterIssuer')).toHaveLength(1);
  expect(ruleErrorsIn(chart)).toEqual([]);
  expect(externalsOf(chart)).toEqual([{ kind: 'Secret', namespace: 'cert-manager', name: 'root-secret' }]);
});

describe('a trust anchor with an external key', () => {
  const certificates = fixture('anchor');

  test.each<{ readonly name: string; readonly kind?: string; readonly group?: string }>([
    { name: 'vault' },
    { name: 'vault', kind: 'Issuer' },
    { name: 'pca', kind: 'AWSPCAClusterIssuer', group: 'awspca.cert-manager.io' },
  ])('signs through the external issuer %j', (issuer) => {
    const { chart } = pkiChart({ trustAnchor: TrustAnchor.fromPem({ certificates, issuer }) });
    expect(ruleErrorsIn(chart)).toEqual([]);
    expect(externalsOf(chart)).toEqual([]);
    expect(objectOf(chart, 'Certificate', 'linkerd-identity-issuer').spec).toMatchObject({ issuerRef: issuer });
  });
  test('causes a warning without alerts on its expiry', () => {
    const trustAnchor = TrustAnchor.fromPem({ certificates, issuer: { name: 'vault' } });
    expect(allWarningsOf(pkiChart({ trustAnchor }).chart)).toMatchObject([
      {
        code: 'certificate-alerts-missing',
        cause: 'anchor',
        parameters: { subject: 'CN=root.linkerd.cluster.local', end: '2126-10-28' },
      },
    ]);
    expect(allWarningsOf(pkiChart({ trustAnchor, alerts: {} }).chart)).toEqual([]);
  });
});

test('alerts are in the namespace of cert-manager by default', () => {
  const { chart } = pkiChart({ alerts: {} });
  expect(objectOf(chart, 'PrometheusRule', 'linkerd-certificates').metadata.namespace).toBe('cert-manager');
  expect(allWarningsOf(chart)).toEqual([]);
});
