import type { AnchorAction } from '../../../../packages/anchor/plan';
import { isApiError, isRefusal } from '../../../../packages/controller-runtime/client/api-error';
import { type ActionContext, Outdated } from './action-context';
import { answerRequest } from './answer-request';
import { certifyMember, withdrawCertificate } from './certify';
import { checkFence, type WritingAction } from './fence';
import { applyAnchor, applyIssuer, deleteAnchor, keepKey, renewAnchor, setBundled } from './generations';
import { holdSigner, keepRoots, renewIssuer, restartIdentity, setSigner } from './mesh-actions';

/** The outcome of executing a plan. */
export interface ActOutcome {
  /** True if an object was not as observed, so the operator must observe again. */
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
      context.log.debug('done', { ...action });
    } catch (error) {
      if (error instanceof Outdated || isApiError(error, 409) || isApiError(error, 404)) {
        context.log.info('not as observed, another look is due', { ...action, reason: error.message });
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
