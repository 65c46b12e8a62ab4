import { ApiObject, App, Chart, JsonPatch, Lazy } from 'cdk8s';
import fc from 'fast-check';
import { pointer, valueAtPointer } from '#base/json-pointer';
import { faultOfPatches } from '#lib/gitops/tree/patches';
import { readObject } from '#lib/gitops/tree/read-object';

const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', annotations: { 'a.io/b': 'c' } },
  spec: { replicas: 1, template: { spec: { containers: [{ name: 'web', args: ['-x'] }] } } },
};

function read(patches: readonly JsonPatch[], changes: object = {}) {
  const chart = new Chart(new App({ outdir: '', recordConstructMetadata: false }), 'chart');
  const object = new ApiObject(chart, 'web', { ...DEPLOYMENT, ...changes });
  object.addJsonPatch(...patches);
  return readObject(object);
}

function problemOf(...patches: readonly JsonPatch[]) {
  const result = read(patches);
  return 'problems' in result ? result.problems[0] : undefined;
}

const CONTAINER = '/spec/template/spec/containers';

test.each<[string, JsonPatch, string, string]>([
  [
    'slash',
    JsonPatch.add('/metadata/annotations/service.beta.kubernetes.io/aws', 'x'),
    '/metadata/annotations has no "service.beta.kubernetes.io"',
    'write a slash that is part of a key as ~1: /metadata/annotations/service.beta.kubernetes.io~1aws',
  ],
  [
    'missing',
    JsonPatch.add('/metadata/labels/a.io/team', 'x'),
    '/metadata has no "labels"',
    'JsonPatch.add("/metadata/labels", {"a.io/team":"x"})',
  ],
  [
    'missing',
    JsonPatch.add('/metadata/labels/a.io~1team', 'x'),
    '/metadata has no "labels"',
    'JsonPatch.add("/metadata/labels", {"a.io/team":"x"})',
  ],
  [
    'missing',
    JsonPatch.add('/spec/strategy/rollingUpdate/maxSurge', 1),
    '/spec has no "strategy"',
    'JsonPatch.add("/spec/strategy", {"rollingUpdate":{"maxSurge":1}})',
  ],
  [
    'missing',
    JsonPatch.add(`${CONTAINER}/0/env/-`, { name: 'A' }),
    `${CONTAINER}/0 has no "env"`,
    `JsonPatch.add("${CONTAINER}/0/env", [{"name":"A"}])`,
  ],
  ['missing', JsonPatch.add('/status/x', 1), 'the object has no "status"', 'JsonPatch.add("/status", {"x":1})'],
  [
    'similar',
    JsonPatch.replace('/spec/templates/spec/hostNetwork', true),
    '/spec has no "templates"',
    'write /spec/template/spec/hostNetwork',
  ],
  ['index', JsonPatch.replace(`${CONTAINER}/1/image`, 'x'), 'has no item "1"', 'correct the number'],
  ['index', JsonPatch.add(`${CONTAINER}/-/image`, 'x'), 'has no item "-"', 'correct the number'],
  ['index', JsonPatch.add(`${CONTAINER}/web`, {}), 'is a list with 1 item, and has no item "web"', 'correct'],
  ['index', JsonPatch.add(`${CONTAINER}/7`, {}), 'has no item "7"', 'correct'],
  ['index', JsonPatch.remove(`${CONTAINER}/1`), 'has no item "1"', 'correct'],
  ['value', JsonPatch.add('/metadata/name/first', 'x'), '/metadata/name is "web"', 'replace the value as a whole'],
  ['value', JsonPatch.add('/spec/replicas/min/x', 1), '/spec/replicas is 1', 'replace the value as a whole'],
  ['pointer', JsonPatch.add('metadata/labels', {}), '"metadata/labels" is not a JSON pointer', '/metadata/labels'],
  ['pointer', JsonPatch.add('/metadata/a~b', {}), '"/metadata/a~b" is not a JSON pointer', 'write /metadata/a~0b'],
  ['pointer', JsonPatch.add(undefined as never, {}), 'undefined is not a JSON pointer', 'write /undefined'],
  ['source', JsonPatch.move('/spec/x', '/spec/y'), '/spec has no "x"', 'an existing member (replicas, template)'],
  ['missing', JsonPatch.copy('/spec/replicas', '/status/replicas'), 'the object has no "status"', '/status'],
  ['test', JsonPatch.test('/spec/replicas', 2), 'it finds 1 instead of 2', 'check what changed'],
  ['source', JsonPatch.test('/spec/x', 2), '/spec has no "x"', 'name an existing member'],
])('synth reports why it cannot apply a patch: %s, %j', (cause, patch, what, fix) => {
  const problem = problemOf(patch);
  expect(problem).toMatchObject({ code: 'patch-refused', cause });
  expect(problem?.what).toContain('Deployment web: ');
  expect(problem?.what).toContain(what);
  expect(problem?.fix).toContain(fix);
});

