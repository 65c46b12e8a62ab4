import { ApiObject, App, Chart, Testing, YamlOutputType } from 'cdk8s';
import { Construct } from 'constructs';
import { acknowledgeWarning, addRule, addWarning } from '../../../lib/gitops/tree/add-rule';
import { manifest } from '../../../lib/gitops/tree/manifest';

const PROBLEM = { code: 'wrong', what: 'It is wrong', why: 'It breaks', fix: 'mend it' };
const RISK = { code: 'no-alerts', what: 'Nobody is told', why: 'It may break', fix: 'tell somebody' } as const;

/** Apps that write nowhere, with charts that each have a ConfigMap. */
function app(yamlOutputType = YamlOutputType.FILE_PER_CHART) {
  const made = new App({ outdir: Testing.app().outdir, yamlOutputType });
  const charts = ['a', 'b', 'c'].map((id) => new Chart(made, id, { disableResourceNameHashes: true }));
  const objects = charts.map((chart) =>
    manifest(chart, 'settings', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } }),
  );
  return { app: made, charts, objects };
}

/** Counts calls of a method of an object. */
const calls = <Of extends object>(of: Of, method: keyof Of & string) => jest.spyOn(of as never, method as never);

let stderr: jest.SpyInstance;
beforeEach(() => {
  stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => stderr.mockRestore());
const printed = () => stderr.mock.calls.map(([text]) => String(text));

test.each([
  YamlOutputType.FILE_PER_APP,
  YamlOutputType.FILE_PER_CHART,
  YamlOutputType.FILE_PER_RESOURCE,
  YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE,
])('App.synth to %s runs each rule once, and reads each object twice', (type) => {
  const made = app(type);
  const rule = jest.fn(() => []);
  addRule(made.charts[1] as Chart, rule);
  const reads = made.objects.map((object) => calls(object, 'toJson'));
  made.app.synth();
  expect(rule).toHaveBeenCalledTimes(1);
  for (const read of reads) expect(read.mock.calls.length).toBeLessThanOrEqual(2);
});

test('so does synthYaml', () => {
  const { app: made, charts } = app();
  const rule = jest.fn(() => []);
  addRule(charts[0] as Chart, rule);
  made.synthYaml();
  expect(rule).toHaveBeenCalledTimes(1);
});

test.each([
  ['synth', (made: App) => made.synth()],
  ['synthYaml', (made: App) => void made.synthYaml()],
  ['the synthesis of one chart', (made: App) => void Testing.synth(made.charts[0] as Chart)],
])('what was changed between two runs of %s is seen', (_, synth) => {
  const { app: made, charts, objects } = app();
  synth(made);
  objects[0]?.metadata.addLabel('team', 'A & B');
  expect(() => synth(made)).toThrow(/\[a\/settings\] label team of ConfigMap settings is "A & B"/);
  addRule(charts[2] as Chart, () => [PROBLEM]);
  expect(() => synth(made)).toThrow(/\[c\] It is wrong\. It breaks\. Fix: mend it\. \[wrong\]/);
});

test('a program that calls itself synth is no App', () => {
  const { app: made, objects } = app();
  const platform = {
    synth() {
      made.synth();
      objects[0]?.metadata.addLabel('team', 'A & B');
      return (made.charts[0] as Chart).toJson();
    },
  };
  expect(() => platform.synth()).toThrow(/is "A & B"/);
});

test('a construct that is asked by itself tells of itself', () => {
  const { charts } = app();
  const [a, b] = charts as [Chart, Chart];
  addRule(a, () => [PROBLEM]);
  expect([a.node.validate(), b.node.validate()]).toEqual([['It is wrong. It breaks. Fix: mend it. [wrong]'], []]);
  addRule(b, () => [PROBLEM]);
  expect([a.node.validate(), b.node.validate()].map((messages) => messages.length)).toEqual([1, 1]);
});

test('objects of others are checked, and told of at the nearest construct that tells anything', () => {
  const { app: made, charts } = app();
  const scope = new Construct(charts[0] as Chart, 'theirs');
  new ApiObject(scope, 'object', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', labels: { a: '?' } } });
  expect(() => made.synth()).toThrow(/\[\] a\/theirs\/object: label a of ConfigMap x is "\?"/);
  addRule(scope, () => []);
  expect(() => made.synth()).toThrow(/\[a\/theirs\] a\/theirs\/object: label a of ConfigMap x is "\?"/);
});

test('messages of others are left to cdk8s', () => {
  const { app: made, charts } = app();
  (charts[0] as Chart).node.addValidation({ validate: () => ['theirs'] });
  addRule(charts[0] as Chart, () => [PROBLEM]);
  expect(() => made.synth()).toThrow(/^Validation failed[^[]*\[a\] theirs\n {2}\[a\] It is wrong[^\n]*$/);
});

test('warnings are printed once, whoever asks how often', () => {
  const { app: made, charts } = app();
  addWarning(charts[0] as Chart, RISK);
  made.synth();
  made.synth();
  expect(printed()).toEqual(['warning: a: Nobody is told. It may break. Fix: tell somebody. [no-alerts]\n']);
});

test('a warning that is acknowledged is not printed, and one that nobody gives is told of', () => {
  const { app: made, charts } = app();
  addWarning(charts[0] as Chart, RISK);
  for (const chart of charts.slice(0, 2)) acknowledgeWarning(chart, 'no-alerts', 'a sandbox');
  made.synth();
  expect(printed()).toEqual([expect.stringMatching(/^warning: b: .*\[acknowledged-nothing\]\n$/)]);
});

test.each<[string, PropertyDescriptorMap]>([
  ['of another form', { prepareStackTrace: { value: (_: unknown, frames: unknown) => frames, configurable: true } }],
  ['that cannot be made', { prepareStackTrace: { value: () => fail('No stack'), configurable: true } }],
  ['without lines', { stackTraceLimit: { value: 0, configurable: true, writable: true } }],
  ['of a length that nobody may change', { stackTraceLimit: { value: 10, configurable: true, writable: false } }],
])('an App is reviewed where stacks are %s', (_, descriptors) => {
  const { app: made, charts } = app();
  addRule(charts[0] as Chart, () => [PROBLEM]);
  const before = Object.keys(descriptors).map((key) => [key, Object.getOwnPropertyDescriptor(Error, key)] as const);
  let thrown: unknown;
  try {
    Object.defineProperties(Error, descriptors);
    made.synth();
  } catch (error) {
    thrown = error;
  } finally {
    for (const [key, descriptor] of before) {
      Reflect.deleteProperty(Error, key);
      if (descriptor !== undefined) Object.defineProperty(Error, key, descriptor);
    }
  }
  expect(thrown).toMatchObject({ message: expect.stringContaining('[a] It is wrong. It breaks.') });
});

function fail(message: string): never {
  throw new TypeError(message);
}
