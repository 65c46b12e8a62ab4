import { MINUTE } from '#base/time-units';
import { certificateAlerts } from '#lib/constructs/pki/certificate-alerts';
import type { WatchedWindows } from '#lib/constructs/pki/expiry-alert';
import { checkRules, type PlayedScenario, playScenarios, printAlerts } from '../../support/promtool';
import { DAY, HOUR, VALID } from './windows';

const NONE = {};

const MANUAL: WatchedWindows = { ...VALID, rotation: 'manual', pemAnchors: [] };
const AUTOMATIC: WatchedWindows = { ...VALID, rotation: 'automatic-unsafe', pemAnchors: [] };
const OPERATED: WatchedWindows = { ...VALID, rotation: 'operator', pemAnchors: [] };
const SIGNED: WatchedWindows = { ...OPERATED, signsBridges: true };
const { trustAnchor: _, ...withoutAnchor } = VALID;
const PEM: WatchedWindows = {
  ...withoutAnchor,
  pemAnchors: [
    {
      pem: '',
      subject: 'CN=root',
      notBefore: new Date(-3_650 * DAY),
      notAfter: new Date(90 * DAY),
    } as unknown as WatchedWindows['pemAnchors'][number],
  ],
};

/** Returns a time in seconds for the series. */
const at = (ms: number) => `${ms / 1_000}`;
const expires = (name: string, more = '') =>
  `certmanager_certificate_expiration_timestamp_seconds{name="${name}"${more}}`;
const WEBHOOK = ',issuer_kind="ClusterIssuer",issuer_name="linkerd-webhook-issuer"';
const anchor = (metric: string, labels = '') => `linkerd_trust_anchor_${metric}{pod="operator-1"${labels}}`;
const phase = (name: string) => anchor('phase', `,phase="${name}"`);
const root = (role: string) => anchor('expiration_timestamp_seconds', `,role="${role}",generation="1"`);

type Case = readonly [
  alert: string,
  title: string,
  series: PlayedScenario['series'],
  firing: Readonly<Record<string, number>>,
  windows?: WatchedWindows,
  interval?: string,
];

/** Returns the expected alerts of a name by time. */
const alertsAt = (name: string, firing: Case[3]): PlayedScenario['firing'] =>
  Object.fromEntries(Object.entries(firing).map(([at, count]) => [at, count === 0 ? NONE : { [name]: count }]));

