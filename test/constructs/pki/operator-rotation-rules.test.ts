import { Duration } from 'cdk8s';
import { checkAnchorName, checkOperatorRotation, type OperatorRotation } from '#lib/constructs/pki/operator-rotation';

const WINDOW = { start: '02:00', duration: Duration.hours(4) };

const MEMBERS = { cluster: 'a', members: ['b', 'c'] };

/** Rotations as code without types may have them. */
const faults = (rotation: object) => checkOperatorRotation(rotation as OperatorRotation, 'linkerd');

test.each<[string, object]>([
  ['nothing', {}],
  ['members', { cluster: 'a', members: ['b', 'c'] }],
  ['windows', { windows: [WINDOW, { ...WINDOW, days: ['Mon', 'Sun'], start: '23:59', duration: Duration.days(7) }] }],
  ['laggards', { laggards: { policy: 'Never', maxUnavailableWorkloads: 1000, progressDeadline: Duration.days(1) } }],
  ['ignored namespaces', { laggards: { ignoredNamespaces: ['tenant'] } }],
  ['no workloads', { workloads: 0 }],
  ['keys that leaked', { compromised: ['a'.repeat(64), '0'.repeat(64)] }],
  ['a bridge by the key', { bridge: { signedBy: 'Key' } }],
  ['a bridge by request', { bridge: { signedBy: 'Request', certificate: 'a text', ifUnsigned: 'Wait' } }],
  ['a bridge by a member', { cluster: 'a', members: ['b'], bridge: { signedBy: 'Member', member: 'b' } }],
  ['clusters it certifies', { cluster: 'a', members: ['b', 'c'], certifies: [{ cluster: 'c' }, { cluster: 'b' }] }],
])('synth accepts an operated rotation: %s', (_name, rotation) => expect(faults(rotation)).toEqual([]));

