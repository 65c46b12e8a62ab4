import { isObject, objectOf } from '#base/is-object';
import { valueAtPointer } from '#base/json-pointer';
import { matchesSelector } from '#base/label-selector';
import { itemsOf, textIn } from '#base/select-fields';
import { type Values, valueAt } from '#base/values';
import { describeObject, type KubernetesObject, namespaceOf } from '#kubernetes/objects/kubernetes-object';
import { podPlaces } from '#kubernetes/objects/pod-places';
import { apiGroup } from '#kubernetes/objects/scope';
import { MIRROR_FEDERATED, OPAQUE_PORTS } from '#linkerd/annotations';
import { LINKERD_FINDINGS } from '#linkerd/findings';
import type { LinkerdPart } from '#linkerd/releases/charts';
import { compareReleases } from '#linkerd/releases/lines';
import { PodIndex } from '../policy/pod-index';
import { isMeshed, type PodSet, settingOf } from '../policy/pod-sets';
import { injectorValuesIn, proxySettings } from '../policy/proxy-settings';
import type { Warning } from '../warnings';

/** The parts of a cluster's output that faults of releases may affect. */
export interface FaultyCluster {
  /** The releases of the parts of Linkerd. */
  readonly releases: Readonly<Partial<Record<LinkerdPart, string>>>;
  /** The values of parts whose charts Helm inflates. */
  readonly inflated: Readonly<Partial<Record<LinkerdPart, Values>>>;
  readonly objects: readonly KubernetesObject[];
}

interface Configuration {
  /** The values of the control plane. */
  readonly mesh: Values;
  readonly objects: readonly KubernetesObject[];
  readonly index: PodIndex;
  readonly inflated: FaultyCluster['inflated'];
}

type Factory = (parameters: Readonly<Record<'release' | 'fixed' | 'source' | 'subject', string>>) => Warning;

/** A fault of releases that affects some configurations. */
interface ReleaseFault {
  /** The issue or pull request, in linkerd/linkerd2. */
  readonly source: string;
  /** @default 'controlPlane' */
  readonly part?: LinkerdPart;
  /**
   * The first release with the fault.
   *
   * @default - all earlier releases have it
   */
  readonly since?: string;
  /** The first release with another way out, which has an entry of its own. */
  readonly until?: string;
  /** The first release without it. */
  readonly fixed: string;
  /** Returns the affected objects or values, by name. */
  readonly meets: (configuration: Configuration) => readonly string[];
  readonly finding: Factory;
}

/** The first releases with native sidecars, proxy.tracing and federated services. */
const [NATIVE_SIDECARS, TRACING, FEDERATION] = ['edge-23.11.4', 'edge-25.6.4', 'edge-24.11.2'];
/** The first release that reads the annotation timeout.linkerd.io/request. */
const TIMEOUT_ANNOTATION = 'edge-24.7.5';

