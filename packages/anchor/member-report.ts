import { toldCertification } from './certified';
import type { Certifying } from './certify';
import type { AnchorKey, Time } from './chain';
import { distrustedKeys } from './compromised';
import { heldSince, lacks } from './knowledge';
import { toldLeaks, toldVouchings } from './leaks';
import type { ObservedTrust } from './observed';
import type { AnchorPlan, MemberReport } from './plan';
import { spreadBy } from './times';

/**
 * Returns this cluster's report to other clusters, to be published once the memory of the plan is written. They rely on
 * it permanently: it includes the old anchor until a rollback is impossible, and the new one from before it signs until
 * none of its leaves is valid.
 */
export function memberReport(
  observed: ObservedTrust,
  { memory, certifying }: Pick<AnchorPlan, 'memory'> & { readonly certifying?: Certifying },
  now: Time,
): MemberReport {
  const { rotation, bundles } = memory;
  const { anchors, signer, issuer, pods, policy } = observed;
  const pointed = anchors.find(({ generation }) => generation === signer);
  const signing = [
    issuer.chain?.signer,
    pointed?.certificate?.key,
    rotation?.committed || rotation?.retiring ? undefined : rotation?.from,
    rotation?.withdrawing ? undefined : rotation?.key,
  ];
  const isAdopted = (key: AnchorKey): boolean => {
    const since = heldSince(bundles, [key]);
    // By then, the last pod that started without the anchor has been observed, too.
    const isSpread = since !== undefined && now >= spreadBy(since, policy) + policy.lag;
    return isSpread && !pods.some(lacks([key], bundles, policy));
  };
  const leaks = toldLeaks(observed, memory);
  const distrusts = distrustedKeys({ observed, memory, now });
  const vouched = policy.members.length === 0 ? [] : toldVouchings(observed, memory);
  return {
    signing: [...new Set(signing)].flatMap((key) => key ?? []),
    adopted: [...new Set(bundles.at(-1)?.keys)].filter(isAdopted),
    ...toldCertification(observed, memory, now),
    ...(certifying?.certifier !== undefined && {
      certifier: certifying.certifier,
      // Some clusters may use certificates of the old anchor for longer than others.
      holds: [...new Set([certifying.certifier, rotation?.retiring ? undefined : rotation?.from])].flatMap(
        (key) => key ?? [],
      ),
      answers: certifying.answers,
    }),
    ...(leaks.length > 0 && { compromised: leaks }),
    ...(distrusts.length > 0 && { distrusts }),
    ...(vouched.length > 0 && { vouched }),
  };
}
