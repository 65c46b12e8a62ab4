import { chartRenderer } from '#linkerd/renderers/chart-renderer';
import { chartFolder, PINNED } from '#test/gitops/charts/widgets-chart';

const OPTIONS = { name: 'shop', namespace: 'shop', kubeVersion: 'v1.34.0', apiVersions: [] };

test('chartRenderer renders a chart once for clusters with equal values', () => {
  const opened = chartFolder().open(PINNED);
  if (opened === undefined) throw new Error('the folder has no chart');
  const render = (values: object, options = OPTIONS) =>
    chartRenderer(opened, options).render({ ...values }, { namespace: 'shop' });
  const objects = render({ replicas: 1 });
  expect(Object.isFrozen(objects)).toBe(true);
  expect(render({ replicas: 1 })).toBe(objects);
  expect(render({ replicas: 2 })).not.toEqual(objects);
  expect(render({ replicas: 1 }, { ...OPTIONS, name: 'other' })).not.toEqual(objects);
});
