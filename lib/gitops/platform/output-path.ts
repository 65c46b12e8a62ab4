import type { Warning } from '../../checks/warnings';
import type { GitPlace } from '../synth/output/git-place';
import { PLATFORM_FINDINGS } from './findings';

/**
 * Warns about an output that is not where Argo CD reads it, in a checkout of the repository or in a repository without
 * remotes. An output in any other repository is not checked: it may be copied from there.
 */
export function checkOutputPath(
  { repoUrl = '', path = 'dist' }: { readonly repoUrl?: string | undefined; readonly path?: string | undefined },
  place: GitPlace | undefined,
): readonly Warning[] {
  if (place === undefined || plainPath(path) === place.path) return [];
  const remotes = place.remotes.flatMap((remote) => addressOf(remote) ?? []);
  const own = addressOf(repoUrl);
  if (place.remotes.length > 0 && (own === undefined || !remotes.includes(own))) return [];
  return [PLATFORM_FINDINGS.outputElsewhere({ path, actual: place.path })];
}

function plainPath(path: string): string {
  return path.replace(/^(?:\.?\/)+|\/+$/g, '').replace(/^\.$/, '');
}

/** Returns host and path of a repository, equal for all forms of its URL; undefined for a path on disk. */
function addressOf(url: string): string | undefined {
  const [, host, path] =
    /^(?:https?|ssh|git):\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/+(.+)$/.exec(url) ??
    /^(?:[^/@:]+@)?([^/:@]{2,}):(?!\/\/)\/*(.+)$/.exec(url) ??
    [];
  if (host === undefined || path === undefined) return undefined;
  return `${host.toLowerCase()}/${path.replace(/(?:\.git)?\/*$/, '').toLowerCase()}`;
}
