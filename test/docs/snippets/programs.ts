import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as cdk8s from 'cdk8s';
import * as cdk8sPlus from 'cdk8s-plus-28';
import { MODULES } from '#tools/api/declarations';
import { linkTree } from '../../support/consumer/link-tree';
import { type Project, projectWithLibrary } from '../../support/consumer/project';
import { placeOf, ROOT, type Snippet } from './pages';

const PACKAGES = join(ROOT, 'node_modules');

/** The settings of the guides' `tsc --init` that decide whether code compiles. */
const OF_READERS = {
  module: 'nodenext',
  target: 'es2023',
  strict: true,
  exactOptionalPropertyTypes: false,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
  typeRoots: [join(PACKAGES, '@types')],
  noUncheckedIndexedAccess: true,
  noUncheckedSideEffectImports: true,
};

/** The names that fragments may use in addition to all exports of the library and cdk8s. */
const GIVEN = `
import type { Deployment, Service } from 'cdk8s-plus-28';
import type * as lib from 'cdk8s-linkerd';
export declare const platform: lib.Platform;
export declare const home: lib.Cluster;
export declare const mesh: lib.LinkerdMesh;
export declare const controlPlane: lib.LinkerdControlPlane;
export declare const certManager: lib.ICertManager;
export declare const trustManager: lib.ITrustManager;
export declare const pki: lib.CertManagerPKI;
export declare const trust: lib.TrustBundle;
export declare const crds: lib.ILinkerdCrds;
export declare const viz: lib.Viz;
export declare const operator: lib.ReconcilerOperator;
export declare const meshing: lib.Meshing;
export declare const workload: Deployment;
export declare const shop: Service;
export declare const multicluster: lib.Multicluster;
export declare const east: lib.ClusterReference;
export declare const west: lib.ClusterReference;
export declare const repoUrl: string;
`;

const GIVEN_NAMES = [...GIVEN.matchAll(/declare const (\w+)/g)].map(([, name = '']) => name);

/** A snippet as a file to compile. */
interface Source {
  readonly snippet: Snippet;
  readonly name: string;
  readonly text: string;
  /** The line of the page that corresponds to the first line of the file. */
  readonly offset: number;
}

/** The outcome of a program. */
interface Run {
  readonly name: string;
  readonly exitCode: number;
  readonly stderr: string;
  /** The written files by path. */
  readonly files: Readonly<Record<string, string>>;
}

/** Creates a project with the packed library and the other packages of the snippets. */
export async function readersProject(): Promise<Project> {
  const project = await projectWithLibrary();
  // A copy of the package, so that it finds the project's cdk8s.
  linkTree(join(PACKAGES, 'cdk8s-plus-28'), join(project.folder, 'node_modules', 'cdk8s-plus-28'));
  project.write('tsconfig.json', { compilerOptions: OF_READERS, include: ['*.ts'] });
  return project;
}

/** Compiles all programs and fragments together. @returns the compiler's messages with their places in pages */
export function compile(project: Project, snippets: readonly Snippet[]): readonly string[] {
  const sources = snippets.map(sourceOf);
  for (const { name, text } of sources) project.write(`${name}.ts`, text);
  project.write('given.ts', GIVEN);
  const args = ['-p', project.folder, '--pretty', 'false', '--singleThreaded'];
  const { stdout, status } = spawnSync(join(PACKAGES, '.bin/tsc'), args, { cwd: project.folder, encoding: 'utf8' });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return status === 0 ? [] : lines.map((line) => placedInPage(line, sources));
}

type FilesOf = (page: string) => Readonly<Record<string, string>>;

/** Runs compiled programs twice, in two orders. @returns the problems of each */
export function run(project: Project, snippets: readonly Snippet[], files: FilesOf): readonly string[] {
  const { first, second } = runAll(project, snippets.map(sourceOf), files);
  return first.flatMap((each, index): readonly string[] => {
    const place = placeOf(snippets[index] as Snippet);
    if (each.exitCode !== 0) return [`${place} ends with ${each.exitCode}: ${each.stderr}`];
    if (Object.keys(each.files).length === 0) return [`${place} writes nothing: does it end with platform.run()?`];
    return JSON.stringify(second[index]?.files) === JSON.stringify(each.files)
      ? []
      : [`${place} writes other bytes the second time`];
  });
}

