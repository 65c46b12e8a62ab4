import { Duration } from 'cdk8s';
import type { CertManagerProps } from '../../../lib/constructs/pki/cert-manager';
import type { CertManagerPKIProps } from '../../../lib/constructs/pki/cert-manager-pki';
import { TrustAnchor } from '../../../lib/constructs/pki/trust-anchor';
import type { TrustBundleProps } from '../../../lib/constructs/pki/trust-bundle';

const duration = Duration.hours(168);

// What the compiler refuses: `tsc`, a part of the lint, fails when one of these lines compiles.
const refused = {
  numberWithoutUnit: {
    duration,
    // @ts-expect-error a number has no unit
    renewBefore: 24,
  } satisfies CertManagerPKIProps['webhooks'],

  textDuration: {
    // @ts-expect-error a text may be anything, '30d' for instance, which Go does not know
    duration: '30d',
    renewBefore: duration,
  } satisfies CertManagerPKIProps['identityIssuer'],

  halfWindow: [
    // @ts-expect-error renewBefore is missing
    { duration } satisfies CertManagerPKIProps['webhookIssuer'],
  ],

  bundleFromIssuer: {
    // @ts-expect-error a bundle's sources follow from the PKI
    sources: [{ secret: { name: 'linkerd-identity-issuer', key: 'ca.crt' } }],
  } satisfies Partial<TrustBundleProps>,

  unknownRotation: {
    duration,
    renewBefore: duration,
    rotation: 'automatic',
    // @ts-expect-error there is no such rotation
  } satisfies CertManagerPKIProps['trustAnchor'],

  operatorOfHand: {
    duration,
    renewBefore: duration,
    rotation: 'manual',
    operator: { paused: true },
    // @ts-expect-error nobody would read it
  } satisfies CertManagerPKIProps['trustAnchor'],

  generationOfOperator: {
    duration,
    renewBefore: duration,
    rotation: 'operator',
    generation: 1,
    // @ts-expect-error the operator counts itself
  } satisfies CertManagerPKIProps['trustAnchor'],

  membersOfNobody: {
    duration,
    renewBefore: duration,
    rotation: 'operator',
    operator: { members: ['b'] },
    // @ts-expect-error members must know this cluster by a name
  } satisfies CertManagerPKIProps['trustAnchor'],

  unknownDay: {
    duration,
    renewBefore: duration,
    operator: { windows: [{ days: ['Monday'], start: '02:00', duration }] },
    // @ts-expect-error days have three letters
  } satisfies CertManagerPKIProps['trustAnchor'],

  unknownValue: {
    // @ts-expect-error the chart has no such value
    replicas: 2,
  } satisfies CertManagerProps['values'],

  // @ts-expect-error what proxies are to trust must be said
  issuerWithoutRoots: () => TrustAnchor.fromClusterIssuer({ name: 'ca-issuer' }),
};

test('durations are values with a unit', () => {
  expect(refused.numberWithoutUnit.duration.toHours()).toBe(168);
});
