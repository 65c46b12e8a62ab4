import { isAbsolute, relative, resolve, sep } from 'node:path';
import { defined } from '#base/defined';
import type { FilePlace, Finding } from '#base/findings/finding';
import { describeProblem, type Problem } from '#base/findings/problem';
import { redact } from '#base/findings/redaction';
import { shownValue } from '#base/findings/shown-value';
import { isObject } from '#base/is-object';
import { byText } from '#base/remembered';
import { suggest } from '#base/suggest';
import { FREE, keysOf, readOptions } from '#kubernetes/options/known-keys';
import type { ChartFolder } from '#linkerd/charts/chart-folder';
import { ARGOCD_PROPS, type ArgoCdProps } from '../argocd/argocd-objects';
import { type ClusterDefinition, factsAbout } from '../synth/build-cluster';
import { realPath } from '../synth/output/git-place';
import { isMissing } from '../synth/output/outdir-check';
import { CLUSTER_PROPS, type Cluster, type ClusterProps } from '../tree/cluster';
import { ClusterReference } from '../tree/cluster-reference';
import { callersPlace } from '../tree/creation-places';
import type { Mirror } from '../tree/mirror';
import type { OperatorImage } from '../tree/operator-image';
import type { Transform } from '../tree/transform';
import type { ClusterEntry } from './cluster-entry';
import { type Command, parseCommandLine, type SynthOptions, USAGE } from './command-line';
import { type FindingFormat, formatOutcome } from './finding-formats';
import { PLATFORM_FINDINGS } from './findings';
import { expectShape } from './given-arguments';
import { type Acknowledgements, type OnCluster, OutputRun } from './output-run';
import { ProgressDisplay } from './progress';
import { promote } from './promotion';
import { guardStandardStreams, outcomeOfError, printResult, SynthError, type SynthReport } from './report';
import { type GivenRings, ringsOf } from './rings';
import { type InMemoryOutput, Synthesis } from './synthesis';

/** Props of Platform. */
export interface PlatformProps<RingName extends string = string> {
  /** URL of the Git repository with the output, as Argo CD reads it, without a password. */
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
   * @default - the environment variable CDK8S_OUTDIR, which `cdk8s synth` sets; else 'dist'
   */
  readonly outdir?: string;

  /**
   * The rings in which changes reach the clusters, in order, by name or with their own settings: a Git revision, a
   * folder, a Linkerd release. Each cluster then sets its `ring`.
   *
   * @default - none: a change reaches all clusters at once
   */
  readonly rings?: GivenRings<RingName>;

  /**
   * How Argo CD deploys the output.
   *
   * @default - one ApplicationSet for each cluster, whose Applications are synced at once
   */
  readonly argocd?: ArgoCdProps;

  /**
   * The image of the operator and of the certificate rotation in all clusters, unless a cluster or a construct sets
   * another one. For a fleet, use an image in a registry,
   * `OperatorImage.fromRegistry('ghcr.io/acme/linkerd-reconciler:0.1.0')`: the bundled program is in the
   * folder of each cluster.
   *
   * @default OperatorImage.bundled()
   */
  readonly operatorImage?: OperatorImage;

  /**
   * Where all clusters get charts and images, unless a cluster has its own mirror: for platforms without internet
   * access.
   *
   * @default - charts and images from their publishers
   */
  readonly mirror?: Mirror;

  /**
   * Folder of the charts that are rendered at synth in all clusters, unless a cluster has its own folder:
   * `ChartFolder.at('charts')`. `cdk8s-linkerd charts pull` fills it.
   *
   * @default - none: Argo CD inflates every chart that the library does not render itself
   */
  readonly charts?: ChartFolder;

  /**
   * Changes all objects of all clusters before they are checked, and then the objects of Argo CD, such as their labels.
   * Objects must keep their kind, name and namespace, and the AppProject its permissions. Charts that Argo CD inflates
   * are not transformed.
   *
   * @default - objects are written as constructs create them
   */
  readonly transform?: Transform | readonly Transform[];

