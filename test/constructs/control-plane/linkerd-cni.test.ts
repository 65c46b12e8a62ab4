import { Testing } from 'cdk8s';
import { LinkerdCni } from '#lib/constructs/control-plane/linkerd-cni';
import { declarationsOf } from '#lib/gitops/tree/references';
import { referenceKey } from '#lib/kubernetes/references';
import { emitted } from '../../support/control-plane-fixture';
import { ruleErrorsIn, ruleFactsIn, ruleFindingsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';

test('it comes from the chart of the release', () => {
  const chart = Testing.chart();
  new LinkerdCni(chart, 'cni', {
    delivery: 'helm',
    version: 'stable-2.14.10',
    namespace: 'cni',
    values: { logLevel: 'debug' },
  });
  expect(emitted(chart, 'Application')['linkerd2-cni']?.spec).toMatchObject({
    source: { targetRevision: '30.12.2', helm: { values: 'logLevel: debug\n' } },
    destination: { namespace: 'cni' },
  });
});

test('effective values are those of the chart, under the own ones', () => {
  const { effectiveValues } = new LinkerdCni(Testing.chart(), 'cni', { values: { proxyUID: 5000 } });
  expect(effectiveValues).toMatchObject({ proxyUID: 5000, destCNIBinDir: '/opt/cni/bin', iptablesMode: 'nft' });
});

test("OpenShift's nodes have directories of their own, which values may move", () => {
  const preset = { destCNIBinDir: '/var/lib/cni/bin', destCNINetDir: '/etc/cni/net.d', privileged: true };
  const chart = Testing.chart();
  expect(new LinkerdCni(chart, 'one', { delivery: 'helm', openShift: true }).effectiveValues).toMatchObject(preset);
  const values = { destCNINetDir: '/etc/kubernetes/cni/net.d' };
  const moved = new LinkerdCni(chart, 'two', { delivery: 'helm', namespace: 'other', openShift: true, values });
  expect(moved.effectiveValues).toMatchObject({ ...preset, ...values });
  expect(ruleErrorsIn(moved)).toEqual([]);
});

test('it brings its service account and the ConfigMap that operators read', () => {
  const cni = new LinkerdCni(Testing.chart(), 'cni', {
    delivery: 'helm',
    values: { imagePullSecrets: [{ name: 'registry' }] },
  });
  const [declarations] = cni.node.findAll().flatMap(declarationsOf);
  expect(declarations?.provides?.map(referenceKey)).toEqual([
    'ServiceAccount linkerd-cni/linkerd-cni',
    'ConfigMap linkerd-cni/linkerd-cni-config',
  ]);
  expect(declarations?.requires?.map(referenceKey)).toEqual(['Secret linkerd-cni/registry']);
});

test.each(['8080-8090', '8080, 9090', 'http'])('portsToRedirect %j would break the JSON', (portsToRedirect) => {
  expect(ruleFindingsIn(new LinkerdCni(Testing.chart(), 'cni', { values: { portsToRedirect } }))).toMatchObject([
    { code: 'control-plane-value-refused', parameters: { ports: portsToRedirect } },
  ]);
});

test.each(['ignoreInboundPorts', 'ignoreOutboundPorts'] as const)('%s lists ports and ranges', (key) => {
  const problems = (ports: string) => ruleFactsIn(new LinkerdCni(Testing.chart(), 'cni', { values: { [key]: ports } }));
  expect(problems('25,4000-4100')).toEqual([]);
  expect(problems('')).toEqual([]);
  expect(problems('25,smtp')).toMatchObject([
    { finding: 'port-refused/list', field: `values.${key}`, list: '25,smtp', wrong: '"smtp"' },
  ]);
});

test('portsToRedirect may list ports', () => {
  expect(ruleErrorsIn(new LinkerdCni(Testing.chart(), 'cni', { values: { portsToRedirect: '8080,9090' } }))).toEqual(
    [],
  );
});

test('there is no PodSecurityPolicy any more', () => {
  expect(ruleFactsIn(new LinkerdCni(Testing.chart(), 'cni', { values: { enablePSP: true } }))).toMatchObject([
    { finding: 'chart-value-refused/pod-security-policy' },
  ]);
});

test('an existing plugin emits nothing, but tells how it was installed', () => {
  const chart = Testing.chart();
  const cni = LinkerdCni.fromExisting(chart, 'cni', { openShift: true, values: { proxyUID: 5000 } });
  expect(cni).toMatchObject({ release: { version: 'edge-26.8.3' }, namespace: 'linkerd-cni', openShift: true });
  expect(cni.effectiveValues).toMatchObject({ proxyUID: 5000, destCNIBinDir: '/var/lib/cni/bin' });
  expect(plainObjects(chart)).toEqual([]);
});
