import Ajv from 'ajv';
import type { Finding } from '#base/findings/finding';
import { KUBERNETES_FINDINGS } from '#kubernetes/findings/findings';
import { FINDING_FORMATS, type FindingFormat, formatOutcome, type Outcome } from '#lib/gitops/platform/finding-formats';
import { findingsSchema } from '#tools/schemas/findings-schema';

const isOfSchema = new Ajv({ strict: false }).compile(findingsSchema());

const NOTHING: Outcome = { outcome: 'written', findings: [], acknowledged: 0, differences: [] };
const REASON_MISSING: Finding = {
  severity: 'error',
  path: 'home/linkerd',
  problem: KUBERNETES_FINDINGS.acknowledgementRefusedReason({ code: 'certificate-alerts-missing' }),
};
const ODD: Finding = {
  severity: 'warning',
  path: 'home/a,b: c%20\u2028\u001b[31m',
  problem: {
    severity: 'warning',
    code: 'own-code',
    what: '::error::50 %\r\nof "größe" 🦆',
    why: 'a, b: c',
    fix: 'write [x](1) {0}',
  },
};

const print = (format: FindingFormat, findings: readonly Finding[], rest: Partial<Outcome> = {}) =>
  formatOutcome(format, { ...NOTHING, findings, ...rest });

function read(
  format: 'json' | 'sarif',
  ...args: Parameters<typeof print> extends [unknown, ...infer Rest] ? Rest : never
) {
  const data = JSON.parse(print(format, ...args));
  if (format === 'json') expect([isOfSchema(data), isOfSchema.errors]).toEqual([true, null]);
  return data;
}

describe('the format json', () => {
  test('has the place within the construct as a field, which other formats print before the text', () => {
    const placed = { ...REASON_MISSING, problem: { ...REASON_MISSING.problem, place: 'ConfigMap linkerd/a' } };
    const { what } = REASON_MISSING.problem;
    expect(read('json', [placed]).findings).toMatchObject([{ place: 'ConfigMap linkerd/a', what }]);
    expect(print('github', [placed])).toContain(`home/linkerd: ConfigMap linkerd/a: ${what}`);
  });

  test('does not change texts with control characters', () => {
    const [finding] = read('json', [ODD]).findings;
    expect(finding).toEqual({ path: ODD.path, alsoAt: [], parameters: {}, ...ODD.problem });
  });
});

