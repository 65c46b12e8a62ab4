import { DAY, HOUR } from '#base/time-units';
import { formatIndex, INDEX_FILE, indexOf } from '#lib/gitops/synth/output/cluster-index';
import type { RecordedWarning } from '#lib/gitops/synth/output/recorded-warning';
import type { Output } from '#lib/review/compare/output';
import type { CertificateFacts, ClusterReport } from '#lib/review/report/model';
import { readReport } from '#lib/review/report/read/read-report';

type Files = Readonly<Record<string, string>>;

function clusterOf(files: Files, warnings?: readonly RecordedWarning[]): ReadonlyMap<string, string> {
  return new Map([
    ...Object.entries(files),
    [INDEX_FILE, formatIndex(indexOf(Object.keys(files), [], undefined, warnings))],
  ]);
}

function reportOf(files: Files, warnings?: readonly RecordedWarning[]): ClusterReport {
  const { groups } = readReport(new Map([['home', clusterOf(files, warnings)]]));
  const [group] = groups;
  if (group === undefined) throw new Error('there is a cluster');
  return group.report;
}

const object = (apiVersion: string, kind: string, [namespace, name]: readonly [string, string], spec: unknown) =>
  JSON.stringify({ apiVersion, kind, metadata: { name, ...(namespace !== '' && { namespace }) }, spec });

const certificate = (namespace: string, name: string, spec: object) =>
  object('cert-manager.io/v1', 'Certificate', [namespace, name], { secretName: name, isCA: true, ...spec });

const issuer = (kind: string, [namespace, name]: readonly [string, string], spec: object) =>
  object('cert-manager.io/v1', kind, [namespace, name], spec);

const ANCHOR = certificate('cert-manager', 'linkerd-trust-anchor', {
  duration: '87600h',
  renewBefore: '8760h',
  issuerRef: { kind: 'Issuer', name: 'linkerd-trust-root-issuer' },
  renewal: { policy: 'Disabled' },
  privateKey: { algorithm: 'ECDSA', size: 256 },
});
const IDENTITY = certificate('linkerd', 'linkerd-identity-issuer', {
  duration: '48h',
  renewBefore: '25h',
  issuerRef: { kind: 'ClusterIssuer', name: 'linkerd-identity-issuer' },
});
const CHAIN: Files = {
  'cert-manager/certificate.linkerd-trust-anchor.yaml': ANCHOR,
  'cert-manager/issuer.yaml': issuer('Issuer', ['cert-manager', 'linkerd-trust-root-issuer'], { selfSigned: {} }),
  'cert-manager/clusterissuer.yaml': issuer('ClusterIssuer', ['', 'linkerd-identity-issuer'], {
    ca: { secretName: 'linkerd-trust-anchor' },
  }),
  'linkerd/certificate.linkerd-identity-issuer.yaml': IDENTITY,
};

const chainOf = ({ id, role, signedBy }: CertificateFacts) => [id, role, signedBy];

