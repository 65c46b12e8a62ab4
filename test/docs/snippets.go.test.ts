import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { archiveName, digestOf, formatLock, LOCK_FILE } from '#helm/chart/charts-lock';
import { checkByApiRules } from '#kubernetes/api-rules/walk';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import { readItems } from '#tools/site/reference/items';
import { runInMemory } from '../bin/fake-terminal';
import { packaged } from '../packages/helm/chart/tar-writer';
import { issueCertificate } from '../support/cluster/certificates';
import { commandProblem, kubectlProblems } from './snippets/command-check';
import { examplesIn } from './snippets/examples';
import { placeOf, ROOT, readPages, type Snippet, snippetsIn } from './snippets/pages';
import { compile, readersProject, run } from './snippets/programs';
import { commandsIn, type ShellCommand } from './snippets/shell';

const pages = readPages();
const snippets = pages.flatMap(snippetsIn);
const inLanguage = (language: string) => snippets.filter((snippet) => snippet.language === language);

/** The languages of code blocks, and the words that may follow each. */
const ROLES: Readonly<Record<string, RegExp>> = {
  '': /^$/,
  diff: /^$/,
  json: /^[\w./-]*$/,
  lua: /^$/,
  md: /^$/,
  // The test of a guide skips blocks that are optional or for another installer.
  sh: /^(?:optional|helm|cli)?$/,
  text: /^$/,
  // No word: a whole program. `fragment`: code that uses the names in GIVEN. `declarations`: a tool prints them. A file
  // name: a file in the reader's folder.
  ts: /^(?:fragment|declarations|[\w-]+\.ts)?$/,
  // The name of the file that the programs of the page read.
  yaml: /^[\w./-]*$/,
};

test('every code block in the docs has a known language and role', () => {
  const unknown = snippets
    .filter(({ language }) => language !== 'inline')
    .filter(({ language, words }) => !ROLES[language]?.test(words.join(' ')))
    .map((snippet) => `${placeOf(snippet)}: ${snippet.language} ${snippet.words.join(' ')}`);
  expect(unknown).toEqual([]);
});

describe('TypeScript in the docs', () => {
  const programs = inLanguage('ts').filter(({ words }) => words.length === 0);
  const fragments = inLanguage('ts').filter(({ words }) => words.includes('fragment'));

  const items = readItems();
  const examples = examplesIn(items);

  it('exists in more than five programs', () => expect(programs.length).toBeGreaterThan(5));

  it('is an example in the comment of every construct', () => {
    const constructs = items.filter(({ bases }) => bases.includes('Construct') || bases.includes('Chart'));
    expect(constructs.length).toBeGreaterThan(25);
    expect(constructs.filter(({ doc }) => doc?.examples.length !== 1).map(({ name }) => name)).toEqual([]);
  });

  it('compiles and runs with the packed library, twice with the same bytes', async () => {
    const project = await readersProject();
    expect(compile(project, [...programs, ...fragments, ...examples])).toEqual([]);
    const whole = examples.filter(({ words }) => words.includes('example'));
    expect(run(project, [...programs, ...whole], filesOf)).toEqual([]);
  });
});

function filesOf(page: string): Readonly<Record<string, string>> {
  const named = snippets.filter(({ language, words }) => /^(?:yaml|json)$/.test(language) && words.length > 0);
  return Object.fromEntries(
    named.filter((each) => each.page === page).map(({ words: [name = ''], text }) => [name, text]),
  );
}

describe('commands in the docs', () => {
  const scripts = inLanguage('sh');
  const commands = scripts.flatMap((snippet) => commandsIn(snippet.text).map((command) => ({ snippet, command })));
  const inline = inLanguage('inline').flatMap(inlineCommand);

  it('exist in more than 30 places', () => expect(commands.length).toBeGreaterThan(30));

  it('are scripts that Bash can parse', () => {
    const check = 'for script; do bash -n -c "$script" 2>&1 | tr "\\n" " "; echo; done';
    const { stdout } = spawnSync('bash', ['-c', check, 'bash', ...scripts.map(({ text }) => text)], {
      encoding: 'utf8',
    });
    const answers = stdout.split('\n');
    expect(answers).toHaveLength(scripts.length + 1);
    expect(
      scripts.flatMap((snippet, index) => (answers[index] ? [`${placeOf(snippet)}: ${answers[index]}`] : [])),
    ).toEqual([]);
  });

  it('have only words and options of their programs', async () => {
    const all = [...commands, ...inline];
    const problems: string[] = [];
    for (const { snippet, command } of all.filter(({ command }) => command.words[0] !== 'kubectl')) {
      const problem = await commandProblem(command.words);
      if (problem !== undefined) problems.push(`${placeOf(snippet)}: ${command.words.join(' ')}: ${problem}`);
    }
    const kubectl = all.filter(({ command }) => command.words[0] === 'kubectl');
    const answers = kubectlProblems(kubectl.map(({ command }) => command.words.slice(1)));
    expect(answers).toHaveLength(kubectl.length);
    for (const [index, { snippet, command }] of kubectl.entries()) {
      if (answers[index] !== '') problems.push(`${placeOf(snippet)}: ${command.words.join(' ')}: ${answers[index]}`);
    }
    expect(problems).toEqual([]);
  });
});

