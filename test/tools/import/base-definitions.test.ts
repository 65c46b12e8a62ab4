import { withBaseDefinitions } from '#tools/import/base-definitions';
import type { Definitions } from '#tools/import/json-schema';

const probe = { type: 'object', properties: { seconds: { type: 'integer' } }, additionalProperties: false };
const base: Definitions = {
  Values: { type: 'object', properties: { identity: { $ref: '#/definitions/Identity' } } },
  Identity: { type: 'object', properties: { liveness: { $ref: '#/definitions/Probe' } } },
  Probe: probe,
};
const newest = { module: 'charts/mesh/v2', definitions: base };

test('a definition that another document has is a reference to it, and those that only it needs are gone', () => {
  const older: Definitions = {
    Values: { type: 'object', properties: { identity: { $ref: '#/definitions/Identity' }, old: { type: 'string' } } },
    // The same under another name.
    Identity: { type: 'object', properties: { liveness: { $ref: '#/definitions/LivenessProbe' } } },
    LivenessProbe: probe,
  };
  expect(withBaseDefinitions(older, newest, 'Values')).toEqual({
    Values: {
      type: 'object',
      properties: { identity: { $ref: 'charts/mesh/v2#/definitions/Identity' }, old: { type: 'string' } },
    },
  });
});

test('what differs is spelled out, with references to what does not', () => {
  const older: Definitions = {
    ...base,
    Identity: { type: 'object', properties: { liveness: { $ref: '#/definitions/Probe' }, old: { type: 'string' } } },
  };
  expect(withBaseDefinitions(older, newest, 'Values')).toEqual({
    Values: base.Values,
    Identity: {
      type: 'object',
      properties: { liveness: { $ref: 'charts/mesh/v2#/definitions/Probe' }, old: { type: 'string' } },
    },
  });
});

test('references to other documents stay', () => {
  const older: Definitions = { Values: { properties: { a: { $ref: 'kubernetes#/definitions/Probe' } } } };
  expect(withBaseDefinitions(older, newest, 'Values')).toEqual(older);
});
