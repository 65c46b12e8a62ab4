import { ApiObject, App, Chart, JsonPatch, Testing, YamlOutputType } from 'cdk8s';
import { addRule, Warnings } from '#lib/gitops/tree/add-rule';
import { manifest } from '#lib/gitops/tree/manifest';

const PROBLEM = { severity: 'error', code: 'wrong', what: 'It is wrong', why: 'It breaks', fix: 'mend it' } as const;
const RISK = {
  severity: 'warning',
  code: 'certificate-alerts-missing',
  what: 'Nobody is told',
  why: 'It may break',
  fix: 'tell somebody',
} as const;

/** An App with three charts, each with a ConfigMap. */
function app(yamlOutputType = YamlOutputType.FILE_PER_CHART) {
  const made = new App({ outdir: Testing.app().outdir, yamlOutputType });
  const charts = ['a', 'b', 'c'].map((id) => new Chart(made, id, { disableResourceNameHashes: true }));
  const objects = charts.map((chart) =>
    manifest(chart, 'settings', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } }),
  );
  return { app: made, charts, objects };
}

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
])('App.synth with the YamlOutputType %s runs each rule once', (type) => {
  const made = app(type);
  const rule = jest.fn(() => []);
  addRule(made.charts[1] as Chart, rule);
  made.app.synth();
  expect(rule).toHaveBeenCalledTimes(1);
});

test.each([
  ['synth', (made: App) => made.synth()],
  ['synthYaml', (made: App) => void made.synthYaml()],
  ['the synthesis of one chart', (made: App) => void Testing.synth(made.charts[0] as Chart)],
])('App.synth checks a change between two runs of %s', (_, synth) => {
  const { app: made, charts, objects } = app();
  synth(made);
  objects[0]?.metadata.addLabel('team', 'A & B');
  expect(() => synth(made)).toThrow(/\[\] a\/settings: ConfigMap settings: label team is "A & B"/);
  addRule(charts[2] as Chart, () => [PROBLEM]);
  expect(() => synth(made)).toThrow(/\[\] c: It is wrong\. It breaks\. Fix: mend it\. \[wrong\]/);
});

test.each<[string, (object: ApiObject) => unknown]>([
  ['a patch', (object) => object.addJsonPatch(JsonPatch.add('/metadata/labels', { team: 'A & B' }))],
  ['another object', (object) => new ApiObject(object.chart, 'x', { apiVersion: 'v1', kind: '?' })],
  ['the removal of an object', (object) => object.chart.node.tryRemoveChild(object.node.id)],
  ['an acknowledgement', (object) => Warnings.of(object).acknowledge('certificate-alerts-missing', 'a sandbox')],
])('App.synth runs rules again after %s between two runs', (_, change) => {
  const { charts, objects } = app();
  const rule = jest.fn(() => []);
  addRule(charts[2] as Chart, rule);
  const synth = () => Testing.synth(charts[0] as Chart);
  for (const _ of [1, 2]) synth();
  expect(rule).toHaveBeenCalledTimes(1);
  change(objects[0] as ApiObject);
  try {
    synth();
  } catch {}
  expect(rule).toHaveBeenCalledTimes(2);
});

test('App.synth prints no acknowledged warning, and warns of acknowledgements that match no warning', () => {
  const { app: made, charts } = app();
  addRule(charts[0] as Chart, () => [RISK]);
  for (const chart of charts.slice(0, 2)) Warnings.of(chart).acknowledge('certificate-alerts-missing', 'a sandbox');
  made.synth();
  expect(printed()).toEqual([expect.stringMatching(/^warning: b: .*\[acknowledged-nothing\]\n$/)]);
});
