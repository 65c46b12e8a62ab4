import { Deployment } from 'cdk8s-plus-28';
import fc from 'fast-check';
import {
  CertManager,
  CertManagerPKI,
  CertRotationCronJob,
  type Cluster,
  JaegerToTempo,
  LinkerdCni,
  LinkerdConfig,
  LinkerdControlPlane,
  Meshing,
  MultusAttach,
  Prometheus,
  ReconcilerOperator,
  TrustBundle,
  TrustManager,
  Viz,
} from '#lib';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { LonghornMesh } from '#lib/recipes';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { errorsIn } from '../../support/findings';

/** The differences between two meshes. */
interface Variant {
  readonly version: LinkerdVersion;
  readonly openShift: boolean;
  readonly delivery: 'manifests' | 'helm';
  readonly embedded: boolean;
}

/** Creates a construct of a mesh; returns undefined while another one that it needs is missing. */
type Step = () => unknown;

/** The constructs of a mesh. Each step waits for the constructs that it needs. */
function steps(cluster: Cluster, { version, openShift, delivery, embedded }: Variant): readonly Step[] {
  const made: Record<string, unknown> = {};
  const step =
    <Names extends string>(name: string, needed: readonly Names[], make: (others: Record<Names, never>) => unknown) =>
    () => {
      if (needed.some((one) => made[one] === undefined)) return undefined;
      const others = Object.fromEntries(needed.map((one) => [one, made[one]]));
      made[name] = make(others as Record<Names, never>) ?? true;
      return made[name];
    };
  const namespaces = ['shop', 'tracing', 'linkerd-viz', 'longhorn-system'];
  if (version === 'stable-2.14.10') namespaces.push('linkerd-jaeger');
  const tempo = { namespace: 'tracing', service: 'tempo', serviceAccount: 'tempo' };
  const query = { service: 'tempo-query' };
  const prometheus = embedded
    ? Prometheus.embedded()
    : Prometheus.fromUrl({ url: 'http://prometheus.monitoring.svc.cluster.local:9090' });
  return [
    step('certManager', [], () => new CertManager(cluster, 'cert-manager')),
    step('trustManager', ['certManager'], (props) => new TrustManager(cluster, 'trust-manager', props)),
    step('pki', ['certManager'], (props) => new CertManagerPKI(cluster, 'pki', props)),
    step('trust', ['pki', 'trustManager'], (props) => new TrustBundle(cluster, 'trust', props)),
    step('cni', [], () => new LinkerdCni<LinkerdVersion>(cluster, 'cni', { version, openShift, delivery })),
    step('controlPlane', ['pki', 'trust', 'cni'], ({ pki, trust, cni }) => {
      const crds = version === 'edge-26.8.3' ? ({ gatewayApi: 'install' } as const) : {};
      return new LinkerdControlPlane<LinkerdVersion>(cluster, 'linkerd', { version, pki, trust, cni, crds, delivery });
    }),
    step(
      'viz',
      ['controlPlane'],
      ({ controlPlane }) => new Viz(cluster, 'viz', { controlPlane, prometheus, delivery }),
    ),
    version === 'edge-26.8.3'
      ? step('tracing', ['controlPlane', 'viz'], (props: Record<'controlPlane' | 'viz', never>) => {
          return new JaegerToTempo(cluster, 'tracing', { ...props, tempo: { ...tempo, query } });
        })
      : step('tracing', ['controlPlane'], (props) => new JaegerToTempo(cluster, 'tracing', { ...props, tempo })),
    step('multus', ['controlPlane'], ({ controlPlane }) => {
      const operatorNamespace = 'linkerd-reconciler';
      return new MultusAttach(cluster, 'multus', { controlPlane, namespaces, operatorNamespace });
    }),
    step('operator', ['controlPlane'], (props) => new ReconcilerOperator(cluster, 'operator', props)),
    step('config', ['operator'], (props) => version === 'edge-26.8.3' && new LinkerdConfig(cluster, 'config', props)),
    step('rotation', ['controlPlane', 'operator'], (props) => new CertRotationCronJob(cluster, 'rotation', props)),
    step('meshing', ['controlPlane'], (props) => new Meshing(cluster, 'meshing', props)),
    step('shop', ['meshing'], ({ meshing }: { meshing: Meshing }) =>
      meshing.namespace('shop', { requireProxy: 'deny' }),
    ),
    step('viz namespace', ['meshing'], ({ meshing }: { meshing: Meshing }) =>
      meshing.namespace('linkerd-viz', { requireProxy: 'warn' }),
    ),
    step('web', [], () => {
      const metadata = { namespace: 'shop', name: 'web' };
      return new Deployment(cluster, 'web', { metadata, containers: [{ image: 'podinfo:6.9.0', portNumber: 9898 }] });
    }),
    step('injected', ['meshing', 'web'], ({ meshing, web }: { meshing: Meshing; web: Deployment }) => {
      meshing.inject(web, { restart: 'auto' });
    }),
    step('longhorn', ['meshing'], (props) => new LonghornMesh(cluster, 'longhorn', props)),
  ];
}

const VARIANTS: readonly Variant[] = [
  { version: 'edge-26.8.3', openShift: false, delivery: 'manifests', embedded: false },
  { version: 'edge-26.8.3', openShift: true, delivery: 'manifests', embedded: true },
  { version: 'edge-26.8.3', openShift: true, delivery: 'helm', embedded: false },
  { version: 'stable-2.14.10', openShift: true, delivery: 'helm', embedded: false },
];

const STEPS = steps(undefined as never, VARIANTS[0] as Variant).length;

/** Returns the files of a mesh whose constructs are created in an order; a step that has to wait is retried. */
function filesOf(variant: Variant, order: readonly number[]): ReadonlyMap<string, string> {
  const external = ['network-attachment-definitions.k8s.cni.cncf.io'].map(
    (name) => ({ kind: 'CustomResourceDefinition', name }) as const,
  );
  const { files, findings } = buildCluster({
    name: 'home',
    props: { external },
    build: (cluster) => {
      const all = steps(cluster, variant);
      let waiting = order.map((index) => all[index] as Step);
      while (waiting.length > 0) {
        const first = waiting.find((step) => step() !== undefined);
        if (first === undefined) throw new Error('none of the parts can be made');
        waiting = waiting.filter((step) => step !== first);
      }
    },
  });
  expect(errorsIn(findings)).toEqual([]);
  return files;
}

const INDEXES = Array.from({ length: STEPS }, (_, index) => index);

test.each(VARIANTS)('synth writes the same bytes for any order of construction: %j', (variant) => {
  const expected = filesOf(variant, INDEXES);
  expect(expected.size).toBeGreaterThan(50);
  fc.assert(
    fc.property(fc.shuffledSubarray(INDEXES, { minLength: STEPS }), (order) => {
      const files = filesOf(variant, order);
      const different = [...expected].filter(([path, text]) => files.get(path) !== text).map(([path]) => path);
      expect(different).toEqual([]);
      expect(files.size).toBe(expected.size);
    }),
    { numRuns: 8 },
  );
});
