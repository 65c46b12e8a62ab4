import { Duration } from 'cdk8s';
import { Link, type LinkProps } from '#lib/constructs/multicluster/link';
import type { Multicluster } from '#lib/constructs/multicluster/multicluster';
import { TrustAnchor, type TrustAnchorSource } from '#lib/constructs/pki/trust-anchor';
import { fleet, type Member, root, sharedAnchor } from './fleet';

const bothWays = { east: { links: { west: {} } }, west: { links: { east: {} } } };

describe('two clusters that are linked both ways', () => {
  const clusters = fleet(bothWays);

  test('have no errors and no warnings', () => {
    expect([clusters.errors('east'), clusters.errors('west')]).toEqual([[], []]);
    expect([clusters.warnings('east'), clusters.warnings('west')]).toEqual([[], []]);
  });

  test('have the Links that `linkerd multicluster link-gen` writes', () => {
    expect(clusters.link('east', 'west')).toEqual({
      targetClusterName: 'west',
      targetClusterDomain: 'cluster.local',
      targetClusterLinkerdNamespace: 'linkerd',
      clusterCredentialsSecret: 'cluster-credentials-west',
      gatewayAddress: 'gateway.west.example.com',
      gatewayIdentity: 'linkerd-gateway.linkerd-multicluster.serviceaccount.identity.linkerd.cluster.local',
      gatewayPort: '4143',
      probeSpec: { failureThreshold: '3', path: '/ready', period: '3s', port: '4191', timeout: '30s' },
      selector: { matchLabels: { 'mirror.linkerd.io/exported': 'true' } },
      remoteDiscoverySelector: { matchLabels: { 'mirror.linkerd.io/exported': 'remote-discovery' } },
      federatedServiceSelector: { matchLabels: { 'mirror.linkerd.io/federated': 'member' } },
      excludedAnnotations: ['argocd.argoproj.io/*', 'kubectl.kubernetes.io/last-applied-configuration'],
      excludedLabels: ['app.kubernetes.io/instance', 'argocd.argoproj.io/*'],
    });
  });

  test('have service mirrors that may read the credentials', () => {
    expect(clusters.object('west', 'deployment.controller-east').metadata.name).toBe('controller-east');
    expect(JSON.stringify(clusters.object('west', 'role.controller-read-remote-creds-east'))).toContain(
      'cluster-credentials-east',
    );
  });

  test('have the same output in any order of construction', () => {
    const reversed = fleet({ west: { links: { east: {} } }, east: { links: { west: {} } } });
    expect(reversed.errors('west')).toEqual([]);
    expect(reversed.files('east')).toEqual(clusters.files('east'));
    expect(reversed.files('west')).toEqual(clusters.files('west'));
  });
});

test('a Link has the domain and the gateway identity of its target cluster', () => {
  const clusters = fleet({
    east: { trustDomain: 'one.example.com', links: { west: {} } },
    west: {
      props: { domain: 'west.local' },
      trustDomain: 'one.example.com',
      multicluster: { gateway: { addresses: ['10.1.2.3', '2001:db8::1'] }, values: { gateway: { name: 'door' } } },
    },
  });
  expect(clusters.errors('east')).toEqual([]);
  expect(clusters.link('east', 'west')).toMatchObject({
    targetClusterDomain: 'west.local',
    gatewayAddress: '10.1.2.3,2001:db8::1',
    gatewayIdentity: 'door.linkerd-multicluster.serviceaccount.identity.linkerd.one.example.com',
  });
});

test('a link to a NodePort has the ports of the nodes, and the service mirror probes the port of the nodes', () => {
  const nodePorts = { gateway: 30443, probe: 30491 };
  const gateway = { addresses: ['10.0.0.1'], serviceType: 'NodePort' as const, nodePorts };
  const clusters = fleet({ east: { links: { west: {} } }, west: { multicluster: { gateway } } });
  expect(clusters.errors('east')).toEqual([]);
  expect(clusters.link('east', 'west')).toMatchObject({ gatewayPort: '30443', probeSpec: { port: '30491' } });
  expect(clusters.object('east', 'service.probe-west').spec).toMatchObject({ ports: [{ port: 30491 }] });
});

test('a link may name another address of the gateway', () => {
  const gateway = {
    addresses: ['10.9.9.9'],
    ports: { gateway: 443, probe: 8443 },
    failureThreshold: 5,
    probeTimeout: Duration.seconds(2),
  };
  const clusters = fleet({ east: { links: { west: { gateway } } }, west: {} });
  expect(clusters.errors('east')).toEqual([]);
  expect(clusters.link('east', 'west')).toMatchObject({
    gatewayAddress: '10.9.9.9',
    gatewayPort: '443',
    probeSpec: { failureThreshold: '5', port: '8443', timeout: '2s' },
  });
  expect(clusters.object('east', 'service.probe-west').spec).toMatchObject({ ports: [{ port: 8443 }] });
});

