import { isAbsolute, relative, resolve, sep } from 'node:path';
import { shownValue } from '../../../operator/api/kubernetes/shown-value';
import { redactedException } from '../../kubernetes/findings/exception';
import type { Finding } from '../../kubernetes/findings/finding';
import type { Problem } from '../../kubernetes/findings/problem';
import { redact } from '../../kubernetes/findings/redaction';
import { FREE, keysOf, readOptions } from '../../kubernetes/known-keys';
import { suggest } from '../../kubernetes/suggest';
import { ARGOCD_PROPS, type ArgoCdProps } from '../argocd/argocd-objects';
import { factsAbout } from '../synth/build-cluster';
import { isMissing } from '../synth/output/outdir-check';
import { CLUSTER_PROPS, type Cluster, type ClusterProps, type ClusterSource } from '../tree/cluster';
import { ClusterReference } from '../tree/cluster-reference';
import type { Mirror } from '../tree/mirror';
import type { OperatorImage } from '../tree/operator-image';
import type { ClusterEntry } from './cluster-entry';
import { type Command, parseCommandLine, type SynthOptions, USAGE } from './command-line';
import { type FilePlace, type FindingFormat, formatOutcome, type Outcome } from './finding-formats';
import { expectShape } from './given-arguments';
import { helpForce } from './processes/helper';
import { inProcesses } from './processes/helpers';
import { noteSynthesis, type OnItem, type Workforce } from './processes/workforce';
import { ProgressDisplay } from './progress';
import {
  formatReport,
  formatWarnings,
  guardStandardStreams,
  nothingWritten,
  SynthError,
  type SynthReport,
} from './report';
import { type GivenRings, ringsOf } from './rings';
import { type Acknowledgements, type InMemoryOutput, Synthesis } from './synthesis';

/** Props of Platform. */
export interface PlatformProps<RingName extends string = string> {
  /** URL of the Git repository in which the output is committed, as Argo CD reads it, without a password. */
  readonly repoUrl: string;

  /**
   * Branch, tag or commit that Argo CD follows.
   *
   * @default 'HEAD' - the repository's default branch
   */
  readonly revision?: string;

  /**
   * The output's folder in the repository.
   *
   * @default 'dist'
   */
  readonly path?: string;

  /**
   * The output's folder on disk, relative to the working directory.
   *
   * @default - the environment variable CDK8S_OUTDIR, by which `cdk8s synth` passes its own; else 'dist'
   */
  readonly outdir?: string;

  /**
   * The rings in which changes reach the clusters, the first ones first, by name or with what is their own: a Git
   * revision, a folder, a Linkerd release. Each cluster then says in which one it is.
   *
   * @default - none: a change reaches all clusters at once
   */
  readonly rings?: GivenRings<RingName>;

  /**
   * The way in which Argo CD deploys the output.
   *
   * @default - one ApplicationSet for each cluster, all of it synced at once
   */
  readonly argocd?: ArgoCdProps;

  /**
   * The image of the operator and of the rotation of certificates in all clusters, but where a cluster or a construct
   * says otherwise. A fleet has one image in a registry,
   * `OperatorImage.fromRegistry('ghcr.io/acme/linkerd-reconciler:0.1.0')`, so that the program, 170 kB in a ConfigMap, is
   * not in each cluster's folder.
   *
   * @default OperatorImage.bundled()
   */
  readonly operatorImage?: OperatorImage;

  /**
   * The place from which all clusters get charts and images, but where a cluster has one of its own: for platforms that
   * may not reach the internet.
   *
   * @default - charts and images from their makers
   */
  readonly mirror?: Mirror;

  /**
   * Warnings that are acknowledged in all clusters, by code, each with the reason. For a single construct, use
   * `Warnings.of(construct).acknowledge(code, reason)`.
   *
   * @default - none
   */
  readonly acknowledge?: Acknowledgements;

  /**
   * The number of processes in which `run` works; the option `--jobs` goes before. Each process but the first runs the
   * program again, as far as `run`, and builds a part of the clusters: 1 is for programs that may run only once, or whose
   * clusters are not built each by itself.
   *
   * @default - as many as there are processors, from 50 clusters on
   */
  readonly jobs?: number;
}

