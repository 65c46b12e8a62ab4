import { join, resolve } from 'node:path';
import { type Finding, findingsAt } from '#base/findings/finding';
import { shownValue } from '#base/findings/shown-value';
import type { Installed } from '#linkerd/releases/installed';
import { type ClusterRelease, checkFleetReleases } from '../../checks/linkerd/fleet-releases';
import { argoCdFiles } from '../argocd/argocd-files';
import { unusedDestination } from '../argocd/target';
import { buildCluster, type ClusterDefinition, forgetFacts } from '../synth/build-cluster';
import { type ClusterInventory, InventoryPool } from '../synth/inventory';
import { indexOf } from '../synth/output/cluster-index';
import { ARGOCD_FOLDER } from '../synth/output/file-names';
import { type FolderPlan, readIndex } from '../synth/output/folder-plan';
import { gitPlaceOf } from '../synth/output/git-place';
import { OutputWriter } from '../synth/output/output-writer';
import { recordedWarnings } from '../synth/output/recorded-warning';
import { findChanges, findRenaming, renamedOnDisk } from './changes-on-disk';
import { chooseClusters, isPart } from './chosen-clusters';
import { buildable, checkClusterNames } from './cluster-names';
import type { SynthOptions } from './command-line';
import { PLATFORM_FINDINGS } from './findings';
import { checkOutputPath } from './output-path';
import { isError, type OutputRun } from './output-run';
import type { SynthReport } from './report';
import { checkApart, checkClusterRings, checkGivenRings, linksIn } from './rings';

/** The output of a synthesis in memory. */
export interface InMemoryOutput {
  /** Names of all clusters. */
  readonly clusters: readonly string[];
  /** File contents by path for each folder: those of clusters without errors, and of the Argo CD objects. */
  readonly folders: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly findings: readonly Finding[];
}

/** One synthesis of a platform: builds, checks and writes its clusters one at a time. */
export class Synthesis {
  private readonly inventories: ClusterInventory[] = [];
  private readonly releases: ClusterRelease[] = [];
  private readonly pool = new InventoryPool();
  private isDraft = false;
  private renamed?: ReadonlyMap<string, string>;

  constructor(private readonly output: OutputRun) {}

  run(options: SynthOptions): SynthReport {
    const { check = false, argocd = false, strict = false, places = false, draft } = options;
    this.output.hasPlaces = places;
    const ofAll = !isPart(options);
    const chosen = this.choose(options);
    const outdir = draft === undefined ? this.output.outdir : this.draftFolder(draft);
    this.isDraft = draft !== undefined;
    const writer = this.output.openWriter(check, outdir);
    return this.output.finish(writer, { check, strict, clusters: argocd ? [] : chosen.map(({ name }) => name) }, () =>
      this.addChosen(chosen, writer, { argocd, ofAll }),
    );
  }

  /** Builds and checks all clusters in memory, without comparing or writing. */
  inMemory(): InMemoryOutput {
    const writer = OutputWriter.inMemory();
    const chosen = this.choose({});
    this.addChosen(chosen, writer, { argocd: false, ofAll: true });
    return {
      clusters: chosen.map(({ name }) => name),
      folders: writer.kept,
      findings: [...this.output.errors, ...this.output.warnings],
    };
  }

  /** Builds and adds the chosen clusters. Returns the clusters of an earlier output that no longer exist. */
  private addChosen(
    chosen: readonly ClusterDefinition[],
    writer: OutputWriter,
    { argocd, ofAll }: { readonly argocd: boolean; readonly ofAll: boolean },
  ): readonly string[] {
    forgetFacts();
    const { outdir, clusters, facts, reader } = this.output;
    const built = buildable(chosen);
    if (facts.argocd.fleet === undefined && !writer.isInMemory) this.renamed = renamedOnDisk(outdir, clusters, reader);
    this.output.forEach(built, (definition) => this.addCluster(definition, argocd ? undefined : writer));
    this.output.errors.push(...findingsAt('platform', facts.unknown));
    if (ofAll) this.output.add('platform', { found: this.checkRings() });
    if (ofAll && !this.isDraft && !writer.isInMemory) {
      this.output.add('platform', {
        found: findingsAt('platform', checkOutputPath(facts.argocd, gitPlaceOf(outdir))),
      });
    }
    const removedClusters = ofAll ? this.addRest(writer) : [];
    if (ofAll && !argocd) this.output.checkUse();
    return removedClusters;
  }

