import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { printableText } from '#base/findings/printable-text';
import { describeProblem } from '#base/findings/problem';
import { shellWord } from '#base/shell-word';
import { type Answers, outdirOf } from '#lib/cli/init/answers';
import { defaultPath, type Folder, MERGE_DRIVER, type Project, planProject } from '#lib/cli/init/project';
import { originOf, readFolder, writeProject } from './init-folder';
import { type LibrarySource, librarySource } from './init-library';
import { ask, type InitOptions, wordsIn } from './init-questions';
import { EXIT, Misuse, type Terminal } from './terminal';

/** Writes a project into a folder, installs its packages and synthesizes it. */
export async function init(directory: string, options: InitOptions, terminal: Terminal): Promise<number> {
  const { stdout, stderr } = terminal;
  const root = resolve(directory);
  const folder = readFolder(root);
  const source = options.library === undefined ? librarySource(root) : { spec: options.library };
  const defaults = defaultAnswers(root, folder, { ...options, library: source?.spec ?? '' });
  const answers = isAsked(options, terminal) ? await ask(options, defaults, terminal) : defaults;
  if (answers.repoUrl === '')
    throw new Misuse('--repo-url is missing: the URL of the Git repository that Argo CD reads');
  if (source === undefined) {
    throw new Misuse(
      '--library is missing: the archive (file:cdk8s-linkerd-….tgz) or version of cdk8s-linkerd for package.json. npm did not install this copy, so there is no default',
    );
  }
  const project = planProject(answers, folder);
  if (!('created' in project)) {
    stderr.write(
      project.map((problem) => printableText(`error: ${describeProblem(problem)} [${problem.code}]\n`)).join(''),
    );
    return EXIT.refused;
  }
  const created = new Map<string, string | Uint8Array>([...project.created, ...archiveFor(project, source)]);
  writeProject(root, { ...project, created });
  for (const path of created.keys()) stdout.write(`wrote ${path}\n`);
  if (project.manifest !== undefined) stdout.write('added scripts and packages to package.json\n');
  for (const path of project.kept) stdout.write(`kept ${path} unchanged\n`);
  const failure = options.install ? installProject(root, project) : undefined;
  if (failure !== undefined) stderr.write(`error: ${failure}\n`);
  stdout.write(nextSteps(directory, answers, project, options.install && failure === undefined));
  return failure === undefined ? EXIT.done : EXIT.refused;
}

function nextSteps(
  directory: string,
  answers: Answers,
  { synth, remarks, manager, created }: Project,
  isSynthesized: boolean,
): string {
  const { path, clusters, fleet } = answers;
  const change = resolve(directory) === process.cwd() ? '' : `cd ${shellWord(directory)} && `;
  const remoteClusters = clusters.slice(1);
  const steps = [
    ...remarks,
    ...(isSynthesized ? [] : [`${change}${manager.name} install && ${manager.name} run ${synth}`]),
    ...(remoteClusters.length === 0 || fleet
      ? []
      : [`register ${remoteClusters.join(', ')} in Argo CD under these names`]),
    ...(fleet ? ['register the clusters of fleet.yaml in Argo CD under the names of their destinations'] : []),
    ...(created.has('.gitattributes')
      ? [
          `git config merge.${MERGE_DRIVER}.driver true # a merge keeps one side of ${outdirOf(path)}: synthesize afterwards`,
        ]
      : []),
    'commit everything and push',
    `kubectl apply --server-side -f ${outdirOf(path)}/argocd/appproject.linkerd-mesh.yaml -f ${outdirOf(path)}/argocd`,
  ];
  return `Next:\n${steps.map((step) => `  - ${step}\n`).join('')}`;
}

/** Returns the archive to copy, by file name; empty without an archive, or if package.json names another source. */
function archiveFor({ created, manifest }: Project, { spec, archive }: LibrarySource): ReadonlyMap<string, Uint8Array> {
  const { dependencies } = JSON.parse(manifest ?? created.get('package.json') ?? '{}');
  return new Map(
    archive === undefined || dependencies?.['cdk8s-linkerd'] !== spec
      ? []
      : [[archive.name, readFileSync(archive.file)]],
  );
}

function defaultAnswers(
  root: string,
  folder: Folder,
  { clusters, library, ...given }: InitOptions & { readonly library: string },
): Answers {
  return {
    repoUrl: given.repoUrl ?? originOf(root),
    path: given.path ?? defaultPath(folder),
    clusters: wordsIn(clusters ?? 'home'),
    fleet: given.fleet ?? folder.files.has('fleet.yaml'),
    gatewayApi: given.gatewayApi ?? 'install',
    highAvailability: given.highAvailability ?? true,
    operator: given.operator ?? true,
    ci: given.ci ?? (folder.prefix === undefined || folder.prefix === '' ? 'github' : 'none'),
    library,
  };
}

function isAsked({ yes = false }: InitOptions, { stdin, stdout }: Terminal): boolean {
  const isTerminal = (stream: object) => 'isTTY' in stream && stream.isTTY === true;
  return !yes && isTerminal(stdin) && isTerminal(stdout);
}

/** Installs the packages, then synthesizes. Returns the error, if any. */
function installProject(root: string, { manager: { name }, synth }: Project): string | undefined {
  const quiet = name === 'npm' ? ['--silent'] : [];
  return runManager(name, root, ['install']) ?? runManager(name, root, ['run', ...quiet, synth]);
}

/** Returns the error, if any. The output of the package manager goes to the terminal unchanged. */
function runManager(name: string, root: string, args: readonly string[]): string | undefined {
  const { status, error } = spawnSync(name, args, {
    cwd: root,
    env: process.env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error !== undefined) return `cannot run ${name}: ${error.message}`;
  return status === 0 ? undefined : `${name} ${args.join(' ')} failed: the project is written; run ${name} again`;
}
