import { Duration } from 'cdk8s';
import { TRUST_ANCHOR_DEFAULTS } from '#anchor/trust-anchor';
import {
  type AnchorBridge,
  CertManager,
  type CertManagerPKIProps,
  type Cluster,
  LinkerdControlPlane,
  ReconcilerOperator,
  type ReconcilerOperatorProps,
  TrustAnchor,
  TrustBundle,
  TrustManager,
} from '#lib';
import { CertManagerPKI } from '#lib/constructs/pki/cert-manager-pki';
import { prepareTree } from '#lib/gitops/tree/prepare';
import { declareReferences } from '#lib/gitops/tree/references';
import { anchorCertificate } from '#operator/api/anchor-certificate';
import { LEFT_ALONE } from '#operator/api/names';
import { fixture } from '../pki/mesh';
import { type Built, build, buildOperator, type Written } from './fixture';

const HERE = 'linkerd-reconciler';
const WINDOW = { duration: Duration.days(3650), renewBefore: Duration.days(365) };

function operated(
  pki: Partial<CertManagerPKIProps> = {},
  props: Partial<ReconcilerOperatorProps> = {},
  more: (operator: ReconcilerOperator, cluster: Cluster) => void = () => {},
): Built {
  return buildOperator(props, { pki }, more);
}

/** Builds a cluster with cert-manager and trust-manager, and so with all folders. */
function whole(pki: Partial<CertManagerPKIProps> = {}, versions: 'new' | 'old' = 'new', withOperator = true): Built {
  return build((cluster) => {
    const isOld = versions === 'old';
    const certManager = new CertManager(cluster, 'cert-manager', { version: isOld ? 'v1.16.1' : 'v1.21.1' });
    const trustManager = new TrustManager(cluster, 'trust-manager', {
      certManager,
      version: isOld ? 'v0.12.0' : 'v0.24.0',
    });
    const made = new CertManagerPKI(cluster, 'pki', { ...pki, certManager });
    const trust = new TrustBundle(cluster, 'trust', { pki: made, trustManager });
    const controlPlane = new LinkerdControlPlane(cluster, 'linkerd', {
      pki: made,
      trust,
      crds: { gatewayApi: 'existing' },
    });
    if (withOperator) new ReconcilerOperator(cluster, 'operator', { controlPlane });
  });
}

const get = ({ objects }: Built, file: string): Written => objects.get(file);
const specOf = (built: Built): Written => get(built, `${HERE}/trustanchor.linkerd`)?.spec;
const podOf = (built: Built) => get(built, `${HERE}/deployment.${HERE}`).spec.template;

it('an operated anchor is the same if props set its rotation explicitly', () => {
  const named = whole({ trustAnchor: { ...WINDOW, rotation: 'operator' } });
  expect([...named.objects]).toEqual([...whole().objects]);
});

describe('synth', () => {
  it('leaves the rotation of anchors to the user without an operator', () => {
    const built = whole({}, 'new', false);
    expect(built.problems).toEqual([]);
    expect(get(built, 'cert-manager/certificate.linkerd-trust-anchor').spec.renewal).toEqual({ policy: 'Disabled' });
    expect(get(built, 'cert-manager/bundle.linkerd-identity-trust-roots').spec.sources).toHaveLength(1);
  });

  it('refuses rotation by an operator that does not exist', () => {
    const { errors } = whole({ trustAnchor: { ...WINDOW, rotation: 'operator' } }, 'new', false);
    expect(errors).toMatchObject([{ code: 'anchor-rotation-refused' }]);
  });

  it('refuses the configuration of an operator that does not exist', () => {
    const { errors } = whole({ trustAnchor: { ...WINDOW, operator: { paused: true } } }, 'new', false);
    expect(errors).toMatchObject([{ code: 'anchor-rotation-refused' }]);
  });

  it('refuses to configure an operator for rotation by hand', () => {
    const trustAnchor = { ...WINDOW, rotation: 'manual', operator: { paused: true } } as never;
    expect(operated({ trustAnchor }).errors).toMatchObject([
      { code: 'anchor-rotation-refused', parameters: { rotation: '"manual"' } },
    ]);
  });

  it('creates no TrustAnchor for an external trust anchor', () => {
    const built = operated({ trustAnchor: TrustAnchor.fromSecret({ secretName: 'root' }) });
    expect(built.problems).toEqual([]);
    expect(specOf(built)).toBeUndefined();
    expect(podOf(built).metadata.annotations).toMatchObject({ 'linkerd.io/inject': 'enabled' });
  });
});

