import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { Kubectl, LiveObject } from './kubectl';

/** The field manager of Argo CD, whose writes count as an installation for the operator. */
const ARGOCD = 'argocd-controller';

const WAVE = 'argocd.argoproj.io/sync-wave';
const RETRY_MS = 3_000;

/** Returns the waves of a folder in the order in which Argo CD applies them; namespaces and CRDs are first in each. */
export function waves(objects: readonly KubernetesObject[]): readonly (readonly KubernetesObject[])[] {
  const byWave = Map.groupBy(objects, ({ metadata }) => Number(metadata.annotations?.[WAVE] ?? 0));
  return [...byWave]
    .toSorted(([one], [other]) => one - other)
    .map(([, wave]) => wave.toSorted((one, other) => rank(one) - rank(other)));
}

const FIRST = ['Namespace', 'CustomResourceDefinition', 'ServiceAccount', 'Secret', 'ConfigMap'];

function rank({ kind }: KubernetesObject): number {
  const index = FIRST.indexOf(kind);
  return index < 0 ? FIRST.length : index;
}

/**
 * Returns why a live object is not healthy yet, or undefined. Its controller must have observed the last change.
 */
export function unhealthy(live: LiveObject | undefined): string | undefined {
  if (live === undefined) return 'it does not exist';
  const check = HEALTH[live.kind];
  return check?.(live);
}

const HEALTH: Readonly<Record<string, (live: LiveObject) => string | undefined>> = {
  Deployment: ({ spec, status = {}, metadata }) => {
    const wanted = spec.replicas ?? 1;
    const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0, replicas = 0 } = status;
    if (observedGeneration < (metadata.generation ?? 0)) return 'its controller has not seen it';
    if (updatedReplicas < wanted) return `${updatedReplicas} of ${wanted} pods are new`;
    if (replicas > updatedReplicas) return `${replicas - updatedReplicas} old pods run`;
    return availableReplicas < wanted ? `${availableReplicas} of ${wanted} pods are available` : undefined;
  },
  CustomResourceDefinition: (live) => conditionGap(live, 'Established'),
  Certificate: (live) => conditionGap(live, 'Ready'),
  Bundle: (live) => conditionGap(live, 'Synced'),
};

function conditionGap({ status }: LiveObject, type: string): string | undefined {
  const conditions: readonly { type: string; status: string; message?: string }[] = status?.conditions ?? [];
  const condition = conditions.find((one) => one.type === type);
  return condition?.status === 'True' ? undefined : `it is not ${type}: ${condition?.message ?? 'not seen yet'}`;
}

type Note = (text: string) => void;

/** How folders are synced. */
export interface SyncOptions {
  /** The field manager that applies them. */
  readonly manager?: string;
  /** Labels to add to each object. */
  readonly labels: Readonly<Record<string, string>>;
  readonly note: Note;
}

function labelled(object: KubernetesObject, labels: SyncOptions['labels']): KubernetesObject {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } };
}

/** Applies all folders at the same time, as Argo CD does, until each is applied and healthy. */
export async function syncFolders(
  cluster: Kubectl,
  folders: ReadonlyMap<string, readonly KubernetesObject[]>,
  options: SyncOptions,
): Promise<void> {
  await Promise.all(
    [...folders].map(([folder, objects]) =>
      syncFolder(cluster, objects, { ...options, note: (text) => options.note(`${folder}: ${text}`) }),
    ),
  );
}

async function syncFolder(cluster: Kubectl, objects: readonly KubernetesObject[], options: SyncOptions): Promise<void> {
  let noted: string | undefined;
  for (;;) {
    const refused = await syncOnce(cluster, objects, options);
    if (refused === undefined) return;
    if (refused !== noted) options.note(refused);
    noted = refused;
    await cluster.pause(RETRY_MS);
  }
}

/** Applies one wave after the other, each when the one before is healthy; returns why one was refused. */
async function syncOnce(
  cluster: Kubectl,
  objects: readonly KubernetesObject[],
  { labels, note, manager = ARGOCD }: SyncOptions,
): Promise<string | undefined> {
  for (const wave of waves(objects)) {
    // Each object has the labels from its creation, so that a removal always finds it. The installer then gives up
    // their ownership, because they are no part of the output. The last apply skips validation, for which kubectl
    // would read all schemas.
    const refused =
      (await cluster.apply(
        wave.map((object) => labelled(object, labels)),
        manager,
      )) ??
      (await cluster.label(wave, labels)) ??
      (await cluster.apply(wave, manager, '--validate=false'));
    if (refused !== undefined) return refused;
    await healthyWave(cluster, wave, note);
  }
  return undefined;
}

async function healthyWave(cluster: Kubectl, wave: readonly KubernetesObject[], note: Note): Promise<void> {
  let noted = '';
  for (const object of wave.filter(({ kind }) => kind in HEALTH)) {
    for (;;) {
      const gap = unhealthy(await cluster.get(nameOf(object)));
      if (gap === undefined) break;
      const text = `${object.kind} ${object.metadata.name}: ${gap}`;
      if (text !== noted) note(text);
      noted = text;
      await cluster.pause(RETRY_MS);
    }
  }
}

/** Returns the name by which kubectl finds an object: `Deployment.v1.apps`. */
function nameOf({ apiVersion, kind, metadata: { name, namespace } }: KubernetesObject) {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const resource = group === '' ? kind : `${kind}.${version}.${group}`;
  return { resource, name, ...(namespace !== undefined && { namespace }) };
}
