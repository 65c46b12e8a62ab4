import { type EventNote, eventKey, eventOf } from '#controller-runtime/events/event';

const note: EventNote = {
  regarding: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'linkerd', name: 'linkerd-config', uid: '1234', resourceVersion: '5' },
  },
  type: 'Warning',
  reason: 'DriftReverted',
  note: 'kubectl-edit changed it',
};

test('an Event has the fields that the API requires', () => {
  const now = new Date('2026-01-01T00:00:00.999Z');
  const event = eventOf(note, { component: 'operator', instance: 'pod' }, { count: 3, now });
  expect(event).toEqual({
    metadata: { namespace: 'linkerd', name: expect.stringMatching(/^linkerd-config\.[0-9a-f]{16}$/) },
    involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'linkerd', name: 'linkerd-config', uid: '1234' },
    type: 'Warning',
    reason: 'DriftReverted',
    message: 'kubectl-edit changed it',
    count: 3,
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:00Z',
    source: { component: 'operator' },
    reportingComponent: 'operator',
    reportingInstance: 'pod',
  });
});

test('an Event truncates a note to the limit of the API', () => {
  const event = eventOf(
    { ...note, note: 'x'.repeat(5_000) },
    { component: '', instance: '' },
    { count: 1, now: new Date() },
  );
  expect(event.message).toHaveLength(1_024);
});

describe('the key of an Event', () => {
  const regarding = (metadata: Partial<EventNote['regarding']['metadata']>): EventNote => ({
    ...note,
    regarding: { ...note.regarding, metadata: { ...note.regarding.metadata, ...metadata } },
  });

  test.each([
    ['object', regarding({ name: 'other' })],
    ['object of the same name', regarding({ uid: '5678' })],
    ['reason', { ...note, reason: 'Other' }],
    ['note', { ...note, note: 'helm changed it' }],
    ['type', { ...note, type: 'Normal' as const }],
  ])('differs for another %s', (_what, other) => expect(eventKey(other)).not.toEqual(eventKey(note)));

  test('has the namespace `default` if the object has no namespace', () => {
    expect(eventKey(regarding({ namespace: undefined })).namespace).toBe('default');
  });

  test.each(['a'.repeat(253), `${'a'.repeat(228)}-.-bbb`])(
    'has a name that the API accepts, for an object named %s',
    (name) => {
      const event = eventKey(regarding({ name })).name;
      expect(event.length).toBeLessThanOrEqual(253);
      expect(event).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
    },
  );
});