test.each<[JsonPatch]>([
  [JsonPatch.add('/metadata/annotations/a.io~1d', 'x')],
  [JsonPatch.add('/metadata/annotations', { a: 'b' })],
  [JsonPatch.add(`${CONTAINER}/0/args/-`, '-y')],
  [JsonPatch.add(`${CONTAINER}/1`, { name: 'b' })],
  [JsonPatch.replace('/spec/paused', true)],
  [JsonPatch.remove('/spec/paused')],
  [JsonPatch.move('/spec/replicas', '/spec/min')],
  [JsonPatch.test('/metadata/name', 'web')],
  [JsonPatch.replace('', DEPLOYMENT)],
])('synth applies a patch: %j', (patch) => expect(problemOf(patch)).toBeUndefined());

test('synth applies each patch to the result of earlier ones, even where cdk8s reads the object', () => {
  const labels = JsonPatch.add('/metadata/labels', {});
  const team = JsonPatch.add('/metadata/labels/team', 'a');
  expect(problemOf(labels, team)).toBeUndefined();
  expect(problemOf(team, labels)?.code).toBe('patch-refused');
  const lazy = { spec: Lazy.any({ produce: () => ({ replicas: new Map() }) }) };
  expect(read([JsonPatch.add('/spec/a/b', 1)], lazy)).not.toHaveProperty('object');
});

const KEY = fc.constantFrom('a', 'b', 'a/b', '~', '0', '1', '-', '', 'x.io/y');
const DOCUMENT = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('text', 1, true),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(KEY, tie('tree'), { maxKeys: 4 }),
  ),
})).tree;
const PATHS = fc.array(KEY, { maxLength: 4 }).map((keys) => pointer('', ...keys));
const OPERATIONS = fc.oneof(
  fc.tuple(PATHS, DOCUMENT).map(([path, value]) => JsonPatch.add(path, value)),
  fc.tuple(PATHS, DOCUMENT).map(([path, value]) => JsonPatch.replace(path, value)),
  PATHS.map((path) => JsonPatch.remove(path)),
  fc.tuple(PATHS, PATHS).map(([from, path]) => JsonPatch.copy(from, path)),
);

test('synth applies a valid patch by its pointer, and changes nothing for an invalid one', () => {
  fc.assert(
    fc.property(DOCUMENT, OPERATIONS, (document, patch) => {
      const before = structuredClone(document);
      const fault = faultOfPatches(document, [patch], 'x');
      expect(document).toEqual(before);
      if (fault !== undefined) return;
      const after: unknown = JsonPatch.apply(structuredClone(document), patch);
      const { op, path, value } = JSON.parse(JSON.stringify(patch)).operation;
      if ((op === 'add' || op === 'replace') && !path.endsWith('/-'))
        expect(valueAtPointer(after, path)).toEqual(value);
    }),
  );
});