  /** Checks the rings. All clusters must be built before. */
  private checkRings(): readonly Finding[] {
    const { argocd } = this.output.facts;
    const { rings = [] } = argocd;
    const names = rings.map(({ name }) => name);
    return [...findingsAt('platform', checkApart(rings, argocd)), ...checkFleetReleases(this.releases, names)];
  }

  private choose(options: SynthOptions): readonly ClusterDefinition[] {
    const { clusters, facts } = this.output;
    const choice = chooseClusters([...new Set(clusters.map(({ name }) => name))], options);
    this.output.errors.push(
      ...checkClusterNames(clusters),
      ...checkClusterRings(clusters, facts.argocd.rings ?? []),
      ...findingsAt('platform', checkGivenRings(facts.rings)),
      ...findingsAt('platform', [...choice.problems, ...this.output.checkAcknowledgements()]),
    );
    return clusters.filter(({ name }) => choice.names.has(name));
  }

  private draftFolder(draft: unknown): string {
    const folder = typeof draft === 'string' && draft !== '' ? resolve(draft) : this.output.outdir;
    if (folder !== this.output.outdir) return folder;
    const found = PLATFORM_FINDINGS.argumentRefusedDraft({ value: shownValue(draft) });
    throw this.output.refusal([...this.output.errors, ...findingsAt('platform', [found])]);
  }

  /** Without a writer, only builds and checks the cluster. */
  private addCluster(definition: ClusterDefinition, writer: OutputWriter | undefined): void {
    const { name } = definition;
    const { hasPlaces, facts } = this.output;
    const { files, inventory, installed, acknowledgements, ...built } = buildCluster(
      definition,
      hasPlaces ? facts.inRepository : undefined,
    );
    const found = [...built.findings, ...this.unusedDestination(definition)];
    if (inventory !== undefined) {
      const release = installed?.releases.controlPlane;
      this.inventories.push(this.pool.share(inventory));
      this.releases.push({ name, ring: inventory.ring, release, links: linksIn(inventory) });
    }
    if (inventory === undefined || found.some(isError) || writer === undefined) {
      this.output.add(name, { found, acknowledgements });
      return;
    }
    const charts = inventory.folders.flatMap((folder) => folder.charts);
    // Changes since the last output are not recorded: the same sources must give the same bytes.
    const warnings = recordedWarnings(found, acknowledgements, facts.acknowledge);
    const index = { ...indexOf(files.keys(), charts, installed, warnings), ring: inventory.ring };
    const onDisk = writer.add(name, { files, index });
    const changes = this.changesOf(name, { files, installed, onDisk });
    this.output.add(name, { found: [...found, ...changes], acknowledgements, onDisk });
  }

  /** Returns the findings about changes; none for a draft, which only commands such as `diff` compare. */
  private changesOf(
    name: string,
    { files, installed, onDisk }: { files: ReadonlyMap<string, string>; installed?: Installed; onDisk: FolderPlan },
  ): readonly Finding[] {
    if (this.isDraft) return [];
    const old = this.renamed?.get(name);
    const folder = join(this.output.outdir, old ?? name);
    const { missing, different, extra } = old === undefined ? onDisk : { ...onDisk, extra: readIndex(folder).files };
    const before = old === undefined ? onDisk.installed : readIndex(folder).installed;
    return [
      ...findRenaming(name, old, this.output.facts.argocd),
      ...findChanges(
        name,
        { folder, before, after: installed, files, different: [...missing, ...different, ...extra] },
        this.output.reader,
      ),
    ];
  }

  private unusedDestination(definition: ClusterDefinition): readonly Finding[] {
    if (this.output.facts.argocd.fleet === undefined) return [];
    return findingsAt(definition.name, unusedDestination(definition));
  }

  private addRest(writer: OutputWriter): readonly string[] {
    const { clusters, facts } = this.output;
    const { files, index, findings } = argoCdFiles(this.inventories, facts.argocd, facts.transforms);
    const onDisk = writer.add(ARGOCD_FOLDER, { files, index });
    this.output.add(ARGOCD_FOLDER, { found: findings, onDisk });
    const removed = writer.otherFolders(new Set([ARGOCD_FOLDER, ...clusters.map(({ name }) => name)]));
    for (const folder of removed) this.output.add(folder, { onDisk: writer.remove(folder) });
    return removed;
  }
}
