import { scheduling } from '../../../../../lib/linkerd/charts/linkerd-control-plane/workload';

test('empty values say nothing', () => {
  const values = { nodeSelector: {}, tolerations: [], priorityClassName: '', runtimeClassName: '' };
  expect(scheduling(values)).toEqual({ nodeSelector: {} });
});

test('pods run where values say', () => {
  const values = {
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    tolerations: [{ key: 'dedicated', operator: 'Exists' as const }],
    priorityClassName: 'system-cluster-critical',
    runtimeClassName: 'gvisor',
  };
  expect(scheduling(values)).toEqual(values);
});
