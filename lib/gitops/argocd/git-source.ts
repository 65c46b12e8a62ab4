import type { Problem } from '../../kubernetes/findings/problem';
import { checkUrlCredentials } from '../../kubernetes/urls';
import { ARGOCD_FINDINGS } from './findings';

/** The place in Git where Argo CD reads the output. */
export interface GitSource {
  /** URL of the Git repository, without a password: `https://…`, `ssh://…` or `git@host:path`. */
  readonly repoUrl: string;

  /**
   * Branch, tag or commit.
   *
   * @default 'HEAD' - the repository's default branch
   */
  readonly revision?: string;

  /**
   * Folder in the repository that has one folder per cluster; `''` is the repository's root.
   *
   * @default 'dist'
   */
  readonly path?: string;
}

/** A source with nothing left to default. */
export interface ResolvedGitSource {
  readonly repoUrl: string;
  readonly revision: string;
  /** Empty, or a path that ends in a slash. */
  readonly prefix: string;
}

/** Fills in the defaults. */
export function resolveGitSource({ repoUrl, revision = 'HEAD', path = 'dist' }: GitSource): ResolvedGitSource {
  return { repoUrl, revision, prefix: path === '' ? '' : `${path}/` };
}

/** Reports what keeps Argo CD from reading the output there. */
export function checkGitSource(source: Partial<GitSource>): readonly Problem[] {
  return [
    ...checkRepoUrl(source.repoUrl),
    ...checkRevision('revision', source.revision),
    ...checkPath('path', source.path),
  ];
}

const URL_FORMS = [
  /^https?:\/\/(?:[^\s/:@]+@)?[^\s/:@]+(?::\d+)?\/\S+$/,
  /^ssh:\/\/(?:[^\s/:@]+@)?[^\s/:@]+(?::\d+)?\/\S+$/,
  /^[^\s/:@]+@[^\s/:@]+:[^\s:]\S*$/,
  /^file:\/\/\/\S+$/,
];

function checkRepoUrl(url: string | undefined): readonly Problem[] {
  if (url === undefined || url === '') {
    return [ARGOCD_FINDINGS.repoUrlMissing()];
  }
  const credentials = checkUrlCredentials('repoUrl', url);
  if (credentials.length > 0) return credentials;
  // A project's sourceRepos are glob patterns, and the strings of an ApplicationSet are Go templates.
  if (URL_FORMS.some((form) => form.test(url)) && !/[*?[\]{}!\\]/.test(url)) return [];
  return [ARGOCD_FINDINGS.repoUrlRefused({ url })];
}

/** Checks a branch, tag or commit, which a message calls `field`. */
export function checkRevision(field: string, revision: string | undefined): readonly Problem[] {
  if (revision === undefined || (revision !== '' && revision === revision.trim() && !revision.includes('{{')))
    return [];
  return [ARGOCD_FINDINGS.revisionRefused({ field, revision })];
}

/** A part of a path that is neither hidden, nor a step upwards, nor read as a wildcard or template. */
const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** Checks a folder of the repository, which a message calls `field`. */
export function checkPath(field: string, path: string | undefined): readonly Problem[] {
  if (path === undefined || path === '' || path.split('/').every((segment) => SEGMENT.test(segment))) return [];
  const segments = path.split('/').filter((segment) => SEGMENT.test(segment));
  return [ARGOCD_FINDINGS.repoPathRefused({ field, path, example: segments.length > 0 ? segments.join('/') : 'dist' })];
}
