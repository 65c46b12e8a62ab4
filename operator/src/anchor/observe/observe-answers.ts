import type { GivenAnswer } from '#anchor/observed';
import { BRIDGE_CONFIG_MAP, BRIDGE_KEY, MAX_BRIDGE_LENGTH, type TrustAnchorSpec } from '#anchor/trust-anchor';
import { holdsPrivateKey } from '#base/secrets/secret-spans';
import {
  caCertificate,
  isForBothSides,
  type KnownCertificate,
  knownCertificates,
  sha256,
} from '../../pki/known-certificate';
import type { ConfigMap, TrustAnchor } from '../objects/trust-anchor';
import { memberAnswers } from './members';

interface AnswerView {
  readonly anchor: Pick<TrustAnchor, 'spec'>;
  /** The ConfigMaps of cert-manager's namespace. */
  readonly configMaps: readonly ConfigMap[];
}

/** The text of an answer to the request for a bridge. */
export interface AnswerText {
  readonly place: GivenAnswer['place'];
  readonly pem: string;
}

/** Returns the given answers; none if the policy does not use them. */
export function givenAnswers({ anchor: { spec }, configMaps }: AnswerView): readonly AnswerText[] {
  if (spec.bridge?.signedBy === 'Member') return answersOfMember(spec, configMaps);
  if (spec.bridge?.signedBy !== 'Request') return [];
  const data = configMaps.find(({ metadata }) => metadata.name === BRIDGE_CONFIG_MAP)?.data?.[BRIDGE_KEY];
  return [
    { place: 'spec', pem: spec.bridge.certificate ?? '' } as const,
    { place: 'config-map', pem: data ?? '' } as const,
  ].filter(({ pem }) => pem.trim() !== '');
}

function answersOfMember(
  { bridge, cluster }: TrustAnchorSpec,
  configMaps: readonly ConfigMap[],
): readonly AnswerText[] {
  const { member } = bridge ?? {};
  if (member === undefined || cluster === undefined) return [];
  return memberAnswers(member, cluster, configMaps).map((pem) => ({ place: 'member', pem }));
}

/** Reads the parts of answers that determine whether they are valid. */
export function observeAnswers(
  answers: readonly AnswerText[],
  known: readonly KnownCertificate[],
): readonly GivenAnswer[] {
  return answers.map(({ place, pem }) => {
    const given = answeredCertificates(pem);
    return {
      place,
      certificates: given.map((one) => ({
        ...caCertificate(one, [...given, ...known]),
        id: one.id,
        publicKey: one.publicKey,
        subject: one.subject.slice(0, MAX_SUBJECT_LENGTH),
        // Also true if the key usages lack cert sign.
        isCa: one.x509.ca,
        isForTls: isForBothSides(one.x509.keyUsage),
      })),
      ...(holdsPrivateKey(pem) && { hasPrivateKey: true }),
    };
  });
}

const MAX_SUBJECT_LENGTH = 256;

/** Returns the certificates of an answer, each with its id. */
export function answeredCertificates(pem: string): readonly (KnownCertificate & { readonly id: string })[] {
  if (pem.length > MAX_BRIDGE_LENGTH) return [];
  return knownCertificates(pem).map((one) => ({ ...one, id: sha256(one.x509.raw) }));
}
