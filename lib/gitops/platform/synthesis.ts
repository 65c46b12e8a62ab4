import { join, resolve } from 'node:path';
import { describeException } from '#base/findings/exception';
import { type FilePlace, type Finding, findingsAt, located, mergeEqual } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { stringifyYaml } from '#base/yaml-writer';
import { checkByApiRules } from '#kubernetes/api-rules/walk';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { Installed } from '#linkerd/releases/installed';
import { type ClusterRelease, checkFleetReleases } from '../../checks/linkerd/fleet-releases';
import {
  acknowledge,
  acknowledgedNothing,
  checkAcknowledgement,
  isLifted,
  type LocatedAcknowledgement,
  type OwnCode,
  type WarningCode,
} from '../../checks/warnings';
import { type ArgoCdOptions, argoCdObjects } from '../argocd/argocd-objects';
import { checkRings } from '../argocd/ring';
import { writtenHealth } from '../argocd/ring-health';
import { unusedDestination } from '../argocd/target';
import { transformArgoCd } from '../argocd/transform-argocd';
import { FileReader } from '../changes/file-contents';
import { buildCluster, type ClusterDefinition, forgetFacts } from '../synth/build-cluster';
import type { ClusterInventory } from '../synth/inventory';
import { InventoryPool } from '../synth/inventory';
import { indexOf, type WrittenRing } from '../synth/output/cluster-index';
import { ARGOCD_FOLDER, objectFileName } from '../synth/output/file-names';
import { FolderListing } from '../synth/output/folder-listing';
import type { FolderPlan } from '../synth/output/folder-plan';
import { readCluster, readIndex } from '../synth/output/folder-plan';
import { gitPlaceOf } from '../synth/output/git-place';
import { checkFileName } from '../synth/output/layout';
import { checkOutdir, isMissing } from '../synth/output/outdir-check';
import { OutputLock } from '../synth/output/output-lock';
import { type Difference, isConcurrentModification, OutputWriter } from '../synth/output/output-writer';
import { recordedWarnings } from '../synth/output/recorded-warning';
import { checkWrittenText } from '../synth/output/written-text';
import type { InRepository } from '../tree/creation-places';
import { TREE_FINDINGS } from '../tree/findings';
import type { Transform } from '../tree/transform';
import { findChanges, findRenaming, renamedOnDisk } from './changes-on-disk';
import { chooseClusters, isPart } from './chosen-clusters';
import { buildable, checkClusterNames } from './cluster-names';
import type { SynthOptions } from './command-line';
import { PLATFORM_FINDINGS } from './findings';
import { checkOutputPath } from './output-path';
import { checkCharts, planPromotion } from './promotion';
import { SynthError, type SynthReport } from './report';
import { checkApart, checkClusterRings, checkGivenRings, linksIn } from './rings';

/** Reasons to acknowledge warnings in all clusters, by code. */
export type Acknowledgements = Readonly<Partial<Record<WarningCode | OwnCode, string>>>;

/** The settings of a platform for all of its clusters. */
export interface PlatformFacts {
  readonly argocd: ArgoCdOptions;
  readonly acknowledge: Acknowledgements;
  /** The prop `rings`, as given. */
  readonly rings?: unknown;
  /** Transforms of the objects of Argo CD. */
  readonly transforms?: readonly Transform[];
  /** Unknown props. */
  readonly unknown: readonly Problem[];
  /** Returns the place where the program creates the Platform. */
  readonly source?: () => FilePlace | undefined;
  readonly inRepository: InRepository;
}

/** The output of a synthesis in memory. */
export interface InMemoryOutput {
  /** Names of all clusters. */
  readonly clusters: readonly string[];
  /** File contents by path for each folder: those of clusters without errors, and of the Argo CD objects. */
  readonly folders: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly findings: readonly Finding[];
}

/** Called before each cluster, with the number of finished clusters. */
export type OnCluster = (done: number, total: number, name: string) => void;

/** One synthesis of a platform: builds, checks and writes its clusters one at a time. */
export class Synthesis {
  private readonly errors: Finding[] = [];
  private readonly warnings: Finding[] = [];
  private readonly differences: Difference[] = [];
  private readonly inventories: ClusterInventory[] = [];
  private readonly releases: ClusterRelease[] = [];
  private readonly pool = new InventoryPool();
  private readonly reader = new FileReader();
  private readonly used = new Set<string>();
  private acknowledged = 0;
  private isDraft = false;
  private hasPlaces = false;
  private renamed?: ReadonlyMap<string, string>;

  constructor(
    private readonly outdir: string,
    private readonly clusters: readonly ClusterDefinition[],
    private readonly facts: PlatformFacts,
    private readonly onCluster: OnCluster = () => {},
  ) {}

