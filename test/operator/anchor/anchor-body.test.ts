import { TRUST_ANCHOR_DEFAULTS } from '#anchor/trust-anchor';
import { anchorBody } from '#operator/src/anchor/act/generations';
import type { Certificate } from '#operator/src/pki/cert-manager';

const wanted = { generation: 2, signer: 'self', bundled: true } as const;

test('an existing Certificate keeps all fields whose change makes cert-manager reissue it', () => {
  const made = anchorBody({ ...TRUST_ANCHOR_DEFAULTS, commonName: 'old' }, wanted, undefined) as Certificate;
  const privateKey = { algorithm: 'RSA', size: 4096 } as const;
  const spec = { ...TRUST_ANCHOR_DEFAULTS, commonName: 'new', duration: '24h', privateKey };
  expect(anchorBody(spec, wanted, made)).toEqual(made);
  expect(anchorBody(spec, { ...wanted, bundled: false }, made)).not.toEqual(made);
  expect(anchorBody(spec, wanted, undefined)).toMatchObject({ spec: { duration: '24h', privateKey } });
});

test('cert-manager renews a Certificate five minutes before expiry, or at a third of a short life', () => {
  const renewBefore = (duration: string) =>
    anchorBody({ ...TRUST_ANCHOR_DEFAULTS, duration }, wanted, undefined) as Certificate & {
      readonly spec: { readonly renewBefore: string };
    };
  expect(['24h', '15m', '9m'].map((duration) => renewBefore(duration).spec.renewBefore)).toEqual([
    '5m',
    '300s',
    '180s',
  ]);
});
