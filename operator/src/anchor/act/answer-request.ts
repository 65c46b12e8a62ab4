import type { AnchorAction } from '../../../../packages/anchor/plan';
import { anchorName } from '../../../../packages/anchor/trust-anchor';
import { kubeTime } from '../../../../packages/controller-runtime/objects/kube-time';
import { CERTIFICATE_REQUESTS, type CertificateRequest } from '../../pki/cert-manager';
import { requestToAnswer } from '../../pki/issuances';
import { answeredCertificates, givenAnswers } from '../observe/observe-answers';
import { type ActionContext, Outdated } from './action-context';
import { rootPem } from './mesh-actions';
import { applyOver } from './writes';

/**
 * Answers cert-manager's request for a bridge as an external issuer does: cert-manager then writes the bridge next to
 * its key, into the Secret that the operator cannot read.
 *
 * The request need not be approved: the answer was signed elsewhere, by one who has the old anchor's key.
 */
export async function answerRequest(
  { generation, certificates, signer }: Extract<AnchorAction, { do: 'answer-request' }>,
  context: ActionContext,
): Promise<void> {
  const { clock, view, known } = context;
  const request = requestOf(generation, context);
  const given = givenAnswers(view).flatMap(({ pem }) => answeredCertificates(pem));
  const chain = certificates.map((id) => given.find((one) => one.id === id)?.pem);
  if (request === undefined || !chain.every((pem) => pem !== undefined)) {
    throw new Outdated('the request, or its answer');
  }
  const { name, namespace } = request.metadata;
  const condition = {
    type: 'Ready',
    status: 'True',
    reason: 'Issued',
    message: 'The signed certificate was given to the TrustAnchor',
    lastTransitionTime: kubeTime(clock()),
  };
  const root = rootPem(signer, known);
  const status = {
    certificate: base64(chain.join('')),
    ...(root !== '' && { ca: base64(root) }),
    conditions: [condition],
  };
  const body = { metadata: { name, namespace }, status };
  await applyOver({ resource: CERTIFICATE_REQUESTS, over: request, body, subresource: 'status' }, context);
}

function requestOf(generation: number, { view }: ActionContext): CertificateRequest | undefined {
  const certificate = view.certificates.find(({ metadata }) => metadata.name === anchorName(generation));
  return certificate && requestToAnswer(certificate, view.requests);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
