import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { CHART_NAMES, RENDERED_CHART_NAMES, type RenderedChartName } from '../lib/cli/chart-names';
import { CI_SYSTEMS, GATEWAY_APIS } from '../lib/cli/init/choices';
import { LIBRARY_VERSION } from '../lib/gitops/synth/output/library-version';
import { describeException } from '../lib/kubernetes/findings/exception';
import { LIFTED_ERRORS } from '../lib/kubernetes/findings/warning';
import { DEFAULT_LINKERD_VERSION, LINKERD_VERSIONS } from '../lib/linkerd/releases/release';
import { DEFAULT_LIMIT, DIFF_FORMATS, LEAST_LIMIT } from '../lib/review/diff/view/formats';
import type { DiffOptions } from './diff-command';
import type { ImagesOptions } from './images-command';
import type { InitOptions } from './init-questions';
import type { MigrateOptions } from './migrate-command';
import type { RenderOptions } from './render-command';
import type { ReportOptions } from './report-command';
import { EXIT, Misuse, type Terminal, withRedaction } from './terminal';
import type { PlanOptions } from './upgrade-command';
import { addValuesOptions } from './values-options';

const EXIT_CODES = `
Exit codes: ${EXIT.done} done, ${EXIT.refused} refused (problems are on standard error), ${EXIT.misuse} misuse.`;

const INIT_HELP = `
At a terminal, asks for what no option says; elsewhere, and with --yes, uses the defaults. Files that exist are never
overwritten: package.json gets scripts and packages, and the program is called linkerd.ts where there is a main.ts.
${EXIT_CODES}`;

const RENDER_HELP = `
Values go over the chart's own in Helm's order: -f, --set-json, --set, --set-string, --set-file.

With --jsonl, each line of standard input is one render, {"name": "…", "values": {…}}: its values go over those of the
options, and these over the chart's own. Each line is answered in order, by {"name": "…", "objects": […]}, with
"warnings" where values are passed over, or, where they cannot be rendered, {"name": "…", "error": "…"}. A line that is no request is answered by an error, too, under the
name "line N", and makes the exit code ${EXIT.refused}.
${EXIT_CODES}`;

const MIGRATE_HELP = `
The values are what "helm get values" prints, with or without --all. Warnings on standard error say what is left out:
private keys, for instance.
${EXIT_CODES}`;

const PLAN_HELP = `
Compares the files of the two outputs, and knows nothing of the clusters: it takes their proxies for those of the earlier
output. Clusters with equal changes are told once. Nothing is checked out, and nothing is written.

Exit codes: ${EXIT.done} a plan without errors, ${EXIT.refused} a plan with errors, ${EXIT.misuse} misuse.`;

const DIFF_HELP = `
Compares files alone, and knows nothing of the clusters: it takes them for synced with the earlier output. That is what a
folder has, or what --to had at a revision of its repository; by default at the commit where this branch left the default
branch of origin, and at HEAD where there is no such branch. Nothing is checked out, and nothing is written.

Markdown is for comments of pull requests: what has no room in --limit is counted, and nothing is cut. JSON has all of
it, in a format that keeps its meaning: docs/diff.md.

Exit codes: ${EXIT.done} done, ${EXIT.refused} there is a difference and --exit-code asks for this, ${EXIT.misuse} misuse.`;

const REPORT_HELP = `
The page needs nothing else: no network, no other file. It shows the certificates and their windows, when they are
renewed and what restarts, the rotation of the trust anchor under conditions that can be changed in it, warnings with
the reasons for which they may stand, sync waves, and what differs from Helm's output on purpose.

It is made from the committed output alone, and knows nothing of the clusters. The same output makes the same bytes.
${EXIT_CODES}`;

