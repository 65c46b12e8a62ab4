import { Duration, JsonPatch } from 'cdk8s';
import type { GatewayProps } from '#lib/constructs/multicluster/gateway';
import type { Multicluster } from '#lib/constructs/multicluster/multicluster';
import { TrustAnchor } from '#lib/constructs/pki/trust-anchor';
import { fleet, type Member } from './fleet';

const one = (member: Member) => fleet({ east: member });
const errors = (multicluster: Member['multicluster'], member: Member = {}) =>
  one({ ...member, multicluster }).errors('east');

describe('the multicluster extension with defaults', () => {
  const clusters = one({});

  test('has no errors', () => expect(clusters.errors('east')).toEqual([]));

  test('has a gateway, an account for other clusters and a CRD that is never pruned', () => {
    expect(clusters.object('east', 'service.linkerd-gateway').spec).toMatchObject({ type: 'LoadBalancer' });
    expect(clusters.object('east', 'secret.linkerd-service-mirror-remote-access-default-token')).not.toHaveProperty(
      'data',
    );
    const definition = clusters.object('east', 'customresourcedefinition.links.multicluster.linkerd.io');
    expect(definition.metadata.annotations).toMatchObject({
      'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
    });
  });

  test('has a namespace in which pods require proxies, and no job that labels it', () => {
    expect(clusters.object('east', 'namespace.linkerd-multicluster').metadata.labels).toEqual({
      'linkerd.io/extension': 'multicluster',
      'pod-security.kubernetes.io/enforce': 'privileged',
    });
    const files = [...clusters.files('east').keys()];
    expect(files.filter((file) => /^linkerd-multicluster.*namespace-metadata/.test(file))).toEqual([]);
    expect(files.filter((file) => file.includes('require-proxy-linkerd-multicluster'))).toHaveLength(2);
  });

  test('does not copy labels of Argo CD to mirrors of federated Services', () => {
    expect(JSON.stringify(clusters.object('east', 'deployment.linkerd-local-service-mirror'))).toContain(
      '-excluded-labels=app.kubernetes.io/instance,argocd.argoproj.io/*',
    );
  });
});

test('props of Multicluster become values of the chart', () => {
  const clusters = one({
    multicluster: {
      highAvailability: true,
      createNamespaces: true,
      remoteAccounts: ['for-west', 'for-north'],
      gateway: {
        serviceType: 'NodePort',
        nodePorts: { gateway: 30443, probe: 30491 },
        annotations: { 'example.com/kind': 'internal' },
        replicas: 4,
        probePeriod: Duration.seconds(7),
      },
    },
  });
  expect(clusters.errors('east')).toEqual([]);
  const service = clusters.object('east', 'service.linkerd-gateway');
  expect(service.metadata.annotations).toMatchObject({
    'example.com/kind': 'internal',
    'mirror.linkerd.io/probe-period': '7',
  });
  expect(service.spec).toMatchObject({ type: 'NodePort', ports: [{ nodePort: 30443 }, { nodePort: 30491 }] });
  expect(clusters.object('east', 'deployment.linkerd-gateway').spec).toMatchObject({ replicas: 4 });
  expect(clusters.files('east').has('linkerd-multicluster/serviceaccount.for-north.yaml')).toBe(true);
  expect(clusters.files('east').has('linkerd-multicluster/poddisruptionbudget.linkerd-gateway.yaml')).toBe(true);
});

test('Multicluster may have neither a gateway nor accounts for other clusters', () => {
  const clusters = one({ multicluster: { gateway: false, remoteAccounts: false } });
  expect(clusters.errors('east')).toEqual([]);
  expect([...clusters.files('east').keys()].filter((file) => /gateway|remote-access/.test(file))).toEqual([]);
});

test.each<[string, GatewayProps, string[]]>([
  ['an address with a port', { addresses: ['gw.example.com:4143'] }, ['name-invalid']],
  ['an empty address', { addresses: [''] }, ['name-invalid']],
  ['two equal node ports', { nodePorts: { gateway: 30443, probe: 30443 } }, ['gateway-setting-refused']],
  [
    'node ports for a ClusterIP',
    { serviceType: 'ClusterIP', nodePorts: { gateway: 30443, probe: 30444 } },
    ['gateway-setting-refused'],
  ],
  ['a period of 1.5 seconds', { probePeriod: Duration.millis(1500) }, ['gateway-setting-refused']],
  ['addresses that are a string', { addresses: 'gw' as never }, ['wrong-type']],
  ['ports that are a number', { nodePorts: 30443 as never }, ['wrong-type']],
  ['null for all props', { addresses: null, nodePorts: null, annotations: null, probePeriod: undefined } as never, []],
  ['a period that is a number', { probePeriod: 3 as never }, ['wrong-type']],
  ['a period of zero', { probePeriod: Duration.seconds(0) }, ['gateway-setting-refused']],
])('synth checks a gateway with %s', (_, gateway, codes) => expect(errors({ gateway })).toEqual(codes));

