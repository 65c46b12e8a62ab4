import { counted } from '#base/counted';
import type { Problem } from '#base/findings/problem';
import type { ObservedCondition } from '../../live/fields';
import type { ObservedConfig, ObservedOperated, ObservedTrustAnchor } from '../../live/mesh';
import { isWhole, itemsOf } from '../../live/observation';
import { named, restartOf, type StatusFinding, type StatusInput, statusFinding } from '../finding';
import { STATUS_FINDINGS } from '../findings';

/** Checks the objects of the operator: the TrustAnchor and LinkerdConfigs. */
export function checkOperated(input: StatusInput): readonly StatusFinding[] {
  return [...checkTrustAnchors(input), ...checkConfigs(input)];
}

function checkTrustAnchors({ intent, seen, kubectl }: StatusInput): readonly StatusFinding[] {
  const { trustAnchors } = seen;
  const isMissing = trustAnchors.is === 'absent' || (isWhole(trustAnchors) && itemsOf(trustAnchors)?.length === 0);
  if (isMissing && intent.hasTrustAnchor) return [statusFinding(STATUS_FINDINGS.trustAnchorMissing())];
  return (itemsOf(trustAnchors) ?? []).flatMap((anchor) => checkTrustAnchor(anchor, kubectl));
}

function checkTrustAnchor(anchor: ObservedTrustAnchor, kubectl: string): readonly StatusFinding[] {
  const degraded = conditionOf(anchor, 'Degraded');
  const progressing = conditionOf(anchor, 'Progressing');
  const { phase = 'Pending', slack = '', laggards } = anchor;
  return [
    ...(degraded === undefined ? [] : [statusFinding(degradedAnchor(degraded, kubectl), degraded.since)]),
    ...(slack.startsWith('-') ? [statusFinding(STATUS_FINDINGS.trustAnchorLate({ slack, kubectl }))] : []),
    ...(anchor.isPaused ? [statusFinding(STATUS_FINDINGS.trustAnchorPaused())] : []),
    ...(progressing === undefined
      ? []
      : [
          statusFinding(
            STATUS_FINDINGS.trustAnchorRotating({ phase, message: progressing.message, kubectl }),
            progressing.since,
          ),
        ]),
    ...(laggards === undefined || laggards.pods === 0
      ? []
      : [
          statusFinding(
            STATUS_FINDINGS.trustAnchorLaggards({
              pods: counted(laggards.pods, 'pod'),
              workloads: named(laggards.workloads),
              ...restartOf(kubectl, laggards.workloads),
            }),
            laggards.since,
          ),
        ]),
    ...checkObserved(anchor, 'TrustAnchor', kubectl),
  ];
}

/** Reasons of a degraded TrustAnchor that do not stop its rotation. */
const GOES_ON: readonly string[] = ['BundleOfHelm', 'ForeignRoot', 'KeyElsewhere', 'NoSlack', 'Refused', 'UnknownKey'];

/** Whether the rotation of a degraded TrustAnchor waits until its reason is over. */
export function isRotationStopped(reason: string): boolean {
  return !GOES_ON.includes(reason);
}

function degradedAnchor(degraded: ObservedCondition, kubectl: string): Problem {
  const parameters = { ...textsOf(degraded), kubectl };
  return isRotationStopped(degraded.reason)
    ? STATUS_FINDINGS.trustAnchorDegraded(parameters)
    : STATUS_FINDINGS.trustAnchorDegradedRotating(parameters);
}

function checkConfigs({ intent, seen, kubectl }: StatusInput): readonly StatusFinding[] {
  if (seen.configs.is !== 'read' && seen.configs.is !== 'absent') return [];
  const configs = itemsOf(seen.configs) ?? [];
  const present = new Set(configs.map(({ name }) => name));
  return [
    ...intent.configs.flatMap((name) =>
      present.has(name) || !isWhole(seen.configs)
        ? []
        : [statusFinding(STATUS_FINDINGS.linkerdConfigMissing({ name }))],
    ),
    ...configs.flatMap((config) => checkConfig(config, kubectl)),
  ];
}

function checkConfig(config: ObservedConfig, kubectl: string): readonly StatusFinding[] {
  const { name, inProgress, passedBy, unmanagedPods } = config;
  const refused = config.conditions.find(({ type, status }) => type === 'Accepted' && status === 'False');
  const degraded = refused ?? conditionOf(config, 'Degraded');
  const progressing = conditionOf(config, 'Progressing');
  return [
    ...(degraded === undefined
      ? []
      : [
          statusFinding(STATUS_FINDINGS.linkerdConfigDegraded({ name, ...textsOf(degraded), kubectl }), degraded.since),
        ]),
    ...(inProgress.length === 0 && progressing === undefined
      ? []
      : [
          statusFinding(
            STATUS_FINDINGS.linkerdConfigProgressing({
              name,
              workloads: inProgress.length > 0 ? named(inProgress) : (progressing?.message ?? ''),
              kubectl,
            }),
            progressing?.since,
          ),
        ]),
    ...(passedBy.count === 0
      ? []
      : [
          statusFinding(
            STATUS_FINDINGS.restartsPassedBy({
              name,
              count: passedBy.count,
              workloads: named(passedBy.workloads),
              kubectl,
            }),
          ),
        ]),
    ...(unmanagedPods.count === 0
      ? []
      : [
          statusFinding(
            STATUS_FINDINGS.restartsByHand({ count: unmanagedPods.count, pods: named(unmanagedPods.pods) }),
          ),
        ]),
    ...checkObserved(config, `LinkerdConfig ${name}`, kubectl),
  ];
}

function checkObserved({ isOutdated }: ObservedOperated, object: string, kubectl: string): readonly StatusFinding[] {
  return isOutdated ? [statusFinding(STATUS_FINDINGS.operatorBehind({ object, kubectl }))] : [];
}

function conditionOf({ conditions }: ObservedOperated, type: string): ObservedCondition | undefined {
  return conditions.find((one) => one.type === type && one.status === 'True');
}

function textsOf({ reason, message }: ObservedCondition): Pick<ObservedCondition, 'reason' | 'message'> {
  return { reason, message };
}
