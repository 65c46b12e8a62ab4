import { certificateAlerts } from '#lib/constructs/pki/certificate-alerts';
import type { WatchedWindows } from '#lib/constructs/pki/expiry-alert';
import { parseAnchors } from '#lib/constructs/pki/trust-roots';
import { fixture } from './mesh';
import { DAY, HOUR, VALID } from './windows';

const MANUAL: WatchedWindows = { ...VALID, rotation: 'manual', pemAnchors: [] };

function alert(name: string, windows: WatchedWindows = MANUAL) {
  return certificateAlerts(windows).filter((rule) => rule.alert === name);
}

test('none trusts the label namespace, which is that of the scraped pod', () => {
  for (const { expr } of certificateAlerts(MANUAL)) expect(expr).not.toContain('namespace');
});

describe('the identity issuer', () => {
  test('follows the windows', () => {
    const windows = {
      ...MANUAL,
      identityIssuer: { duration: 7 * DAY, renewBefore: 60 * HOUR },
      issuanceLifetime: HOUR,
    };
    expect(alert('LinkerdIdentityIssuerRenewalOverdue', windows)[0]?.expr).toMatch(/ < 109810$/);
    expect(alert('LinkerdIdentityIssuerExpiring', windows)[0]?.expr).toMatch(/ < 3620$/);
  });
});

describe('an anchor that is rotated by hand', () => {
  test('says how to rotate it, and in which time', () => {
    const description = alert('LinkerdTrustAnchorRotationDue')[0]?.annotations?.description;
    expect(description).toContain('cdk8s-linkerd/trust-anchor=previous');
    expect(description).toContain('23h after its last renewal');
  });
  test('is critical when a quarter of the time is left', () => {
    // 2 days, and a quarter of the 363 days between them and renewBefore.
    expect(alert('LinkerdTrustAnchorExpiring')).toMatchObject([
      { expr: expect.stringMatching(/ < 8013600$/), labels: { severity: 'critical' } },
    ]);
  });

  test('once renewed, reminds of the restarts as long as an issuer lives', () => {
    expect(alert('LinkerdTrustAnchorRenewed')).toMatchObject([
      { expr: expect.stringContaining('[172800s:5m]) > 0'), labels: { severity: 'warning' } },
    ]);
  });
});

describe('an anchor that renews by itself', () => {
  const windows: WatchedWindows = { ...MANUAL, rotation: 'automatic-unsafe' };

  test('or in the last quarter of the time before', () => {
    const trustAnchor = { duration: 14 * DAY, renewBefore: 6 * DAY };
    expect(alert('LinkerdTrustAnchorRenewalComing', { ...windows, trustAnchor })[0]?.expr).toMatch(/ < 691200$/);
  });

  test('makes its renewal an emergency', () => {
    expect(alert('LinkerdTrustAnchorRenewed', windows)[0]?.labels).toEqual({ severity: 'critical' });
  });
});

describe('an anchor that only Git knows', () => {
  const { trustAnchor, ...others } = MANUAL;
  const { anchors } = parseAnchors('certificates', fixture('anchor') + fixture('previous-anchor'));

  test('expires at a known time', () => {
    const [warning, critical, ...more] = alert('LinkerdTrustAnchorExpiring', { ...others, pemAnchors: anchors });
    const end = Date.parse('2126-10-28T07:02:51Z') / 1000;
    // A tenth and a fortieth of 36500 days, and the two days that an issuer lives.
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

  test('has no Certificate to watch', () => {
    const rules = certificateAlerts({ ...others, pemAnchors: anchors });
    expect(rules.map(({ expr }) => expr).join()).not.toContain('linkerd-trust-anchor');
  });
});

test('an anchor that an operator left is known by its name', () => {
  const left = { ...MANUAL, anchorName: 'linkerd-trust-anchor-3' };
  for (const name of ['LinkerdTrustAnchorRotationDue', 'LinkerdTrustAnchorExpiring', 'LinkerdTrustAnchorRenewed']) {
    expect(alert(name, left)[0]?.expr).toContain('{name="linkerd-trust-anchor-3"}');
  }
  expect(alert('LinkerdTrustAnchorRotationDue', left)[0]?.annotations?.description).toContain(
    '3. Renew the Certificate linkerd-trust-anchor-3.',
  );
  expect(alert('LinkerdCertificateNotReady', left)[0]?.expr).toContain('"linkerd-trust-anchor-3|');
});
