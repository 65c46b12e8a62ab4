import type { IConstruct } from 'constructs';
import { acknowledge, isLifted } from '../../kubernetes/findings/acknowledge';
import { withoutConsequences } from '../../kubernetes/findings/consequences';
import { errorsAt, type Finding } from '../../kubernetes/findings/finding';
import { describeProblem } from '../../kubernetes/findings/problem';
import { redact } from '../../kubernetes/findings/redaction';
import { checkApp } from './cdk8s-copies';
import { readTree } from './read-tree';
import { causesIn, reviewTree } from './review';
import { areOnlyOthersAsked } from './rules';

/** The reviews of the plain cdk8s App, or other tree, that a construct is in. */
export function reviewsOf(construct: IConstruct): AppReviews {
  const { root } = construct.node;
  const known = REVIEWS.get(root);
  if (known !== undefined) return known;
  const reviews = new AppReviews(root);
  REVIEWS.set(root, reviews);
  return reviews;
}

const REVIEWS = new WeakMap<IConstruct, AppReviews>();

/**
 * Reviews a plain cdk8s App. cdk8s asks every construct for its problems, again and again: `App.synth` once for the App
 * and once for each of its charts. All of these answers come from one review of the whole tree.
 */
class AppReviews {
  private readonly watched = new Set<IConstruct>();
  private readonly printed = new Set<string>();
  private messages: ReadonlyMap<IConstruct, readonly string[]> | undefined;
  /** Constructs that have told what is wrong with them; who is asked again is asked about the tree as it is then. */
  private readonly asked = new Set<IConstruct>();
  private isOfApp = false;

  constructor(private readonly root: IConstruct) {
    this.watched.add(root);
    root.node.addValidation({ validate: () => (areOnlyOthersAsked() ? [] : [...this.messagesOfRoot()]) });
  }

  /** Has a construct tell cdk8s what is wrong with it. */
  watch(construct: IConstruct): void {
    if (this.watched.has(construct)) return;
    this.watched.add(construct);
    construct.node.addValidation({ validate: () => (areOnlyOthersAsked() ? [] : [...this.messagesAt(construct)]) });
  }

  /** The root is the first that cdk8s asks each time. */
  private messagesOfRoot(): readonly string[] {
    const caller = callerOfValidation();
    if (caller !== 'chart of an App' || !this.isOfApp) this.messages = undefined;
    this.isOfApp = caller !== 'somebody else';
    this.asked.clear();
    return this.messagesAt(this.root);
  }

  private messagesAt(construct: IConstruct): readonly string[] {
    if (this.messages === undefined || this.asked.has(construct)) {
      this.messages = this.review();
      this.asked.clear();
    }
    this.asked.add(construct);
    return this.messages.get(construct) ?? [];
  }

  private review(): ReadonlyMap<IConstruct, readonly string[]> {
    const tree = readTree(this.root, 'cdk8s');
    const found = [...errorsAt(this.root.node.path, checkApp(this.root)), ...reviewTree(tree)];
    const findings = withoutConsequences(found, causesIn(tree));
    const { open } = acknowledge(findings.filter(isLifted), tree.acknowledgements);
    const left = [...findings.filter((finding) => !isLifted(finding)), ...open];
    for (const warning of left.filter(({ severity }) => severity === 'warning')) this.print(warning);
    const messages = new Map<IConstruct, string[]>();
    for (const error of left.filter(({ severity }) => severity === 'error')) {
      const [teller, text] = this.tellerOf(error);
      messages.set(teller, [...(messages.get(teller) ?? []), text]);
    }
    return messages;
  }

  /** cdk8s says nothing of warnings; each is printed once. */
  private print({ path, problem }: Finding): void {
    const text = redact(`warning: ${path}: ${describeProblem(problem)} [${problem.code}]\n`);
    if (!this.printed.has(text)) process.stderr.write(text);
    this.printed.add(text);
  }

  /** The construct that tells of an error: its own, or the nearest around it that cdk8s asks. */
  private tellerOf({ path, problem }: Finding): readonly [IConstruct, string] {
    const text = `${describeProblem(problem)} [${problem.code}]`;
    const construct = constructAt(this.root, path);
    const teller = construct?.node.scopes.findLast((scope) => this.watched.has(scope)) ?? this.root;
    return [teller, teller.node.path === path ? text : `${path}: ${text}`];
  }
}

function constructAt(root: IConstruct, path: string): IConstruct | undefined {
  const below = root.node.path === '' ? path : path.slice(root.node.path.length + 1);
  return below === ''
    ? root
    : below.split('/').reduce<IConstruct | undefined>((scope, id) => scope?.node.tryFindChild(id), root);
}

/** The number of frames in which the function that validates is looked for. */
const FRAMES = 40;

/**
 * Tells for whom cdk8s validates: for an App, for one chart of an App that it is synthesizing, which it has just
 * validated, or for somebody else, between whose calls anything may change. cdk8s has no other sign of it; where the
 * stack is not as expected, a review is made too often.
 */
function callerOfValidation(): 'App' | 'chart of an App' | 'somebody else' {
  const frames = callers().map((line) => /\bat (?:\S+\.)?(\S+) \((.*?)(?::\d+)*\)$/.exec(line.trim()));
  const at = (name: RegExp) => frames.findIndex((frame) => frame !== null && name.test(frame[1] ?? ''));
  const [validation, chart, app] = [at(/^validate$/), at(/^_synthChart$/), at(/^synth(?:Yaml)?$/)];
  const isInSameFile = (one: number, other: number) => frames[one]?.[2] === frames[other]?.[2];
  if (app === -1 || validation === -1) return 'somebody else';
  if (chart === -1) return 'App';
  return app === chart + 2 && isInSameFile(app, chart) ? 'chart of an App' : 'somebody else';
}

/** The lines of the stack; none where somebody has it made in another form, or does not let it be made longer. */
function callers(): readonly string[] {
  const { stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = FRAMES;
    const { stack }: { readonly stack?: unknown } = new Error();
    return typeof stack === 'string' ? stack.split('\n') : [];
  } catch {
    return [];
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
  }
}