describe('certificates', () => {
  it('are listed after their signers', () => {
    const { certificates, rotation } = reportOf(CHAIN).pki;
    expect(certificates.map(chainOf)).toEqual([
      ['cert-manager/linkerd-trust-anchor', 'anchor', undefined],
      ['linkerd/linkerd-identity-issuer', 'identity-issuer', 'cert-manager/linkerd-trust-anchor'],
    ]);
    expect(rotation).toBe('manual');
    expect(certificates[1]).toMatchObject({ duration: 48 * HOUR, renewBefore: 25 * HOUR, renewsItself: true });
  });

  it('of the operator follow from its policy', () => {
    const { pki } = reportOf({
      'linkerd/certificate.linkerd-identity-issuer.yaml': IDENTITY,
      'linkerd/trustanchor.linkerd.yaml': object('config.linkerd.io/v1alpha1', 'TrustAnchor', ['', 'linkerd'], {
        duration: '8760h',
        renewBefore: '2160h',
        issuanceLifetime: '12h',
        clockSkewAllowance: '1m',
        certManagerNamespace: 'certs',
        laggards: { policy: 'Restart', maxUnavailableWorkloads: 5, progressDeadlineSeconds: 60 },
        windows: [{ start: '02:00', duration: '4h' }],
      }),
    });
    expect(pki.rotation).toBe('operator');
    expect(pki.certificates.map(chainOf)).toEqual([
      ['certs/linkerd-trust-anchor', 'anchor', undefined],
      ['linkerd/linkerd-identity-issuer', 'identity-issuer', 'certs/linkerd-trust-anchor'],
    ]);
    expect(pki.anchor).toMatchObject({
      hasWindows: true,
      policy: {
        duration: 365 * DAY,
        renewBefore: 90 * DAY,
        leafReach: 12 * HOUR + 60_000,
        laggards: 'Restart',
        parallelRestarts: 5,
        restartTime: 60_000,
      },
    });
  });

  it('may sign each other in a circle', () => {
    const one = (name: string, by: string) => certificate('a', name, { issuerRef: { kind: 'Issuer', name: by } });
    const of = (name: string) => issuer('Issuer', ['a', name], { ca: { secretName: name } });
    const files = { 'a/x.yaml': one('x', 'y'), 'a/y.yaml': one('y', 'x'), 'a/ix.yaml': of('x'), 'a/iy.yaml': of('y') };
    expect(reportOf(files).pki.certificates).toEqual([]);
  });

  it('without durations have the defaults of cert-manager', () => {
    const files = { 'a/x.yaml': certificate('a', 'x', { issuerRef: { name: 'elsewhere' } }) };
    expect(reportOf(files).pki.certificates[0]).toMatchObject({
      duration: 90 * DAY,
      renewBefore: 30 * DAY,
      key: 'RSA',
    });
  });

  it.each([
    ['only a string', '"linkerd"'],
    ['invalid laggards', '{"laggards":3,"windows":"x"}'],
    ['invalid numbers', '{"laggards":{"policy":"x","maxUnavailableWorkloads":-1,"progressDeadlineSeconds":"x"}}'],
  ])('follow a policy even if a TrustAnchor has %s in its spec', (_what, spec) => {
    const text = `{"apiVersion":"config.linkerd.io/v1alpha1","kind":"TrustAnchor","metadata":{"name":"linkerd"},"spec":${spec}}`;
    const { anchor } = reportOf({ 'linkerd/trustanchor.linkerd.yaml': text }).pki;
    expect(anchor?.policy).toMatchObject({ laggards: 'Report', parallelRestarts: 1, restartTime: 600_000 });
  });
});

test('a report counts objects by folder, wave and kind', () => {
  const inWave = (wave: string | undefined) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', ...(wave !== undefined && { annotations: { 'argocd.argoproj.io/sync-wave': wave } }) },
    });
  const files = {
    'b/1.yaml': inWave('-1'),
    'b/2.yaml': inWave(undefined),
    'b/3.yaml': inWave('0'),
    'a/1.yaml': inWave('x'),
  };
  expect(reportOf(files).waves).toEqual([
    { folder: 'a', charts: [], waves: [{ wave: 0, kinds: [['ConfigMap', 1]] }] },
    {
      folder: 'b',
      charts: [],
      waves: [
        { wave: -1, kinds: [['ConfigMap', 1]] },
        { wave: 0, kinds: [['ConfigMap', 2]] },
      ],
    },
  ]);
});

test('a report reads rotation jobs with the workloads that they restart', () => {
  const job = (args: readonly string[]) =>
    object('batch/v1', 'CronJob', ['linkerd', 'job'], {
      schedule: '25 */6 * * *',
      jobTemplate: { spec: { template: { spec: { containers: [{ args }] } } } },
    });
  const { schedules } = reportOf({
    'linkerd/job.yaml': job(['rotate', '--unit=linkerd/linkerd-identity=linkerd-identity-issuer']),
    'linkerd/other.yaml': job(['heartbeat']),
  });
  expect(schedules).toEqual([
    {
      name: 'linkerd/job',
      schedule: '25 */6 * * *',
      gap: 6 * HOUR,
      units: [{ workload: 'linkerd/linkerd-identity', certificates: ['linkerd/linkerd-identity-issuer'] }],
    },
  ]);
});

test('a report omits the name of the cluster from warnings', () => {
  const warning = { code: 'certificate-alerts-missing', what: 'a', why: 'b', fix: 'c' };
  const output: Output = new Map([
    ['two', clusterOf(CHAIN, [{ ...warning, path: 'two/pki' }])],
    ['one', clusterOf(CHAIN, [{ ...warning, path: 'one/pki' }])],
    ['odd', clusterOf(CHAIN)],
  ]);
  const { groups } = readReport(output);
  expect(groups.map(({ clusters, report: { warnings } }) => [clusters, warnings])).toEqual([
    [['odd'], undefined],
    [['one', 'two'], [{ ...warning, path: 'pki' }]],
  ]);
});

