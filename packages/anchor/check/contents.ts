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
    'X.509 paths with ends, path lengths and name constraints, over bridges and bridges of bridges',
    'reports arrive late and in any order',
    `clocks up to ${clocksApartMs / 1_000} s apart`,
    `cert-manager up to ${outageSteps} looks late`,
    'identity that may not notice its issuer',
    'operators killed between two writes',
    'rotations at any time',
    aborts && 'rollbacks and pauses',
    lost > 0 && `${counted(lost, 'Secret')} lost`,
    leaked > 0 && `${counted(leaked, 'key')} leaked`,
    anchors && `anchors that live for ${anchors.duration}`,
    issuer && `issuers that live for ${issuer}`,
    laggards && `laggards: ${laggards}`,
    `walks of ${world.steps} random steps, by seed`,
  );
}

function troublesOf(scenario: Scenario): readonly (string | false | undefined)[] {
  const { late, start, clocks, restarts, writes, probes, leavesLast } = scenario;
  const areClocksApart = clocks.certManager !== 0 || clocks.nodes !== 0 || clocks.operator.length > 1;
  return [
    late.length > 0 && `${late.join(', ')} seen late`,
    scenario.isCertManagerLate && 'cert-manager signs late',
    areClocksApart && 'clocks apart',
    restarts === 'any' ? 'pods restart at any time' : 'the operator alone restarts pods',
    writes === 'interleaved' && 'everything happens between two writes',
    scenario.isIdentityDeaf && 'identity never notices its issuer',
    probes && `probes: ${probes}`,
    leavesLast !== undefined && 'leaves live longer than reported',
    scenario.hasDeadline && 'the anchor comes near its end',
    scenario.isUnsigned && 'the bridge stays unsigned',
    start.renewals > 0 && counted(start.renewals, 'renewal'),
    start.identityRestarts > 0 && `${counted(start.identityRestarts, 'restart')} of identity`,
    ...start.mishaps,
  ];
}

function said(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter((part) => part !== false && part !== undefined).join('; ');
}
