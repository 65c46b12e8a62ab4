import { ApiObject, Cron, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import fc from 'fast-check';
import { type Finding, mergeEqual } from '#base/findings/finding';
import {
  CertRotationCronJob,
  type Cluster,
  DashboardIngress,
  dependsOn,
  JaegerToTempo,
  Meshing,
  Prometheus,
  Viz,
} from '#lib';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { hours, MAX_OF_ONE, type Mistakes, mesh } from '../support/bad-input-fixture';
import { runs } from '../support/depth';

/** A mistake: the path at which synth reports it, and the props that contain it. */
interface Mistake {
  readonly at: string;
  readonly mesh?: Mistakes;
  readonly values?: object;
  readonly viz?: object;
  readonly rotation?: object;
  readonly tempo?: object;
  readonly namespace?: string;
  /** An object of the user. */
  readonly object?: { readonly apiVersion: string; readonly kind: string; readonly metadata: object };
}

const settings = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'linkerd', ...more },
});

const LOGIN = 'https://me:word@example.com';

const podOf = (serviceAccountName: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `of-${serviceAccountName.length}`, namespace: 'linkerd' },
  spec: { serviceAccountName, containers: [{ name: 'a', image: 'a:1' }] },
});

/** Mistakes in many parts; many also make objects or other parts invalid. */
const MISTAKES: readonly Mistake[] = [
  { at: 'home/pki', mesh: { pki: { identityIssuer: hours(48, 48) } } },
  { at: 'home/pki', mesh: { pki: { webhooks: hours(24, 24) } } },
  { at: 'home/pki', mesh: { pki: { controlPlaneNamespace: '' } } },
  { at: 'home/viz/chart', viz: { values: { defaultRegistry: 'My Registry!' } } },
  { at: 'home/linkerd', values: { controllerReplicas: -1 } },
  { at: 'home/linkerd', values: { proxy: { logLevel: 'loud=' } } },
  { at: 'home/linkerd/chart/', values: { podLabels: { team: 'A & B' } } },
  { at: 'home/viz', viz: { prometheus: Prometheus.embedded({ retention: Duration.millis(0.5) }) } },
  { at: 'home/viz', viz: { dashboardResources: undefined, values: { grafana: { url: 'https://me:word@x' } } } },
  { at: 'home/viz', viz: { values: { tap: { replicas: -3 } } } },
  { at: 'home/viz', viz: { ingress: DashboardIngress.nginx({ host: 'Bad Host' }) } },
  { at: 'home/tracing', tempo: { query: { service: 'Bad_Name!' } } },
  { at: 'home/own-secret/ConfigMap', object: settings('secret', { labels: { team: LOGIN } }) },
  { at: 'home/own-Account/Pod', object: podOf('Bad Account') },
  { at: 'home/own-missing/Pod', object: podOf('missing') },
  { at: 'home/rotation', rotation: { schedule: Cron.schedule({ minute: '61' }) } },
  { at: 'home/meshing', namespace: 'Not_A_Name' },
  { at: 'home/own-Bad-1/ConfigMap', object: settings('Bad') },
  {
    at: 'home/own-Bad-2/ConfigMap',
    object: { ...settings('Bad'), metadata: { name: 'Bad', namespace: 'linkerd-viz' } },
  },
  { at: 'home/own-Bad-3/ConfigMap', object: { ...settings('Bad'), metadata: { name: 'Bad', namespace: 'default' } } },
  { at: 'home/own-label/ConfigMap', object: settings('label', { labels: { team: 'C & D' } }) },
];

function built(mistakes: readonly Mistake[]): readonly Finding[] {
  const merged = <T extends object>(pick: (mistake: Mistake) => T | undefined): T =>
    mistakes.reduce((all, mistake) => deep(all, pick(mistake) ?? {}), {}) as T;
  const build = (home: Cluster) => {
    const values = merged(({ values }) => values);
    const parts = mesh(
      home,
      deep(
        merged(({ mesh }) => mesh),
        { controlPlane: { values } },
      ) as Mistakes,
    );
    const { controlPlane } = parts;
    const viz = new Viz(home, 'viz', { controlPlane, prometheus: Prometheus.embedded(), ...merged(({ viz }) => viz) });
    new CertRotationCronJob(home, 'rotation', { controlPlane, ...merged(({ rotation }) => rotation) } as never);
    const tempo = { service: 'tempo', namespace: 'tracing', serviceAccount: 'tempo', ...merged(({ tempo }) => tempo) };
    new JaegerToTempo(home, 'tracing', { controlPlane, viz, tempo });
    const meshing = new Meshing(home, 'meshing', { controlPlane });
    for (const { namespace } of mistakes) if (namespace !== undefined) meshing.namespace(namespace);
    for (const { object, at } of mistakes) {
      if (object === undefined) continue;
      const own = new Construct(home, at.split('/')[1] ?? '');
      dependsOn(own, controlPlane, viz);
      new ApiObject(own, object.kind, object);
    }
  };
  return mergeEqual(buildCluster({ name: 'home', props: {}, build }).findings).filter(isError);
}

function isError({ severity }: Finding): boolean {
  return severity === 'error';
}

function deep(one: object, other: object): object {
  const result: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const known = result[key];
    const areMaps = [known, value].every((data) => data?.constructor === Object);
    result[key] = areMaps ? deep(known as object, value) : value;
  }
  return result;
}

/** Returns the places of each finding of a single mistake, by the text of the finding. */
function alone(mistake: Mistake): ReadonlyMap<string, readonly string[]> {
  return new Map(built([mistake]).map((finding) => [textOf(finding), placesOf(finding)]));
}

function textOf({ problem: { code, what } }: Finding): string {
  return `${code}: ${what}`;
}

function placesOf({ path, alsoAt = [] }: Finding): readonly string[] {
  return [path, ...alsoAt];
}

test('synth reports a single mistake by few findings, one of which is at its place', () => {
  for (const mistake of MISTAKES) {
    const found = alone(mistake);
    expect([...found.values()].flat()).toContainEqual(expect.stringMatching(`^${mistake.at}`));
    expect(found.size).toBeLessThanOrEqual(MAX_OF_ONE);
  }
});

test('synth reports the findings of each mistake also if there are many mistakes', () => {
  const each = new Map(MISTAKES.map((mistake) => [mistake, alone(mistake)]));
  fc.assert(
    fc.property(fc.subarray([...MISTAKES]), (mistakes) => {
      const found = new Map(built(mistakes).map((finding) => [textOf(finding), placesOf(finding)]));
      for (const [text, places] of mistakes.flatMap((mistake) => [...(each.get(mistake) ?? [])])) {
        expect({ text, places: found.get(text) }).toEqual({ text, places: expect.arrayContaining([...places]) });
      }
    }),
    { numRuns: runs(40) },
  );
});