const PROPS = keysOf<PlatformProps>({
  repoUrl: true,
  revision: true,
  path: true,
  outdir: true,
  rings: FREE,
  argocd: ARGOCD_PROPS,
  operatorImage: FREE,
  mirror: FREE,
  acknowledge: FREE,
  jobs: true,
});

/**
 * All clusters that one repository deploys. They are built, checked and written one at a time, each by itself, so that
 * time grows linearly with their number, and memory does not grow. `run` shares them among the cores of the machine.
 */
export class Platform<RingName extends string = string> {
  /** The output's folder on disk, as an absolute path. */
  readonly outdir: string;
  private readonly references = new Map<string, ClusterReference>();
  private readonly clusters: { name: string; props: ClusterProps; build: (cluster: Cluster) => void }[] = [];

  private readonly props: PlatformProps<RingName>;
  private readonly unknown: readonly Problem[];

  constructor(props: PlatformProps<RingName>) {
    const example = "new Platform({ repoUrl: 'https://git.example.com/platform.git' })";
    expectShape({ name: 'The argument of new Platform()', value: props, shape: 'map', example });
    const { options: given, problems } = readOptions<PlatformProps<RingName>>(PROPS, props);
    this.props = given;
    this.unknown = problems;
    const outdir = given.outdir ?? process.env.CDK8S_OUTDIR ?? 'dist';
    expectShape({ name: 'outdir of the Platform', value: outdir, shape: 'path', example: "outdir: 'dist'" });
    const reasons = "acknowledge: { 'foreign-file': 'the reason' }";
    expectShape({
      name: 'acknowledge of the Platform',
      value: given.acknowledge ?? {},
      shape: 'map',
      example: reasons,
    });
    expectShape({ name: 'jobs of the Platform', value: given.jobs ?? 1, shape: 'count', example: 'jobs: 4' });
    this.outdir = resolve(outdir);
  }

  /**
   * Adds a cluster.
   *
   * @param name name of its folder: a DNS label
   * @param build creates the cluster's constructs, when the platform is synthesized; all of them before it returns, so it
   * cannot be async. To refuse something, throw an error: `process.exit` ends the synthesis without a report
   * @returns what the constructs of other clusters know it by
   */
  addCluster(name: string, props: ClusterProps<RingName>, build: (cluster: Cluster) => void): ClusterReference {
    const example = "platform.addCluster('home', {}, (home) => { … })";
    expectShape({ name: 'The name of a cluster', value: name, shape: 'text', example });
    expectShape({ name: `The second argument of addCluster('${name}', …)`, value: props, shape: 'map', example });
    expectShape({ name: `The third argument of addCluster('${name}', …)`, value: build, shape: 'function', example });
    const ofRing = ringsOf(this.props.rings).find((ring) => ring.name === props.ring);
    const { operatorImage = this.props.operatorImage, mirror = this.props.mirror, release = ofRing?.release } = props;
    // Getters of an instance, too; what is not known goes along, and is reported where the cluster is.
    const known = Object.fromEntries(CLUSTER_PROPS.names.map((key) => [key, props[key]]));
    const definition = { name, props: { ...props, ...known, operatorImage, mirror, release }, build };
    this.clusters.push(definition);
    const reference = new ClusterReference(name, props, () => factsAbout(definition));
    if (!this.references.has(name)) this.references.set(name, reference);
    return reference;
  }

  /**
   * Adds clusters that are data: a list in code, or that of a file (`readFleet`).
   *
   * @param build creates the constructs of one cluster from its settings, as that of `addCluster`
   * @returns what the constructs of other clusters know them by, in the same order
   */
  addClusters<const Entry extends ClusterEntry<unknown, RingName>>(
    clusters: readonly Entry[],
    build: (cluster: Cluster, settings: Entry['settings']) => void,
  ): readonly ClusterReference[] {
    const example = "platform.addClusters([{ name: 'home', settings: {} }], (cluster, settings) => { … })";
    expectShape({ name: 'The first argument of addClusters()', value: clusters, shape: 'list', example });
    expectShape({ name: 'The second argument of addClusters()', value: build, shape: 'function', example });
    for (const entry of clusters)
      expectShape({ name: 'An entry of addClusters()', value: entry, shape: 'map', example });
    return clusters.map(({ name, settings, ...props }) =>
      this.addCluster(name, props as ClusterProps<RingName>, (cluster) => build(cluster, settings)),
    );
  }