test.each<[string, Member['multicluster'], string[]]>([
  ['contradictory values', { gateway: false, values: { gateway: { enabled: true } } }, ['value-contradicts-prop']],
  ['another trust domain', { values: { identityTrustDomain: 'other' } }, ['value-contradicts-prop']],
  ['a port that no proxy serves', { values: { gateway: { port: 443 } } }, ['gateway-setting-refused']],
  ['a probe that no proxy serves', { values: { gateway: { probe: { path: '/' } } } }, ['gateway-setting-refused']],
  ['a duplicate account', { remoteAccounts: ['a', 'a'] }, ['chart-value-refused']],
  ['an account without a name', { remoteAccounts: [''] }, ['name-invalid']],
  ['an empty list of accounts', { remoteAccounts: [] }, ['chart-value-missing']],
  ['an unknown source of CRDs', { crds: 'helm' as never }, ['link-crd-source-refused']],
  ['an existing CRD and delivery helm', { delivery: 'helm', crds: 'existing' }, ['link-crd-source-refused']],
  ['a gateway that is a string', { gateway: 'on' as never }, ['wrong-type']],
  ['one replica only', { highAvailability: true, gateway: { replicas: 1 } }, ['high-availability-overridden']],
  ['values that are null', { values: { gateway: { probe: null } } }, ['value-contradicts-prop']],
])('synth refuses Multicluster with %s', (_, multicluster, codes) => expect(errors(multicluster)).toEqual(codes));

test('synth refuses a gateway on another port than the inbound port of proxies', () => {
  const values = { proxy: { ports: { inbound: 5143 } } } as never;
  expect(errors({}, { values })).toEqual(['gateway-setting-refused']);
  expect(errors({ values: { gateway: { port: 5143 } } }, { values })).toEqual([]);
});

test('synth refuses values that list service mirrors together with Links', () => {
  const controllers = [{ link: { ref: { name: 'north' } } }];
  const clusters = fleet({ east: { multicluster: { values: { controllers } }, links: { west: {} } }, west: {} });
  expect(clusters.errors('east')).toEqual(['value-contradicts-prop']);
  expect(errors({ values: { controllers } })).toEqual([]);
});

test('with delivery helm, Argo CD inflates the chart of Multicluster, and Links are templates in it', () => {
  const clusters = fleet({ east: { multicluster: { delivery: 'helm' }, links: { west: {} } }, west: {} });
  expect(clusters.errors('east')).toEqual([]);
  const files = clusters.files('east');
  expect(files.get('linkerd-multicluster/Chart.yaml')).toContain('2026.8.3');
  expect(files.get('linkerd-multicluster/values.yaml')).toContain('name: west');
  const templates = [...files.keys()].filter((file) => file.startsWith('linkerd-multicluster/templates/'));
  expect(templates).toContain('linkerd-multicluster/templates/link.west.yaml');
  expect(templates.filter((file) => file.includes('customresourcedefinition'))).toEqual([]);
});

test('Multicluster does not emit an existing CRD', () => {
  const files = [
    ...one({ multicluster: { crds: 'existing' } })
      .files('east')
      .keys(),
  ];
  expect(files.filter((file) => file.includes('customresourcedefinition.links'))).toEqual([]);
});

test('Multicluster admits another Prometheus on demand', () => {
  const scraper = { namespace: 'monitoring', name: 'prometheus' };
  const props = { external: [{ kind: 'ServiceAccount' as const, ...scraper }] };
  const clusters = one({ multicluster: { scraper }, props });
  expect(clusters.errors('east')).toEqual([]);
  expect(clusters.object('east', 'authorizationpolicy.controller-scrape').spec).toMatchObject({
    targetRef: { name: 'controller' },
    requiredAuthenticationRefs: [{ kind: 'ServiceAccount', ...scraper }],
  });
  const old = one({ multicluster: { scraper }, props, version: 'edge-25.10.7' });
  const policies = [...old.files('east').keys()].filter((file) => file.endsWith('-scrape.yaml'));
  expect(policies).toEqual(['linkerd-multicluster/authorizationpolicy.service-mirror-scrape.yaml']);
});

test('the user can patch objects of Multicluster', () => {
  const patched = one({
    further: (_, multicluster) => {
      multicluster?.patch('Deployment', 'linkerd-gateway', JsonPatch.add('/spec/minReadySeconds', 5));
    },
  });
  expect(patched.object('east', 'deployment.linkerd-gateway').spec).toMatchObject({ minReadySeconds: 5 });
  const unmatched = one({
    further: (_, multicluster: Multicluster<never> | undefined) => {
      multicluster?.patch('Deployment', 'controller-west', JsonPatch.add('/spec/minReadySeconds', 5));
    },
  } as Member);
  expect(unmatched.errors('east')).toEqual(['patch-unmatched']);
});

test.each(['edge-25.10.7', 'edge-26.3.3', 'edge-26.4.4', 'edge-26.6.3', '2.20'] as const)(
  'Multicluster supports %s',
  (version) => {
    const clusters = fleet({ east: { version, links: { west: {} } }, west: { version } });
    expect(clusters.errors('east')).toEqual([]);
  },
);

test('synth finds a kubeconfig in any value', () => {
  const clusters = one({
    anchor: TrustAnchor.fromSecret({ secretName: 'root' }),
    multicluster: { values: { podAnnotations: { kubeconfig: '-----BEGIN PRIVATE KEY-----' } } },
  });
  expect(clusters.errors('east')).toEqual(['private-key-found']);
});