const IMAGES_HELP = `
One image a line, of containers, of the proxies that are injected, and of the charts that Argo CD inflates, as far as
their values tell: those of Linkerd, cert-manager and trust-manager. Other charts are named on standard error. Images
that operators of others start, and those that annotations of pods choose, are not known.

With --charts, one chart a line: its repository, name and version.

Exit codes: ${EXIT.done} done, ${EXIT.refused} with --only, images or charts from elsewhere, which are printed alone, ${EXIT.misuse} misuse.`;

/** Runs a command line, without the names of interpreter and script, and returns the exit code. */
export async function run(args: readonly string[], streams: Terminal): Promise<number> {
  const terminal = withRedaction(streams);
  let code: number = EXIT.done;
  const program = programOf(terminal, (ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.misuse;
    terminal.stderr.write(`error: ${error instanceof Misuse ? error.message : describeException(error)}\n`);
    return error instanceof Misuse ? EXIT.misuse : EXIT.refused;
  }
}

/**
 * The commands and their options. Loads of a command what it needs when it is called: most of the library is about none of
 * them, or another one.
 */
export function programOf(terminal: Terminal, end: (code: number) => void): Command {
  const program = new Command('cdk8s-linkerd')
    .description("Linkerd's charts as plain manifests and as typed constructs, without Helm")
    .version(LIBRARY_VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    .addHelpText('after', EXIT_CODES);
  addInit(program, terminal, end);
  addValuesOptions(program.command('render'))
    .description('print the manifests that "helm template" prints for a chart')
    .addArgument(new Argument('<chart>', 'the chart').choices(RENDERED_CHART_NAMES))
    .addOption(releaseOption())
    .option('-n, --namespace <namespace>', 'namespace of the release (default: the usual one)')
    .option('--cluster-name <name>', 'name from which the minute of daily jobs follows (default: the cluster domain)')
    .option('--jsonl', 'render once for each line of standard input')
    .addHelpText('after', RENDER_HELP)
    .action(async (chart: RenderedChartName, options: RenderOptions) => {
      const { render } = require('./render-command') as typeof import('./render-command');
      end(await render(chart, options, terminal));
    });
  addValuesOptions(program.command('migrate'))
    .description('print the TypeScript program that makes what Helm values make, with constructs and typed props')
    .addOption(
      new Option('--chart <chart>', 'whose values they are').choices(CHART_NAMES).default('linkerd-control-plane'),
    )
    .addOption(releaseOption())
    .option('-n, --namespace <namespace>', 'namespace of the Helm release (default: the usual one)')
    .option('--existing-cert-manager', 'the cluster has cert-manager and trust-manager, which stay as they are')
    .option('--new-anchor', 'no mesh runs yet: cert-manager makes the trust anchor where the values have none')
    .addHelpText('after', MIGRATE_HELP)
    .action(async (options: MigrateOptions) => {
      const { migrate } = require('./migrate-command') as typeof import('./migrate-command');
      end(await migrate(options, terminal));
    });
  program
    .command('upgrade')
    .description('move clusters to another Linkerd release')
    .command('plan')
    .description('print what moving from an earlier output to a later one changes, restarts and risks, and its steps')
    .requiredOption('--from <revision|folder>', 'the earlier output: a folder, or a revision of the repository of --to')
    .option('--to <folder>', 'the later output', 'dist')
    .option('--ring <ring>', 'tell of the clusters of this ring only')
    .addOption(new Option('--acknowledge <code...>', 'errors that are meant').choices([...LIFTED_ERRORS]))
    .option('--json', 'print all of it, for programs')
    .addHelpText('after', PLAN_HELP)
    .action((options: PlanOptions) => {
      const { plan } = require('./upgrade-command') as typeof import('./upgrade-command');
      end(plan(options, terminal));
    });
  addDiff(program, terminal, end);
  addReport(program, terminal, end);
  addImages(program, terminal, end);
  return program;
}

/** Adds the command that begins a project. */
function addInit(program: Command, terminal: Terminal, end: (code: number) => void): void {
  program
    .command('init')
    .description('begin a project: a program, its scripts, CI, and the first output')
    .argument('[folder]', 'the folder of the project, which may have files', '.')
    .option('--repo-url <url>', 'URL of the Git repository that Argo CD reads (default: that of the remote origin)')
    .option('--path <path>', "the output's folder in the repository (default: dist)")
    .option('--clusters <names>', 'clusters, with commas between them; Argo CD runs in the first (default: home)')
    .option('--fleet', 'list the clusters in fleet.yaml')
    .addOption(
      new Option(
        '--gateway-api <origin>',
        'the CRDs of the Gateway API: install them with Linkerd, or existing where the cluster has them (default: install)',
      ).choices([...GATEWAY_APIS]),
    )
    .option('--high-availability', 'run three replicas of every component (default)')
    .option('--no-high-availability', 'run one replica of every component: for a cluster of one node')
    .option('--operator', 'install the operator, which rotates the trust anchor (default)')
    .option('--no-operator', 'install no operator')
    .addOption(new Option('--ci <system>', 'write a pipeline (default: github)').choices([...CI_SYSTEMS]))
    .option('--library <version>', 'version, archive or Git URL of cdk8s-linkerd for package.json (default: this one)')
    .option('--no-install', 'neither install packages nor synthesize')
    .option('-y, --yes', 'ask nothing: use the defaults')
    .addHelpText('after', INIT_HELP)
    .action(async (folder: string, options: InitOptions) => {
      const { init } = require('./init-command') as typeof import('./init-command');
      end(await init(folder, options, terminal));
    });
}

/** Adds the command that writes a page about an output. */
function addReport(program: Command, terminal: Terminal, end: (code: number) => void): void {
  program
    .command('report')
    .description(
      'write a page about the clusters of an output: when something happens to their meshes, and how much slack there is',
    )
    .option('--from <folder>', 'the output', 'dist')
    .option('--out <file>', 'the page; - for standard output', 'report.html')
    .addHelpText('after', REPORT_HELP)
    .action((options: ReportOptions) => {
      const { report } = require('./report-command') as typeof import('./report-command');
      end(report(options, terminal));
    });
}

/** Adds the command that lists what an output pulls. */
function addImages(program: Command, terminal: Terminal, end: (code: number) => void): void {
  program
    .command('images')
    .description('list the images and charts that the clusters of an output pull, to mirror them')
    .option('--from <folder>', 'the output', 'dist')
    .option('--charts', 'list the charts')
    .addOption(
      new Option(
        '--to <prefix>',
        'beside each image, its name in a mirror: as mirror.images of Platform has it',
      ).conflicts(['charts', 'json']),
    )
    .option('--only <prefix...>', 'registries and repositories that they may be from: exit with 1 if any is not')
    .option('--json', 'print all of it, for programs')
    .addHelpText('after', IMAGES_HELP)
    .action((options: ImagesOptions) => {
      const { images } = require('./images-command') as typeof import('./images-command');
      end(images(options, terminal));
    });
}

/** Adds the command that compares outputs. */
function addDiff(program: Command, terminal: Terminal, end: (code: number) => void): void {
  program
    .command('diff')
    .description('print what differs between an earlier output and a later one, and what that does in the clusters')
    .argument('[revision|folder]', 'the earlier output')
    .option('--to <folder>', 'the later output', 'dist')
    .addOption(new Option('--format <format>', 'the format').choices(DIFF_FORMATS).default('text'))
    .option('--limit <bytes>', 'the most bytes of Markdown', limitOf, DEFAULT_LIMIT)
    .option('--ring <ring>', 'tell of the clusters of this ring only')
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

function limitOf(text: string): number {
  const limit = Number(text);
  if (Number.isSafeInteger(limit) && limit >= LEAST_LIMIT) return limit;
  throw new InvalidArgumentError(`It is no whole number of at least ${LEAST_LIMIT}.`);
}
