import type { Values } from '#base/values';
import { runParts } from '#lib/cli/migrate/folder/run-parts';
import { migrate } from '#lib/cli/migrate/migrate';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { releaseOf } from '#linkerd/releases/release';
import type { ChartName } from '#linkerd/renderers/chart-names';
import { fixture } from '../../constructs/pki/mesh';
import { EXAMPLES } from './programs';

function migrated(values: Values, chart: ChartName = 'linkerd-control-plane', newAnchor = true) {
  const migration = migrate({ chart, release: releaseOf('edge-26.8.3'), values, newAnchor });
  if ('problems' in migration) throw new Error(JSON.stringify(migration.problems));
  return { program: migration.program, warnings: migration.warnings, parts: migration.parts };
}

/** The props of the construct at the end of a program. */
function props(values: Values, chart?: ChartName): string {
  return migrated(values, chart).program.split('  return ')[1]?.replace(/\s+/g, ' ') ?? '';
}

// compiled-programs.program.test.ts checks that programs compile, and result in the given values.
test('migrate writes values as props where props exist, and keeps the rest as values', () => {
  const example = EXAMPLES.find(({ name }) => name === 'everything') ?? EXAMPLES[0];
  const migration = example && migrate({ ...example, release: releaseOf(example.version) });
  if (migration === undefined || 'problems' in migration) throw new Error(JSON.stringify(migration));
  const webhooks = ['proxyInjector.caBundle', 'profileValidator.injectCaFrom', 'policyValidator.injectCaFromSecret'];
  expect(migration.warnings).toMatchObject([
    ...webhooks.map((path) => {
      const both = `values.${path.replace(/\..*/, '')}.externalSecret and values.${path}`;
      return { code: 'not-migrated', cause: 'webhook-ca', parameters: { path: both } };
    }),
    { code: 'anchor-not-migrated', parameters: { secret: 'linkerd-trust-anchor' } },
  ]);
  for (const line of [
    "import { Cron, Duration } from 'cdk8s';",
    "import type { Construct } from 'constructs';",
    'export function linkerd(scope: Construct) {',
    "    controlPlaneNamespace: 'mesh',",
    "    trustDomain: 'mesh.example',",
    '    issuanceLifetime: Duration.minutes(750),',
    "    trustAnchor: TrustAnchor.fromSecret({ secretName: 'linkerd-trust-anchor' }),",
    '  // Migrate its own values, too: --chart linkerd2-cni.',
    "  const cni = new LinkerdCni(scope, 'cni', { version: 'edge-26.8.3' });",
    '    highAvailability: true,',
    "    heartbeat: Cron.schedule({ minute: '5', hour: '4', weekDay: '1-5' }),",
    "      nodeSelector: { 'kubernetes.io/os': null, 'example.com/pool': 'mesh' },",
    '      identityResources: null,',
  ]) {
    expect(migration.program).toContain(`${line}\n`);
  }
});

