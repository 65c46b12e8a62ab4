import { isLower, isMove, type ReleaseMove } from '../../gitops/changes/release-moves';
import { releaseFacts } from '../../linkerd/releases/release-facts';

/** The oldest Kubernetes for releases moved to that take none as old as those before; undefined for others. */
export function oldestKubernetes(moves: readonly ReleaseMove[]): string | undefined {
  const upward = moves.filter(isMove).filter((move) => !isLower(move));
  const [needed] = upward.flatMap(({ from, to }) => {
    const [old, next] = [kubernetesOf(from), kubernetesOf(to)];
    return next === undefined || next === old ? [] : [next];
  });
  return needed;
}

function kubernetesOf(release: string): string | undefined {
  return releaseFacts(release)?.crds.templates.kubernetes;
}