describe('the format sarif', () => {
  test('has a rule for each code, with the command that explains it', () => {
    const { tool, results } = read('sarif', [ODD, REASON_MISSING, REASON_MISSING]).runs[0];
    expect(tool.driver.rules).toMatchObject([
      {
        id: 'acknowledgement-refused',
        shortDescription: { text: 'acknowledgement refused' },
        defaultConfiguration: { level: 'error' },
      },
      { id: 'own-code', defaultConfiguration: { level: 'warning' } },
    ]);
    expect(tool.driver.rules[0].help.text).toContain('explain acknowledgement-refused');
    expect(results.map(({ ruleId, ruleIndex }: Record<string, string>) => [ruleId, ruleIndex])).toEqual([
      ['own-code', 1],
      ['acknowledgement-refused', 0],
      ['acknowledgement-refused', 0],
    ]);
  });

  test('has the file, the line if it is known, and the constructs of a finding', () => {
    const { results } = read('sarif', [
      { ...REASON_MISSING, source: { file: 'größe 50%?#/fleet.yaml', line: 12, column: 3 } },
      { ...ODD, source: { file: 'main.ts' } },
    ]).runs[0];
    expect(results[0].locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: 'gr%C3%B6%C3%9Fe%2050%25%3F%23/fleet.yaml' },
          region: { startLine: 12, startColumn: 3 },
        },
        logicalLocations: [{ fullyQualifiedName: 'home/linkerd' }],
      },
    ]);
    expect(results[1].locations[0].physicalLocation.region).toEqual({ startLine: 1 });
    const [twice] = read('sarif', [{ ...ODD, alsoAt: ['home/b'] }]).runs[0].results;
    expect(twice.locations[0].logicalLocations).toHaveLength(2);
    expect(twice.message.text).toContain('Also at home/b');
    const [unplaced] = read('sarif', [ODD]).runs[0].results;
    expect(unplaced.locations).toEqual([{ logicalLocations: [{ fullyQualifiedName: ODD.path }] }]);
  });

  test('has all places of equal findings of several clusters, as the other formats do', () => {
    const equal = [
      {
        ...REASON_MISSING,
        alsoAt: ['Pod a', 'stable/linkerd'],
        source: { file: 'fleet.yaml', line: 2 },
        alsoIn: [{ file: 'fleet.yaml', line: 5 }],
      },
    ];
    expect(read('sarif', equal).runs[0].results[0].locations).toMatchObject([
      {
        physicalLocation: { region: { startLine: 2 } },
        logicalLocations: [
          { fullyQualifiedName: 'home/linkerd' },
          { fullyQualifiedName: 'Pod a' },
          { fullyQualifiedName: 'stable/linkerd' },
        ],
      },
      { physicalLocation: { region: { startLine: 5 } } },
    ]);
    expect(read('json', equal).findings[0]).toMatchObject({
      file: 'fleet.yaml',
      line: 2,
      places: [
        { file: 'fleet.yaml', line: 2 },
        { file: 'fleet.yaml', line: 5 },
      ],
    });
    expect(print('github', equal).match(/file=fleet\.yaml,line=\d/g)).toEqual([
      'file=fleet.yaml,line=2',
      'file=fleet.yaml,line=5',
    ]);
  });

  test('has different and stable fingerprints for findings of many clusters at one line', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => ({ ...REASON_MISSING, path: `cluster-${index}/linkerd` }));
    const prints = (findings: readonly Finding[]): string[] =>
      read('sarif', findings).runs[0].results.map(
        ({ partialFingerprints }: Record<string, Record<string, string>>) =>
          partialFingerprints?.primaryLocationLineHash,
      );
    expect(new Set(prints(many)).size).toBe(1_000);
    expect(prints(many.toReversed()).toReversed()).toEqual(prints(many));
  });

  test('reports a failure as an unsuccessful execution', () => {
    const [{ invocations }] = read('sarif', [], { outcome: 'failed', message: 'ENOSPC' }).runs;
    expect(invocations).toEqual([
      { executionSuccessful: false, toolExecutionNotifications: [{ level: 'error', message: { text: 'ENOSPC' } }] },
    ]);
    expect(read('sarif', []).runs[0].invocations).toEqual([{ executionSuccessful: true }]);
  });
});

describe('the format github', () => {
  test('has a workflow command for each finding, with its place', () => {
    expect(print('github', [{ ...REASON_MISSING, source: { file: 'fleet.yaml', line: 4, column: 7 } }])).toMatch(
      /^::error file=fleet\.yaml,line=4,col=7,title=acknowledgement-refused::home\/linkerd: .*certificate-alerts-missing.*%0AFix: .*\.\n$/,
    );
  });

  test('escapes characters that would end a property or a command', () => {
    expect(print('github', [{ ...ODD, source: { file: 'a,b:c%\n.ts' } }])).toBe(
      '::warning file=a%2Cb%3Ac%25%0A.ts,title=own-code::home/a,b: c%2520\\u2028\\u001b[31m: ::error::50 %25%0Aof "größe" 🦆. a, b: c.%0AFix: write [x](1) {0}.\n',
    );
  });

  test('lists unread files once for each reason', () => {
    const one = { what: 'not read', cause: 'template', why: 'a template', fix: 'render it' };
    const unread = ['a', 'b', 'c', 'd'].map((file, index) => ({
      ...one,
      file,
      reason: `${index}`,
      hides: [`${file}%`],
    }));
    expect(
      print('github', [], { unread: [...unread, { ...one, file: 'e', cause: 'limit', what: 'not checked' }] }),
    ).toBe(
      '::warning title=not-read::8 files not read: a, a%25, b and 5 more: a template.%0AFix: render it.\n' +
        '::warning title=not-checked::1 file not checked: e: a template.%0AFix: render it.\n',
    );
  });

  test('reports a failure as a workflow command', () => {
    expect(print('github', [], { outcome: 'failed', message: 'no\nspace' })).toBe(
      '::error title=synth-failed::no%0Aspace\n',
    );
  });
});

test.each(FINDING_FORMATS)('the format %s shows no login in the name of a construct', (format) => {
  const path = 'home/https://me:hunter2@git.example.com';
  expect(print(format, [{ ...ODD, path }])).not.toContain('hunter2');
});
