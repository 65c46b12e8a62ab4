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

// What does not compile: `tsc`, a part of the lint, fails when one of these lines does.
const refused = {
  renewBeforeWithoutUnit: {
    duration,
    // @ts-expect-error 24 of what?
    renewBefore: 24,
  } satisfies CertManagerPKIProps['webhooks'],

  durationAsText: {
    // @ts-expect-error Go knows no days
    duration: '7d',
    renewBefore: duration,
  } satisfies CertManagerPKIProps['webhooks'],

  rotationMistyped: {
    duration,
    renewBefore: duration,
    rotation: 'automatic',
    // @ts-expect-error the risk has to be named: 'automatic-unsafe'
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
    // @ts-expect-error no operator would read it
  } satisfies CertManagerPKIProps['trustAnchor'],

  generationOfOperator: {
    duration,
    renewBefore: duration,
    rotation: 'operator',
    generation: 1,
    // @ts-expect-error the operator counts itself
  } satisfies CertManagerPKIProps['trustAnchor'],

  membersOfNobody: {
    duration,
    renewBefore: duration,
    rotation: 'operator',
    operator: { members: ['b'] },
    // @ts-expect-error members must know this cluster by a name
  } satisfies CertManagerPKIProps['trustAnchor'],

  unknownDay: {
    duration,
    renewBefore: duration,
    operator: { windows: [{ days: ['Monday'], start: '02:00', duration }] },
    // @ts-expect-error days have three letters
  } satisfies CertManagerPKIProps['trustAnchor'],

  bundleFromAnIssuer: {
    // @ts-expect-error the sources follow from the PKI
    sources: [{ secret: { name: 'linkerd-identity-issuer', key: 'ca.crt' } }],
  } satisfies Partial<TrustBundleProps>,

  // @ts-expect-error what proxies are to trust must be said, with or without a private key in the cluster
  anchorWithoutRoots: () => TrustAnchor.fromClusterIssuer({ name: 'vault' }),

  tracingWithoutIdentity: {
    // @ts-expect-error serviceAccount is missing
    tempo: { service: 'tempo', namespace: 'tracing' },
  } satisfies Partial<JaegerToTempoProps<'edge-26.8.3'>>,

  tracingWithoutEndpoint: {
    // @ts-expect-error service is missing
    tempo: { namespace: 'tracing', serviceAccount: 'tempo' },
  } satisfies Partial<LinkerdMeshProps<'edge-26.8.3'>>,

  // @ts-expect-error a Prometheus without an address
  prometheusWithoutUrl: () => Prometheus.fromUrl({}),

  // @ts-expect-error no such value
  unknownValue: { values: { controllerReplica: 3 } } satisfies ControlPlane,

  // @ts-expect-error no such value of Viz
  unknownVizValue: { values: { dashbord: { replicas: 2 } } } satisfies Viz,

  // @ts-expect-error no such value of cert-manager
  unknownCertManagerValue: { values: { replicas: 2 } } satisfies CertManagerProps,

  // @ts-expect-error no such value of the CNI plugin
  unknownCniValue: { values: { proxyUid: 2102 } } satisfies LinkerdCniProps<'edge-26.8.3'>,

  // @ts-expect-error only newer charts know it
  valueOfANewerViz: { values: { createNamespaceMetadataJob: true } } satisfies Partial<VizProps<'stable-2.14.10'>>,

  // @ts-expect-error the release has no such chart
  valuesOfNoChart: { values: { webhook: {} } } satisfies Partial<JaegerToTempoProps<'edge-26.8.3'>>,

  // @ts-expect-error two issuers of one certificate
  twoIssuers: () => DashboardIngress.nginx({ host: 'a.example', tls: { issuer: 'a', clusterIssuer: 'b' } }),

  secretOfAnotherNamespace: () =>
    // @ts-expect-error Traefik does not read it there
    DashboardIngress.traefik({ host: 'a.example', basicAuthSecret: { namespace: 'a', name: 'b' } }),

  // @ts-expect-error no such prop
  unknownProp: { highAvailabilty: true } satisfies ControlPlane,

  // @ts-expect-error a schedule is a Cron
  scheduleAsText: { heartbeat: '25 */6 * * *' } satisfies ControlPlane,

  // @ts-expect-error no such release
  unknownRelease: { version: 'edge-26.8' } satisfies LinkerdMeshProps<'edge-26.8.3'>,

  // @ts-expect-error no such release of cert-manager
  unknownCertManager: { version: '1.21.1' } satisfies CertManagerProps,

  // @ts-expect-error a cluster's domain is called domain
  unknownClusterProp: { clusterDomain: 'cluster.local' } satisfies ClusterProps,

  // @ts-expect-error kinds are written as in manifests
  unknownKind: { kind: 'secret', name: 'users' } satisfies Reference,

  // @ts-expect-error an image is one of OperatorImage
  operatorImageAsText: { image: 'ghcr.io/acme/linkerd-reconciler:1' } satisfies Partial<ReconcilerOperatorProps>,

  // @ts-expect-error no such value of the control plane
  unknownConfigValue: { values: { proxy: { loglevel: 'debug' } } } satisfies Partial<LinkerdConfigProps>,

  // @ts-expect-error there are two policies
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
    // @ts-expect-error the operator's control plane is of 2.14, whose values a LinkerdConfig does not know
    ({ operator }) satisfies LinkerdConfigProps<'edge-26.8.3'>,

  // @ts-expect-error a cluster has one address
  twoAddresses: { destination: { server: 'https://10.0.0.1:6443', name: 'edge' } } satisfies ClusterProps,

  // @ts-expect-error one cluster, or those with a label
  twoTargets: { cluster: 'home', destination: { name: 'home' }, clusterLabels: {} } satisfies Target,

  twoSourcesOfRoots: () =>
    // @ts-expect-error one source of trust roots
    TrustAnchor.fromClusterIssuer({ name: 'vault', roots: { secretName: 'a', certificates: 'b' } }),

  // @ts-expect-error values are a map
  valuesAsList: { values: [{ replicas: 2 }] } satisfies Partial<HelmReleaseProps>,

  // @ts-expect-error values are plain data
  valuesAsFunction: { values: () => ({ replicas: 2 }) } satisfies Partial<HelmReleaseProps>,

  // @ts-expect-error how long?
  deadlineWithoutUnit: { progressDeadline: 600 } satisfies Partial<LinkerdConfigProps>,
};

test('the compiler refuses all 40 examples of bad input in this file', () => {
  expect(Object.keys(refused)).toHaveLength(40);
});

/** An interface has no index signature. */
interface TheirValues {
  readonly replicas: number;
  readonly image?: { readonly tag: string };
}

// What does compile.
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
