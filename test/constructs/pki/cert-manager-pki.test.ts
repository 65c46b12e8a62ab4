import { Duration, Testing } from 'cdk8s';
import { CertManager } from '#lib/constructs/pki/cert-manager';
import { CertManagerPKI } from '#lib/constructs/pki/cert-manager-pki';
import { TrustAnchor } from '#lib/constructs/pki/trust-anchor';
import { Cluster } from '#lib/gitops/tree/cluster';
import { homeNamespaceOf } from '#lib/gitops/tree/home-namespace';
import { dependenciesOf } from '#lib/gitops/tree/order';
import { ruleErrorsIn, ruleFactsIn, ruleFindingsIn } from '../../support/findings';
import { allWarningsOf, externalsOf, fixture, hours, objectOf, objectsOf, pkiChart } from './mesh';

describe('with the defaults', () => {
  test('breaks no rule', () => {
    expect(ruleErrorsIn(pkiChart().chart)).toEqual([]);
  });

  test("emits the objects of Linkerd's guides, and what guards them", () => {
    const { chart } = pkiChart();
    expect(
      objectsOf(chart)
        .filter(({ kind }) => kind !== 'Application')
        .map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? '-'}/${metadata.name}`),
    ).toEqual([
      'Namespace -/cert-manager',
      'Issuer cert-manager/linkerd-trust-root-issuer',
      'Certificate cert-manager/linkerd-trust-anchor',
      'ClusterIssuer -/linkerd-identity-issuer',
      'Certificate linkerd/linkerd-identity-issuer',
      'Issuer cert-manager/linkerd-webhook-root-issuer',
      'Certificate cert-manager/linkerd-webhook-issuer',
      'ClusterIssuer -/linkerd-webhook-issuer',
      'ValidatingAdmissionPolicy -/linkerd-issuers',
      'ValidatingAdmissionPolicyBinding -/linkerd-issuers',
      'Namespace -/linkerd',
    ]);
  });

  test('the anchor signs itself, is rotated by hand and outlives its manifest', () => {
    const { metadata, spec } = objectOf(pkiChart().chart, 'Certificate', 'linkerd-trust-anchor');
    expect(metadata.annotations).toMatchObject({ 'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false' });
    expect(spec).toMatchObject({
      commonName: 'root.linkerd.cluster.local',
      duration: '87600h',
      renewBefore: '8760h',
      renewal: { policy: 'Disabled' },
      issuerRef: { group: 'cert-manager.io', kind: 'Issuer', name: 'linkerd-trust-root-issuer' },
      secretName: 'linkerd-trust-anchor',
      secretTemplate: { labels: { 'cdk8s-linkerd/trust-anchor': 'current' } },
    });
  });

  test('the identity issuer has the name that proxies expect', () => {
    const { chart } = pkiChart();
    expect(objectOf(chart, 'ClusterIssuer', 'linkerd-identity-issuer').spec).toEqual({
      ca: { secretName: 'linkerd-trust-anchor' },
    });
    const { spec } = objectsOf(chart).find(
      ({ kind, metadata }) => kind === 'Certificate' && metadata.namespace === 'linkerd',
    ) ?? { spec: undefined };
    expect(spec).toMatchObject({
      commonName: 'identity.linkerd.cluster.local',
      dnsNames: ['identity.linkerd.cluster.local'],
      duration: '48h',
      renewBefore: '25h',
      isCA: true,
      usages: ['cert sign', 'crl sign', 'server auth', 'client auth'],
      secretName: 'linkerd-identity-issuer',
      issuerRef: { group: 'cert-manager.io', kind: 'ClusterIssuer', name: 'linkerd-identity-issuer' },
    });
    expect(spec).not.toHaveProperty('renewal');
  });

  test('shows what others derive from it', () => {
    const { pki } = pkiChart();
    expect(pki).toMatchObject({
      clusterDomain: 'cluster.local',
      trustDomain: 'cluster.local',
      controlPlaneNamespace: 'linkerd',
      identityIssuerSecretName: 'linkerd-identity-issuer',
    });
    expect(pki.issuanceLifetime.toHours()).toBe(24);
    expect(pki.clockSkewAllowance.toSeconds()).toBe(20);
  });

  test("lies in cert-manager's folder and comes after it", () => {
    const { pki, certManager } = pkiChart();
    expect(homeNamespaceOf(pki)).toBe('cert-manager');
    expect(dependenciesOf(pki)).toEqual([certManager]);
  });
});

test('takes its domain from the Cluster', () => {
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

test('all of the PKI follows the namespaces', () => {
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

describe('an anchor that renews by itself', () => {
  const trustAnchor = hours(8760, 720);

  test('is an error', () => {
    expect(ruleFindingsIn(pkiChart({ trustAnchor }, 'v1.16.1').chart)).toMatchObject([
      { code: 'anchor-rotation-refused', parameters: { version: 'v1.16.1' } },
    ]);
  });

  test('is not what becomes of the default by another duration', () => {
    const { chart } = pkiChart({ trustAnchor });
    expect(ruleErrorsIn(chart)).toEqual([]);
    expect(objectOf(chart, 'Certificate', 'linkerd-trust-anchor').spec).toMatchObject({
      duration: '8760h',
      renewal: { policy: 'Disabled' },
    });
  });

  test('unless its risk is taken by name, and is then a warning', () => {
    const { chart } = pkiChart({ trustAnchor: { ...trustAnchor, rotation: 'automatic-unsafe' } }, 'v1.16.1');
    expect(ruleErrorsIn(chart)).toEqual([]);
    expect(allWarningsOf(chart)).toContainEqual(expect.objectContaining({ code: 'anchor-renewal-automatic' }));
    expect(objectOf(chart, 'Certificate', 'linkerd-trust-anchor').spec).not.toHaveProperty('renewal');
  });
});

test("the blog's windows are refused all at once", () => {
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

test('a duration that Go would refuse is reported, not thrown', () => {
  const { chart } = pkiChart({ webhooks: { duration: Duration.hours(24), renewBefore: Duration.millis(3_600_000.5) } });
  expect(ruleFactsIn(chart)).toMatchObject([
    { finding: 'duration-refused/go', field: 'webhooks.renewBefore', milliseconds: 3600000.5 },
  ]);
});

describe('an anchor in an existing Secret', () => {
  const trustAnchor = TrustAnchor.fromSecret({ secretName: 'mesh-root' });

  test('signs, and no other anchor is made', () => {
    const { chart } = pkiChart({ trustAnchor });
    expect(objectOf(chart, 'ClusterIssuer', 'linkerd-identity-issuer').spec).toEqual({
      ca: { secretName: 'mesh-root' },
    });
    expect(objectsOf(chart).map(({ metadata }) => metadata.name)).not.toContain('linkerd-trust-anchor');
  });

  test('is taken for granted, but for its label', () => {
    const { chart } = pkiChart({ trustAnchor });
    expect(ruleErrorsIn(chart)).toEqual([]);
    expect(externalsOf(chart)).toEqual([{ kind: 'Secret', namespace: 'cert-manager', name: 'mesh-root' }]);
    expect(allWarningsOf(chart)).toMatchObject([
      { code: 'trust-anchor-unlabelled', parameters: { namespace: 'cert-manager', secretName: 'mesh-root' } },
    ]);
  });
});

describe('an anchor behind an issuer', () => {
  const trustAnchor = TrustAnchor.fromClusterIssuer({ name: 'ca-issuer', roots: { secretName: 'root-secret' } });

  test('signs the identity issuer, and no ClusterIssuer is made for it', () => {
    const { chart } = pkiChart({ trustAnchor });
    expect(objectOf(chart, 'Certificate', 'linkerd-identity-issuer').spec).toMatchObject({
      issuerRef: { group: 'cert-manager.io', kind: 'ClusterIssuer', name: 'ca-issuer' },
    });
    expect(objectsOf(chart).filter(({ kind }) => kind === 'ClusterIssuer')).toHaveLength(1);
  });

  test('takes its roots for granted, and not the issuer', () => {
    const { chart } = pkiChart({ trustAnchor });
    expect(ruleErrorsIn(chart)).toEqual([]);
    expect(externalsOf(chart)).toEqual([{ kind: 'Secret', namespace: 'cert-manager', name: 'root-secret' }]);
  });
});

describe('an anchor whose key is elsewhere', () => {
  const certificates = fixture('anchor');

  test.each([{ name: 'vault' }, { name: 'vault', kind: 'Issuer' }])(
    'does not take the issuer %j for granted',
    (issuer) => {
      const { chart } = pkiChart({ trustAnchor: TrustAnchor.fromPem({ certificates, issuer }) });
      expect(ruleErrorsIn(chart)).toEqual([]);
      expect(externalsOf(chart)).toEqual([]);
    },
  );

  test('may be behind an external issuer, of whose kinds nothing is known', () => {
    const issuer = { name: 'pca', kind: 'AWSPCAClusterIssuer', group: 'awspca.cert-manager.io' };
    const { chart } = pkiChart({ trustAnchor: TrustAnchor.fromPem({ certificates, issuer }) });
    expect(externalsOf(chart)).toEqual([]);
    expect(objectOf(chart, 'Certificate', 'linkerd-identity-issuer').spec).toMatchObject({ issuerRef: issuer });
  });

  test('a private key beside it is refused', () => {
    const key = '-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----\n';
    const trustAnchor = TrustAnchor.fromPem({ certificates: certificates + key, issuer: { name: 'vault' } });
    const { chart } = pkiChart({ trustAnchor });
    expect(ruleFindingsIn(chart)).toMatchObject([
      { code: 'private-key-found', cause: 'roots', parameters: { block: 'block 2 of trustAnchor.certificates' } },
    ]);
    expect(JSON.stringify(objectsOf(chart))).not.toContain('PRIVATE KEY');
  });

  test('it expires unseen without alerts, which is a warning', () => {
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

describe('alerts', () => {
  test("lie in cert-manager's namespace by default", () => {
    const { chart } = pkiChart({ alerts: {} });
    expect(objectOf(chart, 'PrometheusRule', 'linkerd-certificates').metadata.namespace).toBe('cert-manager');
    expect(allWarningsOf(chart)).toEqual([]);
  });

  test('or where Prometheus looks for rules', () => {
    const labels = { release: 'kube-prometheus-stack' };
    const { chart } = pkiChart({ alerts: { namespace: 'monitoring', labels } });
    expect(objectOf(chart, 'PrometheusRule', 'linkerd-certificates').metadata).toMatchObject({
      namespace: 'monitoring',
      labels,
    });
    expect(externalsOf(chart)).toEqual([{ kind: 'Namespace', name: 'monitoring' }]);
  });
});
