import { type Finding, findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { describeObject } from '#kubernetes/objects/kubernetes-object';
import type { Installed } from '#linkerd/releases/installed';
import { linesBetween } from '#linkerd/releases/lines';
import { immutableChanges, isRecreated } from '../../gitops/changes/immutable-fields';
import type { AnchorChange } from '../../gitops/changes/mesh-trust';
import { checkAnchorChange } from '../../gitops/changes/mesh-trust';
import { findReleaseChange } from '../../gitops/changes/release-change';
import type { ClusterContents } from '../compare/cluster-contents';
import type { ChangedObject, DifferentFiles } from '../compare/object-changes';
import type { ClusterFiles } from '../compare/output';
import { REVIEW_FINDINGS } from '../findings';
import { pinnedProxies } from './values';

/** A finding of a plan. */
export interface PlanFinding {
  /** `acknowledged` is an error that the user accepts. */
  readonly severity: Finding['severity'] | 'acknowledged';
  readonly problem: Problem;
}

/** Two outputs of a cluster, and their differing files. */
export interface Compared {
  readonly files: DifferentFiles;
  readonly old: ClusterFiles;
  readonly next: ClusterFiles;
  /** The known releases and CRDs of both outputs. */
  readonly installed: Readonly<Record<'before' | 'after', Installed>>;
  /** The change of the trust anchor, if proxies must be prepared for it. */
  readonly anchor: AnchorChange | undefined;
}

/**
 * Returns the findings for two outputs of a cluster: about the change of release, and about files that cannot be synced
 * or read.
 */
export function findingsOf(
  before: ClusterContents,
  after: ClusterContents,
  { files, old, next, installed, anchor }: Compared,
): readonly PlanFinding[] {
  // The plan itself describes the change of release.
  const change = findReleaseChange('', installed.before, installed.after).filter(
    ({ problem }) => problem.code !== 'release-changed',
  );
  return [
    ...checkAnchorChange(anchor).map(
      (problem): PlanFinding => ({ severity: anchor?.isAccepted ? 'acknowledged' : 'error', problem }),
    ),
    ...withoutPaths([
      ...change,
      ...findingsAt('', [
        ...checkProxies(before, after, installed),
        ...files.changed.flatMap(checkImmutable),
        ...files.unreadable.after.map(unreadableNow),
        ...checkIndex('later', next),
        ...files.unreadable.before.map(({ path: file, reason }) =>
          REVIEW_FINDINGS.outputNotComparedFile({ file, reason }),
        ),
        ...checkIndex('earlier', old),
      ]),
    ]),
  ];
}

/** Returns the findings for a cluster without an earlier output: about files that cannot be synced or read. */
export function findingsOfNew(
  unreadable: DifferentFiles['unreadable']['after'],
  next: ClusterFiles,
): readonly PlanFinding[] {
  return withoutPaths(findingsAt('', [...unreadable.map(unreadableNow), ...checkIndex('later', next)]));
}

function withoutPaths(findings: readonly Finding[]): readonly PlanFinding[] {
  return findings.map(({ severity, problem }) => ({ severity, problem }));
}

/** Proxies without a pinned release are of the control plane's release, and the check of its move covers them. */
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
  return [REVIEW_FINDINGS.proxiesTooOld({ proxies: pinned, release: controlPlane })];
}

function checkImmutable({ before, after }: Pick<ChangedObject, 'before' | 'after'>): readonly Problem[] {
  const changed = isRecreated(after) ? [] : immutableChanges({ before, after });
  if (changed.length === 0) return [];
  return [REVIEW_FINDINGS.immutableFieldChanged({ object: describeObject(after), fields: changed.join(', ') })];
}

function unreadableNow({ path, reason }: { readonly path: string; readonly reason: string }): Problem {
  return REVIEW_FINDINGS.fileUnreadableOutput({ file: path, reason });
}

function checkIndex(which: 'earlier' | 'later', { index: { damage } }: ClusterFiles): readonly Problem[] {
  if (damage === undefined) return [];
  return [
    which === 'later'
      ? REVIEW_FINDINGS.fileUnreadableIndex({ damage })
      : REVIEW_FINDINGS.outputNotComparedIndex({ damage }),
  ];
}
