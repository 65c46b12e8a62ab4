import { rotationUnits } from '#lib/constructs/rotation/cert-rotation-cron-job';
import { pkiChart } from '../pki/mesh';

function unitsOf(...services: readonly (readonly [string, string | false | undefined])[]) {
  const { chart, pki } = pkiChart();
  for (const [service, deployment] of services) {
    pki.webhookCertificate(chart, service, { service, namespace: 'linkerd', deployment });
  }
  return rotationUnits(pki, pki.webhookCertificates);
}

test('rotation restarts the webhooks of one Deployment as one unit', () => {
  expect(unitsOf(['a', 'server'], ['b', undefined], ['c', 'server']).slice(1)).toEqual([
    { namespace: 'linkerd', deployment: 'server', certificates: ['a', 'c'], secrets: ['a-k8s-tls', 'c-k8s-tls'] },
    { namespace: 'linkerd', deployment: 'b', certificates: ['b'], secrets: ['b-k8s-tls'] },
  ]);
});

test('rotation treats Deployments of one name in two namespaces as two units', () => {
  const { chart, pki } = pkiChart();
  pki.webhookCertificate(chart, 'a', { service: 'tap', namespace: 'a' });
  pki.webhookCertificate(chart, 'b', { service: 'tap', namespace: 'b' });
  expect(rotationUnits(pki, pki.webhookCertificates)).toHaveLength(3);
});

test('rotation does not restart pods that reload their certificate: cert-manager alone renews it', () => {
  expect(unitsOf(['operator', false])).toHaveLength(1);
});
