import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeProblem, type Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import type { DurationLike } from '#kubernetes/options/duration-like';
import { CLI_FINDINGS } from '#lib/cli/findings';
import { type InstalledOperator, installedOperator } from '#lib/cli/operator/installed-operator';
import { manifestsHeader } from '#lib/cli/operator/manifests-header';
import { operatorChart } from '#lib/cli/operator/operator-chart';
import { type Adoption, checkPresent, presentObjects } from '#lib/cli/operator/present-certificates';
import { manifestStream } from '#lib/cli/render-chart';
import type { CertManagerVersion, TrustManagerVersion } from '#linkerd/releases/cert-manager';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { writeOutFile } from './out-file';
import { EXIT, Misuse, problemReport, type Terminal } from './terminal';
import { type ReadValues, readFile, readStdin, readValues, type ValuesOptions } from './values-options';

/** The options of `operator manifests`. */
export interface ManifestsOptions extends ValuesOptions {
  readonly namespace: string;
  readonly linkerdNamespace: string;
  readonly certManagerNamespace: string;
  readonly certManagerVersion?: CertManagerVersion;
  readonly trustManagerVersion?: TrustManagerVersion;
  readonly release?: LinkerdVersion;
  readonly rotation?: true;
  readonly certificates?: string;
  readonly duration?: DurationLike;
  readonly renewBefore?: DurationLike;
  readonly cluster?: string;
  readonly config?: string | true;
  readonly installers?: readonly string[];
  readonly multus?: true;
  readonly cniNamespace: string;
  readonly image?: string;
  readonly format: 'yaml' | 'chart';
  readonly out?: string;
}

/** Prints the operator for an installed mesh, or writes a chart of it. */
export async function operatorManifests(options: ManifestsOptions, terminal: Terminal): Promise<number> {
  checkTogether(options);
  const [values, config, present] = [
    await installedValues(options, terminal),
    await configValues(options, terminal),
    await presentCertificates(options, terminal),
  ];
  const problems = [values, config, present].flatMap((read) => ('problems' in read ? read.problems : []));
  if (problems.length > 0 || 'problems' in values || 'problems' in config) return refuse(problems, terminal);
  const { identityIssuer, before } = present;
  const request = { ...requestOf(options, identityIssuer), values: values.values, config: config.values };
  return writeOperator(request, manifestsHeader({ ...request, before, format: options.format }), options, terminal);
}

const OF_ROTATION = ['certificates', 'duration', 'renewBefore', 'cluster'] as const;

function checkTogether(options: ManifestsOptions): void {
  const { values = [], certificates, config, format, out } = options;
  const alone = OF_ROTATION.find((name) => options[name] !== undefined);
  if (options.rotation === undefined && alone !== undefined) {
    throw new Misuse(`--${alone.replace('B', '-b')} needs --rotation`);
  }
  if ([...values, certificates, config].filter((file) => file === '-').length > 1) {
    throw new Misuse('standard input can be read only once: pass "-" once');
  }
  if (format === 'chart' && out === undefined) throw new Misuse('--format chart needs --out, the folder of the chart');
}

/** The values are undefined if no option sets any. */
type GivenValues = { readonly values: Values | undefined } | { readonly problems: readonly Problem[] };

async function installedValues(options: ManifestsOptions, terminal: Terminal): Promise<GivenValues> {
  const { values, set, setString, setFile, setJson } = options;
  const isGiven = [values, set, setString, setFile, setJson].some((option) => option !== undefined);
  return isGiven ? readValues(options, terminal) : { values: undefined };
}

async function configValues({ config }: ManifestsOptions, terminal: Terminal): Promise<GivenValues> {
  if (config === undefined) return { values: undefined };
  return config === true ? { values: {} } : ((await readValues({ values: [config] }, terminal)) satisfies ReadValues);
}

interface Present extends Omit<Adoption, 'before'> {
  /** Undefined if the certificates are not known. */
  readonly before?: readonly string[];
}

async function presentCertificates(options: ManifestsOptions, terminal: Terminal): Promise<Present> {
  const { certificates: path } = options;
  if (path === undefined) return { problems: [] };
  const file = path === '-' ? 'standard input' : path;
  const text = path === '-' ? await readStdin(terminal) : readFile(path, terminal);
  try {
    return checkPresent(presentObjects(text), options);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problems: [CLI_FINDINGS.fileUnreadableObjects({ file, reason: error.message })] };
  }
}

function requestOf(options: ManifestsOptions, identityIssuer: Adoption['identityIssuer']): InstalledOperator {
  const { rotation, duration, renewBefore, cluster, multus = false } = options;
  const { namespace, linkerdNamespace, certManagerNamespace, cniNamespace, release, image, installers } = options;
  const { certManagerVersion, trustManagerVersion } = options;
  return {
    ...{ namespace, linkerdNamespace, certManagerNamespace, cniNamespace, release, image, installers, multus },
    ...{ certManagerVersion, trustManagerVersion },
    rotation: rotation && { duration, renewBefore, identityIssuer, cluster },
  };
}

function writeOperator(
  request: InstalledOperator,
  header: readonly string[],
  { format, out }: ManifestsOptions,
  terminal: Terminal,
): number {
  if (format === 'chart' && out !== undefined) {
    checkNewFolder(out);
    const chart = operatorChart(request, header);
    if ('problems' in chart) return refuse(chart.problems, terminal);
    warn(chart.warnings, terminal);
    writeFolder(out, chart.files);
    return EXIT.done;
  }
  const made = installedOperator(request);
  if ('problems' in made) return refuse(made.problems, terminal);
  warn(made.warnings, terminal);
  const comments = header.map((line) => (line === '' ? '#\n' : `# ${line}\n`)).join('');
  const text = `${comments}${manifestStream(made.objects)}`;
  if (out === undefined) terminal.stdout.write(text);
  else writeOutFile(out, text);
  return EXIT.done;
}

/** Requires a missing or empty folder: files of an earlier chart would be installed, too. */
function checkNewFolder(folder: string): void {
  if (!existsSync(folder)) return;
  let files: readonly string[];
  try {
    files = readdirSync(folder);
  } catch {
    throw new Misuse(`--out ${folder} is not a folder`);
  }
  if (files.length > 0) throw new Misuse(`--out ${folder} is not empty: delete it first, or name another folder`);
}

function writeFolder(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
  }
}

function refuse(problems: readonly Problem[], { stderr }: Terminal): number {
  stderr.write(problemReport(problems));
  return EXIT.refused;
}

function warn(warnings: readonly Problem[], { stderr }: Terminal): void {
  for (const warning of warnings) stderr.write(`warning: ${describeProblem(warning)}\n`);
}