test('a link in a flat network has neither a gateway nor a probe', () => {
  const clusters = fleet({ east: { links: { west: {} } }, west: { multicluster: { gateway: false } } });
  expect(clusters.errors('east')).toEqual([]);
  const link = clusters.link('east', 'west');
  expect(Object.keys(link).filter((key) => /gateway|probe|^selector/.test(key))).toEqual([]);
  expect(clusters.files('east').has('linkerd-multicluster/service.probe-west.yaml')).toBe(false);
  const without = fleet({ east: { links: { west: { gateway: false } } }, west: {} });
  expect(without.link('east', 'west')).toEqual(link);
});

test('the props of a link select the mirrored Services, and configure the service mirror', () => {
  const clusters = fleet({
    east: {
      links: {
        west: {
          exported: { matchExpressions: [{ key: 'team', operator: 'Exists' }] },
          remoteDiscovery: false,
          federated: false,
          headlessServices: true,
          excludedLabels: [],
          controller: { logLevel: 'debug', replicas: 2 },
        },
      },
    },
    west: {},
  });
  expect(clusters.errors('east')).toEqual([]);
  const link = clusters.link('east', 'west');
  expect(link.selector).toEqual({ matchExpressions: [{ key: 'team', operator: 'Exists' }] });
  expect(link).not.toHaveProperty('remoteDiscoverySelector');
  expect(link).not.toHaveProperty('federatedServiceSelector');
  expect(link.excludedLabels).toEqual([]);
  const mirror = JSON.stringify(clusters.object('east', 'deployment.controller-west'));
  expect(mirror).toContain('-enable-headless-services');
  expect(mirror).toContain('-log-level=debug');
});

test('a link lists the Secrets that it needs', () => {
  const clusters = fleet({
    east: {
      links: { west: {} },
      trustDomain: 'one.example.com',
      further: (cluster) => {
        const link = cluster.node.findChild('to west') as Link;
        const [own, destination] = link.credentials;
        expect(own).toMatchObject({ namespace: 'linkerd-multicluster', name: 'cluster-credentials-west', labels: {} });
        expect(destination).toMatchObject({
          namespace: 'linkerd',
          labels: { 'multicluster.linkerd.io/cluster-name': 'west' },
        });
        expect(cluster.node.root.node.tryFindChild('none')).toBeUndefined();
      },
    },
    west: { props: { domain: 'west.local' }, trustDomain: 'one.example.com' },
  });
  expect(clusters.errors('east')).toEqual([]);
});

