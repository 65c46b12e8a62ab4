import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { type CatalogueEntry, entriesOf } from '#base/findings/catalogue';
import type { Finding } from '#base/findings/finding';
import { CATALOGUES } from '#lib/cli/catalogues';
import { baselineText, beyondBaseline, readBaseline } from '#lib/cli/lint/baseline';
import { clusterIn, readLintConfig } from '#lib/cli/lint/config';
import { lintConfigSchema } from '#lib/cli/lint/config-schema';
import { junitText } from '#lib/cli/lint/junit';
import { lint } from '#lib/cli/lint/lint';
import { formatReport, summaryOf } from '#lib/cli/lint/report';
import { LINT_CODES, ruleLines } from '#lib/cli/lint/rules';

const ROOT = resolve(__dirname, '../../..');

/** The configuration in a text, or its problems as `line: what`. */
function configIn(text: string): unknown {
  const read = readLintConfig('c.yaml', text);
  return 'config' in read
    ? read.config
    : read.findings.map(({ source, problem }) => `${source?.line}: ${problem.what}`);
}

test.each([
  ['', {}],
  ['\ufeff# nothing\n', {}],
  [
    'ignore: [vendor/]\nrules: { probe-denied: off, image-refused: warning }\n',
    { ignore: ['vendor/'], rules: { 'probe-denied': 'off', 'image-refused': 'warning' } },
  ],
  [
    'external: [{ secret: shop/a }, { namespace: b }]',
    {
      external: [
        { kind: 'Secret', namespace: 'shop', name: 'a' },
        { kind: 'Namespace', name: 'b' },
      ],
    },
  ],
  ['release: edge-26.8.3\r\nclusters: [clusters/*]\r\n', { release: 'edge-26.8.3', clusters: ['clusters/*'] }],
  ['$schema: https://example.com/lint.schema.json', {}],
  ['rules:\n  probe-denyed: off\n', ['2: rules names "probe-denyed", which is not the code of a rule']],
  ['rules: { probe-denied: none }', [expect.stringMatching(/^1: rules\.probe-denied is "none"/)]],
  ['ignored: []', [expect.stringMatching(/^1: ignored is not known/)]],
  ['release: edge-1.1.1', [expect.stringMatching(/^1: release is "edge-1\.1\.1"/)]],
  ['external: [{ secret: a }]', [expect.stringMatching(/^1: external\[0\]\.secret is "a"/)]],
  ['\n\nignore: ["[ab]"]', ['3: ignore[0] is "[ab]", which is not a supported pattern']],
  ['clusters: ["****a*b*c*d"]', [expect.stringMatching(/^1: clusters\[0\]/)]],
  ['- a', [expect.stringMatching(/not a map/)]],
  ['5', [expect.stringMatching(/not a map/)]],
  ['null', [expect.stringMatching(/not a map/)]],
  ['ignore: [', [expect.stringMatching(/not YAML/)]],
  ['a: &a [*a]', [expect.stringMatching(/aliases/)]],
  ['['.repeat(500), [expect.stringMatching(/not YAML/)]],
  ['__proto__: { ignore: [a] }', [expect.stringMatching(/__proto__/)]],
])('lint reads the configuration %j', (text, expected) => {
  expect(configIn(text)).toEqual(expected);
});

test('lint reads the configuration and the hook in the documentation', () => {
  const blocks = [...readFileSync(join(ROOT, 'docs/lint.md'), 'utf8').matchAll(/^```yaml\n(.*?)^```/gms)].map(
    ([, text = '']) => text,
  );
  const [example = ''] = blocks.filter((text) => text.startsWith('ignore:'));
  const { $schema: _, ...keys } = lintConfigSchema().properties as Readonly<Record<string, unknown>>;
  expect(Object.keys(configIn(example) as object).sort()).toEqual(Object.keys(keys).sort());
  const hooks = parse(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8')) as readonly {
    readonly id: string;
    readonly entry: string;
  }[];
  expect(hooks.map(({ entry }) => entry)).toEqual(['cdk8s-linkerd lint']);
  expect(blocks.some((text) => text.includes(`- id: ${hooks[0]?.id}\n`))).toBe(true);
});

test('lint finds the folder of a cluster by a pattern', () => {
  expect(clusterIn(['clusters/*'], 'clusters/a/b/c.yaml')).toBe('clusters/a');
  expect(clusterIn(['/prod', 'clusters/*'], 'prod/a.yaml')).toBe('prod');
  expect(clusterIn(['clusters/*'], 'base/a.yaml')).toBeUndefined();
});

const ACCOUNT = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a, annotations: { linkerd.io/inject: enabeld } }\n';

