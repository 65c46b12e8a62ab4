import { Duration } from 'cdk8s';
import {
  type CertManagerPKIProps,
  type CertManagerProps,
  type ClusterProps,
  DashboardIngress,
  Grafana,
  type HelmReleaseProps,
  type JaegerToTempoProps,
  type LinkerdCni,
  type LinkerdCniProps,
  type LinkerdConfigProps,
  type LinkerdControlPlane,
  type LinkerdControlPlaneProps,
  type LinkerdMeshProps,
  type Viz as LinkerdViz,
  Prometheus,
  type ReconcilerOperator,
  type ReconcilerOperatorProps,
  type Reference,
  type Target,
  TrustAnchor,
  type TrustBundleProps,
  type VizProps,
} from '#lib';

type ControlPlane = Partial<LinkerdControlPlaneProps<'edge-26.8.3'>>;
type Viz = Partial<VizProps<'edge-26.8.3'>>;

const duration = Duration.hours(168);

// Props that do not compile. `tsc`, a part of `npm run lint`, fails if one of them does.
const refused = {
  renewBeforeWithoutUnit: {
    duration,
    // @ts-expect-error a duration needs a unit
    renewBefore: 24,
  } satisfies CertManagerPKIProps['webhooks'],

  durationAsText: {
    // @ts-expect-error Go has no unit for days
    duration: '7d',
    renewBefore: duration,
  } satisfies CertManagerPKIProps['webhooks'],

  rotationMistyped: {
    duration,
    renewBefore: duration,
    rotation: 'automatic',
    // @ts-expect-error the value is 'automatic-unsafe'
  } satisfies CertManagerPKIProps['trustAnchor'],

  halfWindow: [
    // @ts-expect-error renewBefore is missing
    { duration } satisfies CertManagerPKIProps['webhookIssuer'],
  ],

  operatorOfRotationByHand: {
    duration,
    renewBefore: duration,
    rotation: 'manual',
    operator: { paused: true },
    // @ts-expect-error only rotation by an operator has operator settings
  } satisfies CertManagerPKIProps['trustAnchor'],

  generationOfOperator: {
    duration,
    renewBefore: duration,
    rotation: 'operator',
    generation: 1,
    // @ts-expect-error the operator sets the generation
  } satisfies CertManagerPKIProps['trustAnchor'],

  membersOfNobody: {
    duration,
    renewBefore: duration,
    rotation: 'operator',
    operator: { members: ['b'] },
    // @ts-expect-error members require the name of this cluster
  } satisfies CertManagerPKIProps['trustAnchor'],

  unknownDay: {
    duration,
    renewBefore: duration,
    operator: { windows: [{ days: ['Monday'], start: '02:00', duration }] },
    // @ts-expect-error days have three letters
  } satisfies CertManagerPKIProps['trustAnchor'],

  bundleFromAnIssuer: {
    // @ts-expect-error the PKI determines the sources
    sources: [{ secret: { name: 'linkerd-identity-issuer', key: 'ca.crt' } }],
  } satisfies Partial<TrustBundleProps>,

  // @ts-expect-error roots are required
  anchorWithoutRoots: () => TrustAnchor.fromClusterIssuer({ name: 'vault' }),

  tracingWithoutIdentity: {
    // @ts-expect-error serviceAccount is missing
    tempo: { service: 'tempo', namespace: 'tracing' },
  } satisfies Partial<JaegerToTempoProps<'edge-26.8.3'>>,

  tracingWithoutEndpoint: {
    // @ts-expect-error service is missing
    tempo: { namespace: 'tracing', serviceAccount: 'tempo' },
  } satisfies Partial<LinkerdMeshProps<'edge-26.8.3'>>,

  // @ts-expect-error url is missing
  prometheusWithoutUrl: () => Prometheus.fromUrl({}),

  // @ts-expect-error the value is controllerReplicas
  unknownValue: { values: { controllerReplica: 3 } } satisfies ControlPlane,

  // @ts-expect-error the value is dashboard
  unknownVizValue: { values: { dashbord: { replicas: 2 } } } satisfies Viz,

  // @ts-expect-error the value is replicaCount
  unknownCertManagerValue: { values: { replicas: 2 } } satisfies CertManagerProps,

  // @ts-expect-error the value is proxyUID
  unknownCniValue: { values: { proxyUid: 2102 } } satisfies LinkerdCniProps<'edge-26.8.3'>,

  // @ts-expect-error only newer charts have this value
  valueOfANewerViz: { values: { createNamespaceMetadataJob: true } } satisfies Partial<VizProps<'stable-2.14.10'>>,

  // @ts-expect-error the release has no chart of Jaeger
  valuesOfNoChart: { values: { webhook: {} } } satisfies Partial<JaegerToTempoProps<'edge-26.8.3'>>,

  // @ts-expect-error a certificate has one issuer
  twoIssuers: () => DashboardIngress.nginx({ host: 'a.example', tls: { issuer: 'a', clusterIssuer: 'b' } }),

  secretOfAnotherNamespace: () =>
    // @ts-expect-error the Secret for Traefik has only a name
    DashboardIngress.traefik({ host: 'a.example', basicAuthSecret: { namespace: 'a', name: 'b' } }),

  // @ts-expect-error the prop is highAvailability
  unknownProp: { highAvailabilty: true } satisfies ControlPlane,

  // @ts-expect-error a schedule is a Cron
  scheduleAsText: { heartbeat: '25 */6 * * *' } satisfies ControlPlane,

  // @ts-expect-error the release is unknown
  unknownRelease: { version: 'edge-26.8' } satisfies LinkerdMeshProps<'edge-26.8.3'>,

  // @ts-expect-error a version of cert-manager begins with v
  unknownCertManager: { version: '1.21.1' } satisfies CertManagerProps,

  // @ts-expect-error the prop is domain
  unknownClusterProp: { clusterDomain: 'cluster.local' } satisfies ClusterProps,

  // @ts-expect-error kinds are written as in manifests
  unknownKind: { kind: 'secret', name: 'users' } satisfies Reference,

  // @ts-expect-error an image is an OperatorImage
  operatorImageAsText: { image: 'ghcr.io/acme/linkerd-reconciler:1' } satisfies Partial<ReconcilerOperatorProps>,

  // @ts-expect-error the value is logLevel
  unknownConfigValue: { values: { proxy: { loglevel: 'debug' } } } satisfies Partial<LinkerdConfigProps>,

  // @ts-expect-error the policy is unknown
  unknownDeletionPolicy: { deletionPolicy: 'Delete' } satisfies Partial<LinkerdConfigProps>,

  controlPlaneOfAnotherRelease: (controlPlane: LinkerdControlPlane<'stable-2.14.10'>) =>
    // @ts-expect-error the control plane is of another release
    ({ controlPlane }) satisfies Partial<VizProps<'edge-26.8.3'>>,

  vizOfAnotherRelease: (viz: LinkerdViz<'stable-2.14.10'>) =>
    // @ts-expect-error the Viz is of another release
    ({ viz }) satisfies Partial<JaegerToTempoProps<'edge-26.8.3'>>,

  cniOfAnotherRelease: (cni: LinkerdCni<'stable-2.14.10'>) =>
    // @ts-expect-error the CNI plugin is of another release
    ({ cni }) satisfies ControlPlane,

  configOnAnotherRelease: (operator: ReconcilerOperator<'stable-2.14.10'>) =>
    // @ts-expect-error the control plane of the operator is of another release
    ({ operator }) satisfies LinkerdConfigProps<'edge-26.8.3'>,

  // @ts-expect-error a destination has either a server or a name
  twoAddresses: { destination: { server: 'https://10.0.0.1:6443', name: 'edge' } } satisfies ClusterProps,

  // @ts-expect-error a target is either one cluster or clusters with labels
  twoTargets: { cluster: 'home', destination: { name: 'home' }, clusterLabels: {} } satisfies Target,

  twoSourcesOfRoots: () =>
    // @ts-expect-error trust roots have one source
    TrustAnchor.fromClusterIssuer({ name: 'vault', roots: { secretName: 'a', certificates: 'b' } }),

  // @ts-expect-error values are a map
  valuesAsList: { values: [{ replicas: 2 }] } satisfies Partial<HelmReleaseProps>,

  // @ts-expect-error values are plain data
  valuesAsFunction: { values: () => ({ replicas: 2 }) } satisfies Partial<HelmReleaseProps>,

  // @ts-expect-error a number has no unit
  deadlineWithoutUnit: { progressDeadline: 600 } satisfies Partial<LinkerdConfigProps>,
};

