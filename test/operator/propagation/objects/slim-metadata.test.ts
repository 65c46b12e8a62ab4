import { slimMetadata } from '#operator/src/propagation/objects/slim-metadata';

const CONTROLLER = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u', controller: true };

test('slim metadata keep the identity of an object and its controller, and the requested annotations', () => {
  const kept = { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '1' };
  const times = { generation: 1, creationTimestamp: 'then', deletionTimestamp: 'now' };
  expect(
    slimMetadata(
      {
        ...kept,
        ...times,
        labels: { big: 'one' },
        annotations: { mine: 'a', other: 'b' },
        ownerReferences: [{ ...CONTROLLER, controller: false }, CONTROLLER],
        finalizers: ['x'],
      },
      ['mine', 'absent'],
    ),
  ).toEqual({ ...kept, ...times, annotations: { mine: 'a' }, ownerReferences: [CONTROLLER] });
});