  /**
   * The cluster of that name, which has been added: by the time that constructs are built, all have.
   *
   * @throws RangeError where there is none
   */
  cluster(name: string): ClusterReference {
    const reference = this.references.get(name);
    if (reference !== undefined) return reference;
    const [similar] = typeof name === 'string' ? suggest(name, this.references.keys()) : [];
    throw new RangeError(
      `There is no cluster ${shownValue(name)}${similar === undefined ? '' : `: did you mean "${similar}"?`}`,
    );
  }

  /**
   * Synthesizes the platform: all files, or none.
   *
   * @throws SynthError with everything that is wrong in any cluster
   */
  synth(options: SynthOptions = {}): SynthReport {
    const example = 'platform.synth({ check: true })';
    expectShape({ name: 'The argument of synth()', value: options, shape: 'map', example });
    noteSynthesis();
    return this.synthesis().run(options);
  }

  /**
   * Copies the output of a ring's clusters, as it is on disk, to the folder that the ring is read from (its `path`): all
   * files, or none. Clusters that are no longer in the ring go from its folder.
   *
   * @throws SynthError with everything that is wrong with the output, the move of a release included
   */
  promote(ring: RingName, options: Pick<SynthOptions, 'check'> = {}): SynthReport {
    noteSynthesis();
    expectShape({ name: 'The ring of promote()', value: ring, shape: 'text', example: "platform.promote('canary')" });
    return this.synthesis().promote(ring, options);
  }

  /** @internal Synthesizes the platform for tests, which import `synthesize` from `cdk8s-linkerd/testing`. */
  inMemory(): InMemoryOutput {
    return this.synthesis().inMemory();
  }

