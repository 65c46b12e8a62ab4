import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_RULES, checkByApiRules } from '#kubernetes/api-rules/walk';

const IMPORTS = join(__dirname, '../../../../imports');

function definitions(document: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(IMPORTS, `${document}.schema.json`), 'utf8')).definitions;
}

// A rule of a definition that was renamed or removed would never apply.
test.each(Object.keys(API_RULES))('API_RULES names an existing definition: %s', (address) => {
  const [document = '', name = ''] = address.includes('#') ? address.split('#') : ['kubernetes', address];
  expect(Object.keys(definitions(document))).toContain(name);
});

describe('checkByApiRules', () => {
  const problemsOf = (syncOptions: string) =>
    checkByApiRules({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a', annotations: { 'argocd.argoproj.io/sync-options': syncOptions } },
      type: 'kubernetes.io/tls',
      data: { 'a b': '' },
    }).map(({ code, cause, parameters }) => `${code}/${cause} ${parameters?.field}`);

  test('checks only the present keys of an object with ServerSideApply=true and Delete=false', () => {
    expect(problemsOf('ServerSideApply=true,Delete=false')).toEqual(['field-refused/invalid-key data']);
  });

  test('requires the missing keys of any other object', () => {
    expect(problemsOf('Prune=false').sort()).toEqual([
      'field-refused/invalid-key data',
      'field-refused/required data["tls.crt"]',
      'field-refused/required data["tls.key"]',
    ]);
  });

  test.each([
    ['3Mi', ['invalid']],
    ['4Mi', []],
  ])('refuses a partial huge page: %s of hugepages-2Mi -> %j', (amount, causes) => {
    const resources = { limits: { cpu: '1', 'hugepages-2Mi': amount } };
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'a', image: 'a:1', resources }] },
    };
    expect(checkByApiRules(pod).map(({ cause }) => cause)).toEqual(causes);
  });
});
