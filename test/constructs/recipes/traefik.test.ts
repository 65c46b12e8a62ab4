import { DstOverrideRemoval } from '#lib/constructs/recipes/dst-override';
import { traefikValues } from '#lib/constructs/recipes/traefik';
import { ruleFindingsIn } from '../../support/findings';
import { mesh, problemsOf } from '../meshing/fixture';

const traefik = (namespace = 'traefik') => {
  const made = mesh();
  return { ...made, namespace, removal: new DstOverrideRemoval(made.chart, 'removal', { namespace }) };
};

test('the recipe for Traefik injects pods in ingress mode, without the Kubernetes API', () => {
  const { chart, meshing, namespace, removal } = traefik();
  expect(traefikValues(meshing, { namespace, removal }).deployment.podAnnotations).toEqual({
    'linkerd.io/inject': 'ingress',
    'config.linkerd.io/skip-outbound-ports': '443',
  });
  expect(problemsOf(chart)).toEqual([]);
});

test('the recipe for Traefik can skip other ports', () => {
  const { meshing, namespace, removal } = traefik();
  const { deployment } = traefikValues(meshing, { namespace, removal, config: { skipOutboundPorts: [443, 6443] } });
  expect(deployment.podAnnotations['config.linkerd.io/skip-outbound-ports']).toBe('443,6443');
});

test('the recipe for Traefik removes the header by which clients choose a destination', () => {
  const { meshing, namespace, removal } = traefik();
  expect(traefikValues(meshing, { namespace, removal }).additionalArguments).toEqual([
    '--entryPoints.web.http.middlewares=traefik-l5d-dst-override-removal@kubernetescrd',
    '--entryPoints.websecure.http.middlewares=traefik-l5d-dst-override-removal@kubernetescrd',
  ]);
});

test('the recipe for Traefik removes the header at any entry point', () => {
  const { meshing, namespace, removal } = traefik();
  expect(traefikValues(meshing, { namespace, removal, entryPoints: ['lan'] }).additionalArguments).toEqual([
    '--entryPoints.lan.http.middlewares=traefik-l5d-dst-override-removal@kubernetescrd',
  ]);
});

test('the recipe for Traefik refuses the Traefik of k3s in kube-system', () => {
  const { chart, meshing, namespace, removal } = traefik('kube-system');
  traefikValues(meshing, { namespace, removal });
  expect(ruleFindingsIn(chart)).toMatchObject([
    { code: 'namespace-never-injected', parameters: { workload: 'Traefik', namespace: 'kube-system' } },
  ]);
});
