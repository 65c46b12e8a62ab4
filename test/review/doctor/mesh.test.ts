import { renderChart } from '../../../lib/cli/render-chart';
import type { Examination } from '../../../lib/review/doctor/examination';
import { EXAMINED, EXAMINED_LISTS } from '../../../lib/review/doctor/lists';
import { meshCertificates, meshIn } from '../../../lib/review/doctor/mesh';
import { CLUSTER_LISTS } from '../../../lib/review/live/lists';
import { NOW, read } from '../status/healthy-mesh';
import { certificateOf, examined, HEALTHY, platform, workloadsWithout } from './examined-mesh';

/** A PEM that stands for one: the mesh is found without reading it. */
const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';

/** What would be read of the objects that a chart installs, of which none has run yet. */
function examinationOf(release: 'edge-26.8.3' | 'stable-2.14.10'): Examination {
  const external = (name: string) => ({ externalSecret: true, injectCaFrom: `linkerd/${name}` });
  const values = {
    identityTrustAnchorsPEM: PEM,
    identity: { issuer: { scheme: 'kubernetes.io/tls' } },
    proxyInjector: external('linkerd-proxy-injector'),
    profileValidator: external('linkerd-sp-validator'),
    policyValidator: external('linkerd-policy-validator'),
  };
  const rendered = renderChart({ chart: 'linkerd-control-plane', release, values });
  if ('problems' in rendered) throw new Error(JSON.stringify(rendered.problems));
  const listed = EXAMINED_LISTS.map((name) => {
    const kinds: readonly string[] = CLUSTER_LISTS[name].resources.map((one) => one.kind);
    const objects = rendered.objects.filter((one) => kinds.includes(one.kind));
    return [name, read(...objects.map((one) => EXAMINED[name](one, one.kind)))] as const;
  });
  return { ...HEALTHY, ...(Object.fromEntries(listed) as unknown as Examination) };
}

test.each(['edge-26.8.3', 'stable-2.14.10'] as const)('a mesh of Helm is found without an output: %s', (release) => {
  const mesh = meshIn(examinationOf(release), undefined);
  expect(mesh?.namespace).toBe('linkerd');
  expect(mesh?.intent.workloads).toEqual(
    ['destination', 'identity', 'proxy-injector'].map((name) => `Deployment linkerd/linkerd-${name}`),
  );
  expect(mesh?.intent.webhooks).toEqual([
    'MutatingWebhookConfiguration linkerd-proxy-injector-webhook-config',
    'ValidatingWebhookConfiguration linkerd-policy-validator-webhook-config',
    'ValidatingWebhookConfiguration linkerd-sp-validator-webhook-config',
  ]);
  expect(mesh).not.toHaveProperty('certManager');
});

test.each<[string, Partial<Examination>]>([
  ['the label of its namespace', { workloads: read(), installed: read(), bundles: read() }],
  ['the values of its installation', { workloads: read(), namespaces: read(), bundles: read() }],
  ['its trust roots', { workloads: read(), namespaces: read(), installed: read() }],
])('a control plane without Deployments is found by %s', (_by, changes) => {
  expect(meshIn({ ...HEALTHY, ...changes }, undefined)?.namespace).toBe('linkerd');
});

test('cert-manager is found by its label and name, and a Deployment that only has the label is not taken for it', () => {
  const strangers = examined('mine', { namespace: 'a', labels: { 'app.kubernetes.io/name': 'cert-manager' } });
  const own = platform('cert-manager', 'cert-manager', { namespace: 'security' });
  expect(meshIn({ ...HEALTHY, workloads: read(strangers, own) }, undefined)?.certManager).toBe(
    'Deployment security/cert-manager',
  );
  const renamed = platform('cm-cert-manager', 'cert-manager');
  expect(meshIn({ ...HEALTHY, workloads: read(renamed) }, undefined)?.certManager).toBe(
    'Deployment cert-manager/cm-cert-manager',
  );
});

test('a missing cert-manager should be where the rest of it is', () => {
  const mesh = meshIn({ ...HEALTHY, workloads: workloadsWithout('cert-manager') }, undefined);
  expect(mesh?.certManager).toBe('Deployment cert-manager/cert-manager');
});

test('the Certificates of a mesh are those in its namespaces and of the CAs above them, and no other ones', () => {
  const certificates = read(
    certificateOf('issuer'),
    certificateOf('anchor', { namespace: 'cert-manager', issuer: 'Issuer cert-manager/self' }),
    certificateOf('web', { namespace: 'cert-manager', notAfter: NOW }),
    certificateOf('shop', { namespace: 'shop' }),
  );
  const found = meshCertificates({ ...HEALTHY, certificates }, new Set(['linkerd']));
  expect(found.map(({ name }) => name)).toEqual(['issuer', 'anchor']);
});

test('CAs that sign each other end the search', () => {
  const certificates = read(
    certificateOf('a', { secretName: 'a', issuer: 'ClusterIssuer b' }),
    certificateOf('b', { namespace: 'x', secretName: 'b', issuer: 'ClusterIssuer a' }),
  );
  const issuers = read({ issuer: 'ClusterIssuer a', secretName: 'a' }, { issuer: 'ClusterIssuer b', secretName: 'b' });
  expect(meshCertificates({ certificates, issuers }, new Set(['linkerd']))).toHaveLength(2);
});
