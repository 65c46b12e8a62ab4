import { type Finding, findingsAt } from '#base/findings/finding';
import { CHART_OF_PART } from '#linkerd/releases/charts';
import {
  type DefinitionChange,
  installedChanges,
  isOfGatewayApi,
  storageVersion,
} from '#linkerd/releases/definition-changes';
import type { Installed } from '#linkerd/releases/installed';
import { edgeOfLine, lineOf } from '#linkerd/releases/lines';
import {
  controlPlaneMove,
  isLower,
  isMove,
  type Move,
  type ReleaseMove,
  releaseMoves,
  skippedLines,
} from '#linkerd/releases/release-moves';
import type { Warning } from '../../checks/warnings';
import { CHANGE_FINDINGS } from './findings';

/**
 * Returns the findings of a cluster whose release changes: a warning about the change, and errors for steps that
 * Linkerd or the API server does not support, which the user can acknowledge. Returns nothing without an earlier
 * output, or if it does not contain its releases.
 *
 * Synth compares with the output on disk. Once the new output is written, a later synth, for example in a pipeline,
 * finds no change. There, use `cdk8s-linkerd upgrade plan`, which compares with the deployed output.
 */
export function findReleaseChange(
  path: string,
  before: Installed | undefined,
  after: Installed | undefined,
): readonly Finding[] {
  if (before === undefined || after === undefined) return [];
  const moves = releaseMoves(before.releases, after.releases);
  const definitions = installedChanges(before, after);
  return findingsAt(path, [
    ...checkLines(moves),
    ...definitions.flatMap(checkStored),
    ...checkMoves(moves),
    ...definitions.flatMap(checkDoubtful),
    ...checkGatewayApi(definitions),
  ]);
}

/**
 * Checks that the control plane moves by at most one minor version. "It is usually safe for the control plane to be
 * ahead of the data plane by up to a full version", and "a skew of more than one major version between data plane and
 * control plane is not supported": https://linkerd.io/2-edge/tasks/upgrade/. That page counts an edge release as part
 * of the previous minor version; for stable ones, "upgrades that skip one or more major versions are not supported":
 * https://linkerd.io/2.14/tasks/upgrade/.
 */
function checkLines(moves: readonly ReleaseMove[]): readonly Warning[] {
  const move = controlPlaneMove(moves);
  if (move === undefined) return [];
  const skipped = skippedLines(move);
  if (skipped.length === 0) return [];
  const steps = isLower(move) ? skipped.toReversed() : skipped;
  return [
    CHANGE_FINDINGS.releaseLinesSkipped({
      from: withLine(move.from),
      to: withLine(move.to),
      skipped: skipped.join(', '),
      steps: steps.map(lineStep).join(', '),
    }),
  ];
}

function withLine(release: string): string {
  const line = lineOf(release);
  return line === undefined ? release : `${release} (Linkerd ${line})`;
}

function lineStep(line: string): string {
  const edge = edgeOfLine(line);
  return edge === undefined ? line : `${line} (${edge})`;
}

function checkStored({ name, after, stored }: DefinitionChange): readonly Warning[] {
  if (after === undefined || stored.length === 0) return [];
  return [
    CHANGE_FINDINGS.crdVersionsRemoved({
      name,
      versions: stored.join(', '),
      storage: storageVersion(after) ?? 'another version',
    }),
  ];
}

function checkDoubtful({ name, after, doubtful, stored }: DefinitionChange): readonly Warning[] {
  if (after === undefined || doubtful.length === 0 || stored.length > 0) return [];
  return [CHANGE_FINDINGS.crdVersionsAtRisk({ name, versions: doubtful.join(', ') })];
}

function checkGatewayApi(changes: readonly DefinitionChange[]): readonly Warning[] {
  const added = changes.filter(({ name, before }) => before === undefined && isOfGatewayApi(name));
  if (added.length === 0) return [];
  return [CHANGE_FINDINGS.gatewayApiTakenOver({ definitions: added.map(({ name }) => name).join(', ') })];
}

function checkMoves(moves: readonly ReleaseMove[]): readonly Warning[] {
  const changed = moves.filter(isMove);
  const [lower, higher] = [changed.filter(isLower), changed.filter((move) => !isLower(move))];
  return [
    ...(higher.length === 0 ? [] : [CHANGE_FINDINGS.releaseChanged({ moves: movesText(higher) })]),
    ...(lower.length === 0 ? [] : [CHANGE_FINDINGS.releaseLowered({ moves: movesText(lower) })]),
  ];
}

function movesText(moves: readonly Move[]): string {
  return moves.map(({ part, from, to }) => `${CHART_OF_PART[part]} from ${from} to ${to}`).join(', ');
}