const CASES: readonly Case[] = [
  [
    'LinkerdIdentityIssuerRenewalOverdue',
    'fires halfway between the missed renewal and the critical alert, until the renewal',
    // The overdue threshold is 24.5 h; the issuer is renewed after 90 minutes.
    { [expires('linkerd-identity-issuer')]: `${at(24.75 * HOUR)}x90 ${at(72 * HOUR)}x30` },
    { '10m': 0, '40m': 1, '100m': 0 },
  ],
  [
    'LinkerdIdentityIssuerExpiring',
    'fires once the issuer ends before what it signs, and ignores one that was never issued',
    {
      [expires('linkerd-identity-issuer')]: `${at(24 * HOUR)}x30`,
      [expires('linkerd-identity-issuer', ',pod="other"')]: '0x30',
    },
    { '5m': 1 },
  ],
  [
    'LinkerdWebhookIssuerRenewalOverdue',
    'fires for the CA of the webhooks',
    { [expires('linkerd-webhook-issuer')]: `${at(10 * DAY)}x30`, [expires('other')]: '60x30' },
    { '20m': 1 },
  ],
  [
    'LinkerdWebhookIssuerExpiring',
    'fires for a CA that ends before what it signs',
    { [expires('linkerd-webhook-issuer')]: `${at(7 * DAY)}x30` },
    { '20m': 1 },
  ],
  [
    'LinkerdWebhookCertificateRenewalOverdue',
    'fires for each certificate of a webhook, by its issuer',
    {
      [expires('linkerd-sp-validator', WEBHOOK)]: `${at(DAY)}x30`,
      [expires('tap', WEBHOOK)]: `${at(DAY)}x30`,
      [expires('linkerd-proxy-injector', WEBHOOK)]: `${at(7 * DAY)}x30`,
    },
    { '20m': 2 },
  ],
  [
    'LinkerdWebhookCertificateExpiring',
    'fires in the last quarter of the time for renewals',
    { [expires('tap', WEBHOOK)]: `${at(11 * HOUR)}x30` },
    { '5m': 1 },
  ],
  [
    'LinkerdCertificateNotReady',
    'fires for a certificate of the mesh, not for others, and not during a renewal',
    {
      'certmanager_certificate_ready_status{name="linkerd-identity-issuer",condition="True"}': '0x40',
      'certmanager_certificate_ready_status{name="linkerd-webhook-issuer",condition="True"}': '1x10 0x5 1x25',
      'certmanager_certificate_ready_status{name="other",condition="True"}': '0x40',
    },
    { '14m': 0, '16m': 1, '38m': 1 },
  ],
  [
    'LinkerdCertificateMetricsMissing',
    'fires after an hour without metrics, and ignores a restart of cert-manager',
    { [expires('linkerd-identity-issuer')]: '1x10 stale _x20 1x10 stale _x100' },
    { '40m': 0, '90m': 0, '110m': 1 },
  ],
  [
    'LinkerdTrustAnchorRotationDue',
    'fires when less than renewBefore is left',
    { [expires('linkerd-trust-anchor')]: `${at(365 * DAY + 5 * MINUTE)}x40` },
    { '4m': 0, '20m': 1 },
    MANUAL,
  ],
  [
    'LinkerdTrustAnchorRenewalComing',
    'fires a week before the renewal',
    { [expires('linkerd-trust-anchor')]: `${at(371 * DAY)}x40` },
    { '20m': 1 },
    AUTOMATIC,
  ],
  [
    'LinkerdTrustAnchorRenewed',
    'fires for a renewal, and ignores a restart of cert-manager',
    {
      [expires('linkerd-trust-anchor', ',pod="a"')]: '1000x20 stale',
      [expires('linkerd-trust-anchor', ',pod="b"')]: '_x20 0x1 1000x40 2000x60',
    },
    { '50m': 0, '100m': 1 },
    MANUAL,
  ],
  [
    'LinkerdTrustAnchorExpiring',
    'fires for an anchor that is rotated by hand',
    { [expires('linkerd-trust-anchor')]: `${at(90 * DAY)}x40` },
    { '20m': 1 },
    MANUAL,
  ],
  [
    'LinkerdTrustAnchorExpiring',
    'fires for a generation of the operator',
    {
      [expires('linkerd-trust-anchor-2')]: `${at(90 * DAY)}x40`,
      [expires('linkerd-trust-anchor-3')]: `${at(900 * DAY)}x40`,
    },
    { '20m': 1 },
    OPERATED,
  ],
  ['LinkerdTrustAnchorExpiring', 'fires as warning and as critical for an anchor in Git', {}, { '1m': 2 }, PEM],
  [
    'LinkerdTrustAnchorRotationOverdue',
    'fires if a rotation has been due for more than a week, and has not started',
    { [phase('Stable')]: '1x400', [anchor('next_rotation_timestamp_seconds')]: '60x400' },
    { '192h': 0, '194h': 1 },
    OPERATED,
    '30m',
  ],
  [
    'LinkerdTrustAnchorRotationOverdue',
    'ignores a rotation that is in progress, and an anchor without a next one',
    {
      [phase('Stable')]: '0x400',
      [phase('Stable').replace('operator-1', 'operator-2')]: '0x400',
      [anchor('next_rotation_timestamp_seconds')]: '60x400',
    },
    { '199h': 0 },
    OPERATED,
    '30m',
  ],
  [
    'LinkerdTrustAnchorRotationBlocked',
    'fires for a problem that lasts an hour (Degraded, KeyElsewhere, overdue steps)',
    { [anchor('stuck')]: '0x10 1x30 0x5 1x100' },
    { '50m': 0, '104m': 0, '110m': 1 },
    OPERATED,
  ],
  [
    'LinkerdTrustAnchorRotationStalled',
    'fires for a rotation that is paused for longer than any step',
    // The alert fires after a phase of 48 h 20 s.
    { [phase('Bridged')]: '1x320', [phase('Stable')]: '0x320', [anchor('laggard_pods')]: '0x320' },
    { '48h': 0, '49h': 1 },
    OPERATED,
    '10m',
  ],
  [
    'LinkerdTrustAnchorRotationStalled',
    'ignores a rotation that waits for pods, one that continues, and none',
    {
      [phase('Adopted')]: '0x150 1x450',
      [phase('Signing')]: '1x150 0x450',
      [phase('Stable')]: '0x600',
      [anchor('laggard_pods')]: '0x150 4x450',
    },
    { '24h': 0, '49h': 0, '99h': 0 },
    OPERATED,
    '10m',
  ],
  [
    'LinkerdTrustAnchorRotationStalled',
    'ignores an anchor that is not rotated',
    { [phase('Stable')]: '1x320', [phase('Bridged')]: '0x320', [anchor('laggard_pods')]: '0x320' },
    { '49h': 0 },
    OPERATED,
    '10m',
  ],
  [
    'LinkerdTrustAnchorRotationStalled',
    'ignores a rotation that waits for a signature',
    {
      [phase('Announced')]: '1x320',
      [phase('Stable')]: '0x320',
      [anchor('laggard_pods')]: '0x320',
      [anchor('signature_awaited')]: '1x320',
    },
    { '49h': 0 },
    SIGNED,
    '10m',
  ],
  [
    'LinkerdTrustAnchorSignatureNeeded',
    'fires while a signature is awaited, and no longer',
    { [anchor('signature_awaited')]: '0x10 1x90 0x60' },
    { '60m': 0, '75m': 1, '105m': 0 },
    SIGNED,
  ],
  [
    'LinkerdTrustAnchorSignatureLate',
    'fires on the last day before a signature comes too late',
    {
      [anchor('signature_awaited')]: '1x200',
      [anchor('signature_deadline_timestamp_seconds')]: `${at(25 * HOUR)}x200`,
    },
    { '59m': 0, '65m': 1 },
    SIGNED,
  ],
  [
    'LinkerdTrustAnchorPairsRefused',
    'fires for a proxy that is refused in several rounds, and ignores one that renews',
    { [anchor('pairs', ',result="refused"')]: '0x5 2x10 0x5 2x40', [anchor('pairs', ',result="verified"')]: '90x60' },
    { '19m': 0, '50m': 1 },
    OPERATED,
  ],
  [
    'LinkerdTrustAnchorLaggards',
    'fires for pods of a rotation that runs out of time',
    { [phase('Stable')]: '0x100', [anchor('laggard_pods')]: '3x100', [anchor('slack_seconds')]: `${at(90 * DAY)}x100` },
    { '50m': 0, '70m': 1 },
    OPERATED,
  ],
  [
    'LinkerdTrustAnchorRotationLate',
    'fires if the worst plan ends too late',
    { [anchor('slack_seconds')]: '10-1x60' },
    { '9m': 0, '30m': 1 },
    OPERATED,
  ],
  [
    'LinkerdTrustAnchorExtended',
    'fires for an anchor that was extended with its key',
    { [anchor('extended')]: '1x30' },
    { '9m': 0, '11m': 1 },
    OPERATED,
  ],
  [
    'LinkerdIdentityCannotIssue',
    'fires while identity issues nothing, also during a rotation',
    { [anchor('identity_outage')]: '0x10 1x30 0x20', [phase('Bridged')]: '1x60' },
    { '9m': 0, '12m': 1, '42m': 0 },
    OPERATED,
  ],
  [
    'LinkerdTrustAnchorCompromised',
    'fires at once while the bundle or a pod trusts a key that leaked, and ends with the last of them',
    { [anchor('compromised_in_bundle')]: '0x4 1x20 0x60', [anchor('compromised_pods')]: '0x4 9x30 0x50' },
    { '4m': 0, '6m': 1, '30m': 1, '40m': 0 },
    OPERATED,
  ],
  [
    'LinkerdTrustAnchorCompromisedLate',
    'fires when a pod still trusts it after the deadline, not before',
    {
      [anchor('compromised_pods')]: '3x100',
      [anchor('compromised_in_bundle')]: '0x100',
      [anchor('compromised_deadline_timestamp_seconds')]: `${at(HOUR)}x100`,
    },
    { '59m': 0, '61m': 1 },
    OPERATED,
  ],
  [
    'LinkerdTrustAnchorForeignRoot',
    'fires for an unknown root',
    { [root('Foreign')]: `${at(90 * DAY)}x100`, [root('Signing')]: `${at(90 * DAY)}x100` },
    { '59m': 0, '61m': 1 },
    OPERATED,
  ],
  [
    'LinkerdTrustAnchorUnknownPods',
    'fires for pods of which no roots are known, between rotations',
    { [phase('Stable')]: '1x100', [anchor('laggard_pods')]: '2x100' },
    { '61m': 1 },
    OPERATED,
  ],
  [
    'LinkerdTrustAnchorMetricsMissing',
    'fires without an operator, and ignores the next leader',
    { [phase('Stable')]: '1x20 stale', [phase('Stable').replace('operator-1', 'operator-2')]: '_x22 1x60 stale' },
    { '60m': 0, '130m': 0, '150m': 1 },
    OPERATED,
  ],
];

