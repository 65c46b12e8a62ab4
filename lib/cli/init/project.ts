import { parse } from 'yaml';
import type { Problem } from '#base/findings/problem';
import { isObject } from '#base/is-object';
import { checkDepth } from '#base/yaml-documents';
import { LOCK } from '../../gitops/synth/output/output-lock';
import { STAGING } from '../../gitops/synth/output/staging-area';
import { CLI_FINDINGS } from '../findings';
import { type Answers, checkAnswers, outdirOf } from './answers';
import { PACKAGE_MANAGERS, type PackageManager } from './package-manager';
import { FLEET_FILE, fleetText, programText } from './program';
import { pipelineOf, type ScriptNames } from './workflows';

/** The paths of existing files that `init` reads. */
export const PROJECT_FILES = [
  'package.json',
  'tsconfig.json',
  'cdk8s.yaml',
  '.gitignore',
  '.gitattributes',
  'main.ts',
  'linkerd.ts',
  FLEET_FILE,
  '.github/workflows/linkerd.yml',
  '.gitlab-ci.yml',
] as const;

/** The folder of a project before writing. */
export interface Folder {
  readonly name: string;
  /** Contents of the existing files among `PROJECT_FILES`. */
  readonly files: ReadonlyMap<string, string>;
  /** Names of the non-empty folders in this folder. */
  readonly folders: ReadonlySet<string>;
  /** The path of the folder in its repository, ending in a slash; undefined without a repository. */
  readonly prefix?: string | undefined;
  /**
   * The package manager with a lock file in the folder, or in a parent folder in its repository.
   *
   * @default - npm
   */
  readonly manager?: PackageManager | undefined;
}

/** A project to write. */
export interface Project {
  /** Contents of new files, by path. */
  readonly created: ReadonlyMap<string, string>;
  /** The existing package.json, with additions. */
  readonly manifest: string | undefined;
  /** Paths of existing files, which stay unchanged. */
  readonly kept: readonly string[];
  /** The script that runs synth. */
  readonly synth: string;
  readonly manager: PackageManager;
  /** Remaining manual steps. */
  readonly remarks: readonly string[];
}

/** Returns the default path of the output. */
export function defaultPath({ files, prefix = '' }: Folder): string {
  return `${prefix}${files.has('cdk8s.yaml') ? 'linkerd' : 'dist'}`;
}

/** Plans a project in a folder, or returns the problems. Existing files are never overwritten. */
export function planProject(answers: Answers, folder: Folder): Project | readonly Problem[] {
  const { files } = folder;
  const given = files.get('package.json');
  const { manifest, problem } = given === undefined ? { manifest: {} } : readManifest(given);
  const problems = [
    ...checkAnswers(answers),
    ...checkFolder(answers, folder),
    ...(problem === undefined ? [] : [problem]),
  ];
  if (problems.length > 0) return problems;
  const program = PROGRAMS.find((name) => !files.has(name)) ?? '';
  const scripts = scriptsOf(manifest?.scripts ?? {}, program, outdirOf(answers.path));
  const more = {
    scripts: scripts.texts,
    dependencies: { ...PACKAGES.dependencies, 'cdk8s-linkerd': answers.library },
    devDependencies: { ...PACKAGES.devDependencies, ...(files.has('cdk8s.yaml') ? {} : PACKAGES.cdk8sCli) },
  };
  const manager = folder.manager ?? PACKAGE_MANAGERS[0];
  const initial: object = { name: packageName(folder.name), private: true, type: 'module' };
  const wanted = new Map([
    ['package.json', extendManifest(given ?? '', initial, more)],
    ['tsconfig.json', TSCONFIG],
    ['cdk8s.yaml', `language: typescript\napp: npx tsx ${program}\n`],
    ['.gitignore', `${IGNORED.join('\n')}\n`],
    ['.gitattributes', attributesText(outdirOf(answers.path))],
    [program, programText(answers)],
    ...(answers.fleet ? [[FLEET_FILE, fleetText(answers)] as const] : []),
    ...pipelineOf(answers.ci, scripts.names, manager),
  ]);
  const kept = [...wanted.keys()].filter((path) => path !== 'package.json' && files.has(path));
  return {
    created: new Map([...wanted].filter(([path]) => !files.has(path))),
    manifest: given === undefined ? undefined : extendManifest(given, manifest ?? {}, more),
    kept,
    synth: scripts.names.synth,
    manager,
    remarks: [
      ...kept.flatMap((path) => remarkOn(path, outdirOf(answers.path), { scripts: scripts.names, manager })),
      ...withoutPipeline(answers, folder),
    ],
  };
}