describe('the configuration of a rotation', () => {
  it('is written to the TrustAnchor', () => {
    const built = operated({
      issuanceLifetime: Duration.hours(12),
      clockSkewAllowance: Duration.seconds(30),
      controlPlaneNamespace: 'mesh',
      trustDomain: 'example.org',
      trustAnchor: {
        duration: Duration.days(100),
        renewBefore: Duration.days(30),
        operator: {
          laggards: { policy: 'Restart', maxUnavailableWorkloads: 5, progressDeadline: Duration.minutes(3) },
          windows: [{ days: ['Sat'], start: '02:00', duration: Duration.hours(4) }],
          paused: true,
          abort: true,
          acceptUnseenProxies: true,
          probes: 'Report',
          rotateNow: '2027-01-01',
          propagationDelay: Duration.minutes(5),
          cluster: 'a',
          members: ['b'],
        },
      },
    });
    expect(built.problems).toEqual([]);
    expect(specOf(built)).toEqual({
      ...TRUST_ANCHOR_DEFAULTS,
      controlPlaneNamespace: 'mesh',
      commonName: 'root.mesh.example.org',
      duration: '2400h',
      renewBefore: '720h',
      issuanceLifetime: '12h',
      clockSkewAllowance: '30s',
      propagationDelay: '5m',
      laggards: { policy: 'Restart', maxUnavailableWorkloads: 5, progressDeadlineSeconds: 180 },
      windows: [{ days: ['Sat'], start: '02:00', duration: '4h' }],
      paused: true,
      abort: true,
      acceptUnseenProxies: true,
      probes: 'Report',
      rotateNow: '2027-01-01',
      cluster: 'a',
      members: ['b'],
    });
  });

  it('is checked', () => {
    const { errors } = operated({ trustAnchor: { ...WINDOW, operator: { workloads: -1 } } });
    expect(errors).toMatchObject([
      { code: 'trust-anchor-refused', parameters: { path: 'trustAnchor.operator.workloads', value: '-1' } },
    ]);
  });

  it('refuses a trust domain that leaves no room for the generation in the names of anchors', () => {
    const trustDomain = `${'a'.repeat(39)}.example`;
    expect(operated({ trustDomain }).errors).toMatchObject([{ code: 'name-too-long', parameters: { length: 60 } }]);
    expect(operated({ trustDomain: trustDomain.slice(1) }).problems).toEqual([]);
    expect(whole({ trustDomain }, 'new', false).problems).toEqual([]);
  });

  it('adds a previous anchor with an external key to the bundle', () => {
    const previous = `# of linkerd install\n${fixture('anchor')}`;
    const built = whole({ trustAnchor: { ...WINDOW, operator: { previous } } });
    expect(built.problems).toEqual([]);
    const { sources } = get(built, 'cert-manager/bundle.linkerd-identity-trust-roots').spec;
    expect(sources).toHaveLength(3);
    expect(sources[2].inLine).toMatch(/^-----BEGIN CERTIFICATE-----/);
  });

  it('is refused with an invalid previous anchor', () => {
    const { errors } = whole({ trustAnchor: { ...WINDOW, operator: { previous: 'nothing' } } });
    const parameters = { field: 'trustAnchor.operator.previous', content: 'no PEM certificate' };
    expect(errors).toMatchObject([{ code: 'trust-anchor-refused', parameters }]);
  });
});

