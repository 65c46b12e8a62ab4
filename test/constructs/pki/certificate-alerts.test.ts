import { certificateAlerts } from '#lib/constructs/pki/certificate-alerts';
import type { WatchedWindows } from '#lib/constructs/pki/expiry-alert';
import { parseAnchors } from '#lib/constructs/pki/trust-roots';
import { fixture } from './mesh';
import { DAY, HOUR, VALID } from './windows';

const MANUAL: WatchedWindows = { ...VALID, rotation: 'manual', pemAnchors: [] };

function alert(name: string, windows: WatchedWindows = MANUAL) {
  return certificateAlerts(windows).filter((rule) => rule.alert === name);
}

test('no alert uses the label namespace, which is that of the scraped pod', () => {
  for (const { expr } of certificateAlerts(MANUAL)) expect(expr).not.toContain('namespace');
});

describe('the identity issuer', () => {
  test('has an alert by its validity', () => {
    const windows = {
      ...MANUAL,
      identityIssuer: { duration: 7 * DAY, renewBefore: 60 * HOUR },
      issuanceLifetime: HOUR,
    };
    expect(alert('LinkerdIdentityIssuerRenewalOverdue', windows)[0]?.expr).toMatch(/ < 109810$/);
    expect(alert('LinkerdIdentityIssuerExpiring', windows)[0]?.expr).toMatch(/ < 3620$/);
  });
});

describe('a trust anchor that is rotated by hand', () => {
  test('has an alert that explains the rotation and its time limit', () => {
    const description = alert('LinkerdTrustAnchorRotationDue')[0]?.annotations?.description;
    expect(description).toContain('cdk8s-linkerd/trust-anchor=previous');
    expect(description).toContain('23h after its last renewal');
  });
  test('has a critical alert when a quarter of the time is left', () => {
    // 2 days, plus a quarter of the 363 days that remain of renewBefore.
    expect(alert('LinkerdTrustAnchorExpiring')).toMatchObject([
      { expr: expect.stringMatching(/ < 8013600$/), labels: { severity: 'critical' } },
    ]);
  });

  test('has an alert after its renewal, for the life of an issuer', () => {
    expect(alert('LinkerdTrustAnchorRenewed')).toMatchObject([
      { expr: expect.stringContaining('[172800s:5m]) > 0'), labels: { severity: 'warning' } },
    ]);
  });
});

describe('a trust anchor that cert-manager renews', () => {
  const windows: WatchedWindows = { ...MANUAL, rotation: 'automatic-unsafe' };

  test('has an alert in the last quarter of the time before its renewal', () => {
    const trustAnchor = { duration: 14 * DAY, renewBefore: 6 * DAY };
    expect(alert('LinkerdTrustAnchorRenewalComing', { ...windows, trustAnchor })[0]?.expr).toMatch(/ < 691200$/);
  });

  test('has a critical alert on its renewal', () => {
    expect(alert('LinkerdTrustAnchorRenewed', windows)[0]?.labels).toEqual({ severity: 'critical' });
  });
});

describe('a trust anchor that exists only in Git', () => {
  const { trustAnchor, ...others } = MANUAL;
  const { anchors } = parseAnchors('certificates', fixture('anchor') + fixture('previous-anchor'));

  test('has a warning and a critical alert before its end', () => {
    const [warning, critical, ...more] = alert('LinkerdTrustAnchorExpiring', { ...others, pemAnchors: anchors });
    const end = Date.parse('2126-10-28T07:02:51Z') / 1000;
    // A tenth and a fortieth of 36500 days, plus the two days of an issuer.
    expect(warning).toMatchObject({
      expr: `vector(${end}) - time() < ${3652 * 86_400}`,
      labels: { severity: 'warning', anchor: 'CN=root.linkerd.cluster.local' },
    });
    expect(critical).toMatchObject({
      expr: `vector(${end}) - time() < ${914.5 * 86_400}`,
      labels: { severity: 'critical' },
    });
    expect(more).toHaveLength(2);
  });

  test('has no alert on a Certificate', () => {
    const rules = certificateAlerts({ ...others, pemAnchors: anchors });
    expect(rules.map(({ expr }) => expr).join()).not.toContain('linkerd-trust-anchor');
  });
});

test('alerts on an anchor that an operator created use the name of its Certificate', () => {
  const left = { ...MANUAL, anchorName: 'linkerd-trust-anchor-3' };
  for (const name of ['LinkerdTrustAnchorRotationDue', 'LinkerdTrustAnchorExpiring', 'LinkerdTrustAnchorRenewed']) {
    expect(alert(name, left)[0]?.expr).toContain('{name="linkerd-trust-anchor-3"}');
  }
  expect(alert('LinkerdTrustAnchorRotationDue', left)[0]?.annotations?.description).toContain(
    '3. Renew the Certificate linkerd-trust-anchor-3.',
  );
  expect(alert('LinkerdCertificateNotReady', left)[0]?.expr).toContain('"linkerd-trust-anchor-3|');
});