describe('migrate, for the control plane,', () => {
  test('omits values that equal the defaults of the chart', () => {
    const values = {
      controllerLogLevel: 'info',
      proxy: { ports: { admin: 4191 } },
      identity: { issuer: { issuanceLifetime: '24h' } },
    };
    expect(props(values)).toBe(props({}));
    expect(migrated(values).program).toBe(migrated({}).program);
  });

  test('sets highAvailability only if no value contradicts it', () => {
    const some = { highAvailability: true, controllerReplicas: 3, enablePodAntiAffinity: true };
    expect(props(some)).not.toContain('highAvailability: true, values');
    expect(props(some)).toContain(
      'values: { enablePodAntiAffinity: true, controllerReplicas: 3, highAvailability: true }',
    );
  });

  test('sets highAvailability together with the values that differ from its profile', () => {
    const values = {
      highAvailability: true,
      controllerReplicas: 2,
      enablePodAntiAffinity: true,
      enablePodDisruptionBudget: true,
      webhookFailurePolicy: 'Fail',
    };
    expect(props(values)).toContain('highAvailability: true,');
    expect(props(values)).toContain('controllerReplicas: 2');
    expect(props(values)).toContain('identityResources: null');
  });

  test('omits a trust domain that equals the cluster domain', () => {
    expect(migrated({ clusterDomain: 'a.b', identityTrustDomain: 'a.b' }).program).not.toContain('trustDomain');
    expect(migrated({ identityTrustDomain: 'cluster.local' }).program).not.toContain('trustDomain');
  });

  test('keeps values that no prop can express', () => {
    const values = { heartbeatSchedule: '@daily', identity: { issuer: { issuanceLifetime: '1500us' } } };
    expect(props(values)).toContain("heartbeatSchedule: '@daily'");
    expect(props(values)).toContain("issuanceLifetime: '1500us'");
  });

  test('omits the schedule of a heartbeat that is off', () => {
    expect(props({ disableHeartBeat: true, heartbeatSchedule: '1 2 * * *' })).toBe(
      "new LinkerdControlPlane(scope, 'linkerd', { version: 'edge-26.8.3', pki, trust, highAvailability: false, heartbeat: false }); } ",
    );
  });

  test('omits private keys, certificates and PodSecurityPolicies, with warnings', () => {
    const { program, warnings } = migrated({
      linkerdVersion: 'stable-2.13.0',
      enablePSP: true,
      identityTrustAnchorsPEM: 'PEM',
      identity: { issuer: { tls: { crtPEM: 'PEM', keyPEM: 'KEY' } } },
      proxyInjector: { crtPEM: 'PEM', keyPEM: 'KEY' },
      podAnnotations: { text: '-----BEGIN PRIVATE KEY-----', list: 'x' },
    });
    expect(warnings.map(({ code, parameters }) => [code, parameters?.path])).toEqual([
      ['not-migrated', 'values.identity.issuer.tls.keyPEM'],
      ['not-migrated', 'values.proxyInjector.keyPEM'],
      ['not-migrated', 'values.podAnnotations.text'],
      ['value-ignored', 'values.proxyInjector.crtPEM'],
      ['value-ignored', 'values.identity.issuer.tls.crtPEM'],
      ['anchor-not-migrated', undefined],
      ['not-migrated', undefined],
      ['value-ignored', 'values.enablePSP'],
    ]);
    expect(program).not.toMatch(/PEM|KEY|PSP|2\.13/);
    expect(program).toContain("values: { podAnnotations: { list: 'x' } }");
  });

  test('omits unknown keys and values of wrong types, with comments in the program', () => {
    const { program, warnings } = migrated({
      controlerReplicas: 3,
      controllerLogLevel: 1,
      'odd\u2028key': 1,
      proxy: { cores: 2, core: 2, image: { name: 'x', tag: 'y' } },
      tolerations: [{ key: 'a', operator: 'Exists' }, { keys: 'b' }],
      controllerReplicas: 2,
    });
    for (const key of [
      'controlerReplicas',
      'controllerLogLevel',
      'proxy.core',
      'proxy.image.tag',
      '["odd\u2028key"]',
    ]) {
      expect(warnings).toContainEqual(
        expect.objectContaining({ code: 'chart-value-refused', parameters: expect.objectContaining({ path: key }) }),
      );
    }
    expect(program.match(/^ {2}\/\/ Left out: .* Fix: .*$/gm)).toHaveLength(warnings.length);
    expect(program).not.toContain('\u2028');
    expect(program.split('  return ')[1]).not.toMatch(/controlerReplicas|controllerLogLevel|core:|tag:/);
    expect(program.split('  return ')[1]).toContain('controllerReplicas: 2');
    expect(program.split('  return ')[1]).toContain('cores: 2');
  });

  test('keeps the trust anchor of the values', () => {
    const values = { identityTrustAnchorsPEM: `# ours\n${fixture('anchor')}` };
    const { program, warnings } = migrated(values);
    expect(warnings).toMatchObject([{ code: 'anchor-not-migrated', parameters: { issuer: 'linkerd-trust-anchor' } }]);
    expect(program).toContain(`certificates: \`${fixture('anchor')}\``);
    expect(program).toContain("issuer: { name: 'linkerd-trust-anchor' }");
    expect(migrated(values, 'linkerd-control-plane', false)).toMatchObject({ program, warnings });
  });

  test.each<[Values, string]>([
    [{ controllerReplicas: 2 }, 'missing'],
    [{ identity: { issuer: { scheme: 'kubernetes.io/tls' } } }, 'missing'],
    [{ identity: { externalCA: false }, identityTrustAnchorsPEM: '' }, 'missing'],
    [{ identityTrustAnchorsPEM: 'none' }, 'unreadable'],
    [{ identityTrustAnchorsPEM: fixture('anchor').slice(0, 99) }, 'unreadable'],
  ])('creates a new trust anchor only on request, if the values have no readable one: %j', (values, cause) => {
    const { program, warnings } = migrated(values, 'linkerd-control-plane', false);
    expect(warnings).toMatchObject([{ code: 'anchor-not-migrated', cause }]);
    expect(program).toMatch(/^ {2}\/\/ TODO: .*kubectl get configmap linkerd-identity-trust-roots -n linkerd/m);
    expect(program).toContain('trustAnchor: TrustAnchor.fromPem({ certificates: "TODO: ');
    expect(migrated(values).program).not.toMatch(/TODO|trustAnchor/);
  });

  test('passes the control plane of the same release to Viz', () => {
    expect(migrated({}, 'linkerd-viz').program).toContain("controlPlane: LinkerdControlPlane<'edge-26.8.3'>");
  });
});

