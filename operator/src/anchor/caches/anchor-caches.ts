import {
  BRIDGE_CONFIG_MAP,
  IDENTITY_ISSUER,
  KEPT_ROOTS,
  MEMBER_LABEL,
  TRUST_ANCHOR_NAME,
  TRUST_ROOTS,
} from '#anchor/trust-anchor';
import type { Informer, InformerOptions } from '#controller-runtime/cache/informer';
import { CONFIG_MAPS, EVENTS, POD_DISRUPTION_BUDGETS, PODS } from '#controller-runtime/objects/built-in-resources';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import type { Manager } from '#controller-runtime/process/manager';
import { CONTROL_PLANE_NS } from '#linkerd/annotations';
import { INJECTOR_DEPLOYMENT } from '#operator/api/names';
import { LINKERD_CONFIGS, type LinkerdConfig } from '../../config/objects/linkerd-config';
import {
  CERTIFICATE_REQUESTS,
  CERTIFICATES,
  type Certificate,
  type CertificateRequest,
  CLUSTER_ISSUERS,
  ISSUERS,
  type Issuer,
  slimCertificate,
  slimRequest,
} from '../../pki/cert-manager';
import { type WorkloadCaches, workloadCaches } from '../../propagation/caches/workload-caches';
import { ARGO_ROLLOUTS } from '../../propagation/kinds/argo-rollout';
import { type PodDisruptionBudget, slimBudget } from '../../propagation/objects/disruption-budget';
import { type MeshedPod, slimMeshedPod, workloadOfPod } from '../objects/meshed-pod';
import { type ConfigMap, TRUST_ANCHORS, type TrustAnchor } from '../objects/trust-anchor';
import { IDENTITY_DEPLOYMENT, ISSUER_UPDATED, type IssuerEvent, slimEvent } from '../observe/issuer-updates';
import type { TrustView } from '../observe/observe';
import { seenBundles } from '../observe/seen-bundles';
import { freshCaches, type Heard, type MissingKind } from './cache-age';

/** The namespaces of a mesh's trust. */
export interface AnchorPlaces {
  readonly linkerdNamespace: string;
  readonly certManagerNamespace: string;
}

/** The caches behind observations. */
export interface AnchorCaches {
  readonly pods: Informer<MeshedPod>;
  readonly budgets: Informer<PodDisruptionBudget>;
  readonly workloads: WorkloadCaches;
  /** Calls the handler on changes that affect an observation. */
  onChange(handler: () => void): void;
  /** Returns the kinds that have not been read yet: some may not exist. */
  missing(): readonly MissingKind[];
  /** Rereads caches older than `lagMs`. @returns those that stay older, because they cannot be read */
  refresh(lagMs: number, signal: AbortSignal): Promise<readonly Heard[]>;
  view(): Omit<TrustView, 'anchor' | 'issuerEnds' | 'installedIssuer' | 'late'>;
  /** Whether the propagation of a configuration is restarting workloads. */
  isPropagating(): boolean;
  /** Returns the number of available injectors. */
  injectors(): number;
}

/** Creates caches that store only the fields in use. Only the leader caches pods, because there may be thousands. */
export function anchorCaches(manager: Manager, places: AnchorPlaces): AnchorCaches {
  const parts = certificateParts(manager, places);
  const { anchors, bundles } = parts;
  const { pods, budgets, workloads } = workloadParts(manager, places.linkerdNamespace);
  const seen = seenBundles();
  bundles.onChange(({ object }) => seen.add(object, Date.now()));
  const configs = manager.informer<LinkerdConfig>({ resource: LINKERD_CONFIGS }, 'optional');
  const all = [...Object.values(parts), pods, budgets] as unknown as readonly Informer<KubeObject>[];
  // These caches must be fresh. The TrustAnchor is read for each observation, and budgets decide nothing irreversible.
  const { anchors: _, ...decisive } = parts;
  const fresh = freshCaches({ ...decisive, pods } as unknown as Readonly<Record<string, Informer<KubeObject>>>);
  const isHere = ({ metadata }: KubeObject): boolean => metadata.namespace === places.linkerdNamespace;
  return {
    pods,
    budgets,
    workloads,
    onChange: (handler) => {
      anchors.onChange(handler);
      // Without a TrustAnchor, nothing else matters.
      const handleIfAny = (): void => (anchors.list().length > 0 ? handler() : undefined);
      for (const informer of all) informer.onChange(handleIfAny);
    },
    missing: () =>
      Object.entries({ ...parts, pods, budgets } as unknown as Readonly<Record<string, Informer<KubeObject>>>)
        .filter(([, informer]) => !informer.hasSynced())
        .map(([name, { resource }]) => ({ plural: resource.plural, namespace: namespaceOf(name, places) })),
    refresh: fresh.refresh,
    view: () => ({
      certificates: fresh.list('certificates'),
      issuers: fresh.list('issuers'),
      requests: fresh.list('requests'),
      configMaps: (['kept', 'members', 'answers'] as const).flatMap((name) => fresh.list<ConfigMap>(name)),
      issuerCertificate: fresh.list<Certificate>('issuerCertificates')[0],
      issuerRequests: fresh.list('issuerRequests'),
      bundle: fresh.list<ConfigMap>('bundles')[0],
      seenBundles: seen,
      events: fresh.list('events'),
      clusterIssuer: fresh.list<Issuer>('clusterIssuers')[0],
      pods: fresh.list('pods'),
    }),
    isPropagating: () =>
      configs
        .list()
        .filter(({ spec }) => spec.controlPlaneNamespace === places.linkerdNamespace)
        .some(({ status }) =>
          status?.conditions?.some(({ type, status: is }) => type === 'Progressing' && is === 'True'),
        ),
    injectors: () => {
      const injector = workloads.deployments().find((it) => isHere(it) && it.metadata.name === INJECTOR_DEPLOYMENT);
      return injector?.status?.availableReplicas ?? 0;
    },
  };
}