const PLAYED = CASES.map(([name, title, series, firing, windows = OPERATED, interval = '1m']) => ({
  name,
  title,
  scenario: {
    alerts: certificateAlerts(windows).filter(({ alert }) => alert === name),
    series,
    firing: alertsAt(name, firing),
    interval,
  },
}));

describe('the engine of Prometheus', () => {
  let problems: readonly string[];

  beforeAll(() => {
    problems = playScenarios(PLAYED.map(({ scenario }) => scenario));
  });

  test.each(PLAYED.map((each, index) => ({ ...each, index })))('$name $title', ({ index }) => {
    expect(problems[index]).toBe('');
  });
});

test('each alert on certificates has a test case', () => {
  const names = [MANUAL, AUTOMATIC, SIGNED, PEM].flatMap(certificateAlerts).map(({ alert }) => alert);
  expect([...new Set(CASES.map(([name]) => name))].sort()).toEqual([...new Set(names)].sort());
});

test('Prometheus expands the texts of alerts on certificates', () => {
  const firing = PLAYED.flatMap(({ name, scenario }) =>
    Object.entries(scenario.firing)
      .filter(([, alerts]) => name in alerts)
      .slice(0, 1)
      .map(([time]) => ({ ...scenario, at: time })),
  );
  for (const printed of printAlerts(firing)) {
    expect(printed).toContain('summary');
    expect(printed).not.toMatch(/error expanding|<no value>/);
  }
});