  /**
   * Warnings to acknowledge in all clusters, by code, each with the reason. For a single construct, use
   * `Warnings.of(construct).acknowledge(code, reason)`.
   *
   * @default - none
   */
  readonly acknowledge?: Acknowledgements;
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
  charts: FREE,
  transform: FREE,
  acknowledge: FREE,
});

/**
 * All clusters that one repository deploys. They are built, checked and written one at a time, independently of each
 * other, so time grows linearly with their number, and memory does not grow.
 *
 * A program that adds clusters and ends without `run`, `synth` or `promote` has checked and written nothing: it exits
 * with 1.
 *
 * @example
 * const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', path: 'dist' });
 * platform.addCluster('home', { domain: 'cluster.local' }, (home) => {
 *   new LinkerdMesh(home, 'mesh', { crds: { gatewayApi: 'install' } });
 * });
 * platform.run();
 */
export class Platform<RingName extends string = string> {
  /** The output's folder on disk, as an absolute path. */
  readonly outdir: string;
  private readonly references = new Map<string, ClusterReference>();
  private readonly clusters: ClusterDefinition[] = [];
  private readonly findSource = callersPlace(inRepository);

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
    this.outdir = resolve(outdir);
  }

  /**
   * Constructs are added to clusters: `new LinkerdMesh(platform, …)` throws.
   *
   * @internal
   */
  get node(): never {
    throw new TypeError(
      "A Platform is not a scope for constructs: create them in a cluster, platform.addCluster('home', {}, (home) => { new LinkerdMesh(home, 'mesh'); }).",
    );
  }

  /**
   * Adds a cluster.
   *
   * @param name name of the cluster's folder: a DNS label
   * @param build creates the cluster's constructs when the platform is synthesized. It must not be async. To refuse a
   * cluster, throw an error: `process.exit` ends the synthesis without a report
   * @returns a reference to the cluster for the constructs of other clusters
   */
  addCluster(name: string, props: ClusterProps<RingName>, build: (cluster: Cluster) => void): ClusterReference {
    const example = "platform.addCluster('home', {}, (home) => { … })";
    expectShape({ name: 'The name of a cluster', value: name, shape: 'text', example });
    expectShape({ name: `The second argument of addCluster('${name}', …)`, value: props, shape: 'map', example });
    expectShape({ name: `The third argument of addCluster('${name}', …)`, value: build, shape: 'function', example });
    const ofRing = ringsOf(this.props.rings).find((ring) => ring.name === props.ring);
    const { operatorImage = this.props.operatorImage, mirror = this.props.mirror, release = ofRing?.release } = props;
    const { charts = this.props.charts } = props;
    const transform = [this.props.transform ?? [], props.transform ?? []].flat();
    // Also reads getters of a class instance. Unknown props are kept: the cluster reports them.
    const known = Object.fromEntries(CLUSTER_PROPS.names.map((key) => [key, props[key]]));
    const findSource = callersPlace(inRepository);
    const definition = {
      name,
      source: () => (isPlace(props.source) ? inRepository(props.source) : undefined) ?? findSource(),
      props: { ...props, ...known, operatorImage, mirror, charts, release, transform },
      build,
    };
    this.clusters.push(definition);
    expectRun(this);
    const reference = new ClusterReference(name, props, () => factsAbout(definition));
    if (!this.references.has(name)) this.references.set(name, reference);
    return reference;
  }

  /**
   * Adds clusters from data: a list in code, or in a file (`readFleet`).
   *
   * @param build creates the constructs of one cluster from its settings, as `build` of `addCluster` does
   * @returns references to the clusters for the constructs of other clusters, in the same order
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
   * Returns the cluster of that name, which must have been added. All clusters are added before any is built.
   *
   * @throws RangeError if there is none
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
   * @throws SynthError with all errors of all clusters
   */
  synth(options: SynthOptions = {}): SynthReport {
    const example = 'platform.synth({ check: true })';
    expectShape({ name: 'The argument of synth()', value: options, shape: 'map', example });
    UNRUN.delete(this);
    return new Synthesis(this.output()).run(options);
  }

  /**
   * Copies the output of a ring's clusters from disk to the folder from which the ring is read (its `path`): all files,
   * or none. Clusters that are no longer in the ring are removed from its folder.
   *
   * @throws SynthError with all errors of the output, including an unsupported change of release
   */
  promote(ring: RingName, options: Pick<SynthOptions, 'check'> = {}): SynthReport {
    expectShape({ name: 'The ring of promote()', value: ring, shape: 'text', example: "platform.promote('canary')" });
    UNRUN.delete(this);
    return promote(this.output(), ring, options);
  }

  /** @internal Synthesizes the platform for tests, which import `synthesize` from `cdk8s-linkerd/testing`. */
  inMemory(): InMemoryOutput {
    UNRUN.delete(this);
    return new Synthesis(this.output()).inMemory();
  }

  /** Returns the mirrors of charts as Argo CD writes them: registries without `oci://`. */
  private chartMirrors(): readonly string[] {
    const named = this.clusters.flatMap(({ props: { mirror } }) => mirror?.charts ?? []);
    return named
      .filter((charts) => typeof charts === 'string')
      .map((charts) => charts.replace(/^oci:\/\//, ''))
      .sort();
  }

  /** Runs the command line (`--help` describes it), prints a report and sets the process' exit code. */
  run(args: readonly string[] = process.argv.slice(2)): void {
    UNRUN.delete(this);
    guardStandardStreams();
    const command = parseCommandLine(args);
    if (command.type === 'help') {
      process.stdout.write(USAGE);
    } else if (command.type === 'misuse') {
      process.stderr.write(`${redact(command.message)}\n\n${USAGE}`);
      process.exitCode = 2;
    } else {
      this.report(command.format, () => this.withProgress(command));
    }
  }

  /** Clears the progress before any other output, also after an error. */
  private withProgress(command: Exclude<Command, { type: 'help' | 'misuse' }>): SynthReport {
    const display = new ProgressDisplay(process.stderr, process.env, () => performance.now());
    try {
      const output = this.output((done, total, name) => display.show(done, total, name));
      return command.type === 'promote'
        ? promote(output, command.ring, command.options)
        : new Synthesis(output).run(command.options);
    } finally {
      display.clear();
    }
  }

  private output(onCluster?: OnCluster): OutputRun {
    const { repoUrl, revision, path, argocd, rings, acknowledge } = this.props;
    const sourceRepos = [...(argocd?.sourceRepos ?? []), ...this.chartMirrors()];
    const options = { ...argocd, sourceRepos, repoUrl, revision, path, rings: ringsOf(rings) };
    const transforms = [this.props.transform ?? []].flat().filter((one) => typeof one === 'function');
    const given = { argocd: options, acknowledge: acknowledge ?? {}, rings, transforms };
    const facts = { ...given, unknown: this.unknown, source: () => this.findSource() ?? program(), inRepository };
    return new OutputRun(this.outdir, this.clusters, facts, onCluster);
  }

  private report(format: FindingFormat | undefined, synth: () => SynthReport): void {
    const { exitCode } = process;
    // The exit code if the function of a cluster ends the process before anything is written.
    process.exitCode = 1;
    const outcome = printResult(synth, format);
    if (outcome === 'written' || outcome === 'up-to-date') process.exitCode = exitCode;
    if (outcome === 'refused' && this.isEmptied()) process.stderr.write(EMPTIED);
  }

  /** Whether cdk8s-cli, which deletes its output before it starts the program, has deleted this output. */
  private isEmptied(): boolean {
    // Other callers may set CDK8S_OUTDIR, too; cdk8s-cli sets both.
    const { CDK8S_OUTDIR, CDK8S_RECORD_CONSTRUCT_METADATA } = process.env;
    if (CDK8S_OUTDIR === undefined || CDK8S_RECORD_CONSTRUCT_METADATA === undefined) return false;
    return resolve(CDK8S_OUTDIR) === this.outdir && isMissing(this.outdir);
  }
}

/** Platforms with clusters that are not synthesized yet. */
const UNRUN = new Set<object>();

function expectRun(platform: object): void {
  if (UNRUN.size === 0) {
    process.removeListener('exit', reportUnrun);
    process.on('exit', reportUnrun);
  }
  UNRUN.add(platform);
}

/** Reports platforms that were not run. A test runner, which is in a package, imports programs without running them. */
function reportUnrun(code: number): void {
  const program = process.argv[1] ?? 'node_modules';
  const isTest = program.split(sep).includes('node_modules') || process.env.NODE_TEST_CONTEXT !== undefined;
  if (code !== 0 || UNRUN.size === 0 || isTest) return;
  process.stderr.write(`${describeProblem(PLATFORM_FINDINGS.platformNotRun())} [platform-not-run]\n`);
  process.exitCode = 1;
}

const EMPTIED = `
cdk8s-cli deletes the output before it starts this program. Restore it, with the files of other programs:
\`git checkout -- FOLDER\`. Without cdk8s-cli, an output with errors leaves the folder unchanged.
`;

/** Returns the file of the program, for findings whose line is unknown, as when it is bundled without a source map. */
function program(): FilePlace | undefined {
  const [, file] = process.argv;
  return file === undefined ? undefined : inRepository({ file });
}

function isPlace(source: unknown): source is FilePlace {
  return isObject(source) && typeof (source as Partial<FilePlace>).file === 'string';
}

/** Resolves links, as Node.js does in stacks. Cached, because many stacks contain the same files. */
const withoutLinks = byText(realPath);

/** Returns a place with a path from the root of the repository; undefined outside it, or in a package. */
function inRepository({ file, line, column }: FilePlace): FilePlace | undefined {
  const { GITHUB_WORKSPACE: given = process.cwd() } = process.env;
  const inside = relative(withoutLinks(given), resolve(file));
  const path = inside.split(sep);
  if (inside === '' || isAbsolute(inside) || path[0] === '..' || path.includes('node_modules')) return undefined;
  const number = (value: unknown) => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined);
  return { file: path.join('/'), ...defined({ line: number(line), column: number(column) }) };
}

