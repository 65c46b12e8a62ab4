import { describeException } from '#base/findings/exception';
import { type Finding, findingsAt } from '#base/findings/finding';
import { stringifyYaml } from '#base/yaml-writer';
import { checkByApiRules } from '#kubernetes/api-rules/walk';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { ClusterInventory } from '../synth/inventory';
import { indexOf, type WrittenRing } from '../synth/output/cluster-index';
import { ARGOCD_FOLDER, objectFileName } from '../synth/output/file-names';
import { checkFileName } from '../synth/output/layout';
import { checkWrittenText } from '../synth/output/written-text';
import { TREE_FINDINGS } from '../tree/findings';
import type { Transform } from '../tree/transform';
import { type ArgoCdOptions, argoCdObjects } from './argocd-objects';
import { writtenHealth } from './ring-health';
import { transformArgoCd } from './transform-argocd';

/** The files of Argo CD's objects, with the index of their folder. */
export interface ArgoCdFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly index: ReturnType<typeof indexOf>;
  readonly findings: readonly Finding[];
}

/** Returns the files of the objects with which Argo CD deploys these clusters. */
export function argoCdFiles(
  inventories: readonly ClusterInventory[],
  options: ArgoCdOptions,
  transforms: readonly Transform[] = [],
): ArgoCdFiles {
  const files = new Map<string, string>();
  const { objects, problems } = objectsOf(inventories, options);
  const findings = [...findingsAt(ARGOCD_FOLDER, problems)];
  for (const made of objects) {
    const { object, problems: ofTransform } = transformArgoCd(made, transforms);
    const named = object as unknown as KubernetesObject;
    const [file, text] = [objectFileName(named), stringifyYaml(object)];
    const unnamed = checkFileName({ object: named, file });
    findings.push(...findingsAt(ARGOCD_FOLDER, [...ofTransform, ...checkByApiRules(object), ...unnamed]));
    findings.push(...checkWrittenText(`${ARGOCD_FOLDER}/${file}`, text));
    // File systems refuse names that are too long, also for a comparison.
    if (unnamed.length === 0) files.set(file, text);
  }
  const index = { ...indexOf(files.keys(), []), rings: writtenRings(options) };
  return { files, index, findings };
}

function objectsOf(...input: Parameters<typeof argoCdObjects>): ReturnType<typeof argoCdObjects> {
  try {
    return argoCdObjects(...input);
  } catch (error) {
    return { objects: [], problems: [TREE_FINDINGS.buildFailedArgocd({ error: describeException(error) })] };
  }
}

/** Returns the rings, each with its own revision or folder; undefined without rings. */
function writtenRings({ rings = [], revision, path = 'dist' }: ArgoCdOptions): readonly WrittenRing[] | undefined {
  if (rings.length === 0) return undefined;
  return rings.map((ring) => ({
    name: ring.name,
    ...(ring.revision === undefined || ring.revision === revision ? {} : { revision: ring.revision }),
    ...(ring.path === undefined || ring.path === path ? {} : { path: ring.path }),
    ...(ring.health === undefined ? {} : { health: writtenHealth(ring.health) }),
  }));
}
