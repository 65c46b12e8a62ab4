import { DAY } from '#base/time-units';
import { STATUS_FORMATS } from '#lib/review/status/formats/formats';
import { renderStatus } from '#lib/review/status/formats/render';
import type { FleetIntent } from '#lib/review/status/intent';
import { type ClusterStatus, clusterStatus, fleetStatus } from '#lib/review/status/status';
import { argocd, home, INTENT, KUBECTL, NOW, podWith, read } from '../live/healthy-mesh';

const EVIL = 'evil\u001b[2J\u202e<script>alert(1)</script>::error::x%0A\n::warning::y';

const CLUSTERS = ['a', 'b', 'c'].map((name) => ({
  ...INTENT,
  name,
  folders: [],
  ...(name !== 'c' && { ring: { name: 'canary' } }),
}));

const intent: FleetIntent = { rings: [{ name: 'canary' }, { name: 'rest' }], clusters: CLUSTERS, ignored: [] };

const { ring: _, ...ringless } = INTENT;
const statuses = CLUSTERS.map((cluster) =>
  clusterStatus({
    ...home(cluster.name === 'c' ? { unreachable: EVIL } : { pods: read(podWith({ release: 'edge-26.6.3' })) }),
    intent: cluster.name === 'c' ? { ...ringless, name: 'c', folders: [] } : cluster,
    argocd: argocd([]),
    kubectl: KUBECTL,
  }),
);

const fleet = fleetStatus(statuses, { intent, findings: [], now: NOW });

test('the page begins with the fleet: rings in order with their health, then clusters without a ring', () => {
  expect(fleet.rings).toEqual([
    { ring: 'canary', clusters: 2, healthy: 2, releases: [{ release: 'edge-26.8.3', clusters: 2 }], worst: 'warning' },
    { clusters: 1, healthy: 0, releases: [{ release: 'unknown', clusters: 1 }], worst: 'error' },
  ]);
});

test('upcoming events of all clusters are in order, each event once with its clusters', () => {
  expect(fleet.next.map(({ at, clusters }) => [(at - NOW) / DAY, clusters])).toEqual([
    [1, ['a', 'b']],
    [1, ['a', 'b']],
    [100, ['a', 'b']],
    [200, ['a', 'b']],
    [365, ['a', 'b']],
  ]);
});

test('equal findings of clusters are one finding in text, and separate findings in JSON', () => {
  const text = renderStatus(fleet, 'text');
  expect(text.match(/\[proxies-behind\] a, b/g)).toHaveLength(1);
  const { version, clusters } = JSON.parse(renderStatus(fleet, 'json'));
  const codes = clusters.map((one: { findings: { code: string }[] }) => one.findings.map(({ code }) => code));
  expect({ version, codes }).toEqual({
    version: 1,
    codes: [['proxies-behind'], ['proxies-behind'], ['cluster-unreachable']],
  });
});

test('no text of a cluster is markup in the page, or a workflow command', () => {
  const page = renderStatus(fleet, 'html');
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).toContain('&lt;script&gt;');
  const lines = renderStatus(fleet, 'github').trimEnd().split('\n');
  expect(lines.map((line) => /^::(\w+) title=([\w-]+)::/.exec(line)?.slice(1))).toEqual([
    ['error', 'cluster-unreachable'],
    ['warning', 'proxies-behind'],
  ]);
});

test('the page has a table of clusters with their live state, which each column can sort', () => {
  const at = (slack: string, name: string) => ({
    ...statuses[0],
    cluster: name,
    slack,
    next: [{ at: NOW + DAY, what: 'rotation of the trust anchor' }],
  });
  const slacks = ['9y', '-5m', '36h', 'unknown', '', '9 years', 'constructor'];
  const clusters = slacks.map((slack, index) => at(slack, `c${index}`)) as readonly ClusterStatus[];
  const page = renderStatus(fleetStatus(clusters, { intent, findings: [], now: NOW }), 'html');
  expect(/<thead><tr>(?:(?!<\/thead>).)*Proxies/.test(page)).toBe(true);
  expect(page).toContain('rotation of the trust anchor, ');
  expect(page).toContain('>proxies-behind: 1 warning<');
  expect([...page.matchAll(/<td data-label="Slack"(?: data-order="(-?\d+)")?>/g)].map(([, order]) => order)).toEqual([
    `${9 * 365 * DAY}`,
    '-300000',
    `${1.5 * DAY}`,
    ...Array(4).fill(undefined),
  ]);
});

test.each(STATUS_FORMATS)(
  'in the format %s, a name with line breaks cannot inject a GitHub Actions command',
  (format) => {
    const named = clusterStatus({ ...home(), intent: { ...INTENT, certificates: ['linkerd/a\n::add-mask::b'] } });
    const text = renderStatus(fleetStatus([named], { intent, findings: [], now: NOW }), format);
    expect(text).toContain('::add-mask::b');
    expect(text).not.toMatch(/^\s*::add-mask/m);
  },
);

test('of a thousand clusters with different findings, text lists the first findings, and JSON all', () => {
  const many = Array.from({ length: 1000 }, (_, index) =>
    clusterStatus({
      ...home({ unreachable: `no route to host ${index}` }),
      intent: { ...INTENT, name: `c${index}` },
    }),
  );
  const large = fleetStatus(many, { intent, findings: [], now: NOW });
  expect(renderStatus(large, 'text').match(/\[cluster-unreachable\]/g)?.length).toBeLessThanOrEqual(100);
  expect(renderStatus(large, 'text')).toMatch(/more findings: --format json contains all/);
  expect(JSON.parse(renderStatus(large, 'json')).clusters).toHaveLength(1000);
});

test.each(STATUS_FORMATS)('a fleet without findings is rendered as %s', (format) => {
  const healthy = fleetStatus([clusterStatus(home())], { intent, findings: [], now: NOW });
  expect(renderStatus(healthy, format)).not.toMatch(/NaN|undefined|Invalid/);
});
