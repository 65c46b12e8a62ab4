import type { AnchorAction } from '#anchor/plan';
import { anchorName, certificationName } from '#anchor/trust-anchor';
import { isApiError, isRefusal } from '#controller-runtime/client/api-error';
import { kubeTime } from '#controller-runtime/objects/kube-time';
import { CERTIFICATE_REQUESTS, type CertificateRequest } from '../../pki/cert-manager';
import { requestToAnswer } from '../../pki/issuances';
import { memberRequestPem } from '../observe/members';
import { answeredCertificates, givenAnswers } from '../observe/observe-answers';
import { certificationOf } from '../observe/observe-certifications';
import { type ActionContext, Outdated } from './action-context';
import { checkFence, type WritingAction } from './fence';
import { applyAnchor, applyIssuer, deleteAnchor, keepKey, renewAnchor, setBundled } from './generations';
import { holdSigner, keepRoots, renewIssuer, restartIdentity, rootPem, setSigner } from './mesh-actions';
import { applyOver, deleteObserved } from './writes';

/** The outcome of executing a plan. */
export interface ActOutcome {
  /** True if an object changed since it was observed, so the operator must observe again. */
  readonly isOutdated: boolean;
  /** The reason why the API server, or one of its policies or webhooks, refuses a write. */
  readonly refused?: string;
}

/**
 * Executes actions, one after the other. Stops at the first one that finds other objects than observed, or that is
 * refused: later ones may depend on it.
 */
export async function act(actions: readonly AnchorAction[], context: ActionContext): Promise<ActOutcome> {
  for (const action of actions) {
    if (action.do === 'restart-laggards') continue;
    try {
      await checkFence(action, context);
      await perform(action, context);
      context.log.debug('applied an action', { ...action });
    } catch (error) {
      if (error instanceof Outdated || isApiError(error, 409) || isApiError(error, 404)) {
        context.log.info('the object changed since it was observed, retrying', { ...action, reason: error.message });
        return { isOutdated: true };
      }
      if (isRefusal(error)) return { isOutdated: false, refused: `${action.do}: ${error.message}` };
      throw error;
    }
  }
  return { isOutdated: false };
}

function perform(action: WritingAction, context: ActionContext): Promise<unknown> {
  switch (action.do) {
    case 'apply-anchor':
      return applyAnchor(action, context);
    case 'keep-roots':
      return keepRoots(action.keys, context);
    case 'apply-issuer':
      return applyIssuer(action.generation, context);
    case 'answer-request':
      return answerRequest(action, context);
    case 'certify':
      return certifyMember(action, context);
    case 'withdraw-certificate':
      return withdrawCertificate(action, context);
    case 'renew-anchor':
      return renewAnchor(action.generation, context);
    case 'bundle':
      return setBundled(action, context);
    case 'keep-key':
      return keepKey(action.generation, context);
    case 'set-signer':
      return setSigner(action.generation, context);
    case 'hold-signer':
      return holdSigner(context);
    case 'renew-issuer':
      return renewIssuer(context);
    case 'restart-identity':
      return restartIdentity(action, context);
    case 'delete-anchor':
      return deleteAnchor(action.generation, context);
  }
}

/** Has cert-manager certify the anchor of another cluster with a generation's key, which the operator cannot read. */
async function certifyMember(
  { cluster, generation, duration }: Extract<AnchorAction, { do: 'certify' }>,
  context: ActionContext,
): Promise<void> {
  const { anchor, view } = context;
  const pem = memberRequestPem(cluster, view.configMaps);
  if (pem === undefined) throw new Outdated('the request of the other cluster');
  const body = {
    metadata: {
      name: certificationName(cluster),
      namespace: anchor.spec.certManagerNamespace,
      labels: { 'app.kubernetes.io/part-of': 'Linkerd' },
    },
    spec: {
      request: Buffer.from(pem).toString('base64'),
      isCA: true,
      usages: ['cert sign', 'crl sign'],
      duration: `${Math.floor(duration / 1_000)}s`,
      issuerRef: { group: 'cert-manager.io', kind: 'Issuer', name: anchorName(generation) },
    },
  };
  const over = certificationOf(cluster, view.requests);
  await applyOver({ resource: CERTIFICATE_REQUESTS, over, body }, context);
}

/** Removes a request whose certificate is no longer needed. The spec of a request cannot be changed. */
async function withdrawCertificate(
  { cluster }: Extract<AnchorAction, { do: 'withdraw-certificate' }>,
  context: ActionContext,
): Promise<void> {
  const request = certificationOf(cluster, context.view.requests);
  if (request === undefined) throw new Outdated('the request for the other cluster');
  await deleteObserved(CERTIFICATE_REQUESTS, request, context);
}

/**
 * Answers cert-manager's request for a bridge as an external issuer does: cert-manager then writes the bridge next to
 * its key, into the Secret that the operator cannot read.
 *
 * The request needs no approval: the holder of the old anchor's key has signed the answer elsewhere.
 */
async function answerRequest(
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
    message: 'The signed certificate is from the TrustAnchor, its ConfigMap, or the report of another cluster',
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