/** Errors that a program gets before it runs its platform. */
const EARLY = new WeakSet<object>();

/**
 * Marks an error that a program gets before it runs its platform. If the program does not catch it, its findings are
 * printed in the format of the command line, instead of a stack by Node.js.
 */
export function formattedIfUncaught(error: SynthError): SynthError {
  EARLY.add(error);
  process.removeListener('uncaughtException', printUncaught);
  process.once('uncaughtException', printUncaught);
  // An uncaught error ends the program before the next turn of its event loop.
  setImmediate(() => process.removeListener('uncaughtException', printUncaught));
  return error;
}

function printUncaught(error: unknown): void {
  process.exitCode = 1;
  if (error instanceof SynthError && EARLY.has(error)) printEarly(error);
  else console.error(error);
}

function printEarly(error: SynthError): void {
  const command = parseCommandLine(process.argv.slice(2));
  if ('format' in command && command.format !== undefined) {
    const { findings, ...outcome } = outcomeOfError(error);
    process.stdout.write(formatOutcome(command.format, { ...outcome, findings: findings.map(fromRoot) }));
  }
  process.stderr.write(`${error.message}\n`);
}

function fromRoot({ source, alsoIn = [], ...finding }: Finding): Finding {
  const [first, ...others] = [source, ...alsoIn].flatMap((place) => (place && inRepository(place)) ?? []);
  return { ...finding, ...(first !== undefined && { source: first, alsoIn: others }) };
}
