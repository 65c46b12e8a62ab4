import type { Problem } from '../../kubernetes/findings/problem';
import { credentialsOf } from '../../kubernetes/url-credentials';

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
  return [...checkRepoUrl(source.repoUrl), ...checkRevision(source.revision), ...checkPath(source.path)];
}

const URL_FORMS = [
  /^https?:\/\/(?:[^\s/:@]+@)?[^\s/:@]+(?::\d+)?\/\S+$/,
  /^ssh:\/\/(?:[^\s/:@]+@)?[^\s/:@]+(?::\d+)?\/\S+$/,
  /^[^\s/:@]+@[^\s/:@]+:[^\s:]\S*$/,
  /^file:\/\/\/\S+$/,
];

function checkRepoUrl(url: string | undefined): readonly Problem[] {
  if (url === undefined || url === '') {
    return [
      {
        code: 'repo-url-missing',
        what: 'repoUrl is missing',
        why: 'Argo CD would not know from which repository to deploy the output',
        fix: "set repoUrl to the repository's URL, https://git.example.com/platform.git for instance",
      },
    ];
  }
  const credentials = credentialsOf(url);
  if (credentials !== undefined) {
    const shown = /^(\w+:\/\/[^\s/:@]*):[^\s/@]*@/.exec(url)?.[1];
    return [
      {
        code: 'credentials-in-url',
        what: `repoUrl has ${credentials} in it${shown === undefined ? '' : ` (${shown}:…@)`}`,
        why: 'It would be committed with the output, for everybody to read who reads the repository or the Application',
        fix: 'take it out, and give Argo CD the credentials in a repository Secret',
      },
    ];
  }
  // A project's sourceRepos are glob patterns, and the strings of an ApplicationSet are Go templates.
  if (URL_FORMS.some((form) => form.test(url)) && !/[*?[\]{}!\\]/.test(url)) return [];
  return [
    {
      code: 'repo-url-refused',
      what: `repoUrl is "${url}"`,
      why: 'Argo CD takes https://, http://, ssh:// and file:// URLs and git@host:path, without wildcards or braces, which it would interpret',
      fix: "write the repository's URL as git clone takes it, https://git.example.com/platform.git for instance",
    },
  ];
}

function checkRevision(revision: string | undefined): readonly Problem[] {
  if (revision === undefined || (revision !== '' && revision === revision.trim() && !revision.includes('{{')))
    return [];
  return [
    {
      code: 'revision-refused',
      what: `revision is "${revision}"`,
      why: 'Argo CD would follow another revision than the one meant, or none: the generator needs the name of a branch or tag, or a commit',
      fix: "name the branch, or leave revision out to follow the repository's default branch",
    },
  ];
}

/** A part of a path that is neither hidden, nor a step upwards, nor read as a wildcard or template. */
const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

function checkPath(path: string | undefined): readonly Problem[] {
  if (path === undefined || path === '' || path.split('/').every((segment) => SEGMENT.test(segment))) return [];
  const segments = path.split('/').filter((segment) => SEGMENT.test(segment));
  return [
    {
      code: 'repo-path-refused',
      what: `path is "${path}"`,
      why: 'Argo CD matches folders by their path from the root of the repository, with no slash at either end, no "." or "..", and no wildcards; it does not look into hidden folders',
      fix: `write it as "${segments.length > 0 ? segments.join('/') : 'dist'}"`,
    },
  ];
}
