import { X509Certificate } from 'node:crypto';
import type { KeyPair } from '#operator/src/pki/key-pair';
import type { Certificate } from '#operator/src/rotation/certificate-resource';
import { type Renewal, renewalStep } from '#operator/src/rotation/renewal-step';
import { issueCertificate } from '../../support/cluster/certificates';

const NOW = new Date();
const chain = [new X509Certificate(issueCertificate({ commonName: 'issuer', ca: true }).cert)];
const OLD: KeyPair = { fingerprint: 'old', chain };
const NEW: KeyPair = { fingerprint: 'new', chain };

const READY = { type: 'Ready', status: 'True', observedGeneration: 1 } as const;
const UNREADY = { type: 'Ready', status: 'False', reason: 'Pending', observedGeneration: 1 } as const;
const ISSUING = { type: 'Issuing', status: 'True', reason: 'ManuallyTriggered' } as const;
const FAILED = { type: 'Issuing', status: 'False', reason: 'Failed', message: 'the signer said no' } as const;

type Condition = NonNullable<NonNullable<Certificate['status']>['conditions']>[number];

function next(pair: KeyPair | undefined, conditions: readonly Condition[], renewal: Partial<Renewal> = {}) {
  const certificate: Certificate = {
    metadata: { namespace: 'linkerd', name: 'issuer', generation: 1 },
    spec: { secretName: 'issuer' },
    status: { conditions },
  };
  return renewalStep({ certificate, pair }, { before: 'old', requested: false, overdue: false, ...renewal }, NOW);
}

const requested = { requested: true };
const overdue = { requested: true, overdue: true };

describe('the rotation requests a new certificate', () => {
  test('if none exists yet', () => expect(next(undefined, [], { before: undefined })).toEqual({ kind: 'request' }));
});

describe('the rotation waits for cert-manager', () => {
  test.each([
    ['while it issues', OLD, [READY, ISSUING], requested, 'has issued it'],
    ['while it issues without a request of the rotation', OLD, [READY, ISSUING], {}, 'has issued it'],
    ['while it has written the Secret, but not the status', NEW, [READY, ISSUING], requested, 'has issued it'],
    ['until the certificate is ready', NEW, [UNREADY], requested, 'reports it as ready'],
    [
      'until it is ready in its newest generation',
      NEW,
      [{ ...READY, observedGeneration: 0 }],
      requested,
      'reports it as ready',
    ],
  ])('%s', (...[, pair, conditions, renewal, until]) => {
    expect(next(pair, conditions, renewal)).toEqual({ kind: 'wait', until: `cert-manager ${until}` });
  });

  test.each([
    ['its issuance', OLD, ISSUING],
    ['its readiness', NEW, UNREADY],
  ])('only for a limited time, for %s', (_, pair, condition) => {
    expect(next(pair, [condition], overdue)).toMatchObject({
      kind: 'fail',
      reason: 'RenewalTimedOut',
      message: expect.stringContaining(condition.reason),
    });
  });
});

describe('a certificate counts as renewed', () => {
  test.each([
    ['once its Secret contains another one', requested],
    ['also without a request of the rotation', {}],
    ['even after the time limit', overdue],
  ])('%s', (_, renewal) => expect(next(NEW, [READY], renewal)).toEqual({ kind: 'renewed', pair: NEW }));
});

describe('a renewal fails', () => {
  test('when cert-manager gives up', () => {
    expect(next(OLD, [READY, FAILED], requested)).toEqual({
      kind: 'fail',
      reason: 'RenewalFailed',
      message: expect.stringContaining('Issuing=False (Failed: the signer said no)'),
    });
  });

  test('when cert-manager removes the request without a message', () => {
    expect(next(OLD, [], requested)).toEqual({
      kind: 'fail',
      reason: 'RenewalFailed',
      message: 'cert-manager gave up the renewal without a new certificate',
    });
  });

  test.each([
    ['a key that does not match', { ...NEW, problem: 'tls.key is not the key of tls.crt' }, 'is not the key of'],
    [
      'expired already',
      {
        fingerprint: 'new',
        chain: [
          new X509Certificate(issueCertificate({ commonName: 'late', notAfter: new Date(NOW.getTime() - 1000) }).cert),
        ],
      },
      'it expired at',
    ],
  ])('when the new certificate has %s', (_, pair, message) => {
    expect(next(pair, [READY], requested)).toMatchObject({
      kind: 'fail',
      reason: 'CertificateUnusable',
      message: expect.stringContaining(message),
    });
  });
});
