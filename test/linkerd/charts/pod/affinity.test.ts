import { affinity } from '../../../../lib/linkerd/charts/pod/affinity';

const LABEL = ['linkerd.io/control-plane-component', 'identity'] as const;
const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } };

test('replicas may be anywhere unless values say otherwise', () => {
  expect(affinity({ enablePodAntiAffinity: false, nodeAffinity: {} }, LABEL)).toBeUndefined();
});

test('replicas are kept apart by their label', () => {
  const { podAntiAffinity } = affinity({ enablePodAntiAffinity: true, nodeAffinity: undefined }, LABEL) ?? {};
  expect(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual([
    {
      labelSelector: { matchExpressions: [{ key: LABEL[0], operator: 'In', values: ['identity'] }] },
      topologyKey: 'kubernetes.io/hostname',
    },
  ]);
});

test('one affinity does not exclude the other', () => {
  expect(Object.keys(affinity({ enablePodAntiAffinity: true, nodeAffinity }, LABEL) ?? {}).sort()).toEqual([
    'nodeAffinity',
    'podAntiAffinity',
  ]);
});
