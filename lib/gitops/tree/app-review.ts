import { isDeepStrictEqual } from 'node:util';
import { ApiObject } from 'cdk8s';
import type { IConstruct, IValidation } from 'constructs';
import { type Finding, findingsAt, mergeEqual, otherPlaces } from '#base/findings/finding';
import { describeProblem } from '#base/findings/problem';
import { redact } from '#base/findings/redaction';
import { acknowledge, isLifted } from '../../checks/warnings';
import { readingOnce, readOnce } from './api-objects';
import { checkApp } from './cdk8s-copies';
import { prepareTree } from './prepare';
import type { ReadObject } from './read-object';
import { readTree } from './read-tree';
import { reviewConstructs, reviewTree } from './review';

const REVIEWS = new WeakMap<IConstruct, AppReview>();

/**
 * Reviews the whole tree of a construct when cdk8s validates it: usually the App. A Platform reviews its clusters
 * without `App.synth`.
 */
export function reviewAtSynth({ node: { root } }: IConstruct): void {
  if (REVIEWS.has(root)) return;
  const review = new AppReview(root);
  REVIEWS.set(root, review);
  root.node.addValidation(review);
}

/**
 * Returns all errors that `App.synth` would report in the tree of a root, and the warnings that it would print: the
 * caller shows them. Returns nothing for a tree without constructs of this library.
 */
export function findingsIn(root: IConstruct): readonly Finding[] {
  const review = REVIEWS.get(root);
  if (review === undefined) return [];
  const findings = review.takeFindings();
  // Also reports validations of other libraries, as a Platform does.
  const all = review.silently(() => reviewConstructs(readTree(root, 'Platform')));
  return [...findings, ...all.filter(({ problem: { code } }) => code === 'construct-invalid')];
}

/**
 * The review of a plain cdk8s App. `App.synth` validates the App once, and once more for each of its charts: a review
 * without errors is reused until the tree changes.
 */
class AppReview implements IValidation {
  private readonly printed = new Set<string>();
  private approved: TreeState | undefined;
  private isSilent = false;

  constructor(private readonly root: IConstruct) {}

  validate(): string[] {
    if (this.isSilent) return [];
    prepareTree(this.root, 'cdk8s');
    return readingOnce(() => {
      const state = stateOf(this.root);
      if (this.approved !== undefined && isSame(this.approved, state)) return [];
      const findings = mergeEqual(this.review());
      for (const warning of findings.filter(({ severity }) => severity === 'warning')) this.print(warning);
      const errors = findings.filter(({ severity }) => severity === 'error').map(textOf);
      this.approved = errors.length === 0 ? state : undefined;
      return errors;
    });
  }

  /** Returns the findings, and marks their warnings as printed. */
  takeFindings(): readonly Finding[] {
    prepareTree(this.root, 'cdk8s');
    const findings = readingOnce(() => this.review());
    for (const finding of mergeEqual(findings)) this.printed.add(warningText(finding));
    return findings;
  }

  /** Reads the tree while this review reports nothing, because its findings are already known. */
  silently<T>(read: () => T): T {
    this.isSilent = true;
    try {
      return read();
    } finally {
      this.isSilent = false;
    }
  }

  private review(): readonly Finding[] {
    const tree = readTree(this.root, 'cdk8s');
    const findings = [...findingsAt(this.root.node.path, checkApp(this.root)), ...reviewTree(tree)];
    const { open } = acknowledge(findings.filter(isLifted), tree.acknowledgements);
    return [...findings.filter((finding) => !isLifted(finding)), ...open];
  }

  private print(warning: Finding): void {
    const text = warningText(warning);
    if (!this.printed.has(text)) process.stderr.write(text);
    this.printed.add(text);
  }
}

function warningText(warning: Finding): string {
  return redact(`warning: ${textOf(warning)}\n`);
}

function textOf(finding: Finding): string {
  const { path, problem } = finding;
  const others = otherPlaces(finding);
  const text = `${describeProblem(problem)} [${problem.code}]${others === undefined ? '' : ` Also at ${others}`}`;
  return path === '' ? text : `${path}: ${text}`;
}

interface TreeState {
  readonly declared: readonly unknown[];
  readonly objects: readonly ReadObject[];
}

function stateOf(root: IConstruct): TreeState {
  const constructs = root.node.findAll();
  return {
    declared: constructs.flatMap((construct) => [construct, ...construct.node.metadata.map(({ data }) => data)]),
    objects: constructs.filter(ApiObject.isApiObject).map(readOnce),
  };
}

function isSame(one: TreeState, other: TreeState): boolean {
  return (
    one.declared.length === other.declared.length &&
    one.declared.every((data, index) => data === other.declared[index]) &&
    isDeepStrictEqual(one.objects, other.objects)
  );
}
