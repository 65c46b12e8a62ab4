import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { foldersOf } from '../folders';
import { describeListed, goneSince, inventory, type Listed, leftBehind } from '../inventory';
import { CERT_MANAGER_NAMESPACE, CLUSTER, MESH_NAMESPACES, OWN_NAMESPACES } from '../program';
import { RUN_LABEL } from '../refusals';
import {
  inRemovalOrder,
  type Ownership,
  promisesOf,
  removable,
  staysWithoutApplication,
  stillThere,
} from '../removable';
import { waves } from '../sync';
import { type Step, StepFailure, type StepResult, until, type Walk } from '../walk';

/** Removes the mesh as in docs/operations.md, and checks that only the objects in that page stay. */
export const REMOVAL: Step = {
  name: 'removal',
  summary: "delete the Applications' objects: only the documented ones stay; then delete these: no object stays",
  async run(walk) {
    const objects = outputOf(walk);
    await deleteWorkloads(walk);
    const promises = promisesOf(objects, namespacesOf(walk));
    let kept: ReadonlyMap<string, readonly Listed[]> = new Map();
    await until(walk, async () => {
      const after = await inventory(walk.cluster);
      await deleteApplications(walk, stillThere(objects, after));
      const { promised, others } = leftBehind(walk.before, after, promises);
      kept = promised;
      const ours = removable(others, ownershipOf(walk, objects));
      return ours.length === 0 ? undefined : `still there: ${shown(ours)}`;
    });
    const result = await removeAll(walk);
    return {
      text: `${[...kept.values()].flat().length} objects stayed as promised; ${result.text}`,
      facts: { promised: Object.fromEntries([...kept].map(([reason, list]) => [reason, list.map(describeListed)])) },
    };
  },
};

/** Deletes all objects of a run, in any state, and compares the cluster with its state before the run. */
export async function removeAll(walk: Walk): Promise<StepResult> {
  const objects = outputOf(walk);
  let after: readonly Listed[] = [];
  await until(walk, async () => {
    after = await inventory(walk.cluster);
    const { others } = leftBehind(walk.before, after);
    const ours = removable(others, ownershipOf(walk, objects));
    for (const stage of inRemovalOrder(ours)) await walk.cluster.deleteObjects(stage.map(objectOf));
    return ours.length === 0 ? undefined : `removing ${ours.length} objects: ${shown(ours)}`;
  });
  const { others } = leftBehind(walk.before, after);
  const gone = goneSince(walk.before, after);
  const facts = { left: others.map(describeListed), gone: gone.map(describeListed) };
  if (others.length > 0) throw new StepFailure(`left behind: ${shown(others)}`);
  return {
    text: `nothing is left of ${objects.length} objects${gone.length > 0 ? `; gone since: ${shown(gone)}` : ''}`,
    facts,
  };
}

function objectOf({ apiVersion, kind, namespace, name }: Listed): KubernetesObject {
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
}

function outputOf({ outdir, charts, kubeVersion }: Walk): readonly KubernetesObject[] {
  const folder = join(outdir, CLUSTER);
  return existsSync(folder) ? [...foldersOf({ folder, charts, kubeVersion }).values()].flat() : [];
}

/** Namespaces that the run creates. */
export function namespacesOf({ settings: { existingCertManager } }: Pick<Walk, 'settings'>): readonly string[] {
  return [...OWN_NAMESPACES, ...MESH_NAMESPACES, ...(existingCertManager ? [] : [CERT_MANAGER_NAMESPACE])];
}

/** Deletes workloads before the mesh. Repeats requests without an answer. */
async function deleteWorkloads(walk: Walk): Promise<void> {
  await until(walk, async () => {
    const namespaces = await walk.cluster.list('namespaces', { selector: RUN_LABEL });
    const left = namespaces.filter(({ metadata: { name } }) => (OWN_NAMESPACES as readonly string[]).includes(name));
    for (const { metadata } of left.filter((namespace) => namespace.metadata.deletionTimestamp === undefined)) {
      await walk.cluster.delete({ resource: 'namespaces', name: metadata.name });
    }
    return left.length === 0
      ? undefined
      : `waiting for the deletion of ${left.map(({ metadata }) => metadata.name).join(', ')}`;
  });
}

/** Deletes objects of Applications as Argo CD does: the last wave first. */
async function deleteApplications(walk: Walk, objects: readonly KubernetesObject[]): Promise<void> {
  const others = objects.filter(
    (object) => !staysWithoutApplication(object) && object.kind !== 'CustomResourceDefinition',
  );
  for (const wave of waves(others).toReversed()) await walk.cluster.deleteObjects(wave);
}

function ownershipOf(walk: Walk, objects: readonly KubernetesObject[]): Ownership {
  return {
    objects,
    namespaces: namespacesOf(walk),
    run: walk.settings.run,
    certManagerNamespace: CERT_MANAGER_NAMESPACE,
  };
}

const MAX_SHOWN = 4;

function shown(objects: readonly Listed[]): string {
  const rest = objects.length - MAX_SHOWN;
  return `${objects.slice(0, MAX_SHOWN).map(describeListed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
