import { existsSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { describeException } from '#base/findings/exception';
import { DEFAULT_KUBE_VERSION } from '#helm/kube-version';
import type { WarningCode } from '#lib/checks/warnings';
import { CI_SYSTEMS, GATEWAY_APIS } from '#lib/cli/init/choices';
import { LIBRARY_VERSION } from '#lib/gitops/synth/output/library-version';
import { DEFAULT_LIMIT, DIFF_FORMATS, MIN_LIMIT } from '#lib/review/diff/formats/formats';
import { DEFAULT_LINKERD_VERSION, LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { RENDERED_CHART_NAMES } from '#linkerd/renderers/chart-names';
import { addAnchor } from './anchor-options';
import type { AddChartOptions, ChartsOptions, PullChartOptions } from './charts-command';
import type { DiffOptions } from './diff-command';
import { addDoctor } from './doctor-options';
import type { ImagesOptions } from './images-command';
import type { InitOptions } from './init-questions';
import { addLint } from './lint-options';
import { addMigrate } from './migrate-options';
import { addOperator } from './operator-options';
import type { RenderChartOptions } from './render-chart-command';
import type { RenderOptions } from './render-command';
import type { ReportOptions } from './report-command';
import { addStatus } from './status-options';
import { EXIT, EXIT_CODES, Misuse, type Terminal, withSafeMessages } from './terminal';
import type { PlanOptions } from './upgrade-command';
import { addValuesOptions } from './values-options';
import { wholeNumber } from './whole-number';

const INIT_HELP = `
In a terminal, the command asks for every setting that no option sets; otherwise, and with --yes, it uses the defaults.
It never overwrites existing files: it adds scripts and packages to package.json, and names the program linkerd.ts if
main.ts exists.
${EXIT_CODES}`;

const RENDER_HELP = `
Values override the chart's defaults in Helm's order: -f, --set-json, --set, --set-string, --set-file.

Pass a chart of Linkerd by its name, and any other chart as a folder or an archive. For the latter, the command prints
the same bytes as "helm template NAME CHART" of Helm 3.19, and needs the chart's dependencies in charts/.

With --jsonl, each line of standard input is one render, {"name": "…", "values": {…}}. Its values override those of the
options, which override the chart's defaults. The command prints one line for each, in order: {"name": "…", "objects":
[…]}, with "warnings" if values are ignored, or {"name": "…", "error": "…"} if the values cannot be rendered. A line that
is not a request also prints an error, under the name "line N", and sets the exit code to ${EXIT.refused}.
${EXIT_CODES}`;

const PLAN_HELP = `
The command compares the files of two outputs. It reads nothing from the clusters, and assumes that their proxies match
the earlier output. Clusters with equal changes are shown once. The command checks nothing out and writes nothing.

Exit codes: ${EXIT.done} a plan without errors, ${EXIT.refused} a plan with errors, ${EXIT.misuse} misuse.`;

const DIFF_HELP = `
The command compares files. It reads nothing from the clusters, and assumes that they are synced with the earlier output.
The earlier output is a folder, or the content of --to at a revision of its repository; by default at the commit where
this branch left the default branch of origin, or at HEAD if there is no such branch. The command checks nothing out and
writes nothing.

Markdown is for comments on pull requests: details that exceed --limit are counted instead of shown, and nothing is cut
off. JSON contains everything, in a stable format: docs/diff.md.

Exit codes: ${EXIT.done} success, ${EXIT.refused} there is a difference and --exit-code is set, ${EXIT.misuse} misuse.`;

const REPORT_HELP = `
The page is self-contained: it needs no network and no other file. It shows the certificates with their renewal windows
and restarts, the rotation of the trust anchor under conditions that you can change in the page, warnings with the reasons
of acknowledged ones, sync waves, and intended differences from Helm's output.

The command reads the committed output, and nothing from the clusters. The same output gives the same bytes.
${EXIT_CODES}`;

const IMAGES_HELP = `
The command prints one image per line: images of containers, of injected proxies, and of the charts of Linkerd, cert-manager
and trust-manager that Argo CD renders, as far as their values determine them. Other charts are named on standard error.
The list does not include images that other operators start, or that annotations of pods select.

With --charts, the command prints one chart per line: repository, name and version.

Exit codes: ${EXIT.done} success, ${EXIT.refused} with --only, if images or charts come from other places (only these are printed) or files cannot be read, ${EXIT.misuse} misuse.`;

const EXPLAIN_HELP = `
Messages of synth, of this command line and of the operator's webhook end with the code of the finding. In the
explanation, names in <brackets> are placeholders for what a message shows.

Exit codes: ${EXIT.done} success, ${EXIT.misuse} misuse, such as an unknown code.`;

/** Runs a command line, without the names of interpreter and script, and returns the exit code. */
export async function run(args: readonly string[], streams: Terminal): Promise<number> {
  const terminal = withSafeMessages(streams);
  let code: number = EXIT.done;
  const program = programOf(terminal, (ended) => {
    code = ended;
  });
  try {
    if (args.length === 0) {
      const { overview } = require('./overview-command') as typeof import('./overview-command');
      return overview(process.cwd(), terminal.stdout, () => program.outputHelp());
    }
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.misuse;
    const isTold = error instanceof Misuse || isSystemError(error);
    terminal.stderr.write(`error: ${isTold ? error.message : describeException(error)}\n`);
    return error instanceof Misuse || (isSystemError(error) && isOfPath(error)) ? EXIT.misuse : EXIT.refused;
  }
}

/** Whether an error is from the operating system: its message names the operation and the path. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return typeof error === 'object' && error !== null && 'syscall' in error && 'code' in error;
}

const OF_PATHS: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EEXIST',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'ENOTEMPTY',
  'EPERM',
  'EROFS',
]);

function isOfPath({ code, path }: NodeJS.ErrnoException): boolean {
  return path !== undefined && OF_PATHS.has(code);
}

/**
 * Returns the commands and their options. Each command loads its modules when it runs, because most of the library is
 * for other commands.
 */
export function programOf(terminal: Terminal, end: (code: number) => void): Command {
  const program = new Command('cdk8s-linkerd')
    .description('Set up, render, review and upgrade Linkerd meshes that are kept in Git')
    .version(LIBRARY_VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    .addHelpText(
      'after',
      `\nWithout a command, cdk8s-linkerd lists the clusters of the output in this folder.\n${EXIT_CODES}`,
    );
  addInit(program, terminal, end);
  addRender(program, terminal, end);
  addMigrate(program, { terminal, end, release: releaseOption() });
  program
    .command('upgrade')
    .description('plan the move of clusters to another release of Linkerd')
    .command('plan')
    .description('print the changes, restarts, risks and steps of a move from an earlier output to a later one')
    .requiredOption('--from <revision|folder>', 'earlier output: a folder, or a revision of the repository of --to')
    .option('--to <folder>', 'later output', 'dist')
    .option('--ring <ring>', 'show only the clusters of this ring')
    .addOption(
      new Option('--acknowledge <code...>', 'errors to accept').choices([
        'crd-versions-removed',
        'release-lines-skipped',
      ] satisfies WarningCode[]),
    )
    .option('--json', 'print everything as JSON, for programs')
    .addHelpText('after', PLAN_HELP)
    .action((options: PlanOptions) => {
      const { plan } = require('./upgrade-command') as typeof import('./upgrade-command');
      end(plan(options, terminal));
    });
  addCharts(program, terminal, end);
  addDiff(program, terminal, end);
  addReport(program, terminal, end);
  addStatus(program, terminal, end);
  addDoctor(program, terminal, end);
  addAnchor(program, terminal, end);
  addOperator(program, terminal, end);
  addImages(program, terminal, end);
  addLint(program, terminal, end);
  addExplain(program, terminal, end);
  return program;
}

function addRender(program: Command, terminal: Terminal, end: (code: number) => void): void {
  addValuesOptions(program.command('render'))
    .description('print the manifests that "helm template" prints for a chart')
    .argument('<chart>', `${RENDERED_CHART_NAMES.join(', ')}, or the folder or archive of any chart`, chartArgument)
    .addOption(releaseOption())
    .option('-n, --namespace <namespace>', 'namespace of the release (default: the usual one)')
    .option('--cluster-name <name>', 'name that determines the minute of daily jobs (default: the cluster domain)')
    .option('--jsonl', 'render each line of standard input')
    .option('--name <name>', 'name of the release (default: release-name)')
    .option('--kube-version <version>', `version of Kubernetes (default: ${DEFAULT_KUBE_VERSION})`)
    .option('-a, --api-versions <versions>', 'API versions that the cluster has (repeatable)', commaSeparated)
    .option('--include-crds', 'print the files in crds/')
    .option('--skip-tests', 'leave out tests')
    .option('--no-hooks', 'leave out hooks')
    .option('--skip-schema-validation', 'render values that the schema of the chart refuses')
    .addHelpText('after', RENDER_HELP)
    .action(async (chart: string, options: RenderOptions & RenderChartOptions, command: Command) => {
      const name = RENDERED_CHART_NAMES.find((known) => known === chart);
      refuseOptions(command, name === undefined ? LINKERD_CHART_OPTIONS : OTHER_CHART_OPTIONS, chart);
      if (name === undefined) {
        const { renderChartAt } = require('./render-chart-command') as typeof import('./render-chart-command');
        end(await renderChartAt(chart, options, terminal));
      } else {
        const { render } = require('./render-command') as typeof import('./render-command');
        end(await render(name, options, terminal));
      }
    });
}

function addCharts(program: Command, terminal: Terminal, end: (code: number) => void): void {
  const load = () => require('./charts-command') as typeof import('./charts-command');
  const charts = program
    .command('charts')
    .description('keep packaged charts, and a lock file with their digests, in Git');
  const folder = () =>
    new Option('--folder <folder>', 'folder of the charts')
      .default('charts')
      // Messages append the names of files to this path.
      .argParser((text) => text.replace(/(?<=.)\/+$/, ''));
  const force = () => new Option('--force', 'replace a chart that has another digest');
  charts
    .command('pull')
    .description('download a chart, and write its digest into the lock file')
    .argument('<name>', 'name of the chart')
    .argument('<version>', 'version of the chart')
    .requiredOption('--repo <url>', 'repository: https://… or oci://…, without the name of the chart')
    .addOption(folder())
    .addOption(force())
    .addHelpText('after', EXIT_CODES)
    .action(async (name: string, version: string, options: PullChartOptions) => {
      end(await load().pullChart([name, version], options, terminal));
    });
  charts
    .command('add')
    .description('add a packaged chart, such as one of a private repository')
    .argument('<file>', 'archive of the chart')
    .addOption(folder())
    .addOption(force())
    .addHelpText('after', EXIT_CODES)
    .action(async (file: string, options: AddChartOptions) => {
      end(await load().addChart(file, options, terminal));
    });
  charts
    .command('verify')
    .description('check the archives against the lock file, without network access')
    .addOption(folder())
    .addHelpText('after', EXIT_CODES)
    .action(async (options: ChartsOptions) => {
      end(await load().verifyCharts(options, terminal));
    });
}

const LINKERD_CHART_OPTIONS = ['release', 'clusterName', 'jsonl'];
const OTHER_CHART_OPTIONS = [
  'name',
  'kubeVersion',
  'apiVersions',
  'includeCrds',
  'skipTests',
  'hooks',
  'skipSchemaValidation',
];

function refuseOptions(command: Command, attributes: readonly string[], chart: string): void {
  const [refused] = command.options.filter(
    (option) =>
      attributes.includes(option.attributeName()) && command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (refused !== undefined) throw new Misuse(`${refused.long} does not apply to ${chart}`);
}

function chartArgument(given: string): string {
  const isPath = /[/\\]|\.tgz$/.test(given) || existsSync(given);
  if (isPath || RENDERED_CHART_NAMES.some((name) => name === given)) return given;
  throw new InvalidArgumentError(
    `Allowed choices are ${RENDERED_CHART_NAMES.join(', ')}, and paths of folders and archives.`,
  );
}

function commaSeparated(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...value.split(',')];
}

function addExplain(program: Command, terminal: Terminal, end: (code: number) => void): void {
  program
    .command('explain')
    .description('print the explanation of a finding, or of a consequence in a diff, or all codes')
    .argument('[code]', 'code of a finding, which is in brackets after its message')
    .addHelpText('after', EXPLAIN_HELP)
    .action((given: string | undefined) => {
      const { explain } = require('./explain-command') as typeof import('./explain-command');
      end(explain(given, terminal, process.cwd()));
    });
}

function addInit(program: Command, terminal: Terminal, end: (code: number) => void): void {
  program
    .command('init')
    .description('create a project: a program, its scripts, CI, and the first output')
    .argument('[folder]', 'folder of the project, which may contain files', '.')
    .option('--repo-url <url>', 'URL of the Git repository that Argo CD reads (default: the URL of the remote origin)')
    .option(
      '--path <path>',
      'folder of the output in the repository (default: dist in the folder of the project; linkerd if it has a cdk8s.yaml)',
    )
    .option(
      '--clusters <names>',
      'names of the clusters, separated by commas; Argo CD runs in the first one (default: home)',
    )
    .option('--fleet', 'list the clusters in fleet.yaml')
    .addOption(
      new Option(
        '--gateway-api <origin>',
        'CRDs of the Gateway API: install them with Linkerd, or use existing ones (default: install)',
      ).choices([...GATEWAY_APIS]),
    )
    .option('--high-availability', 'run three replicas of each control plane component (default)')
    .option('--no-high-availability', 'run one replica of each control plane component, for a cluster with one node')
    .option('--operator', 'install the operator, which rotates the trust anchor (default)')
    .option('--no-operator', 'do not install the operator')
    .addOption(
      new Option(
        '--ci <system>',
        'CI system to write a pipeline for (default: github; none below the root of a repository)',
      ).choices([...CI_SYSTEMS]),
    )
    .option(
      '--library <source>',
      'version or archive of cdk8s-linkerd for package.json (default: the source of this installation)',
    )
    .option('--no-install', 'do not install packages or synthesize')
    .option('-y, --yes', 'use the defaults without asking')
    .addHelpText('after', INIT_HELP)
    .action(async (folder: string, options: InitOptions) => {
      const { init } = require('./init-command') as typeof import('./init-command');
      end(await init(folder, options, terminal));
    });
}

function addReport(program: Command, terminal: Terminal, end: (code: number) => void): void {
  program
    .command('report')
    .description(
      'write a page about the clusters of an output: certificates, rotations and their slack (time to spare), findings and sync waves',
    )
    .option('--from <folder>', 'output to read', 'dist')
    .option('--out <file>', 'file to write, "-" for standard output', 'report.html')
    .addHelpText('after', REPORT_HELP)
    .action((options: ReportOptions) => {
      const { report } = require('./report-command') as typeof import('./report-command');
      end(report(options, terminal));
    });
}

function addImages(program: Command, terminal: Terminal, end: (code: number) => void): void {
  program
    .command('images')
    .description('print the images or charts that the clusters of an output pull')
    .option('--from <folder>', 'output to read', 'dist')
    .option('--charts', 'list charts instead of images')
    .addOption(
      new Option(
        '--to <prefix>',
        'also print the name of each image in this mirror, as with mirror.images of Platform',
      ).conflicts(['charts', 'json']),
    )
    .option(
      '--only <prefix...>',
      'allowed registries and repositories: exit with 1 if any image or chart is from another place',
    )
    .option('--json', 'print everything as JSON, for programs')
    .addHelpText('after', IMAGES_HELP)
    .action((options: ImagesOptions) => {
      const { images } = require('./images-command') as typeof import('./images-command');
      end(images(options, terminal));
    });
}

function addDiff(program: Command, terminal: Terminal, end: (code: number) => void): void {
  program
    .command('diff')
    .description('print the differences between two outputs, and their consequences in the clusters')
    .argument('[revision|folder]', 'earlier output')
    .option('--to <folder>', 'later output', 'dist')
    .addOption(new Option('--format <format>', 'format of the differences').choices(DIFF_FORMATS).default('text'))
    .option('--limit <bytes>', 'maximum size of Markdown', wholeNumber(MIN_LIMIT), DEFAULT_LIMIT)
    .option('--ring <ring>', 'show only the clusters of this ring')
    .option('--exit-code', `exit with ${EXIT.refused} if anything differs`)
    .addHelpText('after', DIFF_HELP)
    .action((from: string | undefined, options: DiffOptions) => {
      const { diff } = require('./diff-command') as typeof import('./diff-command');
      end(diff(from, options, terminal));
    });
}

function releaseOption(): Option {
  return new Option('--release <version>', 'release of Linkerd')
    .choices(LINKERD_VERSIONS)
    .default(DEFAULT_LINKERD_VERSION);
}