/** From the history of https://github.com/linkerd/linkerd2, from 2.14 on; newest fix first. */
const FAULTS: readonly ReleaseFault[] = [
  {
    source: '#15404',
    since: TRACING,
    fixed: 'edge-26.7.1',
    meets: ({ mesh }) => {
      const { identityTrustDomain: trust, clusterDomain: domain = 'cluster.local' } = mesh;
      const differs = typeof trust === 'string' && trust !== '' && trust !== domain;
      return differs && isTracing(mesh) ? [`${trust} and ${domain}`] : [];
    },
    finding: LINKERD_FINDINGS.releaseFaultTraceIdentity,
  },
  {
    source: '#15324',
    since: 'edge-24.1.1',
    fixed: 'edge-26.6.2',
    meets: ({ objects }) =>
      ofKind(objects, 'workload.linkerd.io/ExternalWorkload').flatMap((workload) =>
        ofKind(objects, '/Service')
          .filter((service) => namespaceOf(service) !== namespaceOf(workload) && selects(service, workload))
          .map((service) => `${describeObject(workload)} and ${describeObject(service)}`),
      ),
    finding: LINKERD_FINDINGS.releaseFaultExternalWorkload,
  },
  {
    source: '#15326',
    fixed: 'edge-26.6.2',
    meets: ({ objects }) => {
      const networks = new Set(ofKind(objects, 'policy.linkerd.io/NetworkAuthentication').map(placeOf));
      return ofKind(objects, 'policy.linkerd.io/MeshTLSAuthentication')
        .filter((object) => networks.has(placeOf(object)))
        .map(describeObject);
    },
    finding: LINKERD_FINDINGS.releaseFaultAuthenticationDeleted,
  },
  {
    source: '#15223',
    fixed: 'edge-26.5.2',
    meets: ({ objects, index }) =>
      opaqueServers(objects).flatMap((server) => {
        const selector = objectOf(server.spec).podSelector;
        if (!isObject(selector)) return [];
        const foreign = index.all.find(
          (pods) => pods.namespace !== namespaceOf(server) && matchesSelector(selector, pods.labels, 'everything'),
        );
        return foreign === undefined ? [] : [`${describeObject(server)} and ${describeObject(foreign.object)}`];
      }),
    finding: LINKERD_FINDINGS.releaseFaultForeignServer,
  },
  {
    source: '#15201',
    part: 'multicluster',
    fixed: 'edge-26.5.1',
    meets: ({ objects, inflated }) => {
      const values = inflated.multicluster ?? {};
      const paths = ['enableHeadlessServices', 'controllerDefaults.enableHeadlessServices'];
      const isOn = paths.some((path) => valueAt(values, path) === true) || objects.some(mirrorsHeadless);
      return isOn ? ofKind(objects, 'multicluster.linkerd.io/Link').map(describeObject) : [];
    },
    finding: LINKERD_FINDINGS.releaseFaultHeadlessMirrors,
  },
  {
    source: '#14986',
    fixed: 'edge-26.4.4',
    meets: ({ objects }) => gatewayRoutes(objects).filter(hasUnknownFilter).map(describeObject),
    finding: LINKERD_FINDINGS.releaseFaultRouteRefused,
  },
  {
    source: '#14642',
    part: 'viz',
    since: 'edge-25.6.3',
    fixed: 'edge-26.4.1',
    meets: ({ objects, inflated }) => {
      const isOn = inflated.viz !== undefined && valueAt(inflated.viz, 'prometheus.enabled') !== false;
      const own = objects.some(
        ({ kind, metadata }) =>
          kind === 'Deployment' &&
          metadata.name === 'prometheus' &&
          metadata.labels?.['linkerd.io/extension'] === 'viz',
      );
      return isOn || own ? ['Viz'] : [];
    },
    finding: LINKERD_FINDINGS.releaseFaultUnscraped,
  },
  {
    source: '#14741',
    fixed: 'edge-26.1.2',
    meets: ({ objects }) => gatewayRoutes(objects).filter(hasUnknownFilter).map(describeObject),
    finding: LINKERD_FINDINGS.releaseFaultRouteWatch,
  },
  {
    source: '#14814',
    fixed: 'edge-25.12.3',
    meets: ({ objects, index }) =>
      opaqueServers(objects).flatMap((server) => {
        const { podSelector, port } = objectOf(server.spec);
        if (typeof port !== 'string') return [];
        const pods = index.select(namespaceOf(server), podSelector);
        return pods.some((one) => sidecarPorts(one).some(({ name }) => name === port)) ? [describeObject(server)] : [];
      }),
    finding: LINKERD_FINDINGS.releaseFaultSidecarServer,
  },
  {
    source: '#14786',
    fixed: 'edge-25.12.2',
    meets: ({ index }) =>
      meshed(index)
        .filter((pods) => sidecarPorts(pods).some(({ hostPort }) => hostPort !== undefined))
        .map(({ object }) => describeObject(object)),
    finding: LINKERD_FINDINGS.releaseFaultSidecarHostPort,
  },
  {
    source: '#14767',
    fixed: 'edge-25.12.2',
    meets: ({ index }) =>
      meshed(index)
        .filter((pods) => {
          const listed = (settingOf(pods, OPAQUE_PORTS, index) ?? '').split(',').map((port) => port.trim());
          return sidecarPorts(pods).some(({ name }) => typeof name === 'string' && listed.includes(name));
        })
        .map(({ object }) => describeObject(object)),
    finding: LINKERD_FINDINGS.releaseFaultSidecarOpaque,
  },
  {
    source: '#14713',
    since: TIMEOUT_ANNOTATION,
    fixed: 'edge-25.11.3',
    meets: ({ objects }) =>
      gatewayRoutes(objects)
        .filter(
          (route) => hasTimeout(route) && route.metadata.annotations?.['timeout.linkerd.io/request'] === undefined,
        )
        .map(describeObject),
    finding: LINKERD_FINDINGS.releaseFaultRouteTimeout,
  },
  {
    source: '#14713',
    until: TIMEOUT_ANNOTATION,
    fixed: 'edge-25.11.3',
    meets: ({ objects }) => gatewayRoutes(objects).filter(hasTimeout).map(describeObject),
    finding: LINKERD_FINDINGS.releaseFaultRouteTimeoutEarlier,
  },
  {
    source: '#14684',
    since: TRACING,
    fixed: 'edge-25.11.1',
    meets: ({ mesh }) => (isTracing(mesh) ? ['proxy.tracing.enabled'] : []),
    finding: LINKERD_FINDINGS.releaseFaultTraceMetadata,
  },
  {
    source: '#14693',
    since: FEDERATION,
    fixed: 'edge-25.11.1',
    meets: ({ objects }) => objects.filter(isFederated).map(describeObject),
    finding: LINKERD_FINDINGS.releaseFaultFederatedLeak,
  },
  {
    source: '#13865',
    since: NATIVE_SIDECARS,
    fixed: 'edge-25.9.4',
    meets: ({ mesh }) => {
      const isNative = valueAt(mesh, 'proxy.nativeSidecar') === true;
      return isNative && valueAt(mesh, 'proxy.defaultInboundPolicy') === 'deny' ? ['proxy.nativeSidecar'] : [];
    },
    finding: LINKERD_FINDINGS.releaseFaultStaleScrapes,
  },
  {
    source: '#14103',
    since: NATIVE_SIDECARS,
    fixed: 'edge-25.6.3',
    meets: ({ mesh, objects }) => {
      if (valueAt(mesh, 'proxy.nativeSidecar') !== true) return [];
      const servers = ofKind(objects, 'policy.linkerd.io/Server');
      return servers.filter(({ spec }) => textIn(spec, 'port') === 'linkerd-admin').map(describeObject);
    },
    finding: LINKERD_FINDINGS.releaseFaultSidecarAdmin,
  },
  {
    source: '#13962',
    fixed: 'edge-25.5.1',
    meets: ({ objects }) =>
      ofKind(objects, 'policy.linkerd.io/AuthorizationPolicy')
        .filter(({ spec }) => {
          const target = objectOf(spec).targetRef;
          return textIn(target, 'group') === 'gateway.networking.k8s.io' && textIn(target, 'kind') === 'HTTPRoute';
        })
        .map(describeObject),
    finding: LINKERD_FINDINGS.releaseFaultAuthorizationRefused,
  },
];

