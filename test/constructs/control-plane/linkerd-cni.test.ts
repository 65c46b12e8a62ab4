import { App, Testing } from 'cdk8s';
import { referenceKey } from '#kubernetes/objects/references';
import { LinkerdCni, type LinkerdCniProps } from '#lib/constructs/control-plane/linkerd-cni';
import { Cluster } from '#lib/gitops/tree/cluster';
import { declarationsOf } from '#lib/gitops/tree/references';
import { configMap, release } from '../../support/cluster-fixture';
import { ruleErrorsIn, ruleFactsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';
import { synthCluster } from '../../support/synth-cluster';

test.each([
  ['default', '/opt/cni/bin', '/etc/cni/net.d'],
  ['k3s', '/var/lib/rancher/k3s/data/cni', '/var/lib/rancher/k3s/agent/etc/cni/net.d'],
  ['microk8s', '/var/snap/microk8s/current/opt/cni/bin', '/var/snap/microk8s/current/args/cni-network'],
  ['openshift', '/var/lib/cni/bin', '/etc/cni/net.d'],
  ['rke2', '/opt/cni/bin', '/etc/cni/net.d'],
] as const)('distribution %s has CNI plugins in %s and configuration in %s', (distribution, bin, net) => {
  const cni = new LinkerdCni(Testing.chart(), 'cni', { delivery: 'helm', distribution });
  const openShift = distribution === 'openshift';
  expect(cni.effectiveValues).toMatchObject({ destCNIBinDir: bin, destCNINetDir: net, privileged: openShift });
  expect(cni.openShift).toBe(openShift);
  expect(ruleErrorsIn(cni)).toEqual([]);
  const moved = new LinkerdCni(Testing.chart(), 'cni', { distribution, values: { destCNIBinDir: '/bin' } });
  expect(moved.effectiveValues).toMatchObject({ destCNIBinDir: '/bin', destCNINetDir: net });
});

test.each([
  [{ distribution: 'K3S' as never }, { finding: 'control-plane-value-refused/distribution', proposed: 'k3s' }],
  [{ distribution: 'talos' as never }, { finding: 'control-plane-value-refused/distribution', value: '"talos"' }],
  [
    { distribution: 'k3s', openShift: true },
    { finding: 'cni-mismatch/distribution', distribution: 'k3s' },
  ],
  [
    { distribution: 'openshift', openShift: false },
    { finding: 'cni-mismatch/distribution', openShift: 'false' },
  ],
] as const)('synth refuses the props %j of a new CNI plugin and of an existing one', (props, finding) => {
  const [chart, other] = [Testing.chart(), Testing.chart()];
  expect(ruleFactsIn(new LinkerdCni(chart, 'cni', { delivery: 'helm', ...props }))).toMatchObject([finding]);
  LinkerdCni.fromExisting(other, 'cni', props);
  expect(ruleFactsIn(other)).toMatchObject([finding]);
});

describe('Cilium', () => {
  const found = (add: (cluster: Cluster) => void, plugin = true) => {
    const cluster = new Cluster(new App(), 'home', {});
    if (plugin) new LinkerdCni(cluster, 'cni');
    add(cluster);
    return synthCluster(cluster).findings.filter(({ problem }) => problem.cause === 'exclusive');
  };
  const cilium = (values: object) => (cluster: Cluster) =>
    void release(cluster, 'cilium', 'kube-system', { values: values as never });
  const config = (exclusive: string) => (cluster: Cluster) =>
    void configMap(cluster, 'cilium-config', 'kube-system', { 'cni-exclusive': exclusive });

  test('is refused together with the CNI plugin of Linkerd if it is exclusive, which is its default', () => {
    expect(found(cilium({}))).toMatchObject([
      { severity: 'error', path: 'home/cilium', problem: { code: 'cni-mismatch' } },
    ]);
    expect(found(cilium({ cni: { exclusive: true } }))).toHaveLength(1);
    expect(found(config('true'))).toHaveLength(1);
  });

  test('is accepted if it is not exclusive, or without the CNI plugin of Linkerd', () => {
    expect(found(cilium({ cni: { exclusive: false } }))).toEqual([]);
    expect(found(config('false'))).toEqual([]);
    expect(found(cilium({}), false)).toEqual([]);
  });
});

test('LinkerdCni creates its ServiceAccount and the ConfigMap that operators read', () => {
  const values = { imagePullSecrets: [{ name: 'registry' }] };
  const cni = new LinkerdCni(Testing.chart(), 'cni', { delivery: 'helm', values });
  const [declarations] = cni.node.findAll().flatMap(declarationsOf);
  expect(declarations?.provides?.map(referenceKey)).toEqual([
    'ServiceAccount linkerd-cni/linkerd-cni',
    'ConfigMap linkerd-cni/linkerd-cni-config',
  ]);
  expect(declarations?.requires?.map(referenceKey)).toEqual(['Secret linkerd-cni/registry']);
});

const port = (key: string) => ({
  finding: 'port-refused/list',
  field: `values.${key}`,
  list: '25,smtp',
  wrong: '"smtp"',
});

test.each<[LinkerdCniProps<'edge-26.8.3'>['values'], readonly object[]]>([
  [{ portsToRedirect: '8080,9090', ignoreInboundPorts: '25,4000-4100', ignoreOutboundPorts: '' }, []],
  // The chart prints these ports into JSON, which must stay valid.
  [{ portsToRedirect: '8080-8090' }, [{ finding: 'control-plane-value-refused/redirected-ports', ports: '8080-8090' }]],
  [
    { portsToRedirect: '8080, 9090' },
    [{ finding: 'control-plane-value-refused/redirected-ports', ports: '8080, 9090' }],
  ],
  [{ portsToRedirect: 'http' }, [{ finding: 'control-plane-value-refused/redirected-ports', ports: 'http' }]],
  [{ ignoreInboundPorts: '25,smtp' }, [port('ignoreInboundPorts')]],
  [{ ignoreOutboundPorts: '25,smtp' }, [port('ignoreOutboundPorts')]],
  [{ enablePSP: true }, [{ finding: 'chart-value-refused/pod-security-policy' }]],
])('a CNI plugin with the values %j has the problems %j', (values, problems) => {
  expect(ruleFactsIn(new LinkerdCni(Testing.chart(), 'cni', { values }))).toMatchObject(problems);
});

test('an existing CNI plugin emits nothing, and exposes its options to other constructs', () => {
  const chart = Testing.chart();
  const cni = LinkerdCni.fromExisting(chart, 'cni', { openShift: true, values: { proxyUID: 5000 } });
  expect(cni).toMatchObject({ release: { version: 'edge-26.8.3' }, namespace: 'linkerd-cni', openShift: true });
  expect(cni.effectiveValues).toMatchObject({ proxyUID: 5000, destCNIBinDir: '/var/lib/cni/bin' });
  expect(plainObjects(chart)).toEqual([]);
});