test('the compiler refuses all 40 examples of bad input in this file', () => {
  expect(Object.keys(refused)).toHaveLength(40);
});

/** Values of a user. An interface has no index signature. */
interface TheirValues {
  readonly replicas: number;
  readonly image?: { readonly tag: string };
}

// Props that compile.
const accepted = {
  valuesOfAnInterface: (values: TheirValues) => ({ values, fromProps: values }) satisfies Partial<HelmReleaseProps>,
  vizWithoutPrometheus: {
    viz: { grafana: Grafana.fromUrl({ url: 'https://grafana.example.com/' }) },
  } satisfies LinkerdMeshProps,
  multusWithCni: { cni: {}, multus: { namespaces: ['shop'] } } satisfies LinkerdMeshProps<'edge-26.8.3'>,
  chartsOfAChartOnlyRelease: { delivery: 'helm' } satisfies LinkerdMeshProps<'stable-2.14.10'>,
  oneAddressByCondition: (isHub: boolean) =>
    ({ destination: isHub ? undefined : { name: 'edge' } }) satisfies ClusterProps,
  operatorOnAnotherRelease: (controlPlane: LinkerdControlPlane<'stable-2.14.10'>) =>
    ({ controlPlane }) satisfies ReconcilerOperatorProps<'stable-2.14.10'>,
};

test('the compiler accepts values whose type is an interface', () => {
  expect(accepted.valuesOfAnInterface({ replicas: 2 }).values).toEqual({ replicas: 2 });
});
