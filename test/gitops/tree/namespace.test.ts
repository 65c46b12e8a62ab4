import { Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { ensureNamespace } from '#lib/gitops/tree/namespace';
import { ruleFindingsIn } from '../../support/findings';

test.each(['labels', 'annotations'] as const)('synth refuses two values of a key in the %s of a namespace', (field) => {
  const chart = Testing.chart();
  ensureNamespace(chart, 'shop', { [field]: { mode: 'on' } });
  const other = new Construct(chart, 'other');
  ensureNamespace(other, 'shop', { [field]: { mode: 'off' } });
  expect(ruleFindingsIn(other)).toMatchObject([
    {
      code: 'namespace-metadata-contested',
      parameters: { namespace: 'shop', key: 'mode', value: 'off', other: 'on' },
    },
  ]);
});