describe('the check of a link', () => {
  const problem = (east: Member, west: Member, links: Partial<LinkProps> = {}) =>
    fleet({ east: { links: { west: links }, ...east }, west }).errors('east');

  test('refuses the cluster of the link as its target', () => {
    expect(fleet({ east: { links: { east: {} } } }).errors('east')).toEqual(['link-target-refused']);
  });

  test('refuses a second link to a cluster', () => {
    const clusters = fleet({ east: { links: { west: {}, 'west again': {} } }, west: {} });
    expect(clusters.errors('east')).toEqual(['link-target-refused']);
  });

  test('refuses a cluster without the extension', () => {
    expect(problem({}, { multicluster: false })).toEqual(['link-target-incomplete']);
  });

  test('refuses a cluster that cannot be built', () => {
    const west: Member = {
      further: () => {
        throw new Error('odd');
      },
    };
    expect(problem({}, west)).toEqual(['link-target-incomplete']);
  });

  test('refuses a cluster without accounts that may read its Services', () => {
    expect(problem({}, { multicluster: { remoteAccounts: false } })).toEqual(['link-target-incomplete']);
  });

  test('requires a gateway with known addresses in the other cluster', () => {
    const withoutGateway: Member = { multicluster: { gateway: false } };
    expect(problem({}, withoutGateway, { gateway: { addresses: ['10.0.0.1'] } })).toEqual(['link-target-incomplete']);
    expect(problem({}, { multicluster: { gateway: {} } })).toEqual(['link-target-incomplete']);
    expect(problem({}, { multicluster: { gateway: {} } }, { gateway: { addresses: ['gw.example.com'] } })).toEqual([]);
    const nodePort = { addresses: ['10.0.0.1'], serviceType: 'NodePort' as const };
    expect(problem({}, { multicluster: { gateway: nodePort } })).toEqual(['link-target-incomplete']);
    const withoutProbe = { gateway: nodePort, values: { gateway: { nodePort: 30443 } } };
    expect(problem({}, { multicluster: withoutProbe })).toEqual(['link-target-incomplete']);
  });

  test('refuses a link that mirrors nothing', () => {
    const none = { remoteDiscovery: false, federated: false } as const;
    expect(problem({}, {}, { ...none, exported: false })).toEqual(['link-mirrors-nothing']);
    expect(problem({}, {}, { ...none, gateway: false })).toEqual(['link-mirrors-nothing']);
    expect(problem({}, {}, none)).toEqual([]);
  });

  test.each<[string, Partial<LinkProps>, string[]]>([
    ['an address with a scheme', { gateway: { addresses: ['https://gw'] } }, ['name-invalid']],
    ['an invalid port', { gateway: { ports: { gateway: 0, probe: 80 } } }, ['port-refused']],
    ['a threshold of zero', { gateway: { failureThreshold: 0 } }, ['gateway-setting-refused']],
    ['an invalid label', { excludedLabels: ['a b'] }, ['name-invalid']],
    ['a gateway that is a string', { gateway: 'gw' as never }, ['wrong-type']],
    ['an address in place of a list', { gateway: { addresses: 'gw' as never } }, ['wrong-type']],
    ['an address that is null', { gateway: { addresses: [null as never] } }, ['name-invalid']],
    ['ports that are a number', { gateway: { ports: 443 as never } }, ['wrong-type']],
    ['labels that are a string', { excludedLabels: 'a' as never }, ['wrong-type']],
    ['null for all optional props', { gateway: null, excludedLabels: null, controller: null } as never, []],
    ['a kubeconfig', { kubeconfig: 'apiVersion: v1' } as never, ['link-credentials-given']],
  ])('returns the right findings for %s', (_, props, codes) => expect(problem({}, {}, props)).toEqual(codes));

  test('refuses a construct Cluster in place of the reference that addCluster returns', () => {
    const linked = (name: string) => {
      let other: unknown;
      const further: Member['further'] = (cluster, multicluster) => {
        new Link(cluster, 'odd', {
          multicluster: multicluster as Multicluster,
          target: (name === 'east' ? cluster : other) as never,
        });
      };
      const west: Member = {
        further: (cluster) => {
          other = cluster;
        },
      };
      const clusters = fleet({ west, east: { further } });
      clusters.errors('west');
      return clusters.problems('east');
    };
    expect(linked('east')).toMatchObject([{ code: 'link-target-refused', parameters: { cluster: 'east' } }]);
    expect(linked('west')).toMatchObject([
      { code: 'link-target-refused', parameters: { target: expect.stringContaining('west') } },
    ]);
  });

  test('refuses a target that is not a cluster', () => {
    const odd = (target: unknown) =>
      fleet({ east: { links: { west: { target: target as never } } }, west: {} }).errors('east');
    expect(odd('west')).toEqual(['link-target-refused']);
    expect(odd({ name: 'west', domain: 'cluster.local' })).toEqual(['link-target-refused']);
    expect(odd(null)).toEqual(['link-target-refused']);
  });

  test('refuses the Multicluster of another cluster', () => {
    let ofWest: Multicluster | undefined;
    const clusters = fleet({
      west: {
        further: (_, multicluster) => {
          ofWest = multicluster as Multicluster;
        },
      },
      east: { links: {} },
      north: {
        further: (cluster) => {
          const east = { name: 'east' };
          new Link(cluster, 'odd', { multicluster: ofWest as Multicluster, target: east as never });
        },
      },
    });
    expect(clusters.errors('west')).toEqual([]);
    expect(clusters.errors('north')).toEqual(expect.arrayContaining(['link-target-refused', 'link-target-refused']));
  });
});

