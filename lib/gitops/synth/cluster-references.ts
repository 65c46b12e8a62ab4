import { type Finding, findingsAt } from '#base/findings/finding';
import { describeObject } from '#kubernetes/objects/kubernetes-object';
import type { Reference } from '#kubernetes/objects/references';
import { apiGroup } from '#kubernetes/objects/scope';
import { isClusterScoped } from '#linkerd/api-groups';
import type { PinnedChart } from '#linkerd/charts/pinned-chart';
import { partOfChart } from '#linkerd/releases/charts';
import type { LookupNamespaces } from '../../checks/cluster/declared';
import { lookupNamespaces } from '../../checks/cluster/declared';
import { valueReferences } from '../../checks/linkerd/value-references';
import { podSetsOf } from '../../checks/policy/pod-sets';
import type { ConstructTree } from '../tree/read-tree';
import { SYNTH_FINDINGS } from './findings';
import type { SyncOrder } from './ordering/sync-order';
import { referencesOf } from './references/object-references';
import { type NamespaceLabels, providedBy } from './references/provided-references';
import { BUILT_IN_NAMESPACES, checkReferences, type Provided, type Required } from './references/reference-check';

/** Checks that everything to which objects, charts and constructs of a cluster refer exists when they are synced. */
export function checkClusterReferences(tree: ConstructTree, order: SyncOrder): readonly Finding[] {
  const lookup = lookupNamespaces(tree);
  return checkReferences(requiredIn(tree, lookup, order), providedIn(tree, lookup, order));
}

function requiredIn(tree: ConstructTree, lookup: LookupNamespaces, order: SyncOrder): readonly Required[] {
  const ofObjects = tree.objects.flatMap(({ path, construct, object }) =>
    referencesOf(object, lookup).map((found) => ({
      path,
      by: describeObject(object),
      stage: order.stageOf(construct),
      ...found,
    })),
  );
  const ofReleases = tree.releases
    .filter(({ release }) => needsNamespace(release.chart))
    .map(({ path, construct, release }) => ({
      path,
      by: `chart ${release.chart.name}`,
      stage: order.stageOf(construct),
      accepts: [{ kind: 'Namespace', name: release.namespace } as const],
    }));
  const declared = tree.declarations.flatMap(({ path, construct, declarations: { requires = [] } }) =>
    requires.map((reference) => ({ path, by: path, stage: order.lastStageOf(construct), accepts: [reference] })),
  );
  return [...ofObjects, ...ofReleases, ...declared, ...requiredByValues(tree)];
}

/** A namespace without workloads of this output belongs to another installation, and is not checked. */
function requiredByValues({ objects, releases, rendered }: ConstructTree): readonly Required[] {
  const inhabited = new Set(objects.flatMap(({ object }) => podSetsOf(object).map(({ namespace }) => namespace)));
  const charts = [...releases.map(({ path, release }) => ({ ...release, path })), ...rendered];
  return charts.flatMap(({ path, chart, values }) => {
    const part = partOfChart(chart.name);
    if (part === undefined) return [];
    return valueReferences(part, values)
      .filter(({ reference }) => inhabited.has(reference.namespace ?? ''))
      .map(({ field, reference }) => {
        return { path, by: `chart ${chart.name}`, field, stage: 0, accepts: [reference], anyStage: true };
      });
  });
}

/** Whether a chart needs its namespace; false for a chart with only cluster-scoped objects, such as CRDs. */
function needsNamespace({ kinds }: PinnedChart): boolean {
  return kinds.some((groupKind) => {
    const [group = '', kind = ''] = groupKind.split('/');
    return !isClusterScoped({ apiVersion: `${group}/v1`, kind });
  });
}

function providedIn(tree: ConstructTree, lookup: LookupNamespaces, order: SyncOrder): readonly Provided[] {
  const declared = tree.declarations.flatMap(({ construct, declarations: { provides = [], external = [] } }) => [
    ...provides.map((reference) => ({ reference, stage: order.stageOf(construct) })),
    ...external.flatMap(withNamespace).map((reference) => ({ reference, stage: 0 })),
  ]);
  const context = { lookup, namespaces: namespacesIn(tree, declared) };
  return [
    ...declared,
    ...tree.objects.flatMap(({ construct, object }) =>
      providedBy(object, context).map((reference) => ({ reference, stage: order.stageOf(construct) })),
    ),
  ];
}

