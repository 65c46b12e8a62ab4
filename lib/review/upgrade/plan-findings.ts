import { checkAnchorChange } from '../../gitops/changes/anchor-change';
import type { AnchorChange } from '../../gitops/changes/mesh-trust';
import { findReleaseChange } from '../../gitops/changes/release-change';
import type { Installed } from '../../gitops/synth/installed';
import { errorsAt, type Finding, warningsAt } from '../../kubernetes/findings/finding';
import type { Problem } from '../../kubernetes/findings/problem';
import { linesBetween } from '../../linkerd/releases/linkerd/lines';
import type { ClusterContents } from '../compare/cluster-contents';
import { checkImmutable } from '../compare/immutable-fields';
import type { DifferentFiles } from '../compare/object-changes';
import type { ClusterFiles } from '../compare/output';
import { pinnedProxies } from './values';

/** A finding of a plan. */
export interface PlanFinding {
  /** `acknowledged` is an error of which somebody said that it is meant. */
  readonly severity: Finding['severity'] | 'acknowledged';
  readonly problem: Problem;
}

/** Two outputs of a cluster, and what of their files differs. */
export interface Compared {
  readonly files: DifferentFiles;
  readonly old: ClusterFiles;
  readonly next: ClusterFiles;
  /** Their releases and CRDs, as far as these are known. */
  readonly installed: Readonly<Record<'before' | 'after', Installed>>;
  /** The change of the trust anchor, if it is one that proxies have to be prepared for. */
  readonly anchor: AnchorChange | undefined;
}

/** The findings of two outputs of a cluster: of the change of release, and of files that cannot be synced or read. */
export function findingsOf(
  before: ClusterContents,
  after: ClusterContents,
  { files, old, next, installed, anchor }: Compared,
): readonly PlanFinding[] {
  // The plan is all about it.
  const change = findReleaseChange('', installed.before, installed.after).filter(
    ({ problem }) => problem.code !== 'release-changed',
  );
  return [
    ...checkAnchorChange(anchor).map(
      (problem): PlanFinding => ({ severity: anchor?.isAccepted ? 'acknowledged' : 'error', problem }),
    ),
    ...withoutPaths([
      ...change,
      ...errorsAt('', [
        ...checkProxies(before, after, installed),
        ...files.changed.flatMap(checkImmutable),
        ...files.unreadable.after.map(unreadableNow),
      ]),
      ...warningsAt('', [
        ...files.unreadable.before.map(unreadableBefore),
        ...checkIndex('earlier', old),
        ...checkIndex('later', next),
      ]),
    ]),
  ];
}

/** The findings of a cluster that has no earlier output: of files that cannot be synced or read. */
export function findingsOfNew(
  unreadable: DifferentFiles['unreadable']['after'],
  next: ClusterFiles,
): readonly PlanFinding[] {
  return withoutPaths([...errorsAt('', unreadable.map(unreadableNow)), ...warningsAt('', checkIndex('later', next))]);
}

function withoutPaths(findings: readonly Finding[]): readonly PlanFinding[] {
  return findings.map(({ severity, problem }) => ({ severity, problem }));
}

/**
 * Checks that proxies that values pin to a release of their own are no more than a line behind the control plane. Where
 * nothing pins them they are of the control plane's release before it moves, and its move says the same.
 */
function checkProxies(
  before: ClusterContents,
  after: ClusterContents,
  installed: Compared['installed'],
): readonly Problem[] {
  const { controlPlane } = installed.after.releases;
  const pinned = pinnedProxies(after.values) ?? pinnedProxies(before.values);
  if (controlPlane === undefined || pinned === undefined || installed.before.releases.controlPlane === controlPlane)
    return [];
  if (linesBetween(pinned, controlPlane).length === 0) return [];
  return [
    {
      code: 'proxies-too-old',
      what: `Values pin proxies to ${pinned} (proxy.image.version), and the control plane moves to ${controlPlane}`,
      why: 'Linkerd supports a control plane that is ahead of its proxies by one line',
      fix: 'let proxies follow the control plane, restart every meshed workload, and move then',
    },
  ];
}

function unreadableNow({ path, reason }: { readonly path: string; readonly reason: string }): Problem {
  return {
    code: 'output-file-unreadable',
    what: `${path} of the later output cannot be read: ${reason}`,
    why: 'Argo CD cannot read it either, and syncs nothing of its folder',
    fix: 'synthesize again: somebody else changed it',
  };
}

function unreadableBefore({ path, reason }: { readonly path: string; readonly reason: string }): Problem {
  return {
    code: 'output-file-unreadable',
    what: `${path} of the earlier output cannot be read: ${reason}`,
    why: 'This plan does not say what changes in it',
    fix: 'look at the file yourself',
  };
}

function checkIndex(which: 'earlier' | 'later', { index: { damage } }: ClusterFiles): readonly Problem[] {
  return damage === undefined ? [] : [damagedIndex(which, damage)];
}

function damagedIndex(which: 'earlier' | 'later', damage: string): Problem {
  return {
    code: 'output-index-unreadable',
    what: `The index of the ${which} output ${damage}`,
    why: 'Which releases and CRDs that output installs is made out from its files as far as they tell, and files may be missing in this plan',
    fix: 'compare with an output whose index is whole, or synthesize it again',
  };
}
