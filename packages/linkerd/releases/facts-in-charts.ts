import { isMap, valueAt } from '#base/values';
import { DEFAULT_KUBE_VERSION } from '#helm/kube-version';
import { renderChart } from '#helm/render';
import { NATIVE_SIDECAR_ALPHA } from '../annotations';
import type { ControlPlaneTemplates } from './groups/control-plane';
import { CONTROL_PLANE } from './groups/control-plane';
import type { CrdsTemplates } from './groups/crds';
import type { InjectorFeatures, WorkloadSetting } from './groups/injector';
import type { MulticlusterTemplates } from './groups/multicluster';
import type { VizTemplates } from './groups/viz';
import { compareReleases } from './lines';
import type { ReleaseArchives, ReleaseChart } from './release-archives';
import type { ReleaseGroups } from './release-facts';

/**
 * Returns the facts about a release that constructs need, read from its charts. Facts that no chart contains, or that
 * only the library's renderers need, are those of the closest known release.
 */
export function factsInCharts(version: string, archives: ReleaseArchives, closest: ReleaseGroups): ReleaseGroups {
  const { controlPlane, viz, cni, crds } = closest;
  const multicluster = archives.attempt('multicluster');
  // A chart that cannot be read is reported where it is used.
  const mirrors = 'chart' in multicluster ? multiclusterFacts(multicluster.chart, closest) : closest.multicluster;
  return {
    controlPlane: {
      ...controlPlane,
      templates: controlPlaneFacts(archives.need('controlPlane'), controlPlane.templates),
    },
    crds: { ...crds, templates: crdsFacts(archives.need('crds')) },
    cni,
    viz: { ...viz, templates: vizFacts(archives.find('viz'), viz.templates) },
    injector: injectorFacts(version, archives.need('controlPlane'), closest.injector),
    ...(mirrors !== undefined && { multicluster: mirrors }),
  };
}

function controlPlaneFacts({ defaults, source }: ReleaseChart, closest: ControlPlaneTemplates): ControlPlaneTemplates {
  const named = CONTROL_PLANE[/\bname: admin-http\b/.test(source) ? 'stable-2.14.10' : 'edge-26.8.3'].templates;
  return {
    ...closest,
    adminPorts: named.adminPorts,
    validatorUser: isMap(valueAt(defaults, 'networkValidator.securityContext')) ? 'fields' : 'switch',
    nativeSidecarRefusesWait: /\bif and \.Values\.proxy\.nativeSidecar \.Values\.proxy\.waitBeforeExitSeconds\b/.test(
      source,
    ),
    closeWaitNeedsRoot: /\bif not \.Values\.proxyInit\.runAsRoot\b/.test(source),
    tracing: isMap(valueAt(defaults, 'proxy.tracing')) ? 'builtIn' : 'extension',
  };
}

/** The chart values with the defaults of settings that only some injectors read from workloads. */
const SETTINGS: Readonly<Partial<Record<WorkloadSetting, string>>> = {
  'proxy.cpuRatioLimit': 'proxy.runtime.workers',
  'proxy.gid': 'proxy.gid',
  'proxy.initImage': 'proxyInit.image',
  traceAttributes: 'proxy.tracing',
};

/** Returns the features of an injector. It reads a setting from workloads only if its chart has a default for it. */
function injectorFacts(
  version: string,
  { defaults }: ReleaseChart,
  { nativeSidecarAnnotation, workloadSettings }: InjectorFeatures,
): InjectorFeatures {
  const annotation = isBeforeBeta(version) ? NATIVE_SIDECAR_ALPHA : nativeSidecarAnnotation;
  const hasSidecars = annotation !== undefined && valueAt(defaults, 'proxy.nativeSidecar') !== undefined;
  return {
    ...(hasSidecars && { nativeSidecarAnnotation: annotation }),
    workloadSettings: workloadSettings.filter((setting) => {
      const { [setting]: path } = SETTINGS;
      return path === undefined || valueAt(defaults, path) !== undefined;
    }),
  };
}

/**
 * Whether injectors of a release may read only the first annotation of native sidecars, which later injectors also
 * read.
 */
function isBeforeBeta(version: string): boolean {
  return compareReleases(version, 'edge-25.10.7') < 0;
}

function vizFacts(chart: ReleaseChart | undefined, closest: VizTemplates): VizTemplates {
  if (chart === undefined) return closest;
  return {
    ...closest,
    metadataJobSwitch: 'createNamespaceMetadataJob' in chart.defaults,
    prometheusCredentials: 'prometheusCredsSecret' in chart.defaults,
    // Rendering the chart shows whether it has the bug.
    proxyResourcesBug: false,
  };
}

/** Returns the facts in the chart linkerd-multicluster; undefined if it has no service mirrors. */
function multiclusterFacts(
  { defaults, source }: ReleaseChart,
  { multicluster: closest }: ReleaseGroups,
): ReleaseGroups['multicluster'] {
  if (!Array.isArray(defaults.controllers)) return undefined;
  const templates: MulticlusterTemplates = {
    healthCheckPort: closest?.templates.healthCheckPort ?? true,
    adminServers: /\bkind: Server\s+name: linkerd-admin(?![\w.-])/.test(source) ? 'separate' : 'shared',
  };
  return { values: closest?.values ?? 'edge-26.8.3', templates };
}

/** Versions of Servers, newest first. */
const SERVER_VERSIONS = ['v1beta3', 'v1beta1'] as const;

const ROUTES = 'httproutes.gateway.networking.k8s.io';

function crdsFacts({ chart, defaults }: ReleaseChart): CrdsTemplates {
  const installedBy = 'installGatewayAPI' in defaults ? 'installGatewayAPI' : 'enableHttpRoutes';
  const served = servedVersions(chart, { [installedBy]: true });
  const servers = served.get('servers.policy.linkerd.io') ?? [];
  const [server = 'v1beta1'] = SERVER_VERSIONS.filter((version) => servers.includes(version));
  const routes = served.get(ROUTES);
  return {
    gatewayApi: {
      installedBy,
      installed: servedVersions(chart, {}).has(ROUTES),
      routeVersion: `gateway.networking.k8s.io/${routes === undefined || routes.includes('v1') ? 'v1' : 'v1beta1'}`,
    },
    definitions: [...served.keys()],
    serverVersion: `policy.linkerd.io/${server}`,
    kubernetes: /(\d+\.\d+)/.exec(chart.metadata.kubeVersion)?.[1] ?? '1.21',
  };
}

function servedVersions(chart: ReleaseChart['chart'], values: Readonly<Record<string, boolean>>) {
  const context = { name: 'linkerd-crds', namespace: 'linkerd', kubeVersion: DEFAULT_KUBE_VERSION };
  const { objects, crds } = renderChart(chart, { ...context, values });
  return new Map(
    [...crds, ...objects].map(({ object }) => {
      const { metadata, spec } = object as {
        readonly metadata?: { readonly name?: string };
        readonly spec?: { readonly versions?: readonly { readonly name: string; readonly served: boolean }[] };
      };
      const versions = (spec?.versions ?? []).filter(({ served }) => served).map(({ name }) => name);
      return [metadata?.name ?? '', versions] as const;
    }),
  );
}