  run(options: SynthOptions): SynthReport {
    const { check = false, argocd = false, strict = false, places = false, draft } = options;
    this.hasPlaces = places;
    const ofAll = !isPart(options);
    const chosen = this.choose(options);
    const outdir = draft === undefined ? this.outdir : this.draftFolder(draft);
    this.isDraft = draft !== undefined;
    const writer = this.openWriter(check, outdir);
    return this.finish(writer, { check, strict, clusters: argocd ? [] : chosen.map(({ name }) => name) }, () =>
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
      findings: [...this.errors, ...this.warnings],
    };
  }

  /** Builds and adds the chosen clusters. Returns the clusters of an earlier output that no longer exist. */
  private addChosen(
    chosen: readonly ClusterDefinition[],
    writer: OutputWriter,
    { argocd, ofAll }: { readonly argocd: boolean; readonly ofAll: boolean },
  ): readonly string[] {
    forgetFacts();
    const built = buildable(chosen);
    if (this.facts.argocd.fleet === undefined && !writer.isInMemory) {
      this.renamed = renamedOnDisk(this.outdir, this.clusters, this.reader);
    }
    this.forEach(built, (definition) => this.addCluster(definition, argocd ? undefined : writer));
    this.errors.push(...findingsAt('platform', this.facts.unknown));
    if (ofAll) this.tell('platform', { found: this.checkRings() });
    if (ofAll && !this.isDraft && !writer.isInMemory) {
      this.tell('platform', {
        found: findingsAt('platform', checkOutputPath(this.facts.argocd, gitPlaceOf(this.outdir))),
      });
    }
    const removedClusters = ofAll ? this.addRest(writer) : [];
    if (ofAll && !argocd) this.checkUse();
    return removedClusters;
  }

  private forEach<One extends { readonly name: string }>(clusters: readonly One[], add: (one: One) => void): void {
    for (const [done, cluster] of clusters.entries()) {
      this.onCluster(done, clusters.length, cluster.name);
      add(cluster);
    }
  }

  private finish(
    writer: OutputWriter,
    { check, strict, clusters }: Pick<SynthReport, 'check' | 'clusters'> & { readonly strict: boolean },
    add: () => readonly string[],
  ): SynthReport {
    try {
      const removedClusters = add();
      const refused = strict ? this.warnings.map((one) => ({ ...one, severity: 'error' as const })) : [];
      if (this.errors.length + refused.length > 0) {
        throw this.refusal([...this.errors, ...refused], strict ? [] : this.warnings);
      }
      if (!check) writer.commit();
      const { acknowledged } = this;
      const warnings = mergeEqual(this.warnings.map((one) => this.located(one)));
      const differences = check ? [...writer.differences, ...this.differences] : [];
      return { ...writer.counts, check, clusters, removedClusters, warnings, acknowledged, differences };
    } catch (error) {
      writer.abort();
      if (!isConcurrentModification(error)) throw error;
      const modified = { outdir: this.outdir, error: error.message };
      throw this.refusal(findingsAt('platform', [PLATFORM_FINDINGS.outputLockedModified(modified)]));
    }
  }

  private refusal(errors: readonly Finding[], warnings: readonly Finding[] = []): SynthError {
    const located = (findings: readonly Finding[]) => findings.map((one) => this.located(one));
    return new SynthError(located(errors), located(warnings));
  }

  /** Adds a place to a finding without one: that of its cluster, or else of the platform. */
  private located(finding: Finding): Finding {
    if (!this.hasPlaces) return finding;
    const { path } = finding;
    const [folder] = path.split(/[/:]/, 1);
    const cluster = this.clusters.find(({ name }) => name === path || name === folder);
    return located(finding, cluster?.source?.() ?? this.facts.source?.());
  }

  /** Copies the output of a ring's clusters to the folder from which the ring is read: all of it, or nothing. */
  promote(ring: string, options: Pick<SynthOptions, 'check' | 'strict' | 'places'>): SynthReport {
    const { check = false, strict = false, places = false } = options;
    this.hasPlaces = places;
    const { rings = [], path = 'dist' } = this.facts.argocd;
    const wrong = [...checkGivenRings(this.facts.rings), ...checkRings(rings, path)];
    if (wrong.length > 0) throw this.refusal(findingsAt('platform', wrong));
    const plan = planPromotion(ring, { rings, clusters: this.clusters, place: { outdir: this.outdir, path } });
    if ('code' in plan) throw this.refusal(findingsAt('platform', [plan]));
    const writer = this.openWriter(check, plan.outdir);
    return this.finish(writer, { check, strict, clusters: plan.clusters }, () => {
      const lock = this.lockOutput(check);
      try {
        const clusters = plan.clusters.map((name) => ({ name }));
        this.forEach(clusters, ({ name }) => this.promoteCluster(name, plan.outdir, writer));
      } finally {
        lock?.release();
      }
      const gone = writer.otherFolders(plan.residents);
      for (const folder of gone) this.tell(folder, { onDisk: writer.remove(folder) });
      return gone;
    });
  }