/** The last two entries are the lock and the staged files of a killed synth, which the next synth removes. */
const IGNORED = ['node_modules', `*${LOCK}`, STAGING];

const PROGRAMS = ['main.ts', 'linkerd.ts'] as const;

/** Name of the driver for merges of the output: `git config merge.NAME.driver true` keeps one side. */
export const MERGE_DRIVER = 'cdk8s-linkerd';

function attributesText(outdir: string): string {
  return `# Generated: after a merge, synthesize again. The driver keeps one side meanwhile:
# git config merge.${MERGE_DRIVER}.driver true
${outdir}/** merge=${MERGE_DRIVER} linguist-generated
`;
}

function withoutPipeline({ ci }: Answers, { prefix = '' }: Folder): readonly string[] {
  if (ci !== 'none' || prefix === '') return [];
  return [
    `no CI file was written, because CI systems read theirs only at the root of the repository: add the steps of examples/ci, with the folder ${prefix.replace(/\/$/, '')}`,
  ];
}

interface Steps {
  readonly scripts: ScriptNames;
  readonly manager: PackageManager;
}

function remarkOn(path: string, outdir: string, { scripts, manager }: Steps): readonly string[] {
  const { compile, check, diff } = scripts;
  const run = `${manager.name} run`;
  if (path === '.gitattributes') return [`.gitattributes: add ${outdir}/** merge=${MERGE_DRIVER} linguist-generated`];
  if (path === '.gitignore') return [`.gitignore: ignore ${IGNORED.join(', ')}, and commit ${outdir}`];
  if (path !== '.gitlab-ci.yml' && !path.startsWith('.github/')) return [];
  return [`${path}: run ${manager.ci}, ${run} ${compile}, ${run} ${check} and ${run} ${diff}`];
}

/** Extends no other configuration, so that its options are the same with every version of TypeScript. */
const TSCONFIG = `${JSON.stringify(
  {
    compilerOptions: { module: 'nodenext', target: 'es2022', types: ['node'], strict: true, noEmit: true },
    include: ['*.ts'],
  },
  null,
  2,
).replace(/\[\s+("[^"]*")\s+\]/g, '[$1]')}\n`;

function packageName(folder: string): string {
  const name = folder
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 200);
  return name === '' || name === 'node-modules' || name === 'cdk8s-linkerd' ? 'mesh' : name;
}

function scriptsOf(known: Readonly<Record<string, string>>, program: string, outdir: string) {
  const own = {
    synth: `tsx ${program}`,
    check: `tsx ${program} --check`,
    diff: outdir === 'dist' ? 'cdk8s-linkerd diff' : `cdk8s-linkerd diff --to ${outdir}`,
  };
  const isTaken = Object.keys(own).some((name) => Object.hasOwn(known, name));
  const named = (name: keyof typeof own) => (isTaken ? `linkerd:${name}` : name);
  const names = { synth: named('synth'), check: named('check'), diff: named('diff'), compile: 'compile' };
  const texts = {
    compile: 'tsc',
    [names.synth]: own.synth,
    [names.check]: own.check,
    [names.diff]: own.diff,
  };
  return { names, texts };
}