test.each([
  ['manual', MANUAL],
  ['automatic-unsafe', AUTOMATIC],
  ['operator', OPERATED],
  ['PEM', PEM],
])('Prometheus accepts all rules of rotation %s', (_name, windows) => {
  expect(checkRules([{ name: 'linkerd-certificates', rules: certificateAlerts(windows) }])).toBe('');
});

test('no alert fires in a mesh with timely renewals and a rotation in progress', () => {
  const series = {
    [expires('linkerd-trust-anchor')]: `${at(3_000 * DAY)}x300`,
    [expires('linkerd-identity-issuer')]: `${at(25 * HOUR + 200 * MINUTE)}x200 ${at(73 * HOUR)}x100`,
    [expires('linkerd-webhook-issuer')]: `${at(300 * DAY)}x300`,
    [expires('tap', WEBHOOK)]: `${at(3 * DAY)}x150 _x3 ${at(7 * DAY)}x150`,
    'certmanager_certificate_ready_status{name="linkerd-identity-issuer",condition="True"}': '1x200 0x2 1x100',
    [phase('Stable')]: '1x100 0x200',
    [phase('Announced')]: '0x100 1x10 0x200',
    [phase('Signing')]: '0x110 1x190',
    [anchor('laggard_pods')]: '0x100 30x200',
    [anchor('slack_seconds')]: `${at(350 * DAY)}x300`,
    [anchor('stuck')]: '0x90 1x5 0x300',
    [anchor('extended')]: '0x300',
    [anchor('next_rotation_timestamp_seconds')]: `${at(100 * MINUTE)}x300`,
    [root('Signing')]: `${at(3_000 * DAY)}x300`,
  };
  const firing = Object.fromEntries([0, 10, 61, 96, 150, 155, 210, 300].map((minute) => [`${minute}m`, NONE]));
  expect(playScenarios([{ alerts: certificateAlerts(OPERATED), series, firing }])).toEqual(['']);
});