describe('migrate, for Viz,', () => {
  test.each<[Values, string]>([
    [{}, 'prometheus: Prometheus.embedded(),'],
    [
      { prometheus: { args: { 'storage.tsdb.retention.time': '90m' } } },
      'Prometheus.embedded({ retention: Duration.minutes(90) })',
    ],
    [
      { prometheus: { args: { 'storage.tsdb.retention.time': '15d' } } },
      "values: { prometheus: { args: { 'storage.tsdb.retention.time': '15d' } } }",
    ],
    [
      { prometheus: { enabled: false }, prometheusUrl: 'http://p:9090' },
      "Prometheus.fromUrl({ url: 'http://p:9090' })",
    ],
    [{ grafana: { url: 'g:3000' } }, "grafana: Grafana.fromService({ url: 'g:3000' })"],
    [
      { grafana: { externalUrl: 'https://g/', uidPrefix: 'a' } },
      "grafana: Grafana.fromUrl({ url: 'https://g/', uidPrefix: 'a' })",
    ],
    [{ dashboard: { enforcedHostRegexp: '^x$' } }, "enforcedHostRegexp: '^x$'"],
    [{ jaegerUrl: 'jaeger:16686' }, "values: { jaegerUrl: 'jaeger:16686' }"],
  ])('writes %j as props', (values, code) => expect(props(values, 'linkerd-viz')).toContain(code));

  test('always writes highAvailability', () => {
    const values = { enablePodAntiAffinity: true, enablePodDisruptionBudget: true, tap: { replicas: 3 } };
    expect(props(values, 'linkerd-viz')).toContain('highAvailability: true');
    expect(props({}, 'linkerd-viz')).toContain('highAvailability: false');
  });

  test('omits values that the control plane determines', () => {
    const values = {
      clusterDomain: 'a.b',
      identityTrustDomain: 'a.b',
      linkerdNamespace: 'x',
      createNamespaceMetadataJob: false,
    };
    expect(migrated(values, 'linkerd-viz')).toEqual(migrated({}, 'linkerd-viz'));
  });

  test.each<[string, Values, string, string]>([
    [
      'a missing Prometheus',
      { prometheus: { enabled: false } },
      'prometheus-missing',
      "prometheus: Prometheus.fromUrl({ url: 'TODO' })",
    ],
    [
      'an empty URL',
      { prometheus: { enabled: false }, prometheusUrl: '' },
      'prometheus-missing',
      "fromUrl({ url: 'TODO' })",
    ],
    ['a Prometheus that is null', { prometheus: { enabled: null } }, 'prometheus-missing', "fromUrl({ url: 'TODO' })"],
    ['two Prometheuses', { prometheusUrl: 'http://a' }, 'viz-value-refused', "values: { prometheusUrl: 'http://a' }"],
    [
      'an invalid URL',
      { prometheus: { enabled: false }, prometheusUrl: 'a b' },
      'url-refused',
      "fromUrl({ url: 'a b' })",
    ],
    ['an invalid Grafana', { grafana: { externalUrl: 'x' } }, 'url-refused', "Grafana.fromUrl({ url: 'x' })"],
    [
      'two Grafanas',
      { grafana: { url: 'a:80', externalUrl: 'https://b' } },
      'grafana-ambiguous',
      "values: { grafana: { externalUrl: 'https://b' } }",
    ],
    ['an invalid host', { dashboard: { enforcedHostRegexp: '(' } }, 'host-regexp-refused', "enforcedHostRegexp: '('"],
    ['an invalid Jaeger', { jaegerUrl: 'http://a' }, 'address-refused', "values: { jaegerUrl: 'http://a' }"],
  ])('keeps %s, which synth refuses', (_, values, code, has) => {
    const { program, warnings, parts } = migrated(values, 'linkerd-viz');
    expect(program).toContain(has);
    expect(warnings.map((warning) => warning.code)).toContain(code);
    const mesh = migrated({}).parts;
    const { findings } = buildCluster({
      name: 'a',
      props: {},
      build: (cluster) => runParts([...mesh, ...parts], cluster),
    });
    const refused = findings.filter(({ path, severity }) => path.startsWith('a/viz') && severity === 'error');
    expect(refused).not.toEqual([]);
    if (program.includes('TODO')) expect(refused.map(({ problem }) => problem.fix).join()).toMatch(/^replace TODO/);
  });
});

