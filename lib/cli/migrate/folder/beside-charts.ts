import type { Problem } from '#base/findings/problem';
import { grouped } from '#base/grouped';
import type { PinnedChart } from '#linkerd/charts/pinned-chart';
import {
  CERT_MANAGER_RELEASES,
  type CertManagerVersion,
  certManagerChart,
  TRUST_MANAGER_CHARTS,
  type TrustManagerVersion,
  trustManagerChart,
} from '#linkerd/releases/cert-manager';
import { CLI_FINDINGS } from '../../findings';
import type { PlacedMap } from '../../repository/documents';
import { type ManagerChart, type ManagerSource, mapAt, text } from '../../repository/sources/source';
import { Call, Name } from '../code';
import { fittingValues, withoutSecrets } from '../migrate';
import type { GivenManager, MigratedPart } from '../migration';
import { leftOutRemark } from '../program';
import { RemainingValues } from '../remaining-values';
import { left } from './pki';

/** Values that CertManager and TrustManager set. */
const DECIDED: Readonly<Record<ManagerChart, readonly string[]>> = {
  'cert-manager': [
    'installCRDs',
    'crds',
    'fullnameOverride',
    'namespace',
    'clusterResourceNamespace',
    'global.leaderElection.namespace',
  ],
  'trust-manager': ['crds', 'app.trust.namespace', 'namespace'],
};

/**
 * Returns the construct for a release of cert-manager or trust-manager.
 *
 * @param home - the namespace of cert-manager, in which trust-manager runs and reads sources
 */
export function managerOf(
  { chart, version, namespace, values, place }: ManagerSource,
  notes: readonly Problem[],
  home: string,
): { readonly manager: GivenManager; readonly notes: readonly Problem[] } {
  const tag = version === undefined || version.startsWith('v') ? version : `v${version}`;
  const known: readonly string[] = Object.keys(chart === 'cert-manager' ? CERT_MANAGER_RELEASES : TRUST_MANAGER_CHARTS);
  const [own = '', ...others] = known;
  const isKnown = tag !== undefined && known.includes(tag);
  const clean = withoutSecrets(values);
  const remaining = new RemainingValues(clean.values);
  const reads = remaining.takeText('app.trust.namespace');
  for (const path of DECIDED[chart]) remaining.take(path);
  const elsewhere = [namespace, chart === 'trust-manager' ? reads : undefined].filter(
    (given) => given !== undefined && given !== home,
  );
  const fitting = fittingValues(pinned(chart, isKnown ? tag : undefined), remaining.values ?? {});
  const accepted = fitting.problems.length > 0 ? {} : fitting.values;
  const all = [
    ...notes,
    ...(version === undefined || isKnown
      ? []
      : [CLI_FINDINGS.notMigratedManagerVersion({ place, chart, version, own, others: others.join(', ') })]),
    ...elsewhere.map((given) => CLI_FINDINGS.notMigratedSetting({ place: `the namespace ${given} of ${place}` })),
    ...clean.warnings,
    ...fitting.leftOut,
    ...fitting.problems,
  ];
  const manager = {
    version: isKnown ? tag : undefined,
    namespace: namespace === 'cert-manager' ? undefined : namespace,
    values: Object.keys(accepted).length === 0 ? undefined : accepted,
    remarks: all.map(leftOutRemark),
  };
  return { manager, notes: all };
}

function pinned(chart: ManagerChart, version: string | undefined): PinnedChart {
  return chart === 'cert-manager'
    ? certManagerChart((version ?? 'v1.21.1') as CertManagerVersion, [])
    : trustManagerChart((version ?? 'v0.24.0') as TrustManagerVersion, []);
}

const INJECT = 'linkerd.io/inject';
const MODES = ['enabled', 'ingress'];

function isMeshed({ data }: PlacedMap): boolean {
  const annotations = mapAt(data, 'metadata.annotations');
  return data.kind === 'Namespace' && MODES.includes(String(annotations[INJECT]));
}

