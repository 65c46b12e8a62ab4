import { Testing } from 'cdk8s';
import { CertManager, type CertManagerProps } from '#lib/constructs/pki/cert-manager';
import type { HelmRelease } from '#lib/gitops/charts/helm-release';
import { ruleErrorsIn, ruleFindingsIn } from '../../support/findings';
import { externalsOf, objectsOf } from './mesh';

function install(props: CertManagerProps = {}): { certManager: CertManager; release: HelmRelease } {
  const certManager = new CertManager(Testing.chart(), 'cert-manager', props);
  return { certManager, release: certManager.node.findChild('chart') as HelmRelease };
}

test('CertManager writes only to its namespace, unless its monitors have another one', () => {
  expect(install().release.chart.foreignNamespaces).toEqual([]);
  const monitored = install({ values: { prometheus: { podmonitor: { enabled: true, namespace: 'monitoring' } } } });
  expect(monitored.release.chart.foreignNamespaces).toEqual(['monitoring']);
  const own = install({ values: { prometheus: { servicemonitor: { namespace: '' } } } });
  expect(own.release.chart.foreignNamespaces).toEqual([]);
});

test('CertManager declares the objects that the user adds', () => {
  const text =
    'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata:\n  name: {{ .x }}\n  namespace: kube-system\n';
  const extraObjects = [text, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }];
  const { chart } = install({ values: { extraObjects } as never }).release;
  expect(chart.kinds).toEqual(expect.arrayContaining(['rbac.authorization.k8s.io/Role', '/Secret']));
  expect(chart.foreignNamespaces).toEqual(['kube-system']);
});

test('CertManager refuses values that contradict its props', () => {
  const { certManager } = install({ values: { crds: { keep: false }, clusterResourceNamespace: 'other' } });
  const errors = ruleErrorsIn(certManager);
  expect(errors).toHaveLength(2);
  expect(errors.join()).toContain('crds.keep');
  expect(errors.join()).toContain('clusterResourceNamespace');
});

test('CertManager refuses values that the schema of an older chart refuses', () => {
  const values = { imageRegistry: 'registry.example.com', cainjector: { networkPolicy: { enabled: true } } };
  expect(ruleErrorsIn(install({ values }).certManager)).toEqual([]);
  const version = 'v1.16.1';
  expect(ruleFindingsIn(install({ values, version }).certManager)).toMatchObject([
    { code: 'cert-manager-value-refused', parameters: { path: 'cainjector.networkPolicy', version } },
    { code: 'cert-manager-value-refused', parameters: { path: 'imageRegistry', version } },
  ]);
});

test('an existing CertManager emits nothing, and declares its objects', () => {
  const chart = Testing.chart();
  const existing = CertManager.fromExisting(chart, 'cert-manager', { namespace: 'certs', version: 'v1.16.1' });
  expect(existing).toMatchObject({ namespace: 'certs', version: 'v1.16.1' });
  expect(objectsOf(existing as CertManager)).toEqual([]);
  expect(externalsOf(chart)).toEqual([{ kind: 'Namespace', name: 'certs' }]);
});

test.each(['certs.', 'Cert_Manager'])('synth checks the namespace of an existing CertManager: %s', (namespace) => {
  const chart = Testing.chart();
  CertManager.fromExisting(chart, 'cert-manager', { namespace });
  expect(ruleErrorsIn(chart)).toHaveLength(1);
});
