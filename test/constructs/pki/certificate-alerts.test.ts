import { certificateAlerts } from '../../../lib/constructs/pki/certificate-alerts';
import type { WatchedWindows } from '../../../lib/constructs/pki/expiry-alert';
import { parseAnchors } from '../../../lib/constructs/pki/trust-roots';
import { fixture } from './mesh';
import { DAY, HOUR, VALID } from './windows';

const MANUAL: WatchedWindows = { ...VALID, rotation: 'manual', pemAnchors: [] };

function alert(name: string, windows: WatchedWindows = MANUAL) {
  return certificateAlerts(windows).filter((rule) => rule.alert === name);
}

function names(windows: WatchedWindows): readonly (string | undefined)[] {
  return certificateAlerts(windows).map((rule) => rule.alert);
}

test('all alerts of the defaults', () => {
  expect(names(MANUAL)).toEqual([
    'LinkerdTrustAnchorRotationDue',
    'LinkerdTrustAnchorExpiring',
    'LinkerdTrustAnchorRenewed',
    'LinkerdIdentityIssuerRenewalOverdue',
    'LinkerdIdentityIssuerExpiring',
    'LinkerdWebhookIssuerRenewalOverdue',
    'LinkerdWebhookIssuerExpiring',
    'LinkerdWebhookCertificateRenewalOverdue',
    'LinkerdWebhookCertificateExpiring',
    'LinkerdCertificateNotReady',
    'LinkerdCertificateMetricsMissing',
  ]);
});

test('each says how bad it is, and why', () => {
  for (const rule of certificateAlerts(MANUAL)) {
    expect(['warning', 'critical']).toContain(rule.labels?.severity);
    expect(rule.annotations).toEqual({ summary: expect.any(String), description: expect.any(String) });
  }
});

test('none trusts the label namespace, which is that of the scraped pod', () => {
  for (const { expr } of certificateAlerts(MANUAL)) expect(expr).not.toContain('namespace');
});

describe('the identity issuer', () => {
  test('is overdue half-way between its renewal and the lifetime of what it signs', () => {
    // 25h, and 24h 20s: (90000 + 86420) / 2
    expect(alert('LinkerdIdentityIssuerRenewalOverdue')).toMatchObject([
      {
        expr: '(certmanager_certificate_expiration_timestamp_seconds{name="linkerd-identity-issuer"} > 0) - time() < 88210',
        for: '10m',
        labels: { severity: 'warning' },
      },
    ]);
  });

  test('is critical from when its leaves outlive it', () => {
    expect(alert('LinkerdIdentityIssuerExpiring')).toMatchObject([
      { expr: expect.stringMatching(/ < 86420$/), labels: { severity: 'critical' } },
    ]);
  });

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

test("the webhooks' CA must outlive what it signs", () => {
  expect(alert('LinkerdWebhookIssuerRenewalOverdue')[0]?.expr).toMatch(
    /"linkerd-webhook-issuer"} > 0\) - time\(\) < 1598400$/,
  );
  expect(alert('LinkerdWebhookIssuerExpiring')[0]?.expr).toMatch(/ < 604800$/);
});

test('serving certificates are found by their issuer, whatever their names', () => {
  const selector = '{issuer_kind="ClusterIssuer",issuer_name="linkerd-webhook-issuer"}';
  const [overdue] = alert('LinkerdWebhookCertificateRenewalOverdue');
  expect(overdue?.expr).toContain(selector);
  expect(overdue?.expr).toMatch(/ < 108000$/);
  expect(alert('LinkerdWebhookCertificateExpiring')[0]?.expr).toMatch(/ < 43200$/);
  expect(alert('LinkerdCertificateNotReady')[0]?.expr).toContain('issuer_name="linkerd-webhook-issuer"} == 0');
});

test('what is not ready, or not measured, is told', () => {
  expect(alert('LinkerdCertificateNotReady')[0]?.expr).toContain(
    'certmanager_certificate_ready_status{condition="True",name=~"linkerd-trust-anchor|linkerd-identity-issuer|linkerd-webhook-issuer"} == 0 or ',
  );
  expect(alert('LinkerdCertificateMetricsMissing')[0]?.expr).toBe(
    'absent(certmanager_certificate_expiration_timestamp_seconds{name="linkerd-identity-issuer"})',
  );
});

