import type { IssuerChain } from '../../../../packages/anchor/chain';
import type { ObservedIssuer } from '../../../../packages/anchor/observed';
import { anchorNames } from '../../../../packages/anchor/trust-anchor';
import { type Certificate, type Issuer, issuanceState } from '../../pki/cert-manager';
import type { Issuances } from '../../pki/issuances';
import { caCertificate, type KnownCertificate, signerOf } from '../../pki/known-certificate';
import { generationOf, generationOfName } from './observe-anchors';

/** The sources for finding the identity issuer. */
export interface IssuerSources {
  /** Its Certificate. */
  readonly certificate: Certificate | undefined;
  readonly issuances: Issuances;
  /** The issuer in the values of an installation without cert-manager. */
  readonly installed: readonly KnownCertificate[];
  readonly known: readonly KnownCertificate[];
}

/** Returns the identity issuer: while it is being renewed, its Secret contains the previous one. */
export function observeIssuer({ certificate, issuances, installed, known }: IssuerSources): ObservedIssuer {
  const issued = certificate && issuances.of(certificate)?.chain;
  const chain = issuerChain(issued ?? installed, known);
  const revision = certificate?.status?.revision;
  return {
    state: certificate === undefined ? 'missing' : issuanceState(certificate),
    ...(chain !== undefined && { chain }),
    ...(revision !== undefined && { revision }),
  };
}

function issuerChain(
  [issuer, ...bridges]: readonly KnownCertificate[],
  known: readonly KnownCertificate[],
): IssuerChain | undefined {
  const signer = issuer && signerOf(issuer, [...bridges, ...known]);
  if (issuer === undefined || signer === undefined) return undefined;
  return {
    signer,
    notBefore: issuer.notBefore,
    notAfter: issuer.notAfter,
    bridges: bridges.map((bridge) => caCertificate(bridge, known)),
  };
}

/** Returns the generation with whose Secret the ClusterIssuer signs; undefined if there is none. */
export function observeSigner(
  issuer: Issuer | undefined,
  named: readonly (Certificate | Issuer)[],
  generations: readonly number[],
): number | 'other' | undefined {
  if (issuer === undefined) return undefined;
  const { secretName = '' } = issuer.spec.ca ?? {};
  if (!anchorNames().includes(secretName)) return 'other';
  const found = named.find(({ metadata }) => metadata.name === secretName);
  return found === undefined ? generationOfName(secretName, generations) : generationOf(found);
}
