import { App, Chart, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import { JaegerToTempo, LinkerdCni, LinkerdMesh } from '#lib';
import { plainObjects } from '../../support/plain-app';
import { build } from '../operator/fixture';

const PATCHES = [
  ['Deployment', 'linkerd-destination', JsonPatch.replace('/spec/replicas', 7)],
  ['Deployment', 'metrics-api', JsonPatch.add('/metadata/labels/team', 'platform')],
  ['DaemonSet', 'linkerd-cni', JsonPatch.add('/metadata/annotations', { note: 'ours' })],
] as const;

/** Patches the charts of a mesh before another construct adds values to these charts. */
function patched(scope: Construct, ...patches: readonly (readonly [string, string, JsonPatch])[]): void {
  const { controlPlane, viz } = new LinkerdMesh(scope, 'mesh', { cni: {}, crds: { gatewayApi: 'install' } });
  const tempo = { namespace: 'tracing', service: 'tempo', serviceAccount: 'tempo', query: { service: 'query' } };
  const [ofControlPlane, ofViz, ofCni] = patches;
  if (ofControlPlane !== undefined) controlPlane.patch(...ofControlPlane);
  if (ofViz !== undefined) viz?.patch(...ofViz);
  if (ofCni !== undefined && controlPlane.cni instanceof LinkerdCni) controlPlane.cni.patch(...ofCni);
  new JaegerToTempo(scope, 'tracing', { controlPlane, viz, tempo });
}

test('the user can patch objects of all charts before synth renders them', () => {
  const { objects, problems } = build((cluster) => patched(cluster, ...PATCHES));
  expect(problems).toEqual([]);
  expect(objects.get('linkerd/deployment.linkerd-destination').spec.replicas).toBe(7);
  expect(objects.get('linkerd-viz/deployment.metrics-api').metadata.labels).toMatchObject({ team: 'platform' });
  expect(objects.get('linkerd-cni/daemonset.linkerd-cni').metadata.annotations).toMatchObject({ note: 'ours' });
  expect(JSON.stringify(objects.get('linkerd-viz/deployment.web'))).toContain('-jaeger-addr=query.tracing:16686');
});

test('the user can patch objects of charts in an App of cdk8s', () => {
  const chart = new Chart(new App(), 'mesh');
  patched(chart, ...PATCHES);
  const replicas = plainObjects(chart)
    .filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'linkerd-destination')
    .map(({ spec }) => spec.replicas);
  expect(replicas).toEqual([7]);
});

test('synth reports a patch of an object that its chart does not have', () => {
  const { problems } = build((cluster) =>
    patched(cluster, ...PATCHES.map(([kind, name, patch]) => [kind, `${name}-typo`, patch] as const)),
  );
  expect(problems).toHaveLength(3);
  expect(problems.join()).toMatch(/linkerd-destination-typo, which is not in the chart.*\(Deployment linkerd-dest/);
});

test('synth reports a patch with a path that its object does not have', () => {
  const { problems } = build((cluster) =>
    patched(cluster, ['Deployment', 'linkerd-destination', JsonPatch.replace('/spec/no/such/place', 1)]),
  );
  expect(problems).toEqual([expect.stringContaining('cannot change Deployment linkerd/linkerd-destination')]);
});