test('lint checks the folder of each cluster separately, with the files outside of all these folders', () => {
  const deployment = (image: string) =>
    `apiVersion: v1\nkind: Pod\nmetadata: { name: a, namespace: shop }\nspec: { imagePullSecrets: [{ name: s }], containers: [{ name: a, image: ${image} }] }\n`;
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata: { name: s, namespace: shop }\n';
  const files = new Map([
    ['a/1.yaml', deployment('a:1')],
    ['b/1.yaml', deployment('b:1').replace('name: a,', 'name: b,')],
    ['b/2.yaml', secret],
    ['all.yaml', 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n'],
  ]);
  const found = (clusterOf?: (file: string) => string | undefined) =>
    lint(files, { external: [], clusterOf }).findings.map(({ source, problem: { code } }) => `${source?.file} ${code}`);
  expect(found()).toEqual([]);
  expect(found((file) => clusterIn(['/a', '/b'], file))).toEqual(['a/1.yaml reference-missing']);
});

test('lint accepts a release that no file installs', () => {
  const pod =
    'apiVersion: v1\nkind: Pod\nmetadata: { name: a, namespace: shop, annotations: { linkerd.io/inject: enabled, config.linkerd.io/proxy-enable-native-sidecar: "true" } }\nspec: { containers: [{ name: a, image: "a:1" }] }\n';
  const codes = (release?: 'stable-2.14.10' | 'edge-26.8.3') =>
    lint(new Map([['a.yaml', pod]]), { release }).findings.map(({ problem: { code } }) => code);
  expect([codes(), codes('edge-26.8.3')]).toEqual([[], []]);
  expect(codes('stable-2.14.10')).not.toEqual([]);
});

const finding = (code: string, path: string, cause?: string): Finding => ({
  severity: 'error',
  path,
  problem: { severity: 'error', code, what: 'a', why: 'b', fix: 'c', ...(cause !== undefined && { cause }) },
});

test('a baseline ignores as many equal findings as it lists, in any files', () => {
  const [one, other] = [finding('a', 'Pod x'), finding('a', 'Pod y')];
  const baseline = readBaseline(baselineText([one, one, other]));
  if ('what' in baseline) throw new Error(baseline.what);
  expect(baseline).toEqual([
    { code: 'a', object: 'Pod x', count: 2 },
    { code: 'a', object: 'Pod y' },
  ]);
  const moved = { ...one, source: { file: 'b.yaml', line: 5 } };
  expect(beyondBaseline([moved, moved, moved, finding('b', 'Pod x')], baseline)).toEqual({
    findings: [moved, finding('b', 'Pod x')],
    known: 2,
    idle: [{ code: 'a', object: 'Pod y' }],
  });
});

test('a baseline of any findings ignores all of them, and none of its entries is unused', () => {
  const any = fc.record({
    code: fc.constantFrom('a', 'b'),
    path: fc.string(),
    cause: fc.option(fc.constantFrom('c', ''), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(any), (all) => {
      const findings = all.map(({ code, path, cause }) => finding(code, path, cause));
      const baseline = readBaseline(baselineText(findings));
      expect('what' in baseline ? baseline : beyondBaseline(findings, baseline)).toEqual({
        findings: [],
        known: findings.length,
        idle: [],
      });
    }),
  );
});

test.each([
  '',
  '[]',
  '{}',
  '{"version":2,"findings":[]}',
  '{"version":1,"findings":[null]}',
  '{"version":1,"findings":[{"code":1,"object":""}]}',
  '{"version":1,"findings":[{"code":"a","object":"","count":0}]}',
])('lint refuses the baseline %j', (text) =>
  expect(readBaseline(text)).toMatchObject({ code: 'lint-baseline-refused' }),
);

test('the summary lists unused entries of a baseline', () => {
  const report = {
    findings: [],
    accepted: [finding('a', 'Pod x')],
    known: 2,
    idle: [{ code: 'a', object: 'Pod \u001b[31m' }],
    unread: [],
    objects: 1,
    files: 1,
    valuesFiles: 0,
    unknown: 3,
  };
  expect(summaryOf(report)).toBe(
    '1 object in 1 file: 0 errors, 0 warnings, 1 accepted, 2 in the baseline, 3 references to objects outside of these files not checked\n' +
      'The baseline lists findings that no longer exist: a of Pod \\u001b[31m',
  );
});

test('no name in files controls a terminal, or breaks a report', () => {
  const odd = {
    ...finding('a', 'Pod \u001b]0;x\u0007"<&>\n##[error]'),
    source: { file: 'a\n::error::b.yaml', line: 1 },
  };
  const report = {
    findings: [odd],
    accepted: [],
    known: 0,
    idle: [],
    unread: [],
    objects: 1,
    files: 1,
    valuesFiles: 0,
    unknown: 0,
  };
  for (const format of ['text', 'github', 'junit', 'json', 'sarif'] as const) {
    expect(formatReport(format, report, false)).not.toMatch(/\p{Cc}(?<!\n)|^::error::b/mu);
  }
  expect(junitText([odd], false)).toMatch(/classname="Pod \\u001b\]0;x\\u0007&quot;&lt;&amp;&gt;&#10;/);
  expect(junitText([], false)).toContain('<testcase name="no findings"');
});

test('warnings are failures of JUnit only with --strict', () => {
  const warning = { ...finding('a', 'Pod x'), severity: 'warning' as const };
  expect([junitText([warning], false), junitText([warning], true)].map((text) => text.includes('<failure'))).toEqual([
    false,
    true,
  ]);
});

const NAMES = Object.entries(
  JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8').replaceAll(/^\s*\/\/.*$/gm, '')).compilerOptions
    .paths as Record<string, string[]>,
);

/** The file of an import; undefined for another package. */
function imported(from: string, name: string): string | undefined {
  const target = name.startsWith('.')
    ? resolve(dirname(from), name)
    : NAMES.flatMap(([pattern, [path = '']]) =>
        name.startsWith(pattern.replace('*', '')) && pattern.endsWith('*')
          ? [join(ROOT, path.replace('*', ''), name.slice(pattern.length - 1))]
          : [],
      )[0];
  if (target === undefined) return undefined;
  return [`${target}.ts`, join(target, 'index.ts')].find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

/** Files that read constructs and references in programs, which lint does not run. */
const NOT_RUN = [
  /^lib\/gitops\/tree\/(?:cdk8s-copies|patches|read-object|read-tree|references|unread)\.ts$/,
  /^lib\/cli\/repository\/sources\//,
  /^packages\/kubernetes\/(?:options\/(?:cdk8s-values|known-keys)|objects\/references)\.ts$/,
];

/** Codes in files that lint runs in part. */
const OF_OTHERS = new Set(['reference-too-late']);

test('the list of rules contains the codes of all files that lint runs', () => {
  const seen = new Set<string>();
  const used = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = readFileSync(path, 'utf8');
    if (!NOT_RUN.some((one) => one.test(relative(ROOT, path)))) {
      const aliases = new Map(
        [...text.matchAll(/\b([A-Z_]+) as ([A-Z_]+)\b/g)].map(([, name = '', alias = '']) => [alias, name]),
      );
      for (const [, holder = '', member = ''] of text.matchAll(/\b([A-Z][A-Z_]+)\.([a-z]\w+)/g))
        used.add(`${aliases.get(holder) ?? holder}.${member}`);
    }
    for (const [, name = ''] of text.matchAll(/^(?:import|export) (?!type )[^;]*? from '([^']+)'/gms)) {
      const next = imported(path, name);
      if (next !== undefined) visit(next);
    }
  };
  visit(join(ROOT, 'lib/cli/lint/lint.ts'));
  const byFactory = new Map(factories().map(({ name, code }) => [name, code]));
  const codes = new Set([...used].flatMap((name) => byFactory.get(name) ?? []).filter((code) => !OF_OTHERS.has(code)));
  // Checks of chart values are in files that lint loads only for a chart.
  expect([...LINT_CODES].sort()).toEqual([...codes, 'value-ignored'].sort());
});

/** Factories of findings by the names with which files call them. */
function factories(): readonly { readonly name: string; readonly code: string }[] {
  const folders = ['lib', 'operator/api', 'packages'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(ROOT, folder, path)),
  );
  const byKey = new Map<string, string>();
  for (const path of folders.filter((one) => /findings\.ts$/.test(one))) {
    for (const [, holder = '', body = ''] of readFileSync(path, 'utf8').matchAll(
      /^export const ([A-Z_]+) = catalogue\(\{\n(.*?)^\}\);/gms,
    )) {
      for (const [, key = ''] of body.matchAll(/^ {2}'?([a-z][\w/-]*)'?: \{$/gm)) {
        byKey.set(
          `${holder}.${key.replace(/[-/](.)/g, (_, letter: string) => letter.toUpperCase())}`,
          key.replace(/\/.*/, ''),
        );
      }
    }
  }
  return [...byKey].map(([name, code]) => ({ name, code }));
}

test('lint prints each rule on one line', () => {
  const known = new Set(
    CATALOGUES.flatMap(({ findings }) => entriesOf(findings)).map(({ code }: CatalogueEntry) => code),
  );
  expect(LINT_CODES.filter((code) => !known.has(code))).toEqual([]);
  expect(ruleLines()).toHaveLength(LINT_CODES.length);
  expect(ruleLines().find((line) => line.startsWith('probe-denied '))).toMatch(/^probe-denied +(?:error|warning) +</);
});

test('the list of rules contains the rule of each finding', () => {
  const { findings } = lint(new Map([['a.yaml', ACCOUNT]]));
  expect(findings.map(({ problem: { code } }) => LINT_CODES.includes(code))).toEqual([true]);
});
