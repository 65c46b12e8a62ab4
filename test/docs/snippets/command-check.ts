import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { programOf } from '#bin/program';
import { planProject } from '#lib/cli/init/project';
import { parseCommandLine } from '#lib/gitops/platform/command-line';
import { goTool } from '../../support/go-tools';
import { KNOWN_COMMANDS, type KnownCommand } from './known-commands';
import { ROOT } from './pages';

const KUBECTL_LINES = goTool('kubectl-lines');

/** Returns why a program would refuse its arguments; undefined if it would not. */
type Check = (words: readonly string[]) => Promise<string | undefined> | string | undefined;

const TABLE = 'test/docs/snippets/known-commands.ts';

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
}

/** The scripts of this repository, and of a project by `init`. */
const SCRIPTS: Manifest['scripts'] = {
  ...(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest).scripts,
  ...scriptsOfProjects(),
};

function scriptsOfProjects(): Manifest['scripts'] {
  const answers = { repoUrl: 'https://git.example.com/a.git', path: 'dist', clusters: ['a'], fleet: false } as const;
  const others = { gatewayApi: 'install', highAvailability: true, operator: true, ci: 'none', library: '*' } as const;
  const project = planProject({ ...answers, ...others }, { name: 'a', files: new Map(), folders: new Set() });
  if (!('created' in project)) throw new Error(JSON.stringify(project));
  return (JSON.parse(project.created.get('package.json') ?? '') as Manifest).scripts;
}

/** Returns why a program would refuse a command. `kubectlProblems` checks many commands of kubectl at once. */
export async function commandProblem([program = '', ...words]: readonly string[]): Promise<string | undefined> {
  const own = CHECKS[program];
  if (own !== undefined) return own(words);
  const known = KNOWN_COMMANDS[program];
  return known === undefined
    ? `${program} is no known program: write it into ${TABLE} if it is right`
    : knownProblem(known, words, program);
}

const CHECKS: Readonly<Record<string, Check>> = {
  'cdk8s-linkerd': ownProblem,
  node: nodeProblem,
  npm: npmProblem,
  npx: npxProblem,
  tsx: tsxProblem,
};

/** Runs the real parser of cdk8s-linkerd without any action. */
async function ownProblem(words: readonly string[]): Promise<string | undefined> {
  let said = '';
  const terminal = {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: { write: (text: string) => (said += text) },
    readFile: () => '',
  };
  // Without arguments, the command lists the output.
  if (words.length === 0) return undefined;
  const program = programOf({ ...terminal, stdout: { write: () => true } as never }, () => {});
  for (const command of allCommands(program)) if (command.commands.length === 0) command.action(() => {});
  try {
    await program.parseAsync(words, { from: 'user' });
    return undefined;
  } catch (error) {
    const { exitCode, message } = error as { exitCode?: number; message: string };
    return exitCode === 0 ? undefined : said.trim() || message;
  }
}

const allCommands = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(allCommands)];

/** The subcommands of npm in the documentation, with their options. */
const NPM: KnownCommand = {
  subcommands: {
    audit: { subcommands: { signatures: {} } },
    ci: { options: ['--ignore-scripts', '--omit', '--offline'] },
    init: { options: ['-y'] },
    install: { options: ['--save-dev', '-D', '-g', '--offline', '--ignore-scripts'] },
    ls: {},
    pack: { options: ['--dry-run', '--json'] },
    pkg: { subcommands: { set: {}, get: {} } },
    test: { options: ['--'] },
    view: {},
  },
};

/** Before the library is published, anyone could register its name and run code on a reader's machine. */
const BY_NAME = 'a first command takes the package from "$CDK8S_LINKERD", not by its name';

function npmProblem(words: readonly string[]): ReturnType<Check> {
  const [command, ...rest] = words;
  if (command === 'install' && rest.some((word) => /^cdk8s-linkerd(?:@|$)/.test(word))) return BY_NAME;
  if (command !== 'run') return knownProblem(NPM, words, 'npm');
  const [script = '', ...others] = rest.filter((word, index) => !(word === '-s' && index === 0));
  if (SCRIPTS[script] === undefined) return `package.json has no script ${script}`;
  const [separator, ...args] = others;
  if (separator === undefined) return undefined;
  if (separator !== '--') return `npm takes ${separator} for itself: write it after --`;
  return script === 'synth' ? platformProblem(args) : undefined;
}

