import { Duration } from 'cdk8s';
import { checkAnchorName, checkOperatorRotation, type OperatorRotation } from '#lib/constructs/pki/operator-rotation';

const WINDOW = { start: '02:00', duration: Duration.hours(4) };

const MEMBERS = { cluster: 'a', members: ['b', 'c'] };

/** Checks a rotation of untyped code. */
const faults = (rotation: object) => checkOperatorRotation(rotation as OperatorRotation, 'linkerd');

test.each<[string, object]>([
  ['no props', {}],
  ['members', { cluster: 'a', members: ['b', 'c'] }],
  ['windows', { windows: [WINDOW, { ...WINDOW, days: ['Mon', 'Sun'], start: '23:59', duration: Duration.days(7) }] }],
  ['laggards', { laggards: { policy: 'Never', maxUnavailableWorkloads: 1000, progressDeadline: Duration.days(1) } }],
  ['ignored namespaces', { laggards: { ignoredNamespaces: ['tenant'] } }],
  ['no workloads', { workloads: 0 }],
  ['compromised keys', { compromised: ['a'.repeat(64), '0'.repeat(64)] }],
  ['a bridge that the key signs', { bridge: { signedBy: 'Key' } }],
  ['a bridge that a request obtains', { bridge: { signedBy: 'Request', certificate: 'a text', ifUnsigned: 'Wait' } }],
  ['a bridge that a member signs', { cluster: 'a', members: ['b'], bridge: { signedBy: 'Member', member: 'b' } }],
  ['certified clusters', { cluster: 'a', members: ['b', 'c'], certifies: [{ cluster: 'c' }, { cluster: 'b' }] }],
])('synth accepts an operated rotation: %s', (_name, rotation) => expect(faults(rotation)).toEqual([]));

