import { Testing } from 'cdk8s';
import { CertManager } from '#lib/constructs/pki/cert-manager';
import { TrustManager, type TrustManagerProps } from '#lib/constructs/pki/trust-manager';
import type { HelmRelease } from '#lib/gitops/charts/helm-release';
import { ruleErrorsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';
import { externalsOf } from './mesh';

function install(props: Omit<TrustManagerProps, 'certManager'> = {}) {
  const chart = Testing.chart();
  const certManager = new CertManager(chart, 'cert-manager', { namespace: 'certs' });
  const trustManager = new TrustManager(chart, 'trust-manager', { certManager, ...props });
  return { certManager, trustManager, release: trustManager.node.findChild('chart') as HelmRelease };
}

test('TrustManager writes to its target namespaces', () => {
  const { release } = install({ values: { app: { targetNamespaces: ['linkerd'] } } });
  expect(release.chart.foreignNamespaces).toEqual(['linkerd']);
});

test('TrustManager refuses values that contradict its props', () => {
  const { trustManager } = install({ values: { app: { trust: { namespace: 'linkerd' } } } });
  expect(ruleErrorsIn(trustManager)).toEqual([expect.stringContaining('app.trust.namespace')]);
});

test('an existing TrustManager emits nothing, and declares its objects', () => {
  const chart = Testing.chart();
  const existing = TrustManager.fromExisting(chart, 'trust-manager', { version: 'v0.12.0' });
  expect(existing).toMatchObject({ version: 'v0.12.0', trustNamespace: 'cert-manager' });
  expect(plainObjects(chart)).toEqual([]);
  expect(externalsOf(chart)).toEqual([{ kind: 'Namespace', name: 'cert-manager' }]);
});

test('synth checks the namespace of an existing TrustManager', () => {
  const chart = Testing.chart();
  TrustManager.fromExisting(chart, 'trust-manager', { trustNamespace: 'No' });
  expect(ruleErrorsIn(chart)).toHaveLength(1);
});
