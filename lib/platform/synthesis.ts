import type { PinnedChart } from '../helm/pinned-chart';
import type { KubernetesObject } from '../validation/kubernetes-object';
import { type LocatedProblem, type LocatedWarning, locate } from '../validation/located';
import { checkDnsLabel } from '../validation/names';
import { withoutRepetitions } from '../validation/repetitions';
import { checkObject } from '../validation/schema';
import { suggest } from '../validation/suggest';
import { type ArgoCdOptions, argoCdObjects } from './argocd/argocd-objects';
import { buildCluster, type ClusterDefinition } from './build-cluster';
import type { SynthOptions } from './command-line';
import { describeException } from './exception';
import type { ClusterInventory } from './inventory';
import { InventoryPool } from './inventory-pool';
import { indexOf } from './output/cluster-index';
import { objectFileName } from './output/file-names';
import { checkOutdir } from './output/outdir-check';
import { OutputWriter } from './output/output-writer';
import { SynthError, type SynthReport } from './report';
import { stringifyYaml } from './yaml';

/** Folder of the objects that are applied to the cluster in which Argo CD runs. */
const ARGOCD_FOLDER = 'argocd';

/** One synthesis of a platform: builds, checks and writes its clusters one after the other. */
export class Synthesis {
  private readonly problems: LocatedProblem[] = [];
  private readonly warnings: LocatedWarning[] = [];
  private readonly inventories: ClusterInventory[] = [];
  private readonly pool = new InventoryPool();

  constructor(
    private readonly outdir: string,
    private readonly clusters: readonly ClusterDefinition[],
    private readonly argocd: ArgoCdOptions,
  ) {}

  run({ check = false, only }: SynthOptions): SynthReport {
    this.problems.push(...checkClusters(this.clusters, only));
    const chosen = this.clusters.filter(({ name }) => only === undefined || name === only);
    const unusable = locate('platform', checkOutdir(this.outdir));
    if (unusable.length > 0) throw new SynthError([...this.problems, ...unusable]);
    const writer = new OutputWriter(this.outdir, check);
    try {
      for (const definition of chosen.filter(isBuildable).filter(isFirst)) this.addCluster(definition, writer);
      const removedClusters = only === undefined ? this.addRest(writer) : [];
      if (this.problems.length > 0) throw new SynthError(withoutRepetitions(this.problems));
      if (!check) writer.commit();
      const { warnings } = this;
      const clusters = chosen.map(({ name }) => name);
      return { ...writer.counts, check, clusters, removedClusters, warnings, differences: writer.differences };
    } catch (error) {
      writer.abort();
      throw error;
    }
  }

  private addCluster(definition: ClusterDefinition, writer: OutputWriter): void {
    const { files, inventory, problems, warnings } = buildCluster(definition);
    this.warnings.push(...warnings);
    this.problems.push(...problems);
    if (inventory === undefined) return;
    this.inventories.push(this.pool.share(inventory));
    if (problems.length > 0) return;
    const charts = inventory.folders.flatMap((folder) => folder.charts);
    this.write(definition.name, files, { charts, writer });
  }

  /** What concerns all clusters: the Argo CD objects, and what is left of clusters that are gone. */
  private addRest(writer: OutputWriter): readonly string[] {
    const files = new Map<string, string>();
    const objects = this.argoCdObjects();
    for (const object of objects) {
      this.problems.push(...locate(ARGOCD_FOLDER, checkObject(object)));
      files.set(objectFileName(object as unknown as KubernetesObject), stringifyYaml(object));
    }
    this.write(ARGOCD_FOLDER, files, { charts: [], writer });
    const removed = writer.otherFolders(new Set([ARGOCD_FOLDER, ...this.clusters.map(({ name }) => name)]));
    for (const folder of removed) this.problems.push(...locate(folder, writer.remove(folder)));
    return removed;
  }

  private argoCdObjects(): readonly object[] {
    try {
      const { objects, problems } = argoCdObjects(this.inventories, this.argocd);
      this.problems.push(...locate(ARGOCD_FOLDER, problems));
      return objects;
    } catch (error) {
      const message = `Making the objects of Argo CD failed: ${describeException(error)}`;
      this.problems.push({ path: ARGOCD_FOLDER, message });
      return [];
    }
  }

  private write(
    folder: string,
    files: ReadonlyMap<string, string>,
    { charts, writer }: { readonly charts: readonly PinnedChart[]; readonly writer: OutputWriter },
  ): void {
    const problems = writer.add(folder, { files, index: indexOf(files.keys(), charts) });
    this.problems.push(...locate(folder, problems));
  }
}

/** Whether a name can be that of a folder and a construct; if not, that is a problem of its own. */
function isBuildable({ name }: ClusterDefinition): boolean {
  return checkDnsLabel('name', name).length === 0;
}

/** Of two clusters with one name, which is a problem of its own, only the first is built. */
function isFirst({ name }: ClusterDefinition, index: number, all: readonly ClusterDefinition[]): boolean {
  return all.findIndex((other) => other.name === name) === index;
}

function checkClusters(clusters: readonly ClusterDefinition[], only: string | undefined): readonly LocatedProblem[] {
  const names = clusters.map(({ name }) => name);
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [
    ...[...new Set(names)].flatMap((name) => locate(name, checkDnsLabel('The name of the cluster', name))),
    ...[...repeated].flatMap((name) => locate(name, [repeatedCluster(name)])),
    ...(names.includes(ARGOCD_FOLDER) ? locate(ARGOCD_FOLDER, [RESERVED]) : []),
    ...(names.length === 0 ? locate('platform', [NO_CLUSTER]) : []),
    ...(only === undefined || names.includes(only) ? [] : locate('platform', [unknownCluster(only, names)])),
  ];
}

const RESERVED = {
  what: `A cluster is called "${ARGOCD_FOLDER}"`,
  why: 'The folder of that name has the objects by which Argo CD deploys all clusters',
  fix: 'choose another name',
};

const NO_CLUSTER = {
  what: 'The platform has no clusters',
  why: 'All that was written for clusters before would be deleted',
  fix: 'add one: platform.addCluster(name, props, build)',
};

function repeatedCluster(name: string) {
  return {
    what: `Two clusters are called "${name}"`,
    why: 'Either would overwrite the files of the other',
    fix: 'give each cluster a name of its own',
  };
}

function unknownCluster(name: string, names: readonly string[]) {
  const [similar] = suggest(name, names);
  return {
    what: `There is no cluster "${name}"`,
    why: `The platform has ${names.join(', ') || 'none'}`,
    fix: similar === undefined ? 'name one of these' : `did you mean "${similar}"?`,
  };
}
