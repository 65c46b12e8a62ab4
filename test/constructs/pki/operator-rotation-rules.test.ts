import { Duration } from 'cdk8s';
import type { OperatorRotation } from '../../../lib/constructs/pki/operator-rotation';
import { checkAnchorName, checkOperatorRotation } from '../../../lib/constructs/pki/operator-rotation-rules';

const WINDOW = { start: '02:00', duration: Duration.hours(4) };

/** Rotations as code without types may have them. */
const faults = (rotation: object) => checkOperatorRotation(rotation as OperatorRotation).map(({ what }) => what);

test.each<[string, object]>([
  ['nothing', {}],
  ['members', { cluster: 'a', members: ['b', 'c'] }],
  ['windows', { windows: [WINDOW, { ...WINDOW, days: ['Mon', 'Sun'], start: '23:59', duration: Duration.days(7) }] }],
  ['laggards', { laggards: { policy: 'Never', maxUnavailableWorkloads: 1000, progressDeadline: Duration.days(1) } }],
  ['no workloads', { workloads: 0 }],
])('%s: right', (_name, rotation) => {
  expect(faults(rotation)).toEqual([]);
});

test.each<[string, object, string]>([
  ['an unknown policy', { laggards: { policy: 'Delete' } }, 'laggards.policy is "Delete"'],
  ['no workload at a time', { laggards: { maxUnavailableWorkloads: 0 } }, 'laggards.maxUnavailableWorkloads is 0'],
  ['too many of them', { laggards: { maxUnavailableWorkloads: 1001 } }, 'laggards.maxUnavailableWorkloads is 1001'],
  ['no time', { laggards: { progressDeadline: Duration.seconds(0) } }, 'laggards.progressDeadline is "0 ms"'],
  ['two days', { laggards: { progressDeadline: Duration.days(2) } }, 'laggards.progressDeadline is "172800000 ms"'],
  ['no delay', { propagationDelay: Duration.seconds(0) }, 'propagationDelay is "0 ms"'],
  ['half a workload', { workloads: 0.5 }, 'workloads is 0.5'],
  ['an empty rotateNow', { rotateNow: '' }, 'rotateNow is ""'],
  ['a time that is none', { windows: [{ ...WINDOW, start: '24:00' }] }, 'windows[0].start is "24:00"'],
  ['a day that is none', { windows: [WINDOW, { ...WINDOW, days: ['Monday'] }] }, 'windows[1].days'],
  ['a day twice', { windows: [{ ...WINDOW, days: ['Mon', 'Mon'] }] }, 'windows[0].days'],
  ['a window of eight days', { windows: [{ ...WINDOW, duration: Duration.days(8) }] }, 'windows[0].duration'],
  ['too many windows', { windows: Array.from({ length: 33 }, () => WINDOW) }, 'windows is 33'],
  ['members without a cluster', { members: ['b'] }, 'members'],
  ['a cluster among its members', { cluster: 'a', members: ['a'] }, 'members'],
  ['a member twice', { cluster: 'a', members: ['b', 'b'] }, 'members'],
  ['too many members', { cluster: 'a', members: Array.from({ length: 129 }, (_, index) => `m${index}`) }, 'members'],
])('%s: refused', (_name, rotation, fault) => {
  expect(faults(rotation)).toEqual([expect.stringContaining(`trustAnchor.operator.${fault}`)]);
});

test.each<[string, object]>([
  ['a text for a duration', { propagationDelay: '3m' }],
  ['a cluster that is no name', { cluster: 'A' }],
  ['a member that is no name', { cluster: 'a', members: ['b.c'] }],
])('%s: refused', (_name, rotation) => {
  expect(faults(rotation)).toHaveLength(1);
});

test('names of anchors leave room for their numbers', () => {
  expect(checkAnchorName('x'.repeat(59))).toEqual([]);
  expect(checkAnchorName('x'.repeat(60))[0]?.what).toContain('has 60 characters');
});