  /** The chart repositories of all mirrors, as Argo CD knows them: registries without `oci://`. */
  private chartMirrors(): readonly string[] {
    const named = this.clusters.flatMap(({ props: { mirror } }) => mirror?.charts ?? []);
    return named
      .filter((charts) => typeof charts === 'string')
      .map((charts) => charts.replace(/^oci:\/\//, ''))
      .sort();
  }

  /**
   * Does what the command line asks for (`--help` lists it), prints a report and sets the process' exit code. For many
   * clusters it runs the program again in other processes, as far as this call, each of which builds a part of them.
   */
  run(args: readonly string[] = process.argv.slice(2)): void {
    const isFirst = noteSynthesis();
    guardStandardStreams();
    const command = parseCommandLine(args);
    if (command.type === 'help') {
      process.stdout.write(USAGE);
    } else if (command.type === 'misuse') {
      process.stderr.write(`${redact(command.message)}\n\n${USAGE}`);
      process.exitCode = 2;
    } else {
      // A program that synthesized something before would do so in each process.
      const jobs = isFirst ? (command.jobs ?? this.props.jobs) : 1;
      this.execute(command, jobs);
    }
  }

  private execute(command: Exclude<Command, { type: 'help' | 'misuse' }>, jobs: number | undefined): void {
    const synth = (workforce: Workforce) => {
      const synthesis = this.synthesis(workforce);
      return command.type === 'promote'
        ? synthesis.promote(command.ring, command.options)
        : synthesis.run(command.options);
    };
    const helping = helpForce();
    if (helping === undefined) {
      this.report(command.format, () => this.withProgress((onItem) => synth(inProcesses(jobs, onItem))));
      return;
    }
    this.report(undefined, () => synth(helping));
    // It has not come as far as the clusters: the process that it helps says why.
    process.exit(1);
  }

  /** Clears what was shown before anybody else writes, also where something is wrong. */
  private withProgress(synth: (onItem: OnItem) => SynthReport): SynthReport {
    const display = new ProgressDisplay(process.stderr, process.env, () => performance.now());
    try {
      return synth((done, total, name) => display.show(done, total, name));
    } finally {
      display.clear();
    }
  }

  private synthesis(workforce?: Workforce): Synthesis {
    const { repoUrl, revision, path, argocd, rings, acknowledge } = this.props;
    const sourceRepos = [...(argocd?.sourceRepos ?? []), ...this.chartMirrors()];
    const options = { ...argocd, sourceRepos, repoUrl, revision, path, rings: ringsOf(rings) };
    const facts = { argocd: options, acknowledge: acknowledge ?? {}, rings, unknown: this.unknown };
    return new Synthesis(this.outdir, this.clusters, facts, workforce);
  }

  private report(format: FindingFormat | undefined, synth: () => SynthReport): void {
    const { exitCode } = process;
    // For a builder that ends the process before anything is written.
    process.exitCode = 1;
    try {
      const report = synth();
      this.put(format, {
        outcome: outcomeOf(report),
        findings: report.warnings,
        acknowledged: report.acknowledged,
        differences: report.differences,
      });
      // cdk8s-cli shows what comes on stderr only.
      if (report.warnings.length > 0 && format !== 'github') {
        process.stderr.write(`${formatWarnings(report.warnings)}\n`);
      }
      const summary = format === undefined || format === 'github' ? process.stdout : process.stderr;
      summary.write(`${formatReport(report)}\n`);
      if (report.differences.length === 0) process.exitCode = exitCode;
    } catch (error) {
      if (!isExpected(error)) throw redactedException(error);
      this.put(format, outcomeOfError(error));
      const isShown = format === 'github' && error instanceof SynthError;
      process.stderr.write(`${isShown ? nothingWritten(error.findings) : redact(error.message)}\n`);
      if (error instanceof SynthError && this.isEmptied()) process.stderr.write(EMPTIED);
    }
  }

  /** Prints the findings for programs, where they are asked for. */
  private put(format: FindingFormat | undefined, outcome: Outcome): void {
    if (format === undefined) return;
    const sources = new Map(this.clusters.map(({ name, props: { source } }) => [name, source]));
    const { GITHUB_WORKSPACE: root = process.cwd() } = process.env;
    const program = placeIn(root, { file: process.argv[1] });
    const placeOf = ({ path }: Finding) => placeIn(root, sources.get(path.split('/', 1).join())) ?? program;
    process.stdout.write(formatOutcome(format, outcome, placeOf));
  }

  /** Tells whether cdk8s-cli, which deletes its output before it starts the program, has deleted this output. */
  private isEmptied(): boolean {
    // Who calls the program by itself may set the first one, too; cdk8s-cli sets both.
    const { CDK8S_OUTDIR, CDK8S_RECORD_CONSTRUCT_METADATA } = process.env;
    if (CDK8S_OUTDIR === undefined || CDK8S_RECORD_CONSTRUCT_METADATA === undefined) return false;
    return resolve(CDK8S_OUTDIR) === this.outdir && isMissing(this.outdir);
  }
}

const EMPTIED = `
cdk8s-cli deletes the output before it starts this program. If it was there: \`git checkout -- FOLDER\` gets it back from
Git, with what others wrote there. Without cdk8s-cli everything stays as it was when something is wrong.
`;

function outcomeOf({ check, differences }: SynthReport): Outcome['outcome'] {
  if (!check) return 'written';
  return differences.length === 0 ? 'up-to-date' : 'different';
}

function outcomeOfError(error: Error): Outcome {
  const rest = { acknowledged: 0, differences: [] };
  return error instanceof SynthError
    ? { ...rest, outcome: 'refused', findings: [...error.findings, ...error.warnings] }
    : { ...rest, outcome: 'failed', message: redact(error.message), findings: [] };
}

/** A place by its path from the root of a repository; undefined where it is outside of that, or in a package. */
function placeIn(root: string, source: Partial<ClusterSource> | undefined): FilePlace | undefined {
  if (typeof source?.file !== 'string') return undefined;
  const relativePath = relative(root, resolve(source.file));
  const path = relativePath.split(sep);
  if (relativePath === '' || isAbsolute(relativePath) || path[0] === '..' || path.includes('node_modules')) {
    return undefined;
  }
  const { line } = source;
  return { file: path.join('/'), ...(Number.isSafeInteger(line) && line !== undefined && line > 0 ? { line } : {}) };
}

/** Tells whether a user can do something about it: problems of the platform, or of the disk (full, write-protected). */
function isExpected(error: unknown): error is Error {
  return error instanceof SynthError || (error instanceof Error && 'syscall' in error);
}