async function npxProblem(words: readonly string[]): Promise<string | undefined> {
  const [program = '', ...rest] = withoutPackage(words.filter((word, index) => !(word === '--yes' && index === 0)));
  if (program === 'cdk8s-linkerd')
    return rest[0] === 'init' && !rest.includes('--help') && !words.includes('--package') ? BY_NAME : ownProblem(rest);
  if (program === 'tsx') return tsxProblem(rest);
  if (program === 'node' && rest.slice(0, 2).join(' ') === '--import tsx') return tsxProblem(rest.slice(2));
  if (program === 'jest') return jestProblem(rest);
  const known = NPX[program];
  return known === undefined ? `npx ${program} is not known` : knownProblem(known, rest, `npx ${program}`);
}

/** The command without the archive from which npm installs it. */
function withoutPackage(words: readonly string[]): readonly string[] {
  return words[0] === '--package' ? words.slice(2) : words;
}

const NPX: Readonly<Record<string, KnownCommand>> = {
  cdk8s: { subcommands: { import: {}, init: {}, synth: { options: ['--output', '-o', '--app'] } } },
  tsc: { options: ['--init', '--module', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--types', '-p'] },
};

/** `main.ts` is a reader's platform; other programs belong to this repository. */
function tsxProblem([file = '', ...args]: readonly string[]): string | undefined {
  if (file === 'main.ts') return platformProblem(args);
  return existsSync(join(ROOT, file)) ? undefined : `there is no ${file}`;
}

/** Node.js runs programs of this repository with tools/start/. */
function nodeProblem(words: readonly string[]): ReturnType<Check> {
  const [start, file = '', ...args] = words.filter((word) => !word.startsWith('--max-old-space-size='));
  if (start !== 'tools/start/start.cjs') return knownProblem(KNOWN_COMMANDS.node as KnownCommand, words, 'node');
  return file === 'bin/cdk8s-linkerd.ts' ? ownProblem(args) : tsxProblem([file, ...args]);
}

function jestProblem(words: readonly string[]): string | undefined {
  const paths = words.filter((word) => !word.startsWith('-'));
  return paths.map((path) => (existsSync(join(ROOT, path)) ? undefined : `there is no ${path}`)).find(Boolean);
}

function platformProblem(args: readonly string[]): string | undefined {
  const command = parseCommandLine(args);
  return command.type === 'misuse' ? command.message : undefined;
}

function knownProblem(known: KnownCommand, words: readonly string[], name: string): string | undefined {
  // Words after `--` are for another program, or are not options.
  const separator = words.indexOf('--');
  const own = separator === -1 ? words : words.slice(0, separator);
  const { command, path, options, strange } = chosenCommand(known, own, name);
  if (strange !== undefined) return `${path} has no subcommand ${strange} that ${TABLE} knows`;
  if (command.subcommands !== undefined) return `${path} alone does nothing`;
  const unknown = own.find((word) => /^-\D/.test(word) && !isOption(word, options));
  return unknown === undefined ? undefined : `${path} has no option ${unknown} that ${TABLE} knows`;
}

/** Returns the chosen subcommand, its options, and a word that should be a subcommand but is not. */
function chosenCommand(known: KnownCommand, words: readonly string[], name: string) {
  let command = known;
  let path = name;
  const options = new Set(known.options);
  for (const [index, word] of words.entries()) {
    if (command.subcommands === undefined || word.startsWith('-') || isValue(words[index - 1])) continue;
    const next = command.subcommands[word];
    if (next === undefined) return { command, path, options, strange: word };
    command = next;
    path += ` ${word}`;
    for (const option of next.options ?? []) options.add(option);
  }
  return { command, path, options };
}

const isValue = (before: string | undefined): boolean => before?.startsWith('-') === true && !before.includes('=');

/** Accepts `--name=value`, and `-xzf` for `-x -z -f`. */
function isOption(word: string, options: ReadonlySet<string>): boolean {
  const [name = ''] = word.split('=');
  if (options.has(name)) return true;
  return /^-[A-Za-z]{2,}$/.test(word) && [...word.slice(1)].every((letter) => options.has(`-${letter}`));
}

/** Checks the arguments of many command lines with kubectl's own parser. @returns a problem for each, or '' */
export function kubectlProblems(lines: readonly (readonly string[])[]): readonly string[] {
  const input = lines.map((words) => `${JSON.stringify(words)}\n`).join('');
  const answers = execFileSync(KUBECTL_LINES, { input, encoding: 'utf8' });
  return answers
    .split('\n')
    .slice(0, -1)
    .map((answer) => JSON.parse(answer) as string);
}