/** Returns notes about namespaces with an annotation that the injector does not support. */
export function unmeshedNotes(objects: readonly PlacedMap[]): readonly Problem[] {
  return objects.flatMap((object) => {
    const value = mapAt(object.data, 'metadata.annotations')[INJECT];
    if (object.data.kind !== 'Namespace' || value === undefined || value === null) return [];
    if (value === 'disabled' || isMeshed(object)) return [];
    return [
      left(object, `${INJECT} is ${JSON.stringify(value)}, and Linkerd supports only enabled, ingress and disabled`),
    ];
  });
}

/** Returns the construct for the namespaces with injection enabled; undefined if there are none. */
export function meshingOf(
  objects: readonly PlacedMap[],
  except: readonly string[],
): { readonly part: MigratedPart; readonly namespaces: readonly PlacedMap[] } | undefined {
  const meshed = objects.filter((object) => isMeshed(object) && !except.includes(nameOf(object)));
  const byName = new Map(meshed.map((object) => [nameOf(object), object]));
  const namespaces = [...byName.values()].filter((object) => isLabel(nameOf(object)));
  if (namespaces.length === 0) return undefined;
  const notes = namespaces.flatMap(settingsOf);
  const part: MigratedPart = {
    name: 'meshing',
    variable: 'meshing',
    needsControlPlane: true,
    statements: [],
    remarks: notes.map(leftOutRemark),
    external: [],
    result: new Call('new Meshing', new Name('scope'), 'meshing', { controlPlane: new Name('controlPlane') }),
    after: namespaces.map((object) => {
      const isIngress = mapAt(object.data, 'metadata.annotations')[INJECT] === 'ingress';
      return new Call('meshing.namespace', nameOf(object), ...(isIngress ? [{}, 'ingress'] : []));
    }),
    warnings: notes,
  };
  return { part, namespaces };
}

/** Returns a note about the other annotations and labels of a namespace, which may affect its pods. */
function settingsOf(object: PlacedMap): readonly Problem[] {
  const metadata = mapAt(object.data, 'metadata');
  const keys = [
    ...Object.keys(mapAt(metadata, 'annotations')).filter((key) => key !== INJECT),
    ...Object.keys(mapAt(metadata, 'labels')).filter((key) => !['kubernetes.io/metadata.name', 'name'].includes(key)),
  ];
  return keys.length === 0 ? [] : [left(object, `meshing.namespace does not set ${keys.join(', ')}`)];
}

function isLabel(name: string): boolean {
  return /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/.test(name);
}

function nameOf({ data }: PlacedMap): string {
  return text(mapAt(data, 'metadata').name) ?? '';
}

const OF_LINKERD = [
  'policy.linkerd.io',
  'linkerd.io',
  'multicluster.linkerd.io',
  'workload.linkerd.io',
  'split.smi-spec.io',
];

/** Returns a note about policies and profiles, which stay manifests. */
export function manifestNotes(objects: readonly PlacedMap[]): readonly Problem[] {
  const found = objects.filter(({ data }) => OF_LINKERD.includes(String(data.apiVersion).replace(/\/[^/]*$/, '')));
  const [first] = found;
  if (first === undefined) return [];
  const byKind = grouped(found.map(({ data }) => [String(data.kind), data] as const));
  const kinds = [...byKind].map(([kind, all]) => `${all.length} ${kind}`).join(', ');
  return [CLI_FINDINGS.notMigratedPolicies({ place: `${first.file}:${first.line}`, kinds })];
}

const OF_CHARTS = ['linkerd.io/control-plane-ns', 'linkerd.io/control-plane-component', 'linkerd.io/extension'];

/** Returns the objects in a repository that were rendered from charts of Linkerd. */
export function renderedObjects(objects: readonly PlacedMap[]): readonly PlacedMap[] {
  return objects.filter(({ data }) => {
    const labels = mapAt(data, 'metadata.labels');
    return data.kind !== 'Namespace' && OF_CHARTS.some((label) => labels[label] !== undefined);
  });
}

/** Returns a note about rendered objects. */
export function renderedNotes(rendered: readonly PlacedMap[]): readonly Problem[] {
  const [first] = rendered;
  if (first === undefined) return [];
  return [CLI_FINDINGS.notMigratedRendered({ place: `${first.file}:${first.line}`, objects: rendered.length })];
}