  /** Locks the output against a process that would write it while it is read. */
  private lockOutput(check: boolean): OutputLock | undefined {
    const isKept = !check && !isMissing(this.outdir);
    const lock = isKept ? OutputLock.acquire(this.outdir) : OutputLock.holder(this.outdir);
    if (lock === undefined || lock instanceof OutputLock) return lock;
    this.errors.push(...findingsAt('platform', [lock]));
    return undefined;
  }

  private promoteCluster(name: string, outdir: string, writer: OutputWriter): void {
    const written = readCluster(join(this.outdir, name));
    if ('code' in written) {
      this.tell(name, { found: findingsAt(name, [written]) });
      return;
    }
    const onDisk = writer.add(name, written.contents);
    const folders = { output: join(this.outdir, name), promoted: join(outdir, name) };
    const filesIn = (folder: string) => new FolderListing(folder).files();
    const charts = findingsAt(
      name,
      checkCharts(folders.promoted, { output: filesIn(folders.output), promoted: filesIn(folders.promoted) }),
    );
    const changes = findChanges(
      name,
      {
        folder: folders.promoted,
        before: onDisk.installed,
        after: written.installed,
        files: written.contents.files,
        different: [...onDisk.missing, ...onDisk.different, ...onDisk.extra],
      },
      this.reader,
    );
    this.tell(name, { found: [...changes, ...charts], onDisk });
  }

  /** Checks the rings. All clusters must be built before. */
  private checkRings(): readonly Finding[] {
    const { rings = [] } = this.facts.argocd;
    return [
      ...findingsAt('platform', checkApart(rings, this.facts.argocd)),
      ...checkFleetReleases(
        this.releases,
        rings.map((ring) => ring.name),
      ),
    ];
  }

  private choose(options: SynthOptions): readonly ClusterDefinition[] {
    const names = new Set(this.clusters.map(({ name }) => name));
    const choice = chooseClusters([...names], options);
    this.errors.push(
      ...checkClusterNames(this.clusters),
      ...checkClusterRings(this.clusters, this.facts.argocd.rings ?? []),
      ...findingsAt('platform', checkGivenRings(this.facts.rings)),
      ...findingsAt('platform', [...choice.problems, ...this.checkAcknowledgements()]),
    );
    return this.clusters.filter(({ name }) => choice.names.has(name));
  }

  private draftFolder(draft: unknown): string {
    const folder = typeof draft === 'string' && draft !== '' ? resolve(draft) : this.outdir;
    if (folder !== this.outdir) return folder;
    const found = PLATFORM_FINDINGS.argumentRefusedDraft({ value: shownValue(draft) });
    throw this.refusal([...this.errors, ...findingsAt('platform', [found])]);
  }

  private openWriter(check: boolean, outdir: string): OutputWriter {
    const unusable = checkOutdir(outdir);
    if (unusable.length > 0) throw this.refusal([...this.errors, ...findingsAt('platform', unusable)]);
    const writer = OutputWriter.open(outdir, check);
    // Other errors can wait until the other process has finished.
    if (!(writer instanceof OutputWriter)) throw this.refusal(findingsAt('platform', [writer]));
    return writer;
  }

  /** Without a writer, only builds and checks the cluster. */
  private addCluster(definition: ClusterDefinition, writer: OutputWriter | undefined): void {
    const { name } = definition;
    const { files, inventory, installed, acknowledgements, ...built } = buildCluster(
      definition,
      this.hasPlaces ? this.facts.inRepository : undefined,
    );
    const found = [...built.findings, ...this.unusedDestination(definition)];
    if (inventory !== undefined) {
      const release = installed?.releases.controlPlane;
      this.inventories.push(this.pool.share(inventory));
      this.releases.push({ name, ring: inventory.ring, release, links: linksIn(inventory) });
    }
    if (inventory === undefined || found.some(isError) || writer === undefined) {
      this.tell(name, { found, acknowledgements });
      return;
    }
    const charts = inventory.folders.flatMap((folder) => folder.charts);
    // Changes since the last output are not recorded: the same sources must give the same bytes.
    const warnings = recordedWarnings(found, acknowledgements, this.facts.acknowledge);
    const index = { ...indexOf(files.keys(), charts, installed, warnings), ring: inventory.ring };
    const onDisk = writer.add(name, { files, index });
    const changes = this.changesOf(name, { files, installed, onDisk });
    this.tell(name, { found: [...found, ...changes], acknowledgements, onDisk });
  }