/** The results of both runs, in the order of the programs. */
interface Runs {
  readonly first: readonly Run[];
  readonly second: readonly Run[];
}

function runAll(project: Project, sources: readonly Source[], files: FilesOf): Runs {
  for (const { name, snippet } of sources) {
    for (const [path, text] of Object.entries(files(snippet.page))) project.write(join(name, path), text);
  }
  const runner = join(__dirname, 'run-programs.ts');
  const args = [runner, project.folder, ...sources.map(({ name }) => name)];
  const { stderr } = spawnSync(join(PACKAGES, '.bin/tsx'), args, { cwd: project.folder, encoding: 'utf8' });
  try {
    return JSON.parse(readFileSync(join(project.folder, 'results.json'), 'utf8')) as Runs;
  } catch {
    throw new Error(`the snippets cannot be run: ${stderr}`);
  }
}

function sourceOf(snippet: Snippet): Source {
  const name = `${snippet.page.replace(/\.md$/, '').replace(/\W+/g, '-')}-${snippet.line}`;
  if (snippet.words.includes('example')) {
    const plus = importOf('cdk8s-plus-28', Object.keys(cdk8sPlus), snippet.text);
    return { snippet, name, text: `${importsFor(snippet.text, [])} ${plus}${snippet.text}`, offset: snippet.line };
  }
  if (!snippet.words.includes('fragment')) return { snippet, name, text: snippet.text, offset: snippet.line };
  const head = `${importsFor(snippet.text)} export async function fragment() {\n`;
  return { snippet, name, text: `${head}${snippet.text}}\n`, offset: snippet.line - 1 };
}

/** The import of a module's names that a text uses and does not declare. */
function importOf(module: string, names: Iterable<string>, text: string): string {
  const named = new Set(text.match(/[A-Za-z_$][\w$]*/g));
  const declared = new Set(
    [...text.matchAll(/^\s*(?:const|let|function|class|import)\s+([\w$]+)/gm)].map(([, name]) => name),
  );
  const used = [...names].filter((name) => named.has(name) && !declared.has(name));
  return used.length === 0 ? '' : `import { ${used.join(', ')} } from '${module}'; `;
}

/** The imports of all names that a text uses and does not declare. */
function importsFor(text: string, given: readonly string[] = GIVEN_NAMES): string {
  const from = (module: string, names: Iterable<string>) => importOf(module, names, text);
  return [
    ...Object.entries(MODULES).map(([module, file]) => from(module, exportedNames(file))),
    from('cdk8s', Object.keys(cdk8s)),
    from('constructs', ['Construct']),
    from('./given', given),
  ].join('');
}

const sourceOfModule = (file: string) => file.replace(/\.d\.ts$/, '.ts');

/** The exported names of a module, including types. */
function exportedNames(file: string): ReadonlySet<string> {
  const index = readFileSync(join(ROOT, sourceOfModule(file)), 'utf8');
  const lists = [...index.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) => list.split(','));
  const spaces = [...index.matchAll(/\* as (\w+)/g)].map(([, name = '']) => name);
  const names = lists.map((entry) => entry.trim().split(/\s+/).at(-1) ?? '').filter((name) => name !== '');
  return new Set([...names, ...spaces]);
}

/** Converts `page-12.ts(3,5): error …` to `docs/page.md:15: error …`. */
function placedInPage(message: string, sources: readonly Source[]): string {
  const [, name, line, rest] = /^([\w-]+)\.ts\((\d+),\d+\):(.*)$/.exec(message) ?? [];
  const source = sources.find((each) => each.name === name);
  return source === undefined ? message : `${source.snippet.page}:${source.offset + Number(line)}:${rest}`;
}