test('a report reads ignored fields from the ApplicationSet of the cluster', () => {
  const set = (path: string | undefined, kind: string) =>
    object('argoproj.io/v1alpha1', 'ApplicationSet', ['argocd', kind], {
      generators: path === undefined ? [{ matrix: {} }] : [{ git: { directories: [{ path }] } }],
      template: { spec: { ignoreDifferences: [{ kind, name: 'n', jsonPointers: ['/a'] }] } },
    });
  const argocd = clusterOf({
    'a.yaml': set('dist/home/*', 'A'),
    'b.yaml': set('dist/other/*', 'B'),
    'c.yaml': set(undefined, 'C'),
  });
  const { groups } = readReport(new Map(Object.entries({ home: clusterOf(CHAIN), argocd })));
  expect(groups[0]?.report.ignored).toEqual([
    { object: 'A n', fields: ['/a'] },
    { object: 'C n', fields: ['/a'] },
  ]);
});

test('a report names a damaged index', () => {
  const texts = new Map([...clusterOf(CHAIN), [INDEX_FILE, '<<<<<<< HEAD\n']]);
  const { groups } = readReport(new Map([['home', texts]]));
  expect(groups[0]?.report.unreadable).toEqual([
    { path: INDEX_FILE, reason: expect.stringContaining('it is not JSON') },
  ]);
});

test('a report names unreadable files, and reads all others', () => {
  const { unreadable, pki } = reportOf({ ...CHAIN, 'b/a.yaml': '<<<<<<< HEAD\n' });
  expect(unreadable).toEqual([{ path: 'b/a.yaml', reason: expect.any(String) }]);
  expect(pki.certificates).toHaveLength(2);
});

test('a report omits a password in a name', () => {
  const files = {
    'b/a.yaml': object('batch/v1', 'CronJob', ['a', 'https://me:hunter2@example.com'], {
      schedule: '@daily',
      jobTemplate: { spec: { template: { spec: { containers: [{ args: ['rotate'] }] } } } },
    }),
  };
  expect(JSON.stringify(reportOf(files))).not.toContain('hunter2');
});

/** The files of a cluster, each with texts that lead to different reports. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'linkerd/certificate.linkerd-identity-issuer.yaml': ['48h', '72h', 'x'].map((duration) =>
    certificate('linkerd', 'linkerd-identity-issuer', { duration, issuerRef: { name: 'linkerd-identity-issuer' } }),
  ),
  'linkerd/trustanchor.linkerd.yaml': ['12h', '18h', ''].map((issuanceLifetime) =>
    object('config.linkerd.io/v1alpha1', 'TrustAnchor', ['', 'linkerd'], { issuanceLifetime }),
  ),
  'linkerd/deployment.linkerd-identity.yaml': [1, 3, '3'].map((replicas) =>
    object('apps/v1', 'Deployment', ['linkerd', 'linkerd-identity'], { replicas }),
  ),
  'linkerd/configmap.linkerd-config.yaml': ['controllerReplicas: 2\n', 'controllerReplicas: 5\n', '{'].map((values) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'linkerd-config' }, data: { values } }),
  ),
  'linkerd/job.yaml': ['25 */6 * * *', '25 */3 * * *'].map((schedule) =>
    object('batch/v1', 'CronJob', ['linkerd', 'job'], {
      schedule,
      jobTemplate: { spec: { template: { spec: { containers: [{ args: ['rotate', '--unit=a/b=c'] }] } } } },
    }),
  ),
  'shop/object.yaml': ['ConfigMap', 'Service', 'CronJob'].map((kind) => object('v1', kind, ['shop', 'web'], {})),
  'crds/Chart.yaml': ['1', '2'].map((version) => JSON.stringify({ dependencies: [{ name: 'linkerd-crds', version }] })),
  'control/Chart.yaml': [JSON.stringify({ dependencies: [{ name: 'linkerd-control-plane', version: '1' }] }), '{}'],
  'control/values.yaml': ['20s', '1m'].map((clockSkewAllowance) =>
    JSON.stringify({ 'linkerd-control-plane': { identity: { issuer: { clockSkewAllowance } } } }),
  ),
};

test.each(Object.keys(TEXTS))(
  'a report of clusters that differ in %s equals the report of each cluster alone',
  (path) => {
    const all = Object.entries(TEXTS).map(([of, [text = '']]) => [of, text] as const);
    const without = (part: string): Files => Object.fromEntries(all.filter(([of]) => !of.includes(part)));
    for (const base of [{}, ...['none', 'deployment', 'trustanchor', 'control', path].map(without)]) {
      const texts = TEXTS[path] ?? [];
      const clusters = [
        base,
        ...texts.flatMap((text) => [path, `other-${path}`].map((of) => ({ ...base, [of]: text }))),
      ];
      const output = new Map(clusters.map((files, index) => [`cluster-${index}`, clusterOf(files)]));
      const { groups } = readReport(output);
      for (const [name, files] of output) {
        const [alone] = readReport(new Map([[name, files]])).groups;
        expect(groups.find((group) => group.clusters.includes(name))?.report).toEqual(alone?.report);
      }
    }
  },
);
