import { TRUST_ANCHOR_NAME } from '#anchor/trust-anchor';
import { CONFIG_GROUP } from '#operator/api/names';
import {
  CERTIFICATE_NAME,
  CERTIFICATE_REVISION,
  type Certificate,
  type CertificateRequest,
} from '#operator/src/pki/cert-manager';
import { issuancesOf, requestToAnswer } from '#operator/src/pki/issuances';
import { issueCertificate } from '../../support/cluster/certificates';

const ISSUER = { group: CONFIG_GROUP, kind: 'TrustAnchor', name: TRUST_ANCHOR_NAME };
const CERTIFICATE: Certificate = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { namespace: 'cert-manager', name: 'anchor', uid: 'own' },
  spec: {},
  status: { revision: 2 },
};
const PEM = Buffer.from(issueCertificate({ commonName: 'anchor', ca: true }).cert).toString('base64');

function request(revision: number, isReady: boolean, more: Partial<CertificateRequest['metadata']> = {}) {
  return {
    apiVersion: 'cert-manager.io/v1',
    kind: 'CertificateRequest',
    metadata: {
      namespace: 'cert-manager',
      name: 'anchor-1',
      annotations: { [CERTIFICATE_NAME]: 'anchor', [CERTIFICATE_REVISION]: `${revision}` },
      ownerReferences: [{ apiVersion: 'cert-manager.io/v1', kind: 'Certificate', name: 'anchor', uid: 'own' }],
      ...more,
    },
    spec: { issuerRef: ISSUER },
    status: {
      ...(isReady && { certificate: PEM }),
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
    },
  } as CertificateRequest;
}

/** Requests of other clients that resemble those of the Certificate. */
const OTHERS: readonly (readonly [string, Partial<CertificateRequest['metadata']>])[] = [
  ['no owner', { ownerReferences: [] }],
  ['an owner of another uid', { ownerReferences: [{ apiVersion: '', kind: '', name: 'anchor', uid: 'earlier' }] }],
  ['another namespace', { namespace: 'tenant' }],
  ['the name of another Certificate', { annotations: { [CERTIFICATE_NAME]: 'b', [CERTIFICATE_REVISION]: '2' } }],
];

test("the accepted request of a Certificate's revision has its chain, and the next request needs an answer", () => {
  expect(issuancesOf([request(2, true)]).of(CERTIFICATE)?.chain).toHaveLength(1);
  expect(issuancesOf([request(1, true)]).of(CERTIFICATE)).toBeUndefined();
  expect(issuancesOf([request(2, false)]).of(CERTIFICATE)).toBeUndefined();
  expect(requestToAnswer(CERTIFICATE, [request(2, false), request(3, false)])).toEqual(request(3, false));
  expect(requestToAnswer(CERTIFICATE, [request(3, true)])).toBeUndefined();
});

test.each(OTHERS)('a request with %s does not count as a request of the Certificate', (_, more) => {
  expect(issuancesOf([request(2, true, more)]).of(CERTIFICATE)).toBeUndefined();
  const annotations = { ...more.annotations, [CERTIFICATE_REVISION]: '3' };
  const next = request(3, false, { ...more, ...(more.annotations && { annotations }) });
  expect(requestToAnswer(CERTIFICATE, [next])).toBeUndefined();
});
