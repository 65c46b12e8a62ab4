import { type Finding, findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { reviewObjects, reviewTogether } from '../../checks/cluster/review-cluster';
import type { ConstructTree } from './read-tree';
import { unread } from './unread';

/** Returns the problems of reading, and the findings of all rules: those of the constructs, and those for objects. */
export function reviewTree(tree: ConstructTree): readonly Finding[] {
  const own = reviewConstructs(tree);
  return [...own, ...withoutRepeated(own, [...reviewObjects(tree), ...reviewTogether(tree)])];
}

/**
 * Codes of rules for objects, or codes with a cause, each with those by which constructs report the same mistake in
 * their props.
 */
const NAMED_BY_CONSTRUCTS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'certificate-outlives-issuer': ['certificate-outlives-issuer', 'validity-refused'],
    'high-availability-overridden': ['high-availability-overridden'],
    'injected-value-missing': ['injected-value-missing'],
    'injected-value-refused': ['injected-value-refused'],
    'injector-deadlock': ['injector-deadlock'],
    'job-never-ends': ['job-never-ends'],
    'mesh-unscraped': ['mesh-unscraped'],
    'namespace-never-injected': ['namespace-never-injected', 'require-proxy-refused'],
    'prometheus-missing': ['prometheus-missing'],
    'setting-refused/close-wait-cni': ['setting-refused/close-wait-cni'],
    'setting-refused/close-wait-timeout': ['setting-refused/close-wait-timeout'],
    'setting-refused/cni-port': ['setting-refused/cni-port'],
  }),
);

const codesOf = ({ code, cause }: Problem): readonly string[] => [`${code}/${cause}`, code];

/**
 * Returns findings about objects, without those that a construct already reports about its props: the construct that
 * contains the object, or one whose finding has the same parameters.
 */
export function withoutRepeated(own: readonly Finding[], ofObjects: readonly Finding[]): readonly Finding[] {
  return ofObjects.filter(({ path, problem }) => {
    const named = codesOf(problem).flatMap((code) => NAMED_BY_CONSTRUCTS.get(code) ?? []);
    return !own.some(
      (one) =>
        codesOf(one.problem).some((code) => named.includes(code)) &&
        (`${path}/`.startsWith(`${one.path}/`) || namesSame(one.problem, problem.parameters ?? {})),
    );
  });
}

function namesSame(
  { parameters = {} }: Problem,
  { namespace, object, job }: NonNullable<Problem['parameters']>,
): boolean {
  const subjects = [namespace, object, job].filter((subject) => subject !== undefined);
  const named = Object.values(parameters).flatMap((value) => `${value}`.split(', '));
  return subjects.some((subject) => named.includes(`${subject}`));
}

/** Returns the problems of reading, and the findings of the constructs' own rules. */
export function reviewConstructs({ rules, objects, declarations, findings }: ConstructTree): readonly Finding[] {
  const around = { objects, declarations };
  const found = rules.flatMap(({ path, rule }) => {
    try {
      return findingsAt(path, rule(around));
    } catch (error) {
      // A rule of another author may throw, which must not hide other problems.
      return findingsAt(path, [unread(error)]);
    }
  });
  return [...found, ...findings];
}