describe('migrate, for the CNI plugin,', () => {
  test('writes only the version for values that equal the defaults', () => {
    expect(props({ logLevel: 'info' }, 'linkerd2-cni')).toBe(
      "new LinkerdCni(scope, 'cni', { version: 'edge-26.8.3' }); } ",
    );
  });

  test('writes values that differ from the defaults', () => {
    expect(props({ iptablesMode: 'legacy', tolerations: null }, 'linkerd2-cni')).toContain(
      "{ version: 'edge-26.8.3', values: { iptablesMode: 'legacy', tolerations: null } }",
    );
  });

  test('omits PodSecurityPolicies, with a warning', () => {
    expect(migrated({ enablePSP: true }, 'linkerd2-cni').warnings).toMatchObject([
      { code: 'value-ignored', parameters: { path: 'values.enablePSP' } },
    ]);
  });
});

test('migrate warns about an expired trust anchor, and about an intermediate certificate in place of one', () => {
  const notes = (name: string, now: string) => {
    const values = { identityTrustAnchorsPEM: fixture(name) };
    const migration = migrate({
      chart: 'linkerd-control-plane',
      release: releaseOf('edge-26.8.3'),
      values,
      now: new Date(now),
    });
    return 'warnings' in migration ? migration.warnings.map(({ cause, parameters }) => [cause, parameters]) : [];
  };
  const issuer = ['issuer', { issuer: 'linkerd-trust-anchor' }];
  expect(notes('anchor', '2126-01-01')).toEqual([issuer]);
  expect(notes('anchor', '2127-01-01')).toEqual([
    issuer,
    ['expired', { subject: 'CN=root.linkerd.cluster.local', date: '2126-10-28' }],
  ]);
  expect(notes('intermediate', '2027-01-01')).toEqual([
    issuer,
    ['intermediate', { subject: 'CN=identity.linkerd.cluster.local', issuer: 'CN=root.linkerd.cluster.local' }],
  ]);
});
