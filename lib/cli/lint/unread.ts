import { counted } from '#base/counted';
import { shownPlace } from '#base/findings/finding';
import { listed } from '#base/findings/listed';
import { printableLine } from '#base/findings/printable-text';
import { redact } from '#base/findings/redaction';
import { grouped } from '#base/grouped';
import type { UnreadPlace } from '../../gitops/platform/finding-formats';
import type { Skipped, Unread } from '../repository/read-file';

type Unreadable =
  | 'charts'
  | 'circle'
  | 'elsewhere'
  | 'encoding'
  | 'irregular'
  | 'limit'
  | 'link'
  | 'patches'
  | 'unreadable'
  | 'unrecognized'
  | 'values'
  | 'version';

/** A file or an object that is not read, and why. */
export interface NotRead extends Omit<Skipped, 'why'> {
  readonly why: Unread | Unreadable;
  /**
   * The files with objects that are not read because of it.
   *
   * @default - only its own
   */
  readonly hides?: ReadonlySet<string>;
}

/** The reason in words, and a fix for the user. */
interface Words {
  readonly why: string;
  readonly fix: string;
  /**
   * What is not done.
   *
   * @default 'not read'
   */
  readonly not?: string;
}

const NAME_IT = 'pass a smaller folder or file';

const WORDS: Readonly<Record<NotRead['why'], Words>> = {
  template: {
    why: 'a template, which another program fills in',
    fix: 'check its output: `helm template CHART | cdk8s-linkerd lint -`',
  },
  substitution: {
    why: 'it contains variables, which Flux replaces',
    fix: 'check what Flux applies: `flux build kustomization NAME --path FOLDER | cdk8s-linkerd lint -`',
  },
  placeholder: {
    why: 'it contains placeholders, such as <NAME>, which another program replaces',
    fix: 'check what that program writes: `cdk8s-linkerd lint FOLDER`',
  },
  kustomization: {
    why: 'a kustomization that changes objects',
    fix: 'check its output: `kustomize build FOLDER | cdk8s-linkerd lint -`',
  },
  patches: {
    why: 'a kustomization with patches or other changes that lint does not support: objects that they may change are not read, and each other object is checked alone',
    fix: 'check its output: `kustomize build FOLDER | cdk8s-linkerd lint -`',
  },
  charts: {
    why: 'a kustomization that renders a chart which is not in these files',
    fix: 'check its output: `kustomize build --enable-helm FOLDER | cdk8s-linkerd lint -`',
  },
  circle: {
    why: 'a kustomization that refers to itself, directly or through another one',
    fix: 'remove one of these references, which Kustomize refuses',
  },
  chart: {
    why: 'a chart that cannot be rendered with its default values',
    fix: 'check its output: `helm dependency build FOLDER`, then `helm template FOLDER -f VALUES | cdk8s-linkerd lint -`',
  },
  'too-large': { why: 'it is too large', fix: NAME_IT },
  elsewhere: {
    why: 'it refers to resources that are not in these files',
    fix: 'pass a folder that contains both, or `kustomize build FOLDER | cdk8s-linkerd lint -`',
  },
  values: {
    why: 'it takes values of its chart from another source, which are not checked',
    fix: 'check the objects of the chart: `helm template CHART -f VALUES | cdk8s-linkerd lint -`',
  },
  version: {
    not: 'not checked',
    why: 'values of a chart version that belongs to no known release of Linkerd',
    fix: 'set the version of a known release, or check the objects of the chart: `helm template CHART -f VALUES | cdk8s-linkerd lint -`',
  },
  encoding: { why: 'it is not text in UTF-8', fix: 'save it in UTF-8' },
  irregular: { why: 'it is not a regular file', fix: 'pass its content on standard input: `cdk8s-linkerd lint -`' },
  limit: { why: 'there is too much to read', fix: NAME_IT },
  link: { why: 'a link that leads out of the folder', fix: 'pass the target of the link' },
  unrecognized: {
    why: 'it is in a folder with values of a chart of Linkerd, but has neither the name nor the values of one',
    fix: 'if it has values, name it after its chart, such as linkerd-viz-values.yaml; otherwise leave it out with `ignore`',
  },
  unreadable: { why: 'it cannot be read', fix: 'correct its permissions' },
};

const MAX_NAMED = 3;

/** Returns a line for each reason, with the first of the places to which it applies. */
export function unreadLines(unread: readonly NotRead[]): readonly string[] {
  const byReason = grouped(unread.map((one) => [JSON.stringify([one.why, one.reason]), one]));
  return [...byReason.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { why, fix, not = 'not read' } = WORDS[first.why];
    const reason = first.reason === undefined ? '' : ` (${first.reason.replaceAll(/\s+/g, ' ').trim()})`;
    const places = listed([...new Set(group.map(({ source }) => shownPlace(source)))], MAX_NAMED);
    return [printableLine(redact(`${not}: ${places}: ${why}${reason}. Fix: ${fix}.`))];
  });
}

/** Returns the entries for machine-readable formats. Their texts contain no secrets. */
export function unreadEntries(unread: readonly NotRead[]): readonly UnreadPlace[] {
  return unread.map(({ source, why: cause, reason, hides = [] }) => {
    const { why, fix, not: what = 'not read' } = WORDS[cause];
    const others = [...hides].filter((file) => file !== source.file);
    return {
      file: redact(source.file),
      ...(source.line !== undefined && { line: source.line }),
      ...{ what, cause, why, fix },
      ...(reason !== undefined && { reason: redact(reason) }),
      ...(others.length > 0 && { hides: others.map((file) => redact(file)) }),
    };
  });
}

/** Returns the number of files and folders that are not read, in words. */
export function unreadCount(unread: readonly NotRead[]): string {
  return counted(new Set(unread.flatMap(({ source, hides = [] }) => [source.file, ...hides])).size, 'file');
}