describe('trust anchors', () => {
  const agreement = (east: Partial<Member>, west: Partial<Member>, links: Partial<LinkProps> = {}) => {
    const clusters = fleet({ east: { links: { west: links }, ...east }, west });
    return [...clusters.errors('east'), ...clusters.warnings('east')].filter((code) => code.startsWith('link-'));
  };
  const elsewhere = TrustAnchor.fromSecret({ secretName: 'root' });

  test('of linked clusters are compared if their certificates are in Git', () => {
    expect(agreement({ anchor: root() }, { anchor: root() })).toEqual([]);
    expect(agreement({ anchor: root() }, { anchor: root('anchor-rsa2048') })).toEqual(['link-anchors-differ']);
    const rotated = TrustAnchor.fromPem({
      certificates: [root(), root('previous-anchor')]
        .map((anchor) => ('roots' in anchor ? anchor.roots.certificates : ''))
        .join('\n'),
      issuer: { name: 'corporate' },
    });
    expect(agreement({ anchor: rotated }, { anchor: root() })).toEqual([]);
  });

  test('of linked clusters differ if each cluster creates one, unless the operators share them', () => {
    const own = { duration: Duration.days(3650), renewBefore: Duration.days(365) };
    expect(agreement({ anchor: own }, { anchor: own }, { sharedTrustAnchor: true })).toEqual(['link-anchors-differ']);
    const [east, west] = [sharedAnchor('east', 'west'), sharedAnchor('west', 'east')];
    expect(agreement({ anchor: east }, { anchor: west })).toEqual([]);
    expect(agreement({ anchor: east }, { anchor: sharedAnchor('west', 'north') })).toEqual(['link-anchors-differ']);
  });

  test('of linked clusters must agree on whether a certification has a name constraint', () => {
    const asking = (bridge: object): TrustAnchorSource => {
      const { operator, ...anchor } = sharedAnchor('west', 'east');
      return { ...anchor, operator: { ...operator, bridge } } as TrustAnchorSource;
    };
    const certifying = (certifies: readonly object[]): TrustAnchorSource => {
      const { operator, ...anchor } = sharedAnchor('east', 'west');
      return { ...anchor, operator: { ...operator, certifies } } as TrustAnchorSource;
    };
    const member = { signedBy: 'Member', member: 'east' };
    const west = { anchor: asking(member), trustDomain: 'west.example' };
    const east = (certifies: readonly object[]) => ({ anchor: certifying(certifies) });
    const differ = 'link-trust-domains-differ';
    const constrained = [{ cluster: 'west', trustDomain: 'west.example' }];
    expect(agreement(east(constrained), west)).toEqual(['link-certification-differs', differ]);
    const asked = { ...west, anchor: asking({ ...member, constrained: true }) };
    expect(agreement(east(constrained), asked)).toEqual([differ]);
  });

  test('outside of Git cause a warning, unless the link sets sharedTrustAnchor', () => {
    expect(agreement({ anchor: elsewhere }, { anchor: elsewhere })).toEqual(['link-anchors-unknown']);
    expect(agreement({ anchor: elsewhere }, { anchor: root() })).toEqual(['link-anchors-unknown']);
    expect(agreement({ anchor: elsewhere }, { anchor: elsewhere }, { sharedTrustAnchor: true })).toEqual([]);
  });

  test('of two trust domains cause a warning about policies for ServiceAccounts', () => {
    expect(agreement({ trustDomain: 'one.example.com' }, {})).toEqual(['link-trust-domains-differ']);
  });

  interface Domains {
    readonly east?: Partial<Member>;
    readonly west?: Partial<Member>;
    readonly link?: Partial<LinkProps>;
  }

  test.each<readonly [string, boolean, Domains]>([
    ['is the default of both clusters', true, {}],
    ['is the domain of both clusters', true, { east: { props: { domain: 'a' } }, west: { props: { domain: 'a' } } }],
    ['is set for both clusters', false, { east: { trustDomain: 'one' }, west: { trustDomain: 'one' } }],
    ['is set for one cluster', false, { east: { props: { domain: 'a' }, trustDomain: 'cluster.local' } }],
    ['is used by no link to pods', false, { link: { remoteDiscovery: false, federated: false } }],
    ['is used by a link of federated Services', true, { link: { remoteDiscovery: false } }],
  ])('decide on a warning if one trust domain %s: %s', (_, isWarned, { east, west = {}, link = {} }) => {
    const codes = fleet({ east: { links: { west: link }, ...east }, west }).allWarnings('east');
    expect(codes.includes('link-trust-domain-default')).toBe(isWarned);
  });
});

test('a hundred clusters that link to a hub are each built once for the hub', () => {
  const spokes = Array.from({ length: 100 }, (_, index) => `spoke-${index}`);
  let builds = 0;
  const spoke: Member = {
    links: { hub: {} },
    further: () => {
      builds += 1;
    },
  };
  const clusters = fleet({
    hub: { links: Object.fromEntries(spokes.map((name) => [name, {}])) },
    ...Object.fromEntries(spokes.map((name) => [name, spoke])),
  });
  expect(clusters.errors('hub')).toEqual([]);
  expect(builds).toBe(100);
  expect(clusters.errors('spoke-7')).toEqual([]);
  expect(builds).toBe(101);
});

test('the multicluster extension refuses 2.14', () => {
  const problems = fleet({ old: { version: 'stable-2.14.10' } }).problems('old');
  expect(problems).toMatchObject([
    { code: 'build-failed', parameters: { error: expect.stringContaining('Multicluster needs an edge release') } },
  ]);
});
