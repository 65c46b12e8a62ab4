import { counted } from '#base/counted';
import type { LinkedWorld } from './linked/walk';
import type { PairScenario } from './pair';
import type { Scenario } from './scenario';

/** What a world of one cluster contains, for the report. */
export function contentsOf(scenario: Scenario): string {
  return said('one cluster', ...troublesOf(scenario), 'every interleaving');
}

/** What a world of two clusters contains. */
export function pairContents({ scenario, certified, starts }: PairScenario): string {
  const mishaps = starts.flatMap((start, at) => start.mishaps.map((one) => `${one} (${at === 0 ? 'east' : 'west'})`));
  return said(
    'two clusters that share an anchor',
    certified && 'one certifies the other with a name constraint',
    'reports arrive at any later time',
    ...troublesOf({ ...scenario, start: { ...scenario.start, mishaps: [], renewals: starts[0].renewals } }),
    ...mishaps,
    'every interleaving',
  );
}

/** What a world of linked clusters contains. */
export function linkedContents(world: LinkedWorld): string {
  const { clusters, isConstrained, clocksApartMs, outageSteps, troubles, anchors, issuer, laggards } = world;
  const { aborts, lost = 0, leaked = 0 } = troubles;
  return said(
    `a hub that certifies ${counted(clusters.length - 1, 'cluster')}${isConstrained ? ', each for its trust domain' : ''}`,
    'X.509 paths with expiries, path lengths and name constraints, over bridges and bridges of bridges',
    'reports arrive late and in any order',
    `clocks up to ${clocksApartMs / 1_000} s apart`,
    `cert-manager pauses for up to ${outageSteps} steps`,
    'identity may not notice a new issuer',
    'operators are killed between two writes',
    'rotations at any time',
    aborts && 'rollbacks and pauses',
    lost > 0 && `${counted(lost, 'Secret')} lost`,
    leaked > 0 && `${counted(leaked, 'key')} leaked`,
    anchors && `anchors with a lifetime of ${anchors.duration}`,
    issuer && `issuers with a lifetime of ${issuer}`,
    laggards && `laggards: ${laggards}`,
    `walks of ${world.steps} random steps, one for each seed`,
  );
}

function troublesOf(scenario: Scenario): readonly (string | false | undefined)[] {
  const { late, start, clocks, restarts, writes, probes, leavesLast } = scenario;
  const areClocksApart = clocks.certManager !== 0 || clocks.nodes !== 0 || clocks.operator.length > 1;
  return [
    late.length > 0 && `${late.join(', ')} seen late`,
    scenario.isCertManagerLate && 'cert-manager signs late',
    areClocksApart && 'clocks differ',
    restarts === 'any' ? 'pods restart at any time' : 'only the operator restarts pods',
    writes === 'interleaved' && 'any other step may come between two writes',
    scenario.isIdentityDeaf && 'identity never notices a new issuer',
    probes && `probes: ${probes}`,
    leavesLast !== undefined && 'leaves live longer than the policy says',
    scenario.hasDeadline && 'the anchor nears its expiry',
    scenario.isUnsigned && 'the bridge stays unsigned',
    start.renewals > 0 && counted(start.renewals, 'renewal'),
    start.identityRestarts > 0 && `${counted(start.identityRestarts, 'restart')} of identity`,
    ...start.mishaps,
  ];
}

function said(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter((part) => part !== false && part !== undefined).join('; ');
}