describe('an anchor that is rotated by hand', () => {
  test('is due from renewBefore on, and how to do it is told with the time there is', () => {
    const [due] = alert('LinkerdTrustAnchorRotationDue');
    expect(due?.expr).toBe(
      '(certmanager_certificate_expiration_timestamp_seconds{name="linkerd-trust-anchor"} > 0) - time() < 31536000',
    );
    expect(due?.annotations?.description).toContain('cdk8s-linkerd/trust-anchor=previous');
    expect(due?.annotations?.description).toContain('23h after its last renewal');
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

  test('announces it a week before', () => {
    expect(alert('LinkerdTrustAnchorRotationDue', windows)).toEqual([]);
    expect(alert('LinkerdTrustAnchorRenewalComing', windows)[0]?.expr).toMatch(/ < 32140800$/);
  });

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

describe('with an operator', () => {
  const OPERATED: WatchedWindows = { ...MANUAL, rotation: 'operator' };
  const exprOf = (name: string) => alert(name, OPERATED).map(({ expr }) => String(expr))[0] ?? '';

  test('nobody is told to rotate by hand', () => {
    expect(names(OPERATED).slice(0, 14)).toEqual([
      'LinkerdTrustAnchorRotationOverdue',
      'LinkerdTrustAnchorRotationBlocked',
      'LinkerdTrustAnchorRotationStalled',
      'LinkerdTrustAnchorLaggards',
      'LinkerdTrustAnchorRotationLate',
      'LinkerdTrustAnchorExtended',
      'LinkerdIdentityCannotIssue',
      'LinkerdTrustAnchorExpiring',
      'LinkerdTrustAnchorCompromised',
      'LinkerdTrustAnchorCompromisedLate',
      'LinkerdTrustAnchorForeignRoot',
      'LinkerdTrustAnchorPairsRefused',
      'LinkerdTrustAnchorUnknownPods',
      'LinkerdTrustAnchorMetricsMissing',
    ]);
    expect(names(OPERATED)).not.toContain('LinkerdTrustAnchorRotationDue');
    expect(names(OPERATED)).not.toContain('LinkerdTrustAnchorRenewed');
  });

  test('who signs bridges by hand is told when one is needed, and on the last day', () => {
    const signing = names({ ...OPERATED, signsBridges: true }).filter((name) => !names(OPERATED).includes(name));
    expect(signing).toEqual(['LinkerdTrustAnchorSignatureNeeded', 'LinkerdTrustAnchorSignatureLate']);
    const [late] = alert('LinkerdTrustAnchorSignatureLate', { ...OPERATED, signsBridges: true });
    expect(late?.expr).toBe(
      'max(linkerd_trust_anchor_signature_deadline_timestamp_seconds) - time() < 86400 and max(linkerd_trust_anchor_signature_awaited) == 1',
    );
  });

  test('all generations are watched, also while the operator is away', () => {
    const generations = 'name=~"linkerd-trust-anchor(-[1-8])?"';
    expect(exprOf('LinkerdTrustAnchorExpiring')).toContain(
      `certmanager_certificate_expiration_timestamp_seconds{${generations}}`,
    );
    expect(exprOf('LinkerdTrustAnchorExpiring')).toContain(
      'linkerd_trust_anchor_expiration_timestamp_seconds{role="Signing"}',
    );
    expect(exprOf('LinkerdCertificateNotReady')).toContain('linkerd-trust-anchor(-[1-8])?|linkerd-identity-issuer');
  });

  test('a key that leaked is an alert as long as a pod or the bundle trusts it, and another one after the deadline', () => {
    expect(alert('LinkerdTrustAnchorCompromised', OPERATED)).toMatchObject([
      {
        expr: 'max(linkerd_trust_anchor_compromised_pods) > 0 or max(linkerd_trust_anchor_compromised_in_bundle) > 0',
        labels: { severity: 'critical' },
      },
    ]);
    expect(exprOf('LinkerdTrustAnchorCompromisedLate')).toContain(
      '> 0 and time() > max(linkerd_trust_anchor_compromised_deadline_timestamp_seconds)',
    );
    // It has its own phase, which lasts as long as its restarts.
    expect(exprOf('LinkerdTrustAnchorRotationStalled')).toContain('phase!~"Stable|Expired|Compromised"');
  });

  test('laggards are an alert when time gets short', () => {
    const { renewBefore } = VALID.trustAnchor ?? { renewBefore: 0 };
    expect(exprOf('LinkerdTrustAnchorLaggards')).toBe(
      `max(linkerd_trust_anchor_laggard_pods) > 0 and max(linkerd_trust_anchor_slack_seconds) < ${renewBefore / 4_000} and max(linkerd_trust_anchor_phase{phase="Stable"}) == 0`,
    );
    // While no rotation is in progress, they know another anchor than the present one, or nobody knows which.
    expect(exprOf('LinkerdTrustAnchorUnknownPods')).toContain('phase="Stable"}) == 1');
    expect(exprOf('LinkerdTrustAnchorPairsRefused')).toContain('{result="refused"}');
    expect(exprOf('LinkerdTrustAnchorForeignRoot')).toContain('{role="Foreign"}');
    expect(exprOf('LinkerdTrustAnchorRotationLate')).toBe('max(linkerd_trust_anchor_slack_seconds) < 0');
  });
});
