import type { IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { KUBERNETES_FINDINGS } from '#kubernetes/findings/findings';
import type { Reference } from '#kubernetes/objects/references';
import type { Declarations } from '../../checks/cluster/checked-cluster';

const DECLARATIONS = 'cdk8s-linkerd:references';

/** Declares what the reference check cannot read from a construct's objects; a function is called at synth. */
export function declareReferences(scope: IConstruct, declarations: Declarations | (() => Declarations)): void {
  scope.node.addMetadata(DECLARATIONS, typeof declarations === 'function' ? declarations : () => declarations);
}

/** Returns what was declared at one construct, without its children. */
export function declarationsOf(construct: IConstruct): readonly Declarations[] {
  return givenAt(construct).map(wellFormed);
}

/** Returns the problems of what was declared at one construct: untyped code may pass any value. */
export function declarationProblems(construct: IConstruct): readonly Problem[] {
  return givenAt(construct).flatMap(checkDeclarations);
}

function givenAt(construct: IConstruct): readonly Declarations[] {
  return construct.node.metadata
    .filter((entry) => entry.type === DECLARATIONS)
    .map((entry) => (entry.data as () => Declarations)());
}

const LISTS = ['provides', 'requires', 'external'] as const;

function wellFormed(declarations: Declarations): Declarations {
  if (checkDeclarations(declarations).length === 0) return withoutNulls(declarations);
  return Object.fromEntries(LISTS.map((list) => [list, listIn(declarations, list).filter(isReference)]));
}

/** Null counts as omitted. */
function withoutNulls(declarations: Declarations): Declarations {
  return Object.fromEntries(Object.entries(declarations).filter(([, list]) => list !== null));
}

function checkDeclarations(declarations: Declarations): readonly Problem[] {
  return LISTS.flatMap((list) => {
    const given: unknown = declarations[list] ?? [];
    if (!Array.isArray(given)) return [wrongType(list, given, 'a list of references')];
    return given.flatMap((item: unknown, index) =>
      isReference(item)
        ? []
        : [
            wrongType(
              `${list}[${index}]`,
              item,
              "a reference such as { kind: 'Secret', namespace: 'shop', name: 'token' }",
            ),
          ],
    );
  });
}

function listIn(declarations: Declarations, list: (typeof LISTS)[number]): readonly unknown[] {
  const given: unknown = declarations[list];
  return Array.isArray(given) ? given : [];
}

function isReference(item: unknown): item is Reference {
  if (typeof item !== 'object' || item === null) return false;
  const { kind, name, namespace }: Readonly<Record<string, unknown>> = { ...item };
  return [kind, name, namespace ?? ''].every((text) => typeof text === 'string');
}

function wrongType(path: string, given: unknown, expected: string): Problem {
  return KUBERNETES_FINDINGS.wrongTypeValue({ path, value: shownValue(given), expected });
}
