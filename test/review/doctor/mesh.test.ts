import { renderChart } from '#lib/cli/render-chart';
import { meshCertificates, meshIn } from '#lib/review/doctor/mesh';
import { CLUSTER_LISTS, DOCTOR_LISTS, type DoctorObservation } from '#lib/review/live/observation';
import { certificate, HEALTHY, NOW, platform, read, workload, workloadsWithout } from '../live/healthy-mesh';

/** A placeholder of a certificate, since doctor finds the mesh without parsing it. */
const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';

/** The observation of the objects that a chart installs, before any of its pods has run. */
function observationOf(release: 'edge-26.8.3' | 'stable-2.14.10'): DoctorObservation {
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
  const listed = DOCTOR_LISTS.map((name) => {
    const { observe, resources } = CLUSTER_LISTS[name];
    const kinds = resources.map((one) => one.kind);
    const objects = rendered.objects.filter((one) => kinds.includes(one.kind));
    return [name, read(...objects.map((one) => observe(one, one.kind)))] as const;
  });
  return { ...HEALTHY, ...(Object.fromEntries(listed) as unknown as DoctorObservation) };
}

test.each(['edge-26.8.3', 'stable-2.14.10'] as const)(
  'doctor finds a mesh by Helm without an output: %s',
  (release) => {
    const mesh = meshIn(observationOf(release), undefined);
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
  },
);

test.each<[string, Partial<DoctorObservation>]>([
  ['the label of its namespace', { workloads: read(), installed: read(), bundles: read() }],
  ['the values of its installation', { workloads: read(), namespaces: read(), bundles: read() }],
  ['its trust roots', { workloads: read(), namespaces: read(), installed: read() }],
])('doctor finds a control plane without Deployments by %s', (_by, changes) => {
  expect(meshIn({ ...HEALTHY, ...changes }, undefined)?.namespace).toBe('linkerd');
});

test('doctor finds cert-manager by both its label and name', () => {
  const strangers = workload('mine', { namespace: 'a', labels: { 'app.kubernetes.io/name': 'cert-manager' } });
  const own = platform('cert-manager', 'cert-manager', { namespace: 'security' });
  expect(meshIn({ ...HEALTHY, workloads: read(strangers, own) }, undefined)?.certManager).toBe(
    'Deployment security/cert-manager',
  );
  const renamed = platform('cm-cert-manager', 'cert-manager');
  expect(meshIn({ ...HEALTHY, workloads: read(renamed) }, undefined)?.certManager).toBe(
    'Deployment cert-manager/cm-cert-manager',
  );
});

test('doctor expects a missing cert-manager in the namespace with the rest of its Deployments', () => {
  const mesh = meshIn({ ...HEALTHY, workloads: workloadsWithout('cert-manager') }, undefined);
  expect(mesh?.certManager).toBe('Deployment cert-manager/cert-manager');
});

test('doctor reads the Certificates in namespaces of the mesh and of the CAs above them', () => {
  const certificates = read(
    certificate('issuer'),
    certificate('anchor', { namespace: 'cert-manager', issuer: 'Issuer cert-manager/self' }),
    certificate('web', { namespace: 'cert-manager', notAfter: NOW }),
    certificate('shop', { namespace: 'shop' }),
  );
  const found = meshCertificates({ ...HEALTHY, certificates }, new Set(['linkerd']));
  expect(found.map(({ name }) => name)).toEqual(['issuer', 'anchor']);
});

test('doctor ends its search if CAs sign each other', () => {
  const certificates = read(
    certificate('a', { secretName: 'a', issuer: 'ClusterIssuer b' }),
    certificate('b', { namespace: 'x', secretName: 'b', issuer: 'ClusterIssuer a' }),
  );
  const issuers = read({ issuer: 'ClusterIssuer a', secretName: 'a' }, { issuer: 'ClusterIssuer b', secretName: 'b' });
  expect(meshCertificates({ certificates, issuers }, new Set(['linkerd']))).toHaveLength(2);
});