  /** Returns the findings about changes; none for a draft, which only commands such as `diff` compare. */
  private changesOf(
    name: string,
    { files, installed, onDisk }: { files: ReadonlyMap<string, string>; installed?: Installed; onDisk: FolderPlan },
  ): readonly Finding[] {
    if (this.isDraft) return [];
    const old = this.renamed?.get(name);
    const folder = join(this.outdir, old ?? name);
    const { missing, different, extra } = old === undefined ? onDisk : { ...onDisk, extra: readIndex(folder).files };
    const before = old === undefined ? onDisk.installed : readIndex(folder).installed;
    return [
      ...findRenaming(name, old, this.facts.argocd),
      ...findChanges(
        name,
        { folder, before, after: installed, files, different: [...missing, ...different, ...extra] },
        this.reader,
      ),
    ];
  }

  private unusedDestination(definition: ClusterDefinition): readonly Finding[] {
    if (this.facts.argocd.fleet === undefined) return [];
    return findingsAt(definition.name, unusedDestination(definition));
  }

  private addRest(writer: OutputWriter): readonly string[] {
    const files = new Map<string, string>();
    const { objects, problems } = this.argoCdObjects();
    const found = [...findingsAt(ARGOCD_FOLDER, problems)];
    for (const made of objects) {
      const { object, problems: ofTransform } = transformArgoCd(made, this.facts.transforms ?? []);
      found.push(...findingsAt(ARGOCD_FOLDER, ofTransform));
      found.push(...findingsAt(ARGOCD_FOLDER, checkByApiRules(object)));
      const named = object as unknown as KubernetesObject;
      const [file, text] = [objectFileName(named), stringifyYaml(object)];
      const unnamed = checkFileName({ object: named, file });
      found.push(...findingsAt(ARGOCD_FOLDER, unnamed), ...checkWrittenText(`${ARGOCD_FOLDER}/${file}`, text));
      // File systems refuse names that are too long, also for a comparison.
      if (unnamed.length === 0) files.set(file, text);
    }
    const index = { ...indexOf(files.keys(), []), rings: writtenRings(this.facts.argocd) };
    const onDisk = writer.add(ARGOCD_FOLDER, { files, index });
    this.tell(ARGOCD_FOLDER, { found, onDisk });
    const removed = writer.otherFolders(new Set([ARGOCD_FOLDER, ...this.clusters.map(({ name }) => name)]));
    for (const folder of removed) this.tell(folder, { onDisk: writer.remove(folder) });
    return removed;
  }

  private checkUse(): void {
    for (const code of codesOf(this.facts.acknowledge)) {
      if (!this.used.has(code)) this.warnings.push(...findingsAt('platform', [acknowledgedNothing(code)]));
    }
  }

  private tell(folder: string, { found = [], acknowledgements = [], onDisk }: FolderReport): void {
    const { problems = [], warnings = [], foreign = [] } = onDisk ?? {};
    const every = [...found, ...findingsAt(folder, [...problems, ...warnings])];
    this.errors.push(...every.filter((finding) => !isLifted(finding)));
    const all = every.filter(isLifted);
    const byPlatform = all.filter(({ problem: { code } }) => Object.hasOwn(this.facts.acknowledge, code));
    for (const { problem } of byPlatform) this.used.add(problem.code);
    const { open, acknowledged } = acknowledge(all, acknowledgements);
    const left = open.filter((warning) => !byPlatform.includes(warning));
    this.errors.push(...left.filter(isError));
    this.warnings.push(...left.filter((finding) => !isError(finding)));
    this.acknowledged += new Set([...byPlatform, ...acknowledged]).size;
    if (!left.some(({ problem }) => problem.code === 'foreign-file')) return;
    this.differences.push(...foreign.map((path) => ({ path: `${folder}/${path}`, difference: 'foreign' as const })));
  }

  private checkAcknowledgements(): readonly Problem[] {
    const { acknowledge } = this.facts;
    return codesOf(acknowledge).flatMap((code) => checkAcknowledgement({ code, reason: acknowledge[code] ?? '' }));
  }

  private argoCdObjects(): ReturnType<typeof argoCdObjects> {
    try {
      return argoCdObjects(this.inventories, this.facts.argocd);
    } catch (error) {
      return { objects: [], problems: [TREE_FINDINGS.buildFailedArgocd({ error: describeException(error) })] };
    }
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

interface FolderReport {
  readonly found?: readonly Finding[];
  readonly acknowledgements?: readonly LocatedAcknowledgement[];
  readonly onDisk?: FolderPlan;
}

function isError({ severity }: Finding): boolean {
  return severity === 'error';
}

function codesOf(acknowledge: Acknowledgements): readonly WarningCode[] {
  return Object.keys(acknowledge) as WarningCode[];
}