describe('cdk8s-linkerd commands in the docs', () => {
  const lines = inLanguage('sh').flatMap((snippet) =>
    commandsIn(snippet.text)
      .filter(({ isDynamic }) => !isDynamic)
      .flatMap(({ words }) => {
        const args = ownArguments(words);
        // These commands need a network: a chart repository, a TrustAnchor, or clusters.
        const isLocal =
          !['status', 'doctor'].includes(args?.[0] ?? '') &&
          !['charts pull', 'anchor request'].includes(args?.slice(0, 2).join(' ') ?? '');
        return args === undefined || !isLocal ? [] : [{ place: placeOf(snippet), args }];
      }),
  );
  /** Each command once with all its places. */
  const different = [...Map.groupBy(lines, ({ args }) => JSON.stringify(args)).values()].map((same) => ({
    places: same.map(({ place }) => place).join(', '),
    args: same[0]?.args ?? [],
  }));
  const folder = mkdtempSync(join(tmpdir(), 'docs-commands-'));
  const before = process.cwd();

  beforeAll(() => {
    process.chdir(folder);
    cpSync(join(ROOT, 'dist'), 'dist', { recursive: true });
    // Moves the cluster into the ring of the examples.
    const index = join('dist', 'stable', INDEX_FILE);
    writeFileSync(index, JSON.stringify({ ...JSON.parse(readFileSync(index, 'utf8')), ring: 'rest' }));
    for (const copy of ['promoted/rest', 'draft']) cpSync('dist', copy, { recursive: true });
    writePodinfo();
    for (const args of [
      ['init', '--quiet', '--initial-branch=main'],
      ['add', '--all'],
      ['-c', 'user.name=reader', '-c', 'user.email=reader@example.com', 'commit', '--quiet', '--message=output'],
      ['update-ref', 'refs/remotes/origin/main', 'HEAD'],
      ['update-ref', 'refs/remotes/origin/ring/rest', 'HEAD'],
    ])
      execFileSync('git', args);
  });

  afterAll(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });

  it('exist in more than four places', () => expect(lines.length).toBeGreaterThan(4));

  it.each(different)('at $places: $args succeeds in a repository with an output', async ({ args }) => {
    const texts = { '.yaml': VALUES, '.pem': issueCertificate({ commonName: 'root', ca: true }).cert };
    const files = Object.fromEntries(
      Object.entries(texts).flatMap(([ending, text]) =>
        args.filter((arg) => arg.endsWith(ending)).map((path) => [path, text]),
      ),
    );
    const begins = args[0] === 'init' ? [emptyRepository(), '--no-install'] : [];
    const stdin = args[0] === 'lint' ? 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n' : '';
    const { code, stderr } = await runInMemory([...args, ...begins], { files, stdin });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  });
});

/** Writes a chart like `charts add`. */
function writePodinfo(): void {
  const chart = { name: 'podinfo', version: '6.9.2' };
  const archive = packaged({ 'Chart.yaml': `apiVersion: v2\nname: podinfo\nversion: ${chart.version}\n` }, 'podinfo');
  mkdirSync('charts');
  writeFileSync(join('charts', archiveName(chart)), archive);
  const locked = { ...chart, repository: 'podinfo.tgz', sha256: digestOf(archive) };
  writeFileSync(join('charts', LOCK_FILE), formatLock([locked]));
}

/** A new repository with a remote. */
function emptyRepository(): string {
  const folder = mkdtempSync('new-');
  execFileSync('git', ['-C', folder, 'init', '--quiet']);
  execFileSync('git', ['-C', folder, 'remote', 'add', 'origin', 'https://git.example.com/platform.git']);
  return folder;
}

/** The values of a user of Helm. */
const VALUES = `
controllerReplicas: 2
identity: { issuer: { scheme: kubernetes.io/tls } }
policyValidator: { externalSecret: true, injectCaFrom: linkerd/linkerd-policy-validator }
profileValidator: { externalSecret: true, injectCaFrom: linkerd/linkerd-sp-validator }
proxyInjector: { externalSecret: true, injectCaFrom: linkerd/linkerd-proxy-injector }
`;

/** The arguments of a command of this library, however it is called. */
function ownArguments(words: readonly string[]): readonly string[] | undefined {
  const text = words.join(' ');
  for (const way of ['npx cdk8s-linkerd ', 'cdk8s-linkerd ', 'node tools/start/start.cjs bin/cdk8s-linkerd.ts ']) {
    if (text.startsWith(way)) return words.slice(way.trim().split(' ').length);
  }
  return undefined;
}

/** Linked files that the test treats like snippets of a page. */
const FILES: readonly Snippet[] = ['linkerdconfig-health.yaml', 'kargo-analysis-template.yaml'].map((name) => {
  const page = join('examples/argocd', name);
  return { page, line: 1, language: 'yaml', words: [], text: readFileSync(join(ROOT, page), 'utf8') };
});

describe('YAML and JSON in the docs', () => {
  const documents = [...inLanguage('yaml'), ...inLanguage('json'), ...FILES].flatMap((snippet) =>
    parseAllDocuments(snippet.text).map((document) => ({ snippet, document })),
  );

  it('exist', () => expect(documents.length).toBeGreaterThan(0));

  it('parse without errors', () => {
    const unreadable = documents.flatMap(({ snippet, document }) =>
      document.errors.map(({ message }) => `${placeOf(snippet)}: ${message}`),
    );
    expect(unreadable).toEqual([]);
  });

  it('contain only objects that the API server accepts', () => {
    const refused = documents.flatMap(({ snippet, document }) => {
      const object: unknown = document.toJS();
      return checkByApiRules(object).map(({ what }) => `${placeOf(snippet)}: ${what}`);
    });
    expect(refused).toEqual([]);
  });
});

/** The commands of this library and of kubectl in sentences and tables, if written with their options. */
function inlineCommand(snippet: Snippet): readonly { snippet: Snippet; command: ShellCommand }[] {
  if (!/^(?:npm run |(?:npx|kubectl|cdk8s-linkerd) .* -)(?!.*…)/.test(snippet.text)) return [];
  return commandsIn(snippet.text).map((command) => ({ snippet, command }));
}