/** A fault that affects a cluster's configuration. */
export interface MetFault {
  readonly source: string;
  readonly part: LinkerdPart;
  readonly fixed: string;
  readonly warning: Warning;
}

/** Returns the known faults of a cluster's releases that affect its configuration, one for each affected object. */
export function metFaults({ releases, inflated, objects }: FaultyCluster): readonly MetFault[] {
  const concerned = FAULTS.filter(({ part = 'controlPlane', since, until, fixed }) => {
    const release = releases[part];
    if (release === undefined || compareReleases(release, fixed) >= 0) return false;
    if (until !== undefined && compareReleases(release, until) >= 0) return false;
    return since === undefined || compareReleases(release, since) >= 0;
  });
  if (concerned.length === 0) return [];
  const mesh = injectorValuesIn(objects, inflated.controlPlane ?? {});
  const index = new PodIndex(objects, () => proxySettings(mesh));
  return concerned.flatMap(({ part = 'controlPlane', source, fixed, meets, finding }) =>
    [...new Set(meets({ mesh, objects, index, inflated }))].map((subject) => {
      const parameters = { release: releases[part] ?? '', fixed, source: `linkerd2${source}`, subject };
      return { source, part, fixed, warning: finding(parameters) };
    }),
  );
}

/** Whether a release no longer has a fault. */
export function isMended({ fixed }: MetFault, release: string): boolean {
  return compareReleases(release, fixed) >= 0;
}