test.each<[string, object, string, string?]>([
  ['an unknown policy of laggards', { laggards: { policy: 'Delete' } }, 'laggards.policy', '"Delete"'],
  ['no parallel restarts', { laggards: { maxUnavailableWorkloads: 0 } }, 'laggards.maxUnavailableWorkloads', '0'],
  ['too many restarts', { laggards: { maxUnavailableWorkloads: 1001 } }, 'laggards.maxUnavailableWorkloads', '1001'],
  ['a zero deadline', { laggards: { progressDeadline: Duration.seconds(0) } }, 'laggards.progressDeadline', '"0 ms"'],
  [
    'a long deadline',
    { laggards: { progressDeadline: Duration.days(2) } },
    'laggards.progressDeadline',
    '"172800000 ms"',
  ],
  ['the namespace of the mesh', { laggards: { ignoredNamespaces: ['a', 'linkerd'] } }, 'laggards.ignoredNamespaces'],
  ['a duplicate ignored namespace', { laggards: { ignoredNamespaces: ['a', 'a'] } }, 'laggards.ignoredNamespaces'],
  ['namespaces as a string', { laggards: { ignoredNamespaces: 'a' } }, 'laggards.ignoredNamespaces', '"a"'],
  ['a propagationDelay of zero', { propagationDelay: Duration.seconds(0) }, 'propagationDelay', '"0 ms"'],
  ['workloads that are not a whole number', { workloads: 0.5 }, 'workloads', '0.5'],
  ['an empty rotateNow', { rotateNow: '' }, 'rotateNow', '""'],
  ['a truncated key', { compromised: ['a'.repeat(64), 'abcdef01'] }, 'compromised[1]', '"abcdef01"'],
  ['a duplicate compromised key', { compromised: ['a'.repeat(64), 'a'.repeat(64)] }, 'compromised'],
  ['compromised keys that are not a list', { compromised: 'a'.repeat(64) }, 'compromised'],
  ['too many keys', { compromised: Array.from({ length: 9 }, (_, index) => `${index}`.repeat(64)) }, 'compromised'],
  ['an invalid start of a window', { windows: [{ ...WINDOW, start: '24:00' }] }, 'windows[0].start', '"24:00"'],
  ['an invalid day of a window', { windows: [WINDOW, { ...WINDOW, days: ['Monday'] }] }, 'windows[1].days'],
  ['a duplicate day of a window', { windows: [{ ...WINDOW, days: ['Mon', 'Mon'] }] }, 'windows[0].days'],
  ['a window of eight days', { windows: [{ ...WINDOW, duration: Duration.days(8) }] }, 'windows[0].duration'],
  ['too many windows', { windows: Array.from({ length: 33 }, () => WINDOW) }, 'windows', '33'],
  ['a bridge with an unknown signer', { bridge: { signedBy: 'Me' } }, 'bridge.signedBy', '"Me"'],
  ['an unknown ifUnsigned', { bridge: { signedBy: 'Request', ifUnsigned: 'Now' } }, 'bridge.ifUnsigned', '"Now"'],
  ['an unknown value of probes', { probes: 'Never' }, 'probes', '"Never"'],
  ['a certificate without a request', { bridge: { signedBy: 'Key', certificate: 'text' } }, 'bridge.certificate'],
  ['an empty certificate', { bridge: { signedBy: 'Request', certificate: '' } }, 'bridge.certificate'],
  [
    'an oversized certificate',
    { bridge: { signedBy: 'Request', certificate: 'x'.repeat(16_385) } },
    'bridge.certificate',
  ],
  ['no member for a bridge', { bridge: { signedBy: 'Member' } }, 'bridge.member'],
  ['a member for a request', { ...MEMBERS, bridge: { signedBy: 'Request', member: 'b' } }, 'bridge.member', '"b"'],
  ['a constraint without a member', { bridge: { signedBy: 'Key', constrained: true } }, 'bridge.member', 'true'],
  [
    'a bridge of an unknown member',
    { ...MEMBERS, bridge: { signedBy: 'Member', member: 'd' } },
    'bridge.member',
    '"d"',
  ],
  ['an unknown certified cluster', { ...MEMBERS, certifies: [{ cluster: 'd' }] }, 'certifies[0].cluster', '"d"'],
  [
    'a duplicate certified cluster',
    { ...MEMBERS, certifies: [{ cluster: 'b' }, { cluster: 'b' }] },
    'certifies[1].cluster',
    '"b"',
  ],
  [
    'two clusters that certify each other',
    { ...MEMBERS, certifies: [{ cluster: 'b' }], bridge: { signedBy: 'Member', member: 'b' } },
    'certifies',
  ],
  [
    'a cluster in the middle of a chain of certifications',
    { cluster: 'a', members: ['b', 'c'], certifies: [{ cluster: 'c' }], bridge: { signedBy: 'Member', member: 'b' } },
    'certifies',
  ],
  ['members without a cluster', { members: ['b'] }, 'members'],
  ['a cluster that is its own member', { cluster: 'a', members: ['a'] }, 'members'],
  ['a duplicate member', { cluster: 'a', members: ['b', 'b'] }, 'members'],
  ['too many members', { cluster: 'a', members: Array.from({ length: 129 }, (_, index) => `m${index}`) }, 'members'],
])('synth refuses an operated rotation: %s', (_name, rotation, field, ...[value]) => {
  const path = `trustAnchor.operator.${field}`;
  const parameters = value === undefined ? { path } : { path, value };
  expect(faults(rotation)).toMatchObject([{ code: 'trust-anchor-refused', about: path, parameters }]);
});

test.each<[string, object]>([
  ['a string in place of a Duration', { propagationDelay: '3 minutes' }],
  ['an invalid name of a cluster', { cluster: 'A' }],
  ['an invalid name of a namespace', { laggards: { ignoredNamespaces: ['A'] } }],
  ['an invalid name of a member', { cluster: 'a', members: ['b.c'] }],
  ['an invalid trust domain', { ...MEMBERS, certifies: [{ cluster: 'b', trustDomain: 'A B' }] }],
])('synth refuses an operated rotation: %s', (_name, rotation) => expect(faults(rotation)).toHaveLength(1));

test('synth refuses a name of anchors that leaves no room for the generation', () => {
  expect(checkAnchorName('x'.repeat(59))).toEqual([]);
  expect(checkAnchorName('x'.repeat(60))).toMatchObject([
    { code: 'name-too-long', parameters: { length: 60, most: 59 } },
  ]);
});