/** The namespace of an existing object exists, too. */
function withNamespace(reference: Reference): readonly Reference[] {
  return reference.namespace === undefined
    ? [reference]
    : [reference, { kind: 'Namespace', name: reference.namespace }];
}

function namespacesIn(tree: ConstructTree, declared: readonly Provided[]): readonly NamespaceLabels[] {
  const names = [
    ...BUILT_IN_NAMESPACES,
    ...declared.flatMap(({ reference }) => (reference.kind === 'Namespace' ? [reference.name] : [])),
  ];
  const emitted = tree.objects
    .filter(({ object }) => object.kind === 'Namespace')
    .map(({ object: { metadata } }) => ({ name: metadata.name, labels: metadata.labels ?? {} }));
  const known = new Set(emitted.map(({ name }) => name));
  return [...emitted, ...[...new Set(names)].filter((name) => !known.has(name)).map((name) => ({ name, labels: {} }))];
}

/** API groups of software that this library never installs, and what installs their CRDs. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ['argoproj.io', 'Argo Rollouts'],
  ['gateway.networking.k8s.io', 'the Gateway API'],
  ['k8s.cni.cncf.io', 'Multus'],
  ['monitoring.coreos.com', 'the Prometheus operator'],
  ['traefik.io', 'Traefik'],
]);

const PLURALS: ReadonlyMap<string, string> = new Map([
  ['EventBus', 'eventbus'],
  ['NetworkAttachmentDefinition', 'network-attachment-definitions'],
]);

/** Programs that share an API group, by the names of their CRDs; undefined for Argo CD, which applies the output. */
const SHARED: ReadonlyMap<string, string | undefined> = new Map(
  Object.entries({
    'Argo CD': ['Application', 'ApplicationSet', 'AppProject'],
    'Argo Events': ['EventBus', 'EventSource', 'Sensor'],
    'Argo Workflows': [
      ...['ClusterWorkflowTemplate', 'CronWorkflow', 'Workflow', 'WorkflowArtifactGCTask', 'WorkflowEventBinding'],
      ...['WorkflowTaskResult', 'WorkflowTaskSet', 'WorkflowTemplate'],
    ],
  }).flatMap(([software, kinds]) =>
    kinds.map((kind) => [crdOf('argoproj.io', kind), software === 'Argo CD' ? undefined : software] as const),
  ),
);

/**
 * Warns about objects whose definitions are neither installed nor declared: a sync retries them until their definitions
 * are installed, or fails. Returns one warning for each program that installs definitions.
 */
export function checkForeignDefinitions({ objects, declarations }: ConstructTree): readonly Finding[] {
  const known = new Set([
    ...objects
      .filter(({ object }) => object.kind === 'CustomResourceDefinition')
      .map(({ object }) => object.metadata.name),
    ...declarations
      .flatMap(({ declarations: { provides = [], external = [] } }) => [...provides, ...external])
      .filter(({ kind }) => kind === 'CustomResourceDefinition')
      .map(({ name }) => name),
  ]);
  const brought = new Set([...known].map((crd) => softwareOf(`${crd}`)));
  const found = new Map<string, Finding>();
  for (const { path, object } of objects) {
    const { kind } = object;
    const group = apiGroup(object.apiVersion);
    const crd = crdOf(group, kind);
    const software = softwareOf(crd);
    if (software === undefined || found.has(software) || brought.has(software)) continue;
    const [finding] = findingsAt(path, [SYNTH_FINDINGS.crdsUndeclared({ kind, group, software, crd })]);
    if (finding !== undefined) found.set(software, finding);
  }
  return [...found.values()];
}

function crdOf(group: string, kind: string): string {
  return `${PLURALS.get(kind) ?? `${`${kind}`.toLowerCase()}s`}.${group}`;
}

function softwareOf(crd: string): string | undefined {
  return SHARED.has(crd) ? SHARED.get(crd) : FOREIGN.get(crd.slice(crd.indexOf('.') + 1));
}
