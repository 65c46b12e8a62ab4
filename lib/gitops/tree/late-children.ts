import type { Construct, IConstruct } from 'constructs';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';

type Node = IConstruct['node'];

/** Constructs whose children are made when somebody asks for them. */
const LATE = new WeakMap<IConstruct, LateChildren>();

/** An object that would be a child, under its id, if somebody asked. */
export interface LateObject {
  readonly id: string;
  readonly object: KubernetesObject;
  /**
   * The object that is checked in its place: it differs in what is known to be right alone.
   *
   * @default - itself
   */
  readonly checkedAs?: KubernetesObject | undefined;
}

/** The children of a construct that come into being when somebody asks for them. */
export interface LateChildren {
  /**
   * Adds what is missing below the construct, and only there: who walks the tree may have passed all other places. It is
   * called whenever somebody asks.
   */
  readonly complete: () => void;
  /**
   * Tells whether a child that was added is one still.
   *
   * @default - each is
   */
  readonly has?: (child: IConstruct) => boolean;

  /**
   * Returns what all children would be read as, in their order, where that is known without making them.
   *
   * @default - it is not known
   */
  readonly objects?: () => readonly LateObject[] | undefined;
}

/**
 * Has the children of a construct made when its node is asked for them: at synth as a rule, when all constructs are there
 * by which they are decided. Whoever walks the tree finds them, cdk8s included.
 */
export function setLateChildren(construct: Construct, late: LateChildren): void {
  const { complete, has = () => true } = late;
  const { node } = construct;
  const prototype = Object.getPrototypeOf(node) as Node;
  let isCompleting = false;
  const completed = () => {
    const before = isCompleting;
    isCompleting = true;
    try {
      complete();
    } finally {
      isCompleting = before;
    }
  };
  const childOf = (id: string) => {
    completed();
    const child = prototype.tryFindChild.call(node, id);
    return child !== undefined && has(child) ? child : undefined;
  };
  LATE.set(construct, late);
  Object.defineProperties(node, {
    children: {
      get: () => {
        completed();
        return (Reflect.get(prototype, 'children', node) as readonly IConstruct[]).filter(has);
      },
    },
    // Who locks a tree means that nobody adds to it; these children belong to it already.
    locked: { get: () => !isCompleting && Reflect.get(prototype, 'locked', node) },
    tryFindChild: { value: childOf },
    tryRemoveChild: { value: (id: string) => childOf(id) !== undefined && prototype.tryRemoveChild.call(node, id) },
  });
}

/** Has the children of a construct made when somebody asks for them first, and never again. */
export function addLateChildren(construct: Construct, make: () => void): void {
  let isMade = false;
  setLateChildren(construct, {
    complete: () => {
      if (isMade) return;
      isMade = true;
      make();
    },
  });
}

/** The objects that stand for the children of a construct, as long as nobody asked for these or added one. */
export function unaskedObjects(construct: IConstruct): readonly LateObject[] | undefined {
  const objects = LATE.get(construct)?.objects;
  if (objects === undefined) return undefined;
  const { node } = construct;
  const children = Reflect.get(Object.getPrototypeOf(node), 'children', node) as readonly IConstruct[];
  return children.length === 0 ? objects() : undefined;
}

/** A construct and all below it, but for late children: for those that look around before the tree is complete. */
export function constructsSoFar(construct: IConstruct): readonly IConstruct[] {
  return LATE.has(construct)
    ? [construct]
    : [construct, ...construct.node.children.flatMap((child) => constructsSoFar(child))];
}
