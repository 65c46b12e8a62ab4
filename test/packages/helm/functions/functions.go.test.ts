import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { helmFunctions } from '#helm/functions/helm-functions';
import { notReproducible } from '#helm/functions/not-reproducible';
import { EXPRESSIONS, OTHERWISE, VALUES } from './expressions';
import { differences } from './render';

/** The folder of a Go module of Helm. It may be missing although the test tools were built from it. */
function goModule(path: string): string {
  const cwd = join(__dirname, '..', '..', '..', 'go', 'kubernetes');
  // Without this flag, the downloaded files would be read-only.
  const env = { ...process.env, GOFLAGS: '-modcacherw' };
  const output = execFileSync('go', ['mod', 'download', '-json', path], { cwd, env, encoding: 'utf8' });
  return (JSON.parse(output) as { readonly Dir: string }).Dir;
}

/** The names in Helm's map of functions, from its sources. */
function namesOfHelm(): Set<string> {
  const sprig = readFileSync(join(goModule('github.com/Masterminds/sprig/v3'), 'functions.go'), 'utf8');
  const engine = readFileSync(join(goModule('helm.sh/helm/v3'), 'pkg', 'engine', 'funcs.go'), 'utf8');
  const map = sprig.slice(sprig.indexOf('var genericMap'));
  const extra = engine.slice(engine.indexOf('extra := template.FuncMap'), engine.indexOf('for k, v := range extra'));
  const names = [...`${map}${extra}`.matchAll(/^\s*"(\w+)":/gm), ...map.matchAll(/, "(\w+)":/g)].map(
    ([, name = '']) => name,
  );
  return new Set(names.filter((name) => name !== 'env' && name !== 'expandenv'));
}

describe('helmFunctions', () => {
  test('has every function of Helm except include and tpl', () => {
    const expected = [...namesOfHelm()].filter((name) => name !== 'include' && name !== 'tpl');

    expect([...helmFunctions.keys()].sort()).toEqual(expected.sort());
  });

  test('has an expression for every function that it does not refuse', () => {
    const asked = new Set([...Object.keys(EXPRESSIONS), ...notReproducible.keys()]);

    expect([...helmFunctions.keys()].filter((name) => !asked.has(name))).toEqual([]);
  });

  test('prints what Helm prints', () => {
    const templates = Object.values(EXPRESSIONS)
      .flat()
      .map((expression) => `{{ ${expression} }}`);

    expect(differences(templates, VALUES)).toEqual([]);
  });

  test('differs from Helm only in documented cases', () => {
    const templates = OTHERWISE.map((expression) => `{{ ${expression} }}`);

    expect(differences(templates, VALUES)).toHaveLength(templates.length);
  });
});