describe('a return to rotation by hand', () => {
  const built = whole({ trustAnchor: { ...WINDOW, rotation: 'manual', generation: 3 } }, 'new', false);

  it('keeps the generation that the operator left', () => {
    expect(built.problems).toEqual([]);
    const { metadata, spec } = get(built, 'cert-manager/certificate.linkerd-trust-anchor-3');
    const left = anchorCertificate(TRUST_ANCHOR_DEFAULTS, { generation: 3, signer: 'self', bundled: true });
    expect(metadata.labels).toEqual(left.metadata.labels);
    // cert-manager does not issue a Certificate again for these differences.
    expect(spec).toEqual({
      ...left.spec,
      renewBefore: '8760h',
      renewal: { policy: 'Disabled' },
      privateKey: { ...left.spec.privateKey, rotationPolicy: 'Always' },
    });
    expect(get(built, 'cert-manager/clusterissuer.linkerd-identity-issuer').spec.ca.secretName).toBe(
      'linkerd-trust-anchor-3',
    );
    expect([...built.objects.keys()]).not.toContain('cert-manager/certificate.linkerd-trust-anchor');
  });

  it.each(['certificate.linkerd-trust-anchor-3', 'clusterissuer.linkerd-identity-issuer'])(
    'never prunes %s',
    (file) => {
      const { annotations } = get(built, `cert-manager/${file}`).metadata;
      expect(annotations).toMatchObject({
        ...LEFT_ALONE,
        'argocd.argoproj.io/sync-options': expect.stringContaining(
          LEFT_ALONE['argocd.argoproj.io/sync-options'] ?? '-',
        ),
      });
    },
  );

  it.each([-1, 1.5])('refuses the generation %s', (generation) => {
    const { errors } = whole({ trustAnchor: { ...WINDOW, rotation: 'manual', generation } }, 'new', false);
    expect(errors).toMatchObject([{ code: 'trust-anchor-refused', parameters: { generation } }]);
  });
});

describe('an operator bound to some namespaces', () => {
  const bound = (pki: Partial<CertManagerPKIProps>) =>
    operated(pki, { namespaces: ['shop'] }, (_, cluster) => {
      declareReferences(cluster, { external: [{ kind: 'Namespace', name: 'shop' }] });
    });

  it('rotates no trust anchor by default', () => {
    const built = bound({});
    expect(built.problems).toEqual([]);
    expect(specOf(built)).toBeUndefined();
    expect(get(built, 'cert-manager/certificate.linkerd-trust-anchor')).toBeDefined();
  });

  it('cannot be configured to rotate a trust anchor', () => {
    const { errors } = bound({ trustAnchor: { ...WINDOW, rotation: 'operator' } });
    expect(errors).toMatchObject([{ code: 'anchor-rotation-refused' }]);
  });
});

it('synth reports code that reads the PKI before the operator exists', () => {
  const { errors } = build((cluster) => {
    const certManager = CertManager.fromExisting(cluster, 'cert-manager');
    const trustManager = TrustManager.fromExisting(cluster, 'trust-manager');
    const pki = new CertManagerPKI(cluster, 'pki', { certManager });
    const trust = new TrustBundle(cluster, 'trust', { pki, trustManager });
    const controlPlane = new LinkerdControlPlane(cluster, 'linkerd', { pki, trust, crds: { gatewayApi: 'existing' } });
    prepareTree(cluster, 'Platform');
    new ReconcilerOperator(cluster, 'operator', { controlPlane });
  });
  expect(errors).toContainEqual(expect.objectContaining({ code: 'anchor-rotation-refused' }));
});

describe('a bridge with an external signer', () => {
  const bridged = (bridge: AnchorBridge) => whole({ trustAnchor: { ...WINDOW, operator: { bridge } } });
  const policies = ({ objects }: Built) => [...objects.keys()].filter((file) => file.includes('trust-anchor-requests'));
  const mayAnswer = (built: Built): boolean =>
    get(built, `cert-manager/role.${HERE}`).rules.some(({ resources }: { readonly resources: readonly string[] }) =>
      resources.includes('certificaterequests/status'),
    );

  it('is not configured by default', () => {
    expect(specOf(whole())).not.toHaveProperty('bridge');
    expect([mayAnswer(whole()), policies(whole())]).toEqual([false, []]);
  });

  it('by request lets the operator answer requests, which an admission policy limits', () => {
    const built = bridged({ signedBy: 'Request', certificate: 'PEM' });
    expect(built.problems).toEqual([]);
    expect(specOf(built).bridge).toEqual({ signedBy: 'Request', ifUnsigned: 'Restart', certificate: 'PEM' });
    expect(mayAnswer(built)).toBe(true);
    expect(policies(built)).toHaveLength(2);
  });
});
