import {
  type Certificate,
  isReady,
  renewalMark,
  renewalRequest,
  statusText,
} from '#operator/src/rotation/certificate-resource';

type Conditions = NonNullable<NonNullable<Certificate['status']>['conditions']>;

function certificate(conditions?: Conditions, generation = 2): Certificate {
  return {
    metadata: { namespace: 'linkerd', name: 'issuer', generation },
    spec: { secretName: 'issuer' },
    ...(conditions !== undefined && { status: { conditions } }),
  };
}

test.each([
  ['without a status: false', certificate(), false],
  ['with Ready=True: true', certificate([{ type: 'Ready', status: 'True', observedGeneration: 2 }]), true],
  ['without a generation: true', certificate([{ type: 'Ready', status: 'True' }]), true],
  ['with an old generation: false', certificate([{ type: 'Ready', status: 'True', observedGeneration: 1 }]), false],
  ['with Ready=False: false', certificate([{ type: 'Ready', status: 'False', observedGeneration: 2 }]), false],
])('whether a Certificate is ready %s', (_, subject, expected) => expect(isReady(subject)).toBe(expected));

test('the rotation requests a renewal as cmctl does', () => {
  expect(renewalRequest(certificate(), new Date('2026-11-21T09:30:15.123Z'))).toEqual({
    metadata: { namespace: 'linkerd', name: 'issuer' },
    status: {
      conditions: [
        {
          type: 'Issuing',
          status: 'True',
          reason: 'ManuallyTriggered',
          message: expect.any(String),
          lastTransitionTime: '2026-11-21T09:30:15Z',
        },
      ],
    },
  });
});

test('the rotation reports the message of cert-manager', () => {
  expect(
    statusText(
      certificate([
        { type: 'Ready', status: 'False', reason: 'Expired' },
        { type: 'Issuing', status: 'False', reason: 'Failed', message: 'the signer said no' },
      ]),
    ),
  ).toBe('Issuing=False (Failed: the signer said no), Ready=False (Expired)');
  expect(statusText(certificate())).toBe('');
});

test.each([{ runId: 'job 1, and more', before: 'abc' }, { runId: 'before x, run y' }])(
  'a request for a renewal records its run in the same write: %j',
  (mark) => {
    const { status } = renewalRequest(certificate(), new Date(), mark);
    expect(status?.conditions?.map(({ type }) => type)).toEqual(['Issuing', 'LinkerdRotation']);
    expect(renewalMark(certificate(status?.conditions))).toEqual(mark);
    expect(renewalMark(certificate())).toBeUndefined();
  },
);
