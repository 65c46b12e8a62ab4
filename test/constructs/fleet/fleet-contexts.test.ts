import { contextsInFleet } from '#lib/constructs/fleet/fleet-contexts';

test('the contexts of clusters are read by name; clusters without one have none', () => {
  const text =
    'clusters:\n  - { name: eu-1, context: admin@eu-1 }\n  - { name: us-1 }\n  - 5\n  - { name: [x], context: y }\n';
  expect(contextsInFleet(text)).toEqual(new Map([['eu-1', 'admin@eu-1']]));
});

test.each(['clusters: 5', 'rings: []', '[]', '5'])('a file without clusters has no contexts: %j', (text) => {
  expect(contextsInFleet(text)).toEqual(new Map());
});

test('a file that is no YAML is a problem', () => {
  expect(contextsInFleet('clusters: [')).toEqual([expect.objectContaining({ code: 'fleet-file-refused' })]);
});
