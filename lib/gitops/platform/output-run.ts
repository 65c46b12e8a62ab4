import { type FilePlace, type Finding, findingsAt, located, mergeEqual } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import {
  acknowledge,
  acknowledgedNothing,
  checkAcknowledgement,
  isLifted,
  type LocatedAcknowledgement,
  type OwnCode,
  type WarningCode,
} from '../../checks/warnings';
import type { ArgoCdOptions } from '../argocd/argocd-objects';
import { FileReader } from '../changes/file-contents';
import type { ClusterDefinition } from '../synth/build-cluster';
import type { FolderPlan } from '../synth/output/folder-plan';
import { checkOutdir } from '../synth/output/outdir-check';
import { type Difference, isConcurrentModification, OutputWriter } from '../synth/output/output-writer';
import type { InRepository } from '../tree/creation-places';
import type { Transform } from '../tree/transform';
import { PLATFORM_FINDINGS } from './findings';
import { SynthError, type SynthReport } from './report';

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

/** Called before each cluster, with the number of finished clusters. */
export type OnCluster = (done: number, total: number, name: string) => void;

/** What a synthesis and a promotion have in common: findings, and an output that is written as a whole or not at all. */
export class OutputRun {
  readonly errors: Finding[] = [];
  readonly warnings: Finding[] = [];
  readonly reader = new FileReader();
  /** Findings get the place in the program where their construct is created. */
  hasPlaces = false;
  private readonly differences: Difference[] = [];
  private readonly used = new Set<string>();
  private acknowledged = 0;

  constructor(
    readonly outdir: string,
    readonly clusters: readonly ClusterDefinition[],
    readonly facts: PlatformFacts,
    private readonly onCluster: OnCluster = () => {},
  ) {}

  openWriter(check: boolean, outdir: string): OutputWriter {
    const unusable = checkOutdir(outdir);
    if (unusable.length > 0) throw this.refusal([...this.errors, ...findingsAt('platform', unusable)]);
    const writer = OutputWriter.open(outdir, check);
    // Other errors can wait until the other process has finished.
    if (!(writer instanceof OutputWriter)) throw this.refusal(findingsAt('platform', [writer]));
    return writer;
  }

  forEach<One extends { readonly name: string }>(clusters: readonly One[], add: (one: One) => void): void {
    for (const [done, cluster] of clusters.entries()) {
      this.onCluster(done, clusters.length, cluster.name);
      add(cluster);
    }
  }

  /** Adds folders to the output, and writes it, unless there are errors. */
  finish(
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

  refusal(errors: readonly Finding[], warnings: readonly Finding[] = []): SynthError {
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

  /** Adds the findings about a folder. Acknowledged warnings count, but are not kept. */
  add(folder: string, { found = [], acknowledgements = [], onDisk }: FolderReport): void {
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

  checkAcknowledgements(): readonly Problem[] {
    const { acknowledge } = this.facts;
    return codesOf(acknowledge).flatMap((code) => checkAcknowledgement({ code, reason: acknowledge[code] ?? '' }));
  }

  /** Warns about acknowledgements of the platform that accept no warning. */
  checkUse(): void {
    for (const code of codesOf(this.facts.acknowledge)) {
      if (!this.used.has(code)) this.warnings.push(...findingsAt('platform', [acknowledgedNothing(code)]));
    }
  }
}

interface FolderReport {
  readonly found?: readonly Finding[];
  readonly acknowledgements?: readonly LocatedAcknowledgement[];
  readonly onDisk?: FolderPlan;
}

export function isError({ severity }: Finding): boolean {
  return severity === 'error';
}

function codesOf(acknowledge: Acknowledgements): readonly WarningCode[] {
  return Object.keys(acknowledge) as WarningCode[];
}
