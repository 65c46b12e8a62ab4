import * as fc from 'fast-check';
import { valuesThatDiffer } from './against-helm';
import { nastyText, nastyValue } from './nasty';

const RUNS = { numRuns: 400, seed: 20261126 };

describe('the writer of YAML prints adversarial texts and values as Helm does', () => {
  test.each(['toYaml', 'toYamlPretty', 'toJson', 'toPrettyJson', 'toRawJson', 'dict "key" .Values.value | toToml'])(
    '%s',
    (name) => {
      const template = name.includes('.Values') ? `{{ ${name} }}` : `{{ ${name} .Values.value }}`;

      expect(valuesThatDiffer(template, fc.sample(nastyText, RUNS))).toEqual([]);
      expect(valuesThatDiffer(template, fc.sample(nastyValue, RUNS))).toEqual([]);
    },
  );

  test('and reads them back unchanged', () => {
    const template = '{{ dict "a" .Values.value | toYaml | fromYaml | toJson }}';

    // U+2028 and U+2029 are line breaks in YAML 1.1, but not in the `yaml` package.
    const values = fc.sample(nastyValue, RUNS).filter((value) => !/[\u2028\u2029]/.test(JSON.stringify(value)));
    expect(valuesThatDiffer(template, values)).toEqual([]);
  });
});