function ofKind(objects: readonly KubernetesObject[], groupKind: string): readonly KubernetesObject[] {
  return objects.filter(({ apiVersion, kind }) => `${apiGroup(apiVersion)}/${kind}` === groupKind);
}

function placeOf(object: KubernetesObject): string {
  return `${namespaceOf(object)}/${object.metadata.name}`;
}

function isTracing(mesh: Values): boolean {
  return valueAt(mesh, 'proxy.tracing.enabled') === true;
}

function selects({ spec }: KubernetesObject, { metadata }: KubernetesObject): boolean {
  const selector = objectOf(spec).selector;
  return isObject(selector) && matchesSelector({ matchLabels: selector }, metadata.labels ?? {}, 'nothing');
}

/** Returns the Servers whose ports are opaque. */
export function opaqueServers(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return ofKind(objects, 'policy.linkerd.io/Server').filter(({ spec }) => textIn(spec, 'proxyProtocol') === 'opaque');
}

function mirrorsHeadless({ kind, spec }: KubernetesObject): boolean {
  return kind === 'Deployment' && JSON.stringify(spec ?? null).includes('-enable-headless-services"');
}

function gatewayRoutes(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return ofKind(objects, 'gateway.networking.k8s.io/HTTPRoute');
}

/** The filters of version 1.2.1 of the Gateway API. */
const FILTERS: readonly string[] = [
  'ExtensionRef',
  'RequestHeaderModifier',
  'RequestMirror',
  'RequestRedirect',
  'ResponseHeaderModifier',
  'URLRewrite',
];

function rulesOf({ spec }: KubernetesObject): readonly Readonly<Record<string, unknown>>[] {
  return itemsOf(objectOf(spec).rules).filter(isObject);
}

function hasUnknownFilter(route: KubernetesObject): boolean {
  return rulesOf(route).some(({ filters, backendRefs }) => {
    const ofBackends = itemsOf(backendRefs).flatMap((one) => itemsOf(objectOf(one).filters));
    return [...itemsOf(filters), ...ofBackends].some(
      (filter) => !FILTERS.includes(textIn(filter, 'type') ?? 'URLRewrite'),
    );
  });
}

function hasTimeout(route: KubernetesObject): boolean {
  const parents = itemsOf(objectOf(route.spec).parentRefs);
  const isOfService = parents.some((parent) => textIn(parent, 'kind') === 'Service');
  return isOfService && rulesOf(route).some(({ timeouts }) => textIn(timeouts, 'request') !== undefined);
}

function isFederated({ apiVersion, kind, metadata, spec }: KubernetesObject): boolean {
  if (kind === 'Service') return metadata.labels?.[MIRROR_FEDERATED] !== undefined;
  const isLink = kind === 'Link' && apiGroup(apiVersion) === 'multicluster.linkerd.io';
  return isLink && isObject(spec) && spec.federatedServiceSelector !== undefined;
}

function meshed(index: PodIndex): readonly PodSet[] {
  return index.all.filter((pods) => isMeshed(pods, index) === true);
}

function sidecarPorts({ object }: PodSet): readonly Readonly<Record<string, unknown>>[] {
  return podPlaces(object).flatMap(({ spec = '' }) => {
    const pod = valueAtPointer(object, spec);
    const sidecars = itemsOf(objectOf(pod).initContainers).filter(
      (container) => textIn(container, 'restartPolicy') === 'Always',
    );
    return sidecars.flatMap((container) => itemsOf(objectOf(container).ports)).filter(isObject);
  });
}
