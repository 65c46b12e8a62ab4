import { Duration, Testing } from 'cdk8s';
import { TrustAnchor, type TrustAnchorSource } from '#lib/constructs/pki/trust-anchor';
import { TrustBundle } from '#lib/constructs/pki/trust-bundle';
import { TrustManager } from '#lib/constructs/pki/trust-manager';
import type { TrustManagerVersion } from '#linkerd/releases/cert-manager';
import { ruleErrorsIn, ruleFindingsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';
import { fixture, objectOf, objectsOf, pkiChart } from './mesh';

function bundleOf(trustAnchor?: TrustAnchorSource, version: TrustManagerVersion = 'v0.24.0') {
  const { chart, certManager, pki } = pkiChart({ trustAnchor, controlPlaneNamespace: 'mesh' });
  const trustManager = new TrustManager(chart, 'trust-manager', { certManager, version });
  const bundle = new TrustBundle(chart, 'bundle', { pki, trustManager });
  return { chart, pki, trustManager, bundle, object: objectOf(chart, 'Bundle', 'linkerd-identity-trust-roots') };
}

const ROLES = [{ key: 'cdk8s-linkerd/trust-anchor', operator: 'In', values: ['current', 'signing', 'previous'] }];

test.each([
  ['a Secret', TrustAnchor.fromSecret({ secretName: 'root' }), 'tls.crt'],
  ['a Secret with another key', TrustAnchor.fromSecret({ secretName: 'root', key: 'root.pem' }), 'root.pem'],
  ['an issuer', TrustAnchor.fromClusterIssuer({ name: 'ca-issuer', roots: { secretName: 'root-secret' } }), 'ca.crt'],
])('a Bundle selects anchors of %s by the label of trust roots', (_, trustAnchor, key) => {
  expect(bundleOf(trustAnchor).object.spec).toMatchObject({
    sources: [{ secret: { key, selector: { matchExpressions: ROLES } } }],
  });
});

test('a Bundle contains PEM anchors inline', () => {
  const certificates = `# current\n${fixture('anchor')}# previous\n${fixture('previous-anchor')}`;
  const trustAnchor = TrustAnchor.fromPem({ certificates, issuer: { name: 'vault' } });
  expect(bundleOf(trustAnchor).object.spec).toMatchObject({
    sources: [{ inLine: fixture('anchor') + fixture('previous-anchor') }],
  });
});

describe('a trust-manager with another trust namespace than cert-manager', () => {
  function errorsWith(trustAnchor?: TrustAnchorSource) {
    const { chart, pki } = pkiChart({ trustAnchor });
    const trustManager = TrustManager.fromExisting(chart, 'trust-manager', { trustNamespace: 'trust' });
    new TrustBundle(chart, 'bundle', { pki, trustManager });
    return ruleFindingsIn(chart);
  }

  test('is refused for anchors in Secrets', () => {
    expect(errorsWith()).toMatchObject([
      { code: 'trust-manager-mismatch', parameters: { trustNamespace: 'trust', namespace: 'cert-manager' } },
    ]);
  });

  test('is accepted for PEM anchors', () => {
    const issuer = { name: 'vault' };
    expect(errorsWith(TrustAnchor.fromPem({ certificates: fixture('anchor'), issuer }))).toEqual([]);
  });
});

test('a TrustBundle may be in another chart than the PKI', () => {
  const { pki, trustManager, chart } = bundleOf();
  const other = Testing.chart();
  new TrustBundle(other, 'bundle', { pki, trustManager });
  expect(ruleErrorsIn(chart)).toEqual([]);
  expect(plainObjects(other)).toHaveLength(1);
});

test('synth writes no Bundle without a trust anchor', () => {
  const { chart, certManager, pki } = pkiChart({
    trustAnchor: TrustAnchor.fromPem({ certificates: 'anchor.pem', issuer: { name: 'vault' } }),
  });
  const trustManager = new TrustManager(chart, 'trust-manager', { certManager });
  new TrustBundle(chart, 'bundle', { pki, trustManager });
  expect(objectsOf(chart).filter(({ kind }) => kind === 'Bundle')).toEqual([]);
  expect(ruleFindingsIn(chart)).toMatchObject([
    { code: 'trust-anchor-refused', parameters: { content: 'no PEM certificate' } },
  ]);
});

test.each([
  [['linkerd', 'shop'], []],
  [[], []],
  [['shop'], [{ code: 'trust-manager-mismatch', parameters: { allowed: 'shop', namespace: 'linkerd' } }]],
])('synth checks the trust bundle for the target namespaces %j of trust-manager', (targetNamespaces, errors) => {
  const { chart, certManager, pki } = pkiChart();
  const values = { app: { targetNamespaces } };
  const trustManager = new TrustManager(chart, 'trust-manager', { certManager, values });
  new TrustBundle(chart, 'bundle', { pki, trustManager });
  expect(ruleFindingsIn(chart)).toMatchObject(errors);
});

test.each([
  ['v0.24.0', []],
  ['v0.12.0', [{ code: 'trust-manager-mismatch', parameters: { version: 'v0.12.0' } }]],
] as const)('synth checks the trust bundle of a PKI with members, with trust-manager %s', (version, errors) => {
  const trustAnchor = {
    duration: Duration.days(3650),
    renewBefore: Duration.days(365),
    rotation: 'operator',
    operator: { cluster: 'east', members: ['west'] },
  } as const;
  const { bundle } = bundleOf(trustAnchor, version);
  expect(ruleFindingsIn(bundle)).toMatchObject(errors);
});