function checkFolder({ path, ci }: Answers, { files, folders, prefix }: Folder): readonly Problem[] {
  const outdir = outdirOf(path);
  return [
    ...(PROGRAMS.some((name) => /['"]cdk8s-linkerd['"]/.test(files.get(name) ?? ''))
      ? [CLI_FINDINGS.outdirRefusedProgram()]
      : []),
    ...(PROGRAMS.every((name) => files.has(name))
      ? [CLI_FINDINGS.outdirRefusedNames({ files: PROGRAMS.join(' and ') })]
      : []),
    ...(folders.has(outdir) || files.has(outdir) ? [CLI_FINDINGS.outdirRefusedNotEmpty({ folder: outdir })] : []),
    ...(files.has('cdk8s.yaml') && outdir === outputOfCdk8s(files.get('cdk8s.yaml') ?? '')
      ? [CLI_FINDINGS.outdirRefusedOfCdk8s({ folder: outdir })]
      : []),
    ...(ci !== 'none' && prefix !== undefined && prefix !== ''
      ? [CLI_FINDINGS.pipelineNotAtRoot({ folder: prefix.replace(/\/$/, ''), ci })]
      : []),
    ...(prefix === undefined || path === `${prefix}${outdir}`
      ? []
      : [CLI_FINDINGS.outdirRefusedElsewhere({ path, actual: `${prefix}${outdir}` })]),
  ];
}

/** Returns the output folder of `cdk8s synth`, which empties the folder before it runs a program. */
function outputOfCdk8s(config: string): string {
  try {
    checkDepth(config);
    const { output = 'dist' }: { readonly output?: unknown } = Object(parse(config, { logLevel: 'error' }));
    return String(output).replace(/^\.\/|\/$/g, '');
  } catch {
    return 'dist';
  }
}

/** The packages of a project, with the versions that this library is tested with. */
export const PACKAGES = {
  dependencies: { cdk8s: '^2.70.106', constructs: '^10.8.1' },
  devDependencies: { '@types/node': '^24.19.2', tsx: '^4.23.15', typescript: '^7.0.2' },
  /** For a project that gets a cdk8s.yaml. */
  cdk8sCli: { 'cdk8s-cli': '^2.207.60' },
} as const;

type Texts = Readonly<Record<string, string>>;

interface Manifest {
  readonly scripts?: Texts;
  readonly dependencies?: Texts;
  readonly devDependencies?: Texts;
}

function readManifest(text: string): { readonly manifest?: Manifest; readonly problem?: Problem } {
  try {
    // Editors on Windows may start files with a byte order mark.
    const data: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (!isObject(data)) return { problem: CLI_FINDINGS.fileUnreadablePackageJsonMap() };
    for (const key of ['scripts', 'dependencies', 'devDependencies']) {
      const member = data[key] ?? {};
      if (!isObject(member) || Object.values(member).some((value) => typeof value !== 'string'))
        return { problem: CLI_FINDINGS.fileUnreadablePackageJsonField({ field: key }) };
    }
    return { manifest: data };
  } catch (error) {
    const message = error instanceof Error ? error.message : `${error}`;
    return { problem: CLI_FINDINGS.fileUnreadablePackageJson({ message }) };
  }
}

/** Adds scripts and packages to package.json in its own format; existing entries stay. */
function extendManifest(text: string, manifest: Manifest, more: Required<Manifest>): string {
  const has = (name: string) =>
    [manifest.dependencies, manifest.devDependencies].some((known) => name in (known ?? {}));
  const missing = (packages: Texts) => Object.fromEntries(Object.entries(packages).filter(([name]) => !has(name)));
  const extended = {
    ...manifest,
    scripts: { ...manifest.scripts, ...more.scripts, ...manifest.scripts },
    dependencies: sorted({ ...missing(more.dependencies), ...manifest.dependencies }),
    devDependencies: sorted({ ...missing(more.devDependencies), ...manifest.devDependencies }),
  };
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  ';
  return `${JSON.stringify(extended, null, indent)}\n`;
}

function sorted(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
