import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_RULES, checkByApiRules } from '#lib/kubernetes/api-rules/walk';

const IMPORTS = join(__dirname, '../../../imports');

function definitions(document: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(IMPORTS, `${document}.schema.json`), 'utf8')).definitions;
}

// A rule of a definition that is not there, or is called otherwise since, would never be asked.
test.each(Object.keys(API_RULES))('there is a definition for the rules of %s', (address) => {
  const [document = '', name = ''] = address.includes('#') ? address.split('#') : ['kubernetes', address];
  expect(Object.keys(definitions(document))).toContain(name);
});

describe('a part of an object that is in the cluster', () => {
  const problemsOf = (syncOptions: string) =>
    checkByApiRules({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a', annotations: { 'argocd.argoproj.io/sync-options': syncOptions } },
      type: 'kubernetes.io/tls',
      data: { 'a b': '' },
    }).map(({ code, cause, parameters }) => `${code}/${cause} ${parameters?.field}`);

  test('is refused for what it has', () => {
    expect(problemsOf('ServerSideApply=true,Delete=false')).toEqual(['field-refused/invalid-key data']);
  });

  test('is not refused for what it lacks, as a whole object is', () => {
    expect(problemsOf('Prune=false').sort()).toEqual([
      'field-refused/invalid-key data',
      'field-refused/required data["tls.crt"] and data["tls.key"]',
    ]);
  });
});
