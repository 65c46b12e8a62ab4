import { errorsAt, type Finding, warningsAt } from '../../kubernetes/findings/finding';
import type { Warning } from '../../kubernetes/findings/warning';
import { edgeOfLine, lineOf } from '../../linkerd/releases/linkerd/lines';
import { CHART_OF_PART } from '../../linkerd/releases/linkerd/release-of-chart';
import type { Installed } from '../synth/installed';
import { type DefinitionChange, installedChanges, isOfGatewayApi, storageVersion } from './definition-changes';
import {
  controlPlaneMove,
  isLower,
  isMove,
  type Move,
  type ReleaseMove,
  releaseMoves,
  skippedLines,
} from './release-moves';

/**
 * The findings of a cluster whose output installs something else than the one before did: a warning that it does, and
 * errors for what Linkerd or the API server does not take, which somebody who thought about it can acknowledge. Nothing
 * where no output was there, or it does not say what it installed.
 *
 * The output before is the one on disk, which is all that a synthesis knows: once the new one is written, a check of it,
 * in a pipeline for instance, has nothing to tell. There the plan is what compares with what is deployed.
 */
export function findReleaseChange(
  path: string,
  before: Installed | undefined,
  after: Installed | undefined,
): readonly Finding[] {
  if (before === undefined || after === undefined) return [];
  const moves = releaseMoves(before.releases, after.releases);
  const definitions = installedChanges(before, after);
  return [
    ...errorsAt(path, [...checkLines(moves), ...definitions.flatMap(checkStored)]),
    ...warningsAt(path, [...checkMoves(moves), ...definitions.flatMap(checkDoubtful), ...checkGatewayApi(definitions)]),
  ];
}

/**
 * Checks that the control plane moves by one line at most. "It is usually safe for the control plane to be ahead of the
 * data plane by up to a full version", and "a skew of more than one major version between data plane and control plane is
 * not supported": https://linkerd.io/2-edge/tasks/upgrade/. That page counts an edge release to the line that it came
 * after; for stable ones, "upgrades that skip one or more major versions are not supported":
 * https://linkerd.io/2.14/tasks/upgrade/.
 */
function checkLines(moves: readonly ReleaseMove[]): readonly Warning[] {
  const move = controlPlaneMove(moves);
  if (move === undefined) return [];
  const skipped = skippedLines(move);
  if (skipped.length === 0) return [];
  const steps = isLower(move) ? skipped.toReversed() : skipped;
  return [
    {
      code: 'release-lines-skipped',
      what: `The control plane moves from ${withLine(move.from)} to ${withLine(move.to)} and leaves out ${skipped.join(', ')}`,
      why: 'Linkerd supports a control plane that is of the line of its proxies, or one ahead of them. Until every meshed pod is restarted, proxies ask one for which nobody has tested them: they may get no endpoints, policies or certificates',
      fix: `move one line at a time, and restart every meshed workload before the next: ${steps.map(lineStep).join(', ')}; or try this move in a cluster like it, acknowledge the finding, and restart all meshed workloads right after the control plane`,
    },
  ];
}

function withLine(release: string): string {
  const line = lineOf(release);
  return line === undefined ? release : `${release} (line ${line})`;
}

function lineStep(line: string): string {
  const edge = edgeOfLine(line);
  return edge === undefined ? line : `${line} (${edge})`;
}

/** Checks that no CRD loses the version in which the API server has stored its objects. */
function checkStored({ name, after, stored }: DefinitionChange): readonly Warning[] {
  if (after === undefined || stored.length === 0) return [];
  return [
    {
      code: 'crd-versions-gone',
      what: `${name} loses ${stored.join(', ')}, in which its objects are stored`,
      // linkerd2#12232 and linkerd2#15471 are this failure.
      why: 'The API server refuses a CRD without a version that its status.storedVersions lists: the sync of the CRDs fails, and what is of the new release lacks them',
      fix: `have the objects stored as ${storageVersion(after) ?? 'another version'} first: docs/upgrading.md, "CRDs that lose a version"; then acknowledge the finding`,
    },
  ];
}

/** Notes versions that go, and that may still be stored from the time of an older release. */
function checkDoubtful({ name, after, doubtful, stored }: DefinitionChange): readonly Warning[] {
  if (after === undefined || doubtful.length === 0 || stored.length > 0) return [];
  return [
    {
      code: 'crd-versions-doubtful',
      what: `${name} loses ${doubtful.join(', ')}, in which an older release may have stored objects`,
      why: 'If it did, the API server refuses the CRD: status.storedVersions keeps a version until somebody takes it out',
      fix: `look: kubectl get crd ${name} -o jsonpath='{.status.storedVersions}'; if it is listed, have the objects stored anew first: docs/upgrading.md, "CRDs that lose a version"`,
    },
  ];
}

/** Notes that linkerd-crds begins to bring CRDs that the cluster may have from elsewhere. */
function checkGatewayApi(changes: readonly DefinitionChange[]): readonly Warning[] {
  const added = changes.filter(({ name, before }) => before === undefined && isOfGatewayApi(name));
  if (added.length === 0) return [];
  return [
    {
      code: 'gateway-api-taken-over',
      what: `The output brings CRDs of the Gateway API that it did not bring before: ${added.map(({ name }) => name).join(', ')}`,
      why: 'If the cluster has them from elsewhere, they are replaced by those of an older Gateway API: what uses newer versions or fields fails, and the API server refuses CRDs that lose a stored version',
      fix: "look: kubectl get crd -o name | grep gateway.networking.k8s.io; where they are there, set gatewayApi of the CRDs to 'existing'",
    },
  ];
}

/** Notes that releases change, and in which direction. */
function checkMoves(moves: readonly ReleaseMove[]): readonly Warning[] {
  const changed = moves.filter(isMove);
  const [lower, higher] = [changed.filter(isLower), changed.filter((move) => !isLower(move))];
  return [...(higher.length === 0 ? [] : [changedRelease(higher)]), ...(lower.length === 0 ? [] : [lowered(lower)])];
}

function changedRelease(moves: readonly Move[]): Warning {
  return {
    code: 'release-changed',
    what: `Linkerd moves to another release: ${moves.map(moveText).join(', ')}`,
    why: 'What is of the new release restarts, and meshed pods keep the proxies of the old one until they are restarted',
    fix: 'see what it does, and in which order: `cdk8s-linkerd upgrade plan --from REVISION`; it is said once, by the synthesis that writes the new release',
  };
}

function lowered(moves: readonly Move[]): Warning {
  return {
    code: 'release-lowered',
    what: `Linkerd goes back to an older release: ${moves.map(moveText).join(', ')}`,
    why: 'Linkerd tests control planes with proxies of their own release and of the line before, and none with newer ones',
    fix: 'go back no further than where the proxies came from, and restart what was injected since; `cdk8s-linkerd upgrade plan --from REVISION` says in which order',
  };
}

function moveText({ part, from, to }: Move): string {
  return `${CHART_OF_PART[part]} from ${from} to ${to}`;
}