const OF_CERT_MANAGER = new Set(['certificates', 'issuers', 'requests', 'kept', 'members', 'answers']);
const OF_CONTROL_PLANE = new Set(['issuerCertificates', 'issuerRequests', 'bundles', 'events']);

/** undefined for a cluster-wide cache. */
function namespaceOf(name: string, { linkerdNamespace, certManagerNamespace }: AnchorPlaces): string | undefined {
  if (OF_CERT_MANAGER.has(name)) return certManagerNamespace;
  return OF_CONTROL_PLANE.has(name) ? linkerdNamespace : undefined;
}

/** All caches are optional, because their kinds may be installed later. */
function certificateParts(manager: Manager, { linkerdNamespace, certManagerNamespace }: AnchorPlaces) {
  const cache = <T extends KubeObject>(options: InformerOptions<T>) => manager.informer<T>(options, 'optional');
  const named = (name: string) => ({ fieldSelector: `metadata.name=${name}` });
  const [here, there] = [{ namespace: certManagerNamespace }, { namespace: linkerdNamespace }];
  const [certificate, request] = [
    { resource: CERTIFICATES, transform: slimCertificate },
    { resource: CERTIFICATE_REQUESTS, transform: slimRequest },
  ];
  return {
    anchors: cache<TrustAnchor>({ resource: TRUST_ANCHORS, ...named(TRUST_ANCHOR_NAME) }),
    certificates: cache<Certificate>({ ...certificate, ...here }),
    issuers: cache<Issuer>({ resource: ISSUERS, ...here }),
    requests: cache<CertificateRequest>({ ...request, ...here }),
    clusterIssuers: cache<Issuer>({ resource: CLUSTER_ISSUERS, ...named(IDENTITY_ISSUER) }),
    issuerCertificates: cache<Certificate>({ ...certificate, ...there, ...named(IDENTITY_ISSUER) }),
    issuerRequests: cache<CertificateRequest>({ ...request, ...there }),
    kept: cache<ConfigMap>({ resource: CONFIG_MAPS, ...here, ...named(KEPT_ROOTS) }),
    members: cache<ConfigMap>({ resource: CONFIG_MAPS, ...here, labelSelector: MEMBER_LABEL }),
    answers: cache<ConfigMap>({ resource: CONFIG_MAPS, ...here, ...named(BRIDGE_CONFIG_MAP) }),
    bundles: cache<ConfigMap>({ resource: CONFIG_MAPS, ...there, ...named(TRUST_ROOTS) }),
    events: cache<IssuerEvent>({ resource: EVENTS, ...there, fieldSelector: ISSUER_EVENTS, transform: slimEvent }),
  };
}

const ISSUER_EVENTS = `involvedObject.kind=Deployment,involvedObject.name=${IDENTITY_DEPLOYMENT},reason=${ISSUER_UPDATED}`;

function workloadParts(
  manager: Manager,
  linkerdNamespace: string,
): Pick<AnchorCaches, 'pods' | 'budgets' | 'workloads'> {
  const pods = manager.informer<MeshedPod>(
    {
      resource: PODS,
      labelSelector: `${CONTROL_PLANE_NS}=${linkerdNamespace}`,
      transform: slimMeshedPod,
    },
    'leading',
  );
  const budgets = manager.informer<PodDisruptionBudget>(
    { resource: POD_DISRUPTION_BUDGETS, transform: slimBudget },
    'leading',
  );
  return { pods, budgets, workloads: workloadCaches(manager, rolloutOwners(pods)) };
}

function rolloutOwners(pods: Informer<MeshedPod>): Pick<Informer<KubeObject>, 'onChange'> {
  return {
    onChange: (handler) =>
      pods.onChange(({ object }) => {
        const [namespace, kind, name = ''] = workloadOfPod(object).split('/');
        if (kind !== ARGO_ROLLOUTS.kind) return;
        const { apiVersion } = ARGO_ROLLOUTS;
        const ownerReferences = [{ apiVersion, kind, name, uid: '', controller: true }];
        handler({ type: 'added', object: { metadata: { name, namespace, ownerReferences } } });
      }),
  };
}
