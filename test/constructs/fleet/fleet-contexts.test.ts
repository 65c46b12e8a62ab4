import { contextsInFleet } from '#lib/constructs/fleet/fleet-contexts';

test('a fleet file maps clusters to contexts by name', () => {
  const text =
    'clusters:\n  - { name: eu-1, context: admin@eu-1 }\n  - { name: us-1 }\n  - 5\n  - { name: [x], context: y }\n';
  expect(contextsInFleet(text)).toEqual(new Map([['eu-1', 'admin@eu-1']]));
});

test.each(['clusters: 5', 'rings: []', '[]', '5'])('a fleet file without clusters has no contexts: %j', (text) => {
  expect(contextsInFleet(text)).toEqual(new Map());
});

test('a fleet file of invalid YAML is a problem', () => {
  expect(contextsInFleet('clusters: [')).toEqual([expect.objectContaining({ code: 'fleet-file-refused' })]);
});