test.each<[string, object, string, string?]>([
  ['an unknown policy', { laggards: { policy: 'Delete' } }, 'laggards.policy', '"Delete"'],
  ['no workload at a time', { laggards: { maxUnavailableWorkloads: 0 } }, 'laggards.maxUnavailableWorkloads', '0'],
  ['too many of them', { laggards: { maxUnavailableWorkloads: 1001 } }, 'laggards.maxUnavailableWorkloads', '1001'],
  ['no time', { laggards: { progressDeadline: Duration.seconds(0) } }, 'laggards.progressDeadline', '"0 ms"'],
  ['two days', { laggards: { progressDeadline: Duration.days(2) } }, 'laggards.progressDeadline', '"172800000 ms"'],
  ['that of the control plane', { laggards: { ignoredNamespaces: ['a', 'linkerd'] } }, 'laggards.ignoredNamespaces'],
  ['a namespace twice', { laggards: { ignoredNamespaces: ['a', 'a'] } }, 'laggards.ignoredNamespaces'],
  ['a namespace that is no list', { laggards: { ignoredNamespaces: 'a' } }, 'laggards.ignoredNamespaces', '"a"'],
  ['no delay', { propagationDelay: Duration.seconds(0) }, 'propagationDelay', '"0 ms"'],
  ['half a workload', { workloads: 0.5 }, 'workloads', '0.5'],
  ['an empty rotateNow', { rotateNow: '' }, 'rotateNow', '""'],
  ['a part of a key', { compromised: ['a'.repeat(64), 'abcdef01'] }, 'compromised[1]', '"abcdef01"'],
  ['a key twice', { compromised: ['a'.repeat(64), 'a'.repeat(64)] }, 'compromised'],
  ['a key that is no list', { compromised: 'a'.repeat(64) }, 'compromised'],
  ['too many keys', { compromised: Array.from({ length: 9 }, (_, index) => `${index}`.repeat(64)) }, 'compromised'],
  ['an invalid time', { windows: [{ ...WINDOW, start: '24:00' }] }, 'windows[0].start', '"24:00"'],
  ['an invalid day', { windows: [WINDOW, { ...WINDOW, days: ['Monday'] }] }, 'windows[1].days'],
  ['a day twice', { windows: [{ ...WINDOW, days: ['Mon', 'Mon'] }] }, 'windows[0].days'],
  ['a window of eight days', { windows: [{ ...WINDOW, duration: Duration.days(8) }] }, 'windows[0].duration'],
  ['too many windows', { windows: Array.from({ length: 33 }, () => WINDOW) }, 'windows', '33'],
  ['a bridge by an unknown signer', { bridge: { signedBy: 'Me' } }, 'bridge.signedBy', '"Me"'],
  ['no such deadline', { bridge: { signedBy: 'Request', ifUnsigned: 'Now' } }, 'bridge.ifUnsigned', '"Now"'],
  ['probes that are neither', { probes: 'Never' }, 'probes', '"Never"'],
  ['an answer that is not asked for', { bridge: { signedBy: 'Key', certificate: 'text' } }, 'bridge.certificate'],
  ['an empty answer', { bridge: { signedBy: 'Request', certificate: '' } }, 'bridge.certificate'],
  ['a long answer', { bridge: { signedBy: 'Request', certificate: 'x'.repeat(16_385) } }, 'bridge.certificate'],
  ['no member', { bridge: { signedBy: 'Member' } }, 'bridge.member'],
  ['a member that is not asked', { ...MEMBERS, bridge: { signedBy: 'Request', member: 'b' } }, 'bridge.member', '"b"'],
  ['a constraint that is not asked for', { bridge: { signedBy: 'Key', constrained: true } }, 'bridge.member', 'true'],
  ['a bridge by a stranger', { ...MEMBERS, bridge: { signedBy: 'Member', member: 'd' } }, 'bridge.member', '"d"'],
  ['a stranger that it certifies', { ...MEMBERS, certifies: [{ cluster: 'd' }] }, 'certifies[0].cluster', '"d"'],
  ['one twice', { ...MEMBERS, certifies: [{ cluster: 'b' }, { cluster: 'b' }] }, 'certifies[1].cluster', '"b"'],
  [
    'two that certify each other',
    { ...MEMBERS, certifies: [{ cluster: 'b' }], bridge: { signedBy: 'Member', member: 'b' } },
    'certifies',
  ],
  [
    'one in the middle of a chain',
    { cluster: 'a', members: ['b', 'c'], certifies: [{ cluster: 'c' }], bridge: { signedBy: 'Member', member: 'b' } },
    'certifies',
  ],
  ['members without a cluster', { members: ['b'] }, 'members'],
  ['a cluster among its members', { cluster: 'a', members: ['a'] }, 'members'],
  ['a member twice', { cluster: 'a', members: ['b', 'b'] }, 'members'],
  ['too many members', { cluster: 'a', members: Array.from({ length: 129 }, (_, index) => `m${index}`) }, 'members'],
])('synth refuses an operated rotation: %s', (_name, rotation, field, ...[value]) => {
  const path = `trustAnchor.operator.${field}`;
  const parameters = value === undefined ? { path } : { path, value };
  expect(faults(rotation)).toMatchObject([{ code: 'trust-anchor-refused', about: path, parameters }]);
});

test.each<[string, object]>([
  ['a text for a duration', { propagationDelay: '3 minutes' }],
  ['a cluster that is no name', { cluster: 'A' }],
  ['a namespace that is no name', { laggards: { ignoredNamespaces: ['A'] } }],
  ['a member that is no name', { cluster: 'a', members: ['b.c'] }],
  ['a trust domain that is no name', { ...MEMBERS, certifies: [{ cluster: 'b', trustDomain: 'A B' }] }],
])('synth refuses an operated rotation: %s', (_name, rotation) => expect(faults(rotation)).toHaveLength(1));

test('synth refuses names of anchors without room for their numbers', () => {
  expect(checkAnchorName('x'.repeat(59))).toEqual([]);
  expect(checkAnchorName('x'.repeat(60))).toMatchObject([
    { code: 'name-too-long', parameters: { length: 60, most: 59 } },
  ]);
});
