import { counted } from '#base/counted';
import { INDEX_FILE, parseIndex } from '../../gitops/synth/output/cluster-index';
import { named, type StatusFinding, statusFinding } from './finding';
import { STATUS_FINDINGS } from './findings';

/** A folder of a cluster's output with objects that can be compared with the cluster. */
export interface ComparedFolder {
  readonly folder: string;
  /** Paths in the cluster's folder. */
  readonly files: readonly string[];
}

/**
 * Returns the files of a cluster's output that can be compared, by folder. Folders with charts, which Argo CD inflates,
 * and objects with fields that Argo CD ignores are left out.
 *
 * @param ignored names of files, as in `FleetIntent`
 */
export function comparedFolders(
  texts: ReadonlyMap<string, string>,
  ignored: readonly string[],
): readonly ComparedFolder[] {
  const byFolder = new Map<string, string[]>();
  const charts = new Set<string>();
  for (const path of parseIndex(texts.get(INDEX_FILE) ?? '').files) {
    const [folder = '', file = '', ...more] = path.split('/');
    if (file === 'Chart.yaml') charts.add(folder);
    if (more.length > 0 || !file.endsWith('.yaml') || ignored.includes(file)) continue;
    const files = byFolder.get(folder);
    if (files === undefined) byFolder.set(folder, [path]);
    else files.push(path);
  }
  return [...byFolder].filter(([folder]) => !charts.has(folder)).map(([folder, files]) => ({ folder, files }));
}

/** The output of a folder's comparison, or why it failed. */
export interface FolderDrift {
  readonly folder: string;
  /** The lines of `diff -q -r`: the API server's objects, before and after an apply. */
  readonly lines?: string;
  readonly failure?: string;
}

/** Returns the findings of comparisons. `compare` returns the command with which a user compares a folder. */
export function driftFindings(
  folders: readonly FolderDrift[],
  compare: (folder: string) => string,
): readonly StatusFinding[] {
  return folders.flatMap(({ folder, lines = '', failure }) => {
    if (failure !== undefined) {
      return [statusFinding(STATUS_FINDINGS.objectsUncompared({ folder, reason: failure }))];
    }
    const objects = differingIn(lines);
    if (objects.length === 0) return [];
    return [
      statusFinding(
        STATUS_FINDINGS.objectsDiffer({
          folder,
          objects: counted(objects.length, 'object'),
          names: named(objects),
          command: compare(folder),
        }),
      ),
    ];
  });
}

/**
 * Returns the objects that differ. kubectl writes one file for each, `apps.v1.Deployment.linkerd.linkerd-identity`, and
 * for an object that is not in the cluster only into the second folder.
 */
function differingIn(lines: string): readonly string[] {
  return lines.split('\n').flatMap((line) => {
    const [, differing] = /^Files .*[/\\]([^/\\]+) differ$/.exec(line) ?? [];
    const [, missing] = /^Only in .*: ([^/\\]+)$/.exec(line) ?? [];
    return differing ?? missing ?? [];
  });
}
